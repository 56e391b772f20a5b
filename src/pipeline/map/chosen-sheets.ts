import { basename } from 'node:path';
import { EXIT, StopError } from '../../errors.ts';
import { normaliseHeader } from '../../schema/header.ts';
import { nearest } from '../../schema/nearest.ts';
import type { Workbook } from '../../workbook/read-workbook.ts';

/** Whether a sheet is one of those named; names are compared as headers are. */
export function isChosen(sheet: string, only: readonly string[]): boolean {
  return only.some((name) => normaliseHeader(name) === normaliseHeader(sheet));
}

/** Throws StopError with EXIT.usage for a name that no sheet of the workbook has, with those that look like it. */
export function checkChosen({ file, sheets }: Workbook, only: readonly string[]): void {
  const names = sheets.map(({ name }) => name);
  const missing = only.find((name) => !names.some((own) => isChosen(own, [name])));
  if (missing === undefined) return;
  const near = nearest(missing, names).join(', ');
  const all = names.join(', ');
  throw new StopError(
    EXIT.usage,
    {
      en: `--sheet ${missing}: ${basename(file)} has no sheet of that name.`,
      nl: `--sheet ${missing}: ${basename(file)} heeft geen werkblad met die naam.`,
    },
    {
      next:
        near === ''
          ? { en: `Its sheets are: ${all}.`, nl: `De werkbladen zijn: ${all}.` }
          : { en: `Names that look like it: ${near}.`, nl: `Namen die erop lijken: ${near}.` },
    },
  );
}
