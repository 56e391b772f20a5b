import { eachOf } from '../../core/batches.ts';
import type { Cell, Row } from '../../core/cell.ts';
import { ROW_MARK } from '../../core/header.ts';
import type { PlannedRow, RowResult } from '../../core/plan.ts';
import { sentValues, writtenText } from '../../core/row-text.ts';
import type { Value } from '../../core/value.ts';
import {
  type CorrectedCells,
  isWanted,
  type NumberedOutcome,
  type ResultRow,
  withCells,
} from '../../files/result-sheet.ts';
import { eachRow } from '../../ledger/ledger.ts';
import type { Context } from '../../run/context.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Sheet } from '../../workbook/read-workbook.ts';
import { pagesNow } from '../apply/rows-now.ts';
import { rowNumber } from '../map/map-row.ts';
import type { SheetMapping } from '../map/sheet-mapping.ts';
import type { Plan } from '../plan/plan-import.ts';
import { correctionsOf, type RowCorrections } from './corrected-cells.ts';
import type { ProblemTally } from './problem-tally.ts';
import { type ResultWording, toOutcome } from './row-outcome.ts';

/** What the sheets of a result are made with. */
export interface ResultWork {
  readonly context: Context;
  readonly plan: Plan;
  readonly tally: ProblemTally;
  readonly wishes: ResultWording;
  /** The result is the user's own workbook, drawings and all. */
  readonly kept: boolean;
  /** The result is a CSV, in which no row can be hidden. */
  readonly csv: boolean;
}

/** A sheet's rows with what became of them, in pages; each time they go by, they are tallied anew. */
async function* tallied(
  { context, plan, tally, wishes }: ResultWork,
  sheet: string,
): AsyncGenerator<RowResult[]> {
  tally.begin(sheet);
  const total = plan.sheets.find((one) => one.sheet === sheet)?.counts.read ?? null;
  let done = 0;
  for await (const results of pagesNow(context.ledger, plan.run, { sheet, busy: wishes.busy })) {
    for (const result of results) tally.add(result);
    done += results.length;
    context.onProgress?.({ stage: 'writing', done, total });
    yield results;
  }
}

/** The outcomes of one sheet's rows. */
export const rowOutcomes = (
  work: ResultWork,
  mapping: SheetMapping,
): AsyncIterableIterator<NumberedOutcome> => eachOf(outcomePages(work, mapping));

async function* outcomePages(work: ResultWork, mapping: SheetMapping): AsyncGenerator<NumberedOutcome[]> {
  const corrections = correctionsOf(work.plan, mapping.sheet);
  for await (const results of tallied(work, mapping.sheet))
    yield results.map((result) => {
      const { row } = result.planned;
      return { row, ...toOutcome(result, mapping, work.wishes, corrections.get(row)) };
    });
}

const NO_CELLS: ReadonlyMap<number, CorrectedCells> = new Map();

/** A sheet's rows as they stand in the file, merged with their outcomes: both streams are in row order. */
export async function* resultRows(
  sheet: Sheet,
  mapping: SheetMapping,
  outcomes: AsyncIterable<NumberedOutcome>,
  corrected: ReadonlyMap<number, CorrectedCells> = NO_CELLS,
): AsyncGenerator<ResultRow> {
  const results = outcomes[Symbol.asyncIterator]();
  let next = (await results.next()).value as NumberedOutcome | undefined;
  for await (const row of sheet.rows) {
    const cells = corrected.get(row.number);
    const own = withoutOldResult(cells === undefined ? row : withCells(row, cells), mapping);
    if (next === undefined || row.number <= mapping.headerRow || next.row !== rowNumber(row, mapping)) {
      yield { row: own };
      continue;
    }
    yield { row: own, outcome: next };
    next = (await results.next()).value;
  }
}

/** The header, what stands above it, and the rows that need work, moved up below it. */
export async function* problemRows(
  rows: AsyncIterable<ResultRow>,
  headerRow: number,
): AsyncGenerator<ResultRow> {
  let number = headerRow;
  for await (const result of rows) {
    if (result.row.number <= headerRow) yield result;
    else if (result.outcome !== undefined && isWanted(result.outcome))
      yield { ...result, row: { number: ++number, cells: result.row.cells } };
  }
}

