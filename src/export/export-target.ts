import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { EXIT, StopError, usageStop } from '../core/errors.ts';
import { type Bilingual, t, withFlag } from '../core/language.ts';
import { checkWritable, isSameFile } from '../files/write-aside.ts';
import type { Context } from '../run/context.ts';
import { orStop } from '../run/stop.ts';
import type { Resource } from '../schema/resource.ts';

/** The formats of an export. */
export const EXPORT_FORMATS = ['xlsx', 'csv', 'ndjson'] as const;
/** One of `EXPORT_FORMATS`. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Where an export goes, and how. */
export interface ExportTarget {
  /** Null for stdout. */
  readonly file: string | null;
  readonly format: ExportFormat;
}

const ENDINGS: Readonly<Record<string, ExportFormat>> = {
  '.xlsx': 'xlsx',
  '.csv': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
};

/** The value of `--out` for stdout. */
const STDOUT = '-';

/** What tells where an export goes. */
interface TargetOptions {
  readonly out?: string | undefined;
  readonly format?: ExportFormat | undefined;
  readonly delimiter?: string | undefined;
}

/** The file and format of an export. Throws StopError with EXIT.usage where options don't tell it, or disagree. */
export function exportTarget(
  resources: readonly Resource[],
  { out, format, delimiter }: TargetOptions,
): ExportTarget {
  const name = out ?? `${nameOf(resources)}.${format ?? 'xlsx'}`;
  const ending = ENDINGS[extname(name).toLowerCase()];
  const chosen = format ?? ending ?? (name === STDOUT ? 'csv' : undefined);
  if (chosen === undefined) throw usageStop(unknownEnding(name), ENDINGS_NEXT);
  // A spreadsheet program goes by the extension: a CSV called .xlsx would not open.
  if (ending !== chosen && (ending !== undefined || chosen === 'xlsx'))
    throw usageStop(otherEnding(name, chosen), ENDINGS_NEXT);
  if (delimiter !== undefined && chosen !== 'csv') throw usageStop(NO_CSV, NO_CSV_NEXT);
  if (resources.length > 1 && chosen !== 'xlsx') throw usageStop(oneKind(chosen, resources), ONE_KIND_NEXT);
  return { file: name === STDOUT ? null : name, format: chosen };
}

/**
 * Checks, before any request, that the file can be written and would not overwrite another, nor `source`,
 * which says what to export. Throws StopError with EXIT.usage.
 */
export async function checkExportTarget(file: string, overwrite: boolean, source?: string): Promise<void> {
  if (source !== undefined && isSameFile(source, file)) throw usageStop(overInput(file), OTHER_FILE);
  const there = overwrite ? undefined : await stat(file).catch(() => undefined);
  // What is there and no file, such as a folder, is refused by tryTarget.
  if (there?.isFile() === true) throw usageStop(exists(file), EXISTS_NEXT);
  checkWritable(file);
}

/** The name of an export's file, where none is given. */
const nameOf = (resources: readonly Resource[]): string =>
  resources.map(({ sheet }) => sheet.toLowerCase()).join('-');

const NO_CSV: Bilingual = withFlag(
  t('Only a CSV has a separator.', 'Alleen een CSV heeft een scheidingsteken.'),
  '--delimiter',
);
const NO_CSV_NEXT: Bilingual = withFlag(
  t('Leave it out, or write a CSV.', 'Laat het weg, of schrijf een CSV.'),
  '--format csv',
);

const ONE_KIND_NEXT: Bilingual = withFlag(
  t('Export a workbook, or each by itself.', 'Exporteer een werkmap, of elk apart.'),
  '--out week.xlsx',
);
const ENDINGS_NEXT: Bilingual = withFlag(
  t(
    'Choose a name that ends in .xlsx, .csv or .ndjson.',
    'Kies een naam die eindigt op .xlsx, .csv of .ndjson.',
  ),
  '--out',
);
const EXISTS_NEXT: Bilingual = withFlag(
  t('Choose another name, or have it overwritten.', 'Kies een andere naam, of laat het overschrijven.'),
  '--out, --yes',
);

const OTHER_FILE: Bilingual = withFlag(t('Choose another name.', 'Kies een andere naam.'), '--out');

const oneKind = (format: ExportFormat, resources: readonly Resource[]): Bilingual => {
  const [name, sheets] = [format.toUpperCase(), resources.map(({ sheet }) => sheet).join(', ')];
  return t(
    `A file in ${name} holds one kind of records, not ${sheets}.`,
    `Een bestand in ${name} bevat één soort records, niet ${sheets}.`,
  );
};
const unknownEnding = (file: string): Bilingual =>
  t(
    `The name ${file} does not say how the export is to be written.`,
    `Aan de naam ${file} is niet te zien hoe de export geschreven moet worden.`,
  );
const otherEnding = (file: string, format: ExportFormat): Bilingual =>
  withFlag(
    t(
      `The format ${format} and the name ${file} don’t agree.`,
      `Het formaat ${format} en de naam ${file} spreken elkaar tegen.`,
    ),
    '--format',
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

/** Does the work of an export; a stop says what became of the file, null for stdout. Throws StopError. */
export async function wholeOrStop<T>(
  context: Context,
  file: string | null,
  work: () => Promise<T>,
): Promise<T> {
  const became = file === null ? CUT_SHORT : unwritten(file);
  try {
    return await orStop(context, work, became);
  } catch (cause) {
    if (context.signal?.aborted !== true) throw cause;
    throw new StopError(EXIT.interrupted, INTERRUPTED, { next: became, cause });
  }
}

const INTERRUPTED: Bilingual = t('Interrupted.', 'Onderbroken.');

const CUT_SHORT: Bilingual = t(
  'What was written so far is not all of it.',
  'Wat er tot nu toe geschreven is, is niet alles.',
);

const unwritten = (file: string): Bilingual =>
  t(
    `Nothing was written to ${basename(file)}; if it was there, it is as it was.`,
    `Er is niets geschreven naar ${basename(file)}; stond het er al, dan is het zoals het was.`,
  );
