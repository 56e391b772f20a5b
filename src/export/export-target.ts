import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { EXIT, StopError } from '../core/errors.ts';
import { type Bilingual, t } from '../core/language.ts';
import { isSameFile, tryTarget } from '../files/write-aside.ts';
import type { Context } from '../run/context.ts';
import { orStop } from '../run/stop.ts';
import type { Resource } from '../schema/resource.ts';

/** How an export can be written. */
export const EXPORT_FORMATS = ['xlsx', 'csv', 'ndjson'] as const;
/** See `EXPORT_FORMATS`. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Where an export goes: a file, or stdout when `file` is null. */
interface ExportTarget {
  readonly file: string | null;
  readonly format: ExportFormat;
}

const ENDINGS: Readonly<Record<string, ExportFormat>> = {
  '.xlsx': 'xlsx',
  '.csv': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
};

/** What `--out` says for stdout. */
const STDOUT = '-';

/** Where an export of a resource goes, by the name it is given. Throws StopError with EXIT.usage for a name that doesn't say how it is to be written. */
export function exportTarget(
  resource: Resource,
  out: string | undefined,
  format: ExportFormat | undefined,
): ExportTarget {
  if (out === STDOUT) {
    if (format === 'xlsx') throw stop(NO_BOOK, NO_BOOK_NEXT);
    return { file: null, format: format ?? 'csv' };
  }
  const file = out ?? `${resource.sheet.toLowerCase()}.${format ?? 'xlsx'}`;
  const ending = ENDINGS[extname(file).toLowerCase()];
  // A spreadsheet program goes by the name: a CSV called .xlsx would not open.
  if (ending === undefined && format !== undefined && format !== 'xlsx') return { file, format };
  if (ending === undefined) throw stop(unknownEnding(file), ENDINGS_NEXT);
  if (format !== undefined && format !== ending) throw stop(otherEnding(file, format), ENDINGS_NEXT);
  return { file, format: ending };
}

/**
 * Makes sure, before anything is asked of the service, that the file can be written and that none is lost by it; `source`,
 * which says what to export, is never overwritten. Throws StopError with EXIT.usage.
 */
export async function checkExportTarget(file: string, overwrite: boolean, source?: string): Promise<void> {
  if (source !== undefined && (await isSameFile(source, file))) throw stop(overInput(file), OTHER_FILE);
  const there = overwrite ? undefined : await stat(file).catch(() => undefined);
  // A link stands for the file that it leads to. What is no file is refused in the words of whoever writes.
  if (there?.isFile() === true) throw stop(exists(file), EXISTS_NEXT);
  await tryTarget(file);
}

const stop = (message: Bilingual, next: Bilingual): StopError => new StopError(EXIT.usage, message, { next });

const NO_BOOK: Bilingual = t(
  'A workbook can’t be written to stdout.',
  'Een werkmap kan niet naar stdout worden geschreven.',
);
const NO_BOOK_NEXT: Bilingual = t(
  'Use --format csv or ndjson, or name a file with --out.',
  'Gebruik --format csv of ndjson, of noem een bestand met --out.',
);
const ENDINGS_NEXT: Bilingual = t(
  'Let --out end in .xlsx, .csv or .ndjson.',
  'Laat --out eindigen op .xlsx, .csv of .ndjson.',
);
const EXISTS_NEXT: Bilingual = t(
  'Add --yes to overwrite it, or name another file with --out.',
  'Voeg --yes toe om het te overschrijven, of noem een ander bestand met --out.',
);

const OTHER_FILE: Bilingual = t('Name another file with --out.', 'Noem een ander bestand met --out.');

const unknownEnding = (file: string): Bilingual =>
  t(
    `The name ${file} does not say how the export is to be written.`,
    `Aan de naam ${file} is niet te zien hoe de export geschreven moet worden.`,
  );
const otherEnding = (file: string, format: ExportFormat): Bilingual =>
  t(
    `--format ${format} and the name ${file} don’t agree.`,
    `--format ${format} en de naam ${file} spreken elkaar tegen.`,
  );
const overInput = (file: string): Bilingual =>
  t(
    `The export would overwrite ${file}, which says what to export.`,
    `De export zou ${file} overschrijven, dat zegt wat er geëxporteerd wordt.`,
  );
const exists = (file: string): Bilingual =>
  t(
    `${file} is there already and may have been edited; it is not overwritten.`,
    `${file} bestaat al en is misschien bewerkt; het wordt niet overschreven.`,
  );

/** What is said of how a CSV is written; absent or false where nothing is. */
type CsvFlags = Readonly<Partial<Record<'raw' | 'delimiter' | 'locale', boolean | string | undefined>>>;

/** Refuses what would do nothing, as whoever said it expects something else. Throws StopError with EXIT.usage. */
export function refuseUnusedCsvFlags(format: ExportFormat, flags: CsvFlags): void {
  if (format === 'csv') return;
  const [flag] = Object.entries(flags).find(([, said]) => said !== undefined && said !== false) ?? [];
  if (flag === undefined) return;
  const { en, nl } = FORMAT_NAMES[format];
  throw new StopError(
    EXIT.usage,
    t(
      `--${flag} says how a CSV is written, and this export is ${en}.`,
      `--${flag} zegt hoe een CSV geschreven wordt, en deze export is ${nl}.`,
    ),
    {
      next: t('Leave it out, or let --out end in .csv.', 'Laat het weg, of laat --out eindigen op .csv.'),
    },
  );
}

const FORMAT_NAMES = {
  xlsx: t('a workbook', 'een werkmap'),
  ndjson: t('NDJSON', 'NDJSON'),
};

/** Does all of the work, or says what became of the file (null for stdout). Throws StopError. */
export async function wholeOrStop<T>(
  context: Context,
  file: string | null,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await orStop(context, work, file === null ? CUT_SHORT : unwritten(file));
  } catch (cause) {
    if (context.signal?.aborted !== true) throw cause;
    throw new StopError(EXIT.interrupted, interrupted(file), { cause });
  }
}

const CUT_SHORT: Bilingual = t(
  'What was written so far is not all of it.',
  'Wat er tot nu toe geschreven is, is niet alles.',
);

const unwritten = (file: string): Bilingual =>
  t(
    `Nothing was written to ${basename(file)}; if it was there, it is as it was.`,
    `Er is niets geschreven naar ${basename(file)}; stond het er al, dan is het zoals het was.`,
  );

const interrupted = (file: string | null): Bilingual =>
  file === null
    ? t(
        'Interrupted: what was written so far is not all of it.',
        'Onderbroken: wat er tot nu toe geschreven is, is niet alles.',
      )
    : t(`Interrupted: nothing was written to ${file}.`, `Onderbroken: er is niets geschreven naar ${file}.`);
