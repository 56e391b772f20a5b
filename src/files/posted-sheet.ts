import type { Row } from '../core/cell.ts';
import { textsOf } from './baseline-sheet.ts';
import type { ResultRow, ResultSheet } from './result-sheet.ts';
import type { Sheet } from './sheet.ts';

/**
 * The `veryHidden` sheet with what was posted for the rows of a workbook: another machine, with a ledger of
 * its own, posts nothing of it again.
 */
export const POSTED_SHEET = 'catersheet posted';

const MARK = '#posted';

/** What was posted for a row. */
export interface PostedRow {
  readonly resource: string;
  readonly state: 'sending' | 'done';
  readonly run: string;
  readonly seq: number;
  readonly at: string;
  readonly id: number | null;
  /** All names under which it is known. */
  readonly names: readonly string[];
}

/** The sheet with what was posted on a service, by its key in the ledger. */
export function postedSheet(service: string, posted: () => AsyncIterable<PostedRow>): ResultSheet {
  const rows = { [Symbol.asyncIterator]: () => toRows(service, posted()) };
  return { name: POSTED_SHEET, hidden: true, headerRow: null, added: null, rows };
}

async function* toRows(
  service: string,
  posted: AsyncIterable<PostedRow>,
): AsyncGenerator<ResultRow, undefined> {
  yield { row: rowOf(1, [MARK, service]) };
  let number = 1;
  for await (const { resource, state, run, seq, at, id, names } of posted)
    yield { row: rowOf(++number, [resource, state, run, String(seq), at, String(id ?? ''), ...names]) };
  return undefined;
}

function rowOf(number: number, texts: readonly string[]): Row {
  const cells = texts.map((value, at) => ({ column: at + 1, type: 'text' as const, value }));
  return { number, cells: cells.filter(({ value }) => value !== '') };
}

/** Whether a sheet is that list, by its name. */
export const isPostedSheet = ({ name, hidden }: Pick<Sheet, 'name' | 'hidden'>): boolean =>
  hidden && name === POSTED_SHEET;

/** What a workbook says was posted, in batches, with the service; nothing of a row that was edited. */
export async function* readPosted({
  batches,
}: Sheet): AsyncGenerator<{ readonly service: string; readonly rows: readonly PostedRow[] }, undefined> {
  let service: string | undefined;
  for await (const batch of batches) {
    const rows = batch.map(textsOf);
    if (service === undefined && rows[0]?.[0] !== MARK) return undefined;
    service ??= rows[0]?.[1] ?? '';
    yield { service, rows: rows.flatMap(readRow) };
  }
  return undefined;
}

function readRow([resource = '', state, run = '', seq, at = '', id = '', ...names]: string[]): PostedRow[] {
  if ((state !== 'sending' && state !== 'done') || !/^\d+$/.test(seq ?? '') || names[0] === undefined)
    return [];
  const known = /^\d+$/.test(id) ? Number(id) : null;
  return [{ resource, state, run, seq: Number(seq), at, id: known, names }];
}
