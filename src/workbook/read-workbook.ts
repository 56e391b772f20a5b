import { basename } from 'node:path';
import { type StopError, usageStop } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { type CsvStyle, knownDelimiter } from '../csv/csv-layout.ts';
import { readCsv } from '../csv/read-csv.ts';
import { fileKind } from '../files/file-kind.ts';
import type { ReadLimits } from '../files/limits.ts';
import type { Sheet } from '../files/sheet.ts';
import { knownEncoding } from '../files/text-encoding.ts';
import { readXlsx } from '../xlsx/read/read-xlsx.ts';

export type { Sheet } from '../files/sheet.ts';

/** How to read a file. */
export interface ReadOptions {
  /** Separator of a CSV: one character, or `tab`; found from its first lines if absent. */
  readonly delimiter?: string | undefined;
  /** Encoding of a CSV, by any usual name (`utf8`, `latin1`, `cp1252`, …); found from its bytes if absent. */
  readonly encoding?: string | undefined;
  /** The headers of a CSV that has none, in order; they become its first row. */
  readonly columns?: readonly string[] | undefined;
  /** Stops the reading with its reason. */
  readonly signal?: AbortSignal;
  /** What a file may cost to read; a limit that is absent stays as it is. */
  readonly limits?: Partial<ReadLimits>;
}

/** An opened workbook with its worksheets in order. There is nothing to close. */
export interface Workbook extends Iterable<Sheet> {
  /** Its path, as given. */
  readonly file: string;
  /** Told by what is in it, not by its name. */
  readonly format: 'xlsx' | 'csv';
  /** Its worksheets, hidden ones too. */
  readonly sheets: readonly Sheet[];
  /** Separator of a CSV. */
  readonly delimiter?: string;
  /** Encoding of a CSV by its WHATWG name, such as `utf-8` or `windows-1252`. */
  readonly encoding?: string;
  /** A word by which people see whether the encoding of a CSV, where it was found, is right. */
  readonly sample?: string;
  /** Every line of a CSV is quoted as a whole, and was read without those quotes. */
  readonly quotedLines?: true;
  /** For writing its result alike. */
  readonly style?: CsvStyle;
}

/**
 * Opens an XLSX or CSV file, told apart by content, and lists its sheets; rows are read when iterated. Throws
 * StopError with EXIT.file for what can't be read, with EXIT.usage for wrong options.
 */
export async function readWorkbook(file: string, options: ReadOptions = {}): Promise<Workbook> {
  const { encoding, delimiter, columns, ...rest } = options;
  const given = { encoding: knownEncoding(encoding), delimiter: knownDelimiter(delimiter) };
  const format = fileKind(file, given.encoding !== undefined);
  if (format === 'xlsx' && columns !== undefined) throw noCsv(file);
  if (format === 'xlsx') return makeWorkbook(file, format, await readXlsx(file, rest));
  const reading = { ...rest, columns, delimiter: given.delimiter };
  const { style, sheet, ...seen } = await readCsv(file, given.encoding, reading);
  const found = { delimiter: style.delimiter, encoding: style.encoding, style, ...seen };
  return { ...makeWorkbook(file, format, [sheet]), ...found };
}

function noCsv(file: string): StopError {
  const name = basename(file);
  return usageStop(
    t(
      `Names for the columns are for a CSV, and ${name} is a workbook.`,
      `Namen voor de kolommen zijn voor een CSV, en ${name} is een werkmap.`,
    ),
    t('Put the headers above its rows.', 'Zet de koppen boven de rijen.'),
  );
}

function makeWorkbook(file: string, format: 'xlsx' | 'csv', sheets: readonly Sheet[]): Workbook {
  return { file, format, sheets, [Symbol.iterator]: () => sheets.values() };
}
