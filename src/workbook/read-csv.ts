import { basename, extname } from 'node:path';
import Papa from 'papaparse';
import { EXIT, StopError } from '../errors.ts';
import type { Cell, Row } from '../schema/cell.ts';
import { type CsvLayout, findLayout } from './csv-delimiter.ts';
import { type CsvEncoding, findEncoding, textChunks } from './csv-encoding.ts';
import { DEFAULT_LIMITS, type ReadLimits } from './limits.ts';
import { makeSheet, type Sheet } from './sheet.ts';

/** What bounds the reading of a CSV, and what the user knows better than the file tells. */
export interface CsvOptions {
  readonly delimiter?: string;
  readonly limits?: Partial<ReadLimits>;
  readonly signal?: AbortSignal;
}

/** A CSV that has been looked into. */
export interface CsvFile {
  readonly delimiter: string;
  readonly sheet: Sheet;
}

/** The one sheet of a CSV, named after the file; every cell is text. Throws StopError. */
export async function readCsv(
  file: string,
  given: CsvEncoding | undefined,
  options: CsvOptions,
): Promise<CsvFile> {
  const encoding = given ?? (await findEncoding(file, options.signal));
  const layout = await readLayout(file, encoding, options);
  const read = () => readBatches(file, encoding, layout, options);
  return { delimiter: layout.delimiter, sheet: makeSheet(basename(file, extname(file)), false, read) };
}

async function readLayout(file: string, encoding: CsvEncoding, options: CsvOptions): Promise<CsvLayout> {
  for await (const start of textChunks(file, encoding, options.signal))
    return findLayout(start, options.delimiter);
  return findLayout('', options.delimiter);
}

async function* readBatches(
  file: string,
  encoding: CsvEncoding,
  { delimiter, skip }: CsvLayout,
  options: CsvOptions,
): AsyncGenerator<Row[]> {
  const longest = options.limits?.tokenBytes ?? DEFAULT_LIMITS.tokenBytes;
  const parser = new Papa.Parser({ delimiter, newline: '\n' });
  let rest: string | undefined;
  let records = 0;
  for await (const text of textChunks(file, encoding, options.signal)) {
    rest = rest === undefined ? text.slice(skip) : rest + text;
    // The last record may go on in the next chunk.
    const { data, meta } = parser.parse(rest, 0, true) as Papa.ParseResult<string[]>;
    rest = rest.slice(meta.cursor);
    if (rest.length > longest) throw unclosed(file, records + data.length + 1);
    const rows = toRows(data, records);
    records += data.length;
    if (rows.length > 0) yield rows;
  }
  if (rest === undefined || rest === '') return;
  const { data, errors } = parser.parse(rest, 0, false) as Papa.ParseResult<string[]>;
  if (errors.some((error) => error.code === 'MissingQuotes')) throw unclosed(file, records + data.length);
  const rows = toRows(data, records);
  if (rows.length > 0) yield rows;
}

function toRows(data: string[][], before: number): Row[] {
  const rows: Row[] = [];
  for (let record = 0; record < data.length; record++) {
    const cells = toCells(data[record] as string[]);
    if (cells.length > 0) rows.push({ number: before + record + 1, cells });
  }
  return rows;
}

function toCells(fields: string[]): Cell[] {
  const cells: Cell[] = [];
  for (let column = 1; column <= fields.length; column++) {
    const value = fields[column - 1] as string;
    if (value !== '') cells.push({ column, type: 'text', value });
  }
  return cells;
}

function unclosed(file: string, record: number): StopError {
  return new StopError(
    EXIT.file,
    {
      en: `In ${basename(file)} a quote that opens in row ${record} is never closed.`,
      nl: `In ${basename(file)} wordt een aanhalingsteken dat in rij ${record} begint nergens gesloten.`,
    },
    {
      next: {
        en: 'Close the quote there, or save the file again from the spreadsheet program.',
        nl: 'Sluit het aanhalingsteken daar, of sla het bestand opnieuw op vanuit het spreadsheetprogramma.',
      },
    },
  );
}
