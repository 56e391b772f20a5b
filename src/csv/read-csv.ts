import { basename, extname } from 'node:path';
import type { Cell, Row } from '../core/cell.ts';
import { usageStop } from '../core/errors.ts';
import { type Bilingual, t, withFlag } from '../core/language.ts';
import { DEFAULT_LIMITS, LAST_COLUMN, type ReadLimits } from '../files/limits.ts';
import { makeSheet, type Sheet } from '../files/sheet.ts';
import type { TextEncoding } from '../files/text-encoding.ts';
import { type CsvStyle, findLayout, isRule } from './csv-layout.ts';
import { csvRecords, type QuoteTrouble } from './csv-records.ts';
import { findEncoding, textChunks } from './encoding.ts';

type CsvLayout = ReturnType<typeof findLayout>;

interface ReadCsvOptions {
  readonly delimiter?: string | undefined;
  /** The headers of a file that has none. */
  readonly columns?: readonly string[] | undefined;
  readonly limits?: Partial<ReadLimits>;
  readonly signal?: AbortSignal;
}

/** An opened CSV. */
interface CsvFile {
  readonly style: CsvStyle;
  readonly sheet: Sheet;
  /** A word with a letter that tells whether the encoding was found rightly. */
  readonly sample?: string;
  /** Every line is quoted as a whole, and was read without those quotes. */
  readonly quotedLines?: true;
}

/** Opens a CSV as one sheet with the name of the file; every cell is text. Throws StopError. */
export async function readCsv(
  file: string,
  given: TextEncoding | undefined,
  options: ReadCsvOptions,
): Promise<CsvFile> {
  const encoding = await findEncoding(file, given, options.signal);
  const layout = await readLayout(file, encoding, options);
  checkColumns(file, layout, options.columns);
  const sample = given === undefined && encoding !== 'utf-8' ? await sampleOf(file, encoding, options) : '';
  const read = () => readBatches(file, layout, options);
  const { skip: _, expected: __, filled: ___, whole, ...style } = layout;
  return {
    style,
    ...(whole ? { quotedLines: true } : {}),
    ...(sample === '' ? {} : { sample }),
    sheet: makeSheet(basename(file, extname(file)), false, read),
  };
}

/** The most characters of a word that are shown before and behind a letter. */
const SHOWN = 20;
const [WORD_START, WORD_END] = [/[\p{L}\p{M}]*$/u, /^.[\p{L}\p{M}]*/u];

/** The first word with a letter that ASCII lacks, else the first such sign. */
async function sampleOf(file: string, encoding: TextEncoding, { signal }: ReadCsvOptions): Promise<string> {
  for await (const text of textChunks(file, encoding, signal)) {
    const letter = text.search(/(?!\p{ASCII})\p{L}/u);
    const at = letter < 0 ? text.search(/\P{ASCII}/u) : letter;
    if (at < 0) continue;
    const before = WORD_START.exec(text.slice(Math.max(0, at - SHOWN), at))?.[0] ?? '';
    return before + (WORD_END.exec(text.slice(at, at + SHOWN))?.[0] ?? '');
  }
  return '';
}

/** Throws StopError with EXIT.usage where the given headers are not as many as the file has columns. */
function checkColumns(
  file: string,
  { expected: [most = 1], filled }: CsvLayout,
  columns: readonly string[] | undefined,
): void {
  if (columns === undefined || filled === 0) return;
  const { length } = columns;
  if (length >= filled && length <= most) return;
  const name = basename(file);
  throw usageStop(
    t(
      `${length} columns are named, and ${name} has ${most}.`,
      `Er zijn ${length} kolommen genoemd, en ${name} heeft er ${most}.`,
    ),
    withFlag(
      t(
        'Name each column in order, with - for one that does not count; is the separator another, choose that.',
        'Noem elke kolom op volgorde, met - voor een die niet telt; is het scheidingsteken een ander, kies dat dan.',
      ),
      '--columns, --delimiter',
    ),
  );
}

/** Characters by which the layout is found: they hold a hundred rows, long ones too. */
const ENOUGH = 1 << 18;

async function readLayout(file: string, encoding: TextEncoding, options: ReadCsvOptions): Promise<CsvLayout> {
  let start = '';
  for await (const text of textChunks(file, encoding, options.signal)) {
    start += text;
    if (start.length >= ENOUGH) break;
  }
  return findLayout(start, encoding, options.delimiter);
}

