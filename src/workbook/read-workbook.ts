import { type CsvStyle, knownDelimiter } from '../csv/csv-layout.ts';
import { readCsv } from '../csv/read-csv.ts';
import { fileKind } from '../files/file-kind.ts';
import type { ReadLimits } from '../files/limits.ts';
import type { Sheet } from '../files/sheet.ts';
import { knownEncoding } from '../files/text-encoding.ts';
import { readXlsx } from '../xlsx/read/read-xlsx.ts';

export type { Sheet } from '../files/sheet.ts';

/** What the user knows better than the file tells, and what bounds the reading. */
export interface ReadOptions {
  /** Separator of a CSV: one character, or `tab`; found from its first lines when absent. */
  readonly delimiter?: string;
  /** Encoding of a CSV, by any usual name: `utf8`, `utf-16`, `latin1`, `cp1252`, `iso-8859-15`, …; found from its bytes when absent. */
  readonly encoding?: string;
  /** Ends a reading under way with the signal's reason. */
  readonly signal?: AbortSignal;
  readonly limits?: Partial<ReadLimits>;
}

/** A workbook that has been looked into: its worksheets in workbook order. There is nothing to close. */
export interface Workbook extends Iterable<Sheet> {
  readonly file: string;
  readonly format: 'xlsx' | 'csv';
  readonly sheets: readonly Sheet[];
  /** What separates the fields of a CSV. */
  readonly delimiter?: string;
  /** The encoding that a CSV is read in: `utf-8`, `utf-16le`, `utf-16be`, `windows-1252`, `iso-8859-15`, or what the options name. */
  readonly encoding?: string;
  /** How a CSV is written, so that its result can be written alike. */
  readonly style?: CsvStyle;
}

/**
 * Opens an XLSX or CSV file, told apart by content and not by name, and lists its sheets; rows are read when they are iterated.
 * Throws StopError with EXIT.file and one sentence for whatever can't be read, with EXIT.usage for options that mean nothing.
 */
export async function readWorkbook(file: string, options: ReadOptions = {}): Promise<Workbook> {
  const { encoding, delimiter, ...rest } = options;
  const given = { encoding: knownEncoding(encoding), delimiter: knownDelimiter(delimiter) };
  const format = await fileKind(file, given.encoding !== undefined);
  if (format === 'xlsx') return makeWorkbook(file, format, await readXlsx(file, rest));
  const csv = await readCsv(file, given.encoding, { ...rest, delimiter: given.delimiter });
  const { delimiter: separator, encoding: found } = csv.style;
  return {
    ...makeWorkbook(file, format, [csv.sheet]),
    ...{ delimiter: separator, encoding: found, style: csv.style },
  };
}

function makeWorkbook(file: string, format: 'xlsx' | 'csv', sheets: readonly Sheet[]): Workbook {
  return { file, format, sheets, [Symbol.iterator]: () => sheets.values() };
}