/** A sheet's rows behind a first column with their numbers, by which they are known wherever they stand. */
export async function* numberedRows(
  rows: AsyncIterable<ResultRow>,
  headerRow: number,
): AsyncGenerator<ResultRow> {
  for await (const { row, ...rest } of rows) {
    const { number } = row;
    const cells = row.cells.map((cell) => ({ ...cell, column: cell.column + 1 }));
    if (number === headerRow) cells.unshift({ column: 1, type: 'text', value: ROW_MARK });
    if (number > headerRow) cells.unshift({ column: 1, type: 'number', value: number });
    yield { ...rest, row: { ...row, cells } };
  }
}

/** A row without the columns of an earlier result. */
function withoutOldResult(row: Row, { outputColumns }: SheetMapping): Row {
  if (outputColumns.size === 0) return row;
  return { ...row, cells: row.cells.filter((cell) => !outputColumns.has(cell.column)) };
}

const NOWHERE = { columnOf: new Map() } as const;

/** A planned sheet's columns: the keys, then the fields in their usual order, then what else is sent. */
export async function planColumns(
  { context, plan }: ResultWork,
  sheet: string,
  resource: Resource,
): Promise<readonly string[]> {
  const seen = new Set<string>();
  const corrections = correctionsOf(plan, sheet);
  for await (const { planned } of eachRow(context.ledger, plan.run, { sheet }))
    for (const field of valuesOf(planned, resource, corrections).keys()) seen.add(field);
  const usual = [...resource.keys, ...Object.keys(resource.fields)];
  return [...new Set([...usual.filter((field) => seen.has(field)), ...seen])];
}

/** A header, then a sheet's planned rows behind their numbers in the file, each with its outcome. */
export async function* planRows(
  work: ResultWork,
  sheet: string,
  resource: Resource,
  headers: readonly string[],
): AsyncGenerator<ResultRow> {
  let number = 1;
  const corrections = correctionsOf(work.plan, sheet);
  yield { row: { number, cells: [ROW_MARK, ...headers].map(textAt) } };
  for await (const result of eachOf(tallied(work, sheet))) {
    const { planned } = result;
    const values = valuesOf(planned, resource, corrections);
    const cells: Cell[] = [{ column: 1, type: 'number', value: planned.row }];
    for (const [at, header] of headers.entries()) {
      const value = values.get(header) ?? null;
      const isMoment = resource.fields[header]?.codec.type === 'datetime' && MOMENT.test(String(value));
      if (value !== null) cells.push(cellOf(value, isMoment, at + 2, work));
    }
    // Marked cells of the file are not on this sheet; messages name them.
    const { marks: _, ...outcome } = toOutcome(result, NOWHERE, work.wishes, corrections.get(planned.row));
    yield { row: { number: ++number, cells }, outcome };
  }
}

const textAt = (value: string, at: number): Cell => ({ column: at + 1, type: 'text', value });

const MOMENT = /^\d{4}-\d\d-\d\d(?: |$)/;

/**
 * Numbers and dates stand in a workbook as such; yes and no as words, which programs show alike. A CSV has
 * only texts, with numbers written as in the file that was read.
 */
function cellOf(value: Value, isMoment: boolean, column: number, { wishes, csv }: ResultWork): Cell {
  if (!csv && typeof value === 'number') return { column, type: 'number', value };
  if (isMoment) return { column, type: csv ? 'text' : 'date', value: String(value) };
  return { column, type: 'text', value: writtenText(value, wishes.language, wishes.locale) };
}

/** A planned row's values by field: the record's keys, what is sent, what changes, what was found wrong. */
function valuesOf(
  planned: PlannedRow,
  resource: Resource,
  corrections: RowCorrections,
): ReadonlyMap<string, Value> {
  const { id, external, changes, issues } = planned;
  const values = new Map<string, Value>();
  if ('id' in resource && id !== null) values.set(resource.id, id);
  if ('external' in resource && external !== null) values.set(resource.external, external);
  for (const [field, value] of Object.entries(sentValues(planned))) {
    if (value === null) values.set(field, '#CLEAR');
    else if (typeof value !== 'object') values.set(field, value);
    else if ('external' in value && !values.has(field)) values.set(field, `ExternalID ${value.external}`);
  }
  for (const { field, to } of changes) if (!values.has(field)) values.set(field, to ?? '#CLEAR');
  for (const { field, found } of issues)
    if (field !== null && found !== '' && !values.has(field) && field in resource.fields)
      values.set(field, found);
  for (const { field, text } of corrections.get(planned.row) ?? [])
    if (field != null && text !== '' && !values.has(field)) values.set(field, text);
  return values;
}