async function* readBatches(file: string, layout: CsvLayout, options: ReadCsvOptions): AsyncGenerator<Row[]> {
  const { delimiter, encoding, named, skip, expected, whole } = layout;
  const longest = options.limits?.tokenBytes ?? DEFAULT_LIMITS.tokenBytes;
  const cutter = csvRecords({
    delimiter,
    longest,
    expected: whole ? [1] : expected,
    line: named ? 2 : 1,
    most: MOST_ROWS,
    file,
  });
  let toSkip = skip;
  let records = 0;
  if (options.columns !== undefined) {
    // The given headers take the place of a row that the file lacks.
    records = 1;
    yield [{ number: records, cells: toCells(options.columns) }];
  }
  for await (const text of textChunks(file, encoding, options.signal)) {
    yield* rowsOf(cutter.take(text.slice(toSkip)), () => cutter.take(''));
    toSkip = Math.max(0, toSkip - text.length);
  }
  yield* rowsOf(cutter.finish(), () => cutter.finish());

  function* rowsOf(first: string[][], more: () => string[][]): Generator<Row[]> {
    for (let cut = first; cut.length > 0; cut = more()) {
      const rows = toRows(cut, records, cutter, layout);
      records += cut.length;
      if (rows.length > 0) yield rows;
      if (cut.length < MOST_ROWS) return;
    }
  }
}

/** Rows that are cut together: a quote that never closes keeps a million lines waiting. */
const MOST_ROWS = 10_000;

function toRows(
  records: readonly string[][],
  before: number,
  { troubles }: ReturnType<typeof csvRecords>,
  layout: CsvLayout,
): Row[] {
  const rows: Row[] = [];
  for (let record = 0; record < records.length; record++) {
    const line = records[record] as string[];
    const lineTrouble = troubles.size === 0 ? undefined : troubles.get(line);
    const inside = line.length === 1 && lineTrouble === undefined ? lineInside(line, layout) : undefined;
    const fields = inside?.fields ?? line;
    const cells = toCells(fields);
    if (cells.length === 0 || isRule(fields)) continue;
    const number = before + record + 1;
    const trouble = lineTrouble ?? inside?.trouble;
    if (trouble !== undefined)
      rows.push({ number, cells, finding: findingOf(fields, trouble, layout.expected) });
    else if (inside === undefined || layout.whole) rows.push({ number, cells });
    else
      rows.push({ number, cells, finding: { code: 'quotes-around-row', found: line[0] ?? '', column: 1 } });
  }
  return rows;
}

/** What stands in a line that is quoted as a whole; undefined for another line. */
function lineInside(
  [line = '']: readonly string[],
  { delimiter, expected, whole }: CsvLayout,
): { readonly fields: string[]; readonly trouble: QuoteTrouble | undefined } | undefined {
  if (expected[0] === 1 || !line.includes(delimiter)) return undefined;
  const cutter = csvRecords({ delimiter, longest: line.length + 1, expected });
  const [fields, ...more] = [...cutter.take(line), ...cutter.finish()];
  if (fields === undefined || more.length > 0) return undefined;
  return whole || expected.includes(fields.length)
    ? { fields, trouble: cutter.troubles.get(fields) }
    : undefined;
}

const CODES = { literal: 'quotes-literal', lines: 'quotes-over-rows', broken: 'quotes-broken' } as const;

function findingOf(
  fields: readonly string[],
  { kind, field, found }: QuoteTrouble,
  [expected = 1]: readonly number[],
): NonNullable<Row['finding']> {
  const column = field + 1;
  if (kind !== 'broken') return { code: CODES[kind], found: fields[field] ?? found, column };
  return { code: CODES[kind], found, column, hint: sizes(fields.length, expected) };
}

function sizes(fields: number, expected: number): Bilingual {
  return t(
    `it makes ${fields} field${fields === 1 ? '' : 's'}, where the file has ${expected}`,
    `zo staan er ${fields} veld${fields === 1 ? '' : 'en'}, waar het bestand er ${expected} heeft`,
  );
}

function toCells(fields: readonly string[]): Cell[] {
  const cells: Cell[] = [];
  const last = Math.min(fields.length, LAST_COLUMN);
  for (let column = 1; column <= last; column++) {
    const cell = csvCell(column, fields[column - 1] as string);
    if (cell !== undefined) cells.push(cell);
  }
  return cells;
}

const EQUALS = 61;

/** The cell that a field of a CSV is; undefined for an empty one. */
export function csvCell(column: number, field: string): Cell | undefined {
  const value = field.charCodeAt(0) === EQUALS ? withoutFormula(field) : field;
  return value === '' ? undefined : { column, type: 'text', value };
}

/** Some programs write `="00123"` so that Excel keeps the zeros. */
function withoutFormula(field: string): string {
  const text = /^="((?:[^"]|"")*)"$/.exec(field)?.[1];
  return text === undefined ? field : text.replaceAll('""', '"');
}
