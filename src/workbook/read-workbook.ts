import { EXIT, StopError } from '../errors.ts';
import type { CsvEncoding } from './csv-encoding.ts';
import { fileKind } from './file-kind.ts';
import type { ReadLimits } from './limits.ts';
import { readCsv } from './read-csv.ts';
import { readXlsx } from './read-xlsx.ts';
import type { Sheet } from './sheet.ts';

export type { Sheet } from './sheet.ts';

/** What the user knows better than the file tells, and what bounds the reading. */
export interface ReadOptions {
  /** Separator of a CSV; found from its first lines when absent. */
  readonly delimiter?: string;
  /** Encoding of a CSV: `utf-8`, `utf-16le`, `utf-16be` or `windows-1252`; found from its bytes when absent. */
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
}

const ENCODINGS: readonly CsvEncoding[] = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'];

/**
 * Opens an XLSX or CSV file, told apart by content and not by name, and lists its sheets; rows are read when they are iterated.
 * Throws StopError with EXIT.file and one sentence for whatever can't be read.
 */
export async function readWorkbook(file: string, options: ReadOptions = {}): Promise<Workbook> {
  const { encoding, ...rest } = options;
  const known = knownEncoding(encoding);
  const format = await fileKind(file, known !== undefined);
  if (format === 'xlsx') return makeWorkbook(file, format, await readXlsx(file, rest));
  const { sheet, delimiter } = await readCsv(file, known, rest);
  return { ...makeWorkbook(file, format, [sheet]), delimiter };
}

function makeWorkbook(file: string, format: 'xlsx' | 'csv', sheets: readonly Sheet[]): Workbook {
  return { file, format, sheets, [Symbol.iterator]: () => sheets.values() };
}

function knownEncoding(name: string | undefined): CsvEncoding | undefined {
  if (name === undefined) return undefined;
  const found = ENCODINGS.find(
    (encoding) => encoding.replace('-', '') === name.toLowerCase().replaceAll('-', ''),
  );
  if (found !== undefined) return found;
  const known = ENCODINGS.join(', ');
  throw new StopError(
    EXIT.usage,
    { en: `The encoding ${name} is not known.`, nl: `De tekenset ${name} is niet bekend.` },
    { next: { en: `Use one of ${known}.`, nl: `Gebruik een van ${known}.` } },
  );
}
