import type { Row } from '../core/cell.ts';
import type { Values } from '../core/value.ts';
import { readValues, textsOf } from './baseline-sheet.ts';
import type { ResultSheet } from './result-sheet.ts';
import type { Sheet } from './sheet.ts';

/**
 * The `veryHidden` sheet of a result: the service and the run that it is of, and what was posted for its
 * rows. Another machine, with a ledger of its own, knows by it what its `#id`s are, and posts nothing again.
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

/** What a run sent of fields that no read returns, of a record. */
export interface SentFields {
  readonly resource: string;
  readonly id: number;
  readonly sent: Values;
}

/** What a result is of: a service by its key in the ledger, and a run. */
interface ResultStamp {
  readonly service: string;
  /** Null in a result of an older version. */
  readonly run: string | null;
}

/** The sheet with what was posted on a service. */
export function postedSheet(
  stamp: ResultStamp,
  posted: () => AsyncIterable<PostedRow | SentFields>,
): ResultSheet {
  const rows = { [Symbol.asyncIterator]: () => toRows(stamp, posted()) };
  return { name: POSTED_SHEET, hidden: true, headerRow: null, added: null, rows };
}

async function* toRows(
  { service, run: of }: ResultStamp,
  posted: AsyncIterable<PostedRow | SentFields>,
): AsyncGenerator<Row, undefined> {
  yield rowOf(1, [MARK, service, of ?? '']);
  let number = 1;
  for await (const one of posted) yield rowOf(++number, textsFor(one));
  return undefined;
}

/** What stands for the state of a row with sent fields. */
const SENT = 'sent';

function textsFor(one: PostedRow | SentFields): readonly string[] {
  if ('sent' in one) return [one.resource, SENT, '', '', '', String(one.id), JSON.stringify(one.sent)];
  const { resource, state, run, seq, at, id, names } = one;
  return [resource, state, run, String(seq), at, String(id ?? ''), ...names];
}

function rowOf(number: number, texts: readonly string[]): Row {
  const cells = texts.map((value, at) => ({ column: at + 1, type: 'text' as const, value }));
  return { number, cells: cells.filter(({ value }) => value !== '') };
}

/** Whether a sheet is that list, by its name. */
export const isPostedSheet = ({ name, hidden }: Pick<Sheet, 'name' | 'hidden'>): boolean =>
  hidden && name === POSTED_SHEET;

/** A batch of what a result says, with what it is of. */
interface PostedBatch {
  readonly of: ResultStamp;
  readonly rows: readonly PostedRow[];
  readonly sent: readonly SentFields[];
}

/** What a workbook says was posted and sent, in batches; nothing of a row that was edited. */
export async function* readPosted({ batches }: Sheet): AsyncGenerator<PostedBatch, undefined> {
  let of: ResultStamp | undefined;
  for await (const batch of batches) {
    const rows = batch.map(textsOf);
    const [mark, service = '', run = ''] = rows[0] ?? [];
    if (of === undefined && mark !== MARK) return undefined;
    of ??= { service, run: run === '' ? null : run };
    yield { of, rows: rows.flatMap(readRow), sent: rows.flatMap(readSent) };
  }
  return undefined;
}

const NUMBER = /^\d+$/;

function readRow([resource = '', state, run = '', seq, at = '', id = '', ...names]: string[]): PostedRow[] {
  if ((state !== 'sending' && state !== 'done') || !NUMBER.test(seq ?? '') || names[0] === undefined)
    return [];
  return [{ resource, state, run, seq: Number(seq), at, id: NUMBER.test(id) ? Number(id) : null, names }];
}

function readSent([resource = '', state, , , , id = '', json = '']: string[]): SentFields[] {
  if (state !== SENT || !NUMBER.test(id)) return [];
  const sent = readValues(json);
  return sent === undefined ? [] : [{ resource, id: Number(id), sent }];
}
