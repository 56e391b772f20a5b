import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { EXIT, StopError } from '../../errors.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Bilingual } from '../../schema/value.ts';
import { isSameFile } from '../../workbook/same-file.ts';
import { tryTarget } from '../../workbook/target-place.ts';

/** How an export can be written. */
export const EXPORT_FORMATS = ['xlsx', 'csv', 'ndjson'] as const;
/** See `EXPORT_FORMATS`. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Where an export goes: a file, or stdout when `file` is null. */
export interface ExportTarget {
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

const NO_BOOK: Bilingual = {
  en: 'A workbook can’t be written to stdout.',
  nl: 'Een werkmap kan niet naar stdout worden geschreven.',
};
const NO_BOOK_NEXT: Bilingual = {
  en: 'Use --format csv or ndjson, or name a file with --out.',
  nl: 'Gebruik --format csv of ndjson, of noem een bestand met --out.',
};
const ENDINGS_NEXT: Bilingual = {
  en: 'Let --out end in .xlsx, .csv or .ndjson.',
  nl: 'Laat --out eindigen op .xlsx, .csv of .ndjson.',
};
const EXISTS_NEXT: Bilingual = {
  en: 'Add --yes to overwrite it, or name another file with --out.',
  nl: 'Voeg --yes toe om het te overschrijven, of noem een ander bestand met --out.',
};

const OTHER_FILE: Bilingual = {
  en: 'Name another file with --out.',
  nl: 'Noem een ander bestand met --out.',
};

const unknownEnding = (file: string): Bilingual => ({
  en: `The name ${file} does not say how the export is to be written.`,
  nl: `Aan de naam ${file} is niet te zien hoe de export geschreven moet worden.`,
});
const otherEnding = (file: string, format: ExportFormat): Bilingual => ({
  en: `--format ${format} and the name ${file} don’t agree.`,
  nl: `--format ${format} en de naam ${file} spreken elkaar tegen.`,
});
const overInput = (file: string): Bilingual => ({
  en: `The export would overwrite ${file}, which says what to export.`,
  nl: `De export zou ${file} overschrijven, dat zegt wat er geëxporteerd wordt.`,
});
const exists = (file: string): Bilingual => ({
  en: `${file} is there already and may have been edited; it is not overwritten.`,
  nl: `${file} bestaat al en is misschien bewerkt; het wordt niet overschreven.`,
});
