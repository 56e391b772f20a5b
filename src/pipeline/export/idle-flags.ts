import { EXIT, StopError } from '../../errors.ts';
import type { ExportFormat } from './export-target.ts';

/** What is said of how a CSV is written; absent or false where nothing is. */
export type CsvFlags = Readonly<
  Partial<Record<'raw' | 'delimiter' | 'locale', boolean | string | undefined>>
>;

/** Refuses what would do nothing, as whoever said it expects something else. Throws StopError with EXIT.usage. */
export function refuseIdle(format: ExportFormat, flags: CsvFlags): void {
  if (format === 'csv') return;
  const [flag] = Object.entries(flags).find(([, said]) => said !== undefined && said !== false) ?? [];
  if (flag === undefined) return;
  const { en, nl } = KINDS[format];
  throw new StopError(
    EXIT.usage,
    {
      en: `--${flag} says how a CSV is written, and this export is ${en}.`,
      nl: `--${flag} zegt hoe een CSV geschreven wordt, en deze export is ${nl}.`,
    },
    {
      next: {
        en: 'Leave it out, or let --out end in .csv.',
        nl: 'Laat het weg, of laat --out eindigen op .csv.',
      },
    },
  );
}

const KINDS = {
  xlsx: { en: 'a workbook', nl: 'een werkmap' },
  ndjson: { en: 'NDJSON', nl: 'NDJSON' },
};
