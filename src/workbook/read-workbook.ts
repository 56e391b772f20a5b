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
  /** Stops the reading with its reason. */
  readonly signal?: AbortSignal;
  readonly limits?: Partial<ReadLimits>;
}

/** An opened workbook with its worksheets in order. There is nothing to close. */
export interface Workbook extends Iterable<Sheet> {
  readonly file: string;
  readonly format: 'xlsx' | 'csv';
  readonly sheets: readonly Sheet[];
  /** Separator of a CSV. */
  readonly delimiter?: string;
  /** Encoding of a CSV by its WHATWG name, such as `utf-8` or `windows-1252`. */
  readonly encoding?: string;
  /** For writing its result alike. */
  readonly style?: CsvStyle;
}

/**
 * Opens an XLSX or CSV file, told apart by content, and lists its sheets; rows are read when iterated. Throws
 * StopError with EXIT.file for what can't be read, with EXIT.usage for wrong options.
 */
export async function readWorkbook(file: string, options: ReadOptions = {}): Promise<Workbook> {
  const { encoding, delimiter, ...rest } = options;
  const given = { encoding: knownEncoding(encoding), delimiter: knownDelimiter(delimiter) };
  const format = await fileKind(file, given.encoding !== undefined);
  if (format === 'xlsx') return makeWorkbook(file, format, await readXlsx(file, rest));
  const { sheet, style } = await readCsv(file, given.encoding, { ...rest, delimiter: given.delimiter });
  const found = { delimiter: style.delimiter, encoding: style.encoding, style };
  return { ...makeWorkbook(file, format, [sheet]), ...found };
}

function makeWorkbook(file: string, format: 'xlsx' | 'csv', sheets: readonly Sheet[]): Workbook {
  return { file, format, sheets, [Symbol.iterator]: () => sheets.values() };
}
