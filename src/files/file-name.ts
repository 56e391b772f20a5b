import { basename, dirname, extname, join, posix, win32 } from 'node:path';
import { type Bilingual, t } from '../core/language.ts';

/** Names that Windows keeps for devices, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])$/i;

/** Whether Windows takes a file name for a device, by what stands before its first dot. */
export const isDeviceName = (name: string): boolean => DEVICE.test((name.split('.')[0] ?? '').trimEnd());

/** The longest name on Windows and macOS, in UTF-16 code units. */
const LONGEST = 255;

/**
 * Why Windows can't have a file of this name; undefined if it can. Trying would not tell: it opens a device,
 * writes to a stream behind a colon, or says that nothing is there.
 */
export function unusableName(
  name: string,
  platform: NodeJS.Platform = process.platform,
): Bilingual | undefined {
  if (platform !== 'win32') return undefined;
  const isFit = !/[<>:"|?*\p{Cc}]|[. ]$/u.test(name) && name.length <= LONGEST && !isDeviceName(name);
  return isFit ? undefined : UNUSABLE;
}

const UNUSABLE = t(
  'Windows takes no such name: it has none of < > : " | ? *, does not end in a dot or blank, is at most 255 characters, and is no device such as CON',
  'Windows kent zo’n naam niet: er staat geen < > : " | ? * in, hij eindigt niet op een punt of spatie, is hooguit 255 tekens, en is geen apparaat zoals CON',
);

/** The full path for comparing: Windows ignores case, and its terminals vary that of drive letters. */
export function comparablePath(file: string, platform: NodeJS.Platform = process.platform): string {
  return platform === 'win32' ? win32.resolve(file).toLowerCase() : posix.resolve(file);
}

/** A name with another ending: `week.txt` as `week.xlsx`. */
export const withEnding = (file: string, ending: string): string =>
  `${file.slice(0, file.length - extname(file).length)}${ending}`;

const CSV_ENDINGS: ReadonlySet<string> = new Set(['.csv', '.txt', '.tsv']);
/** Spreadsheet programs refuse a workbook with macros under any other ending. */
const MACRO_ENDINGS: ReadonlySet<string> = new Set(['.xlsm', '.xltm']);
/** `NAME.result`, `NAME.result-2`, … */
const RESULT = /^(.+)\.result(?:-(\d{1,9}))?$/;

/**
 * Where a result goes, beside the input: `NAME.result.xlsx` (`.xlsm` where it has macros), `.csv` of a CSV unless
 * it is to hide rows. The result of a result gets the next number, `NAME.result-2.xlsx`.
 */
export function resultPath(input: string, hidesRows = false): string {
  const ending = extname(input);
  const stem = basename(input, ending);
  const [, name = stem, number = '1'] = RESULT.exec(stem) ?? [];
  const tail = name === stem ? '' : `-${Number(number) + 1}`;
  const book = hasMacros(input) ? '.xlsm' : '.xlsx';
  const own = !hidesRows && CSV_ENDINGS.has(ending.toLowerCase()) ? '.csv' : book;
  return join(dirname(input), `${name}.result${tail}${own}`);
}

/** The names that results of a file get one after the other, without end. */
export function* resultNames(usual: string): Generator<string, never> {
  const ending = extname(usual);
  const stem = usual.slice(0, usual.length - ending.length);
  const [, name = stem, before = '1'] = /^(.*\.result)-(\d{1,9})$/.exec(stem) ?? [];
  yield usual;
  for (let number = Number(before) + 1; ; number++) yield `${name}-${number}${ending}`;
}

/** Whether a workbook has macros, by its name. */
export function hasMacros(file: string): boolean {
  return MACRO_ENDINGS.has(extname(file).toLowerCase());
}

/** Whether a file is written as CSV, which holds one sheet. */
export const isCsv = (target: string): boolean => extname(target).toLowerCase() === '.csv';

/** The name of the fact in the ledger that tells which result a file is, and how it was left. */
export const resultFact = (file: string): string => `result ${comparablePath(file)}`;
