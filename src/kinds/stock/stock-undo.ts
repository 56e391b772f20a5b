import { type Bilingual, t } from '../../core/language.ts';
import type { PlannedRow } from '../../core/plan.ts';
import type { Value } from '../../core/value.ts';
import type { Posting } from '../../ledger/ledger.ts';
import type { RowPlace } from '../../records/mapped-row.ts';
import { byReference, sentRow } from '../../records/sent-before.ts';
import { cannot, NO_ID, type UndoneRecord, type UndoTools } from '../../records/undo.ts';
import type { Context } from '../../run/context.ts';
import { ofKind } from '../kind.ts';
import type { StockResource } from './stock-row.ts';
import { fromMicros, toMicros } from './stock-total.ts';

/** Takes back what was posted by the opposite amount, booked now: earlier periods may be closed. */
export async function undoPosting(
  posted: StockResource,
  planned: PlannedRow,
  { run, resources, findId, now, language }: UndoTools,
): Promise<UndoneRecord> {
  const [mutations] = ofKind(resources, 'posting');
  if (mutations === undefined) return cannot();
  const body = planned.steps[0]?.body ?? {};
  const product = await findId(body[posted.product]);
  if (product === null) return cannot(NO_ID);
  const cells: Record<string, Value> = { '#key': undoKey(run, planned), [mutations.product]: product };
  for (const name of Object.keys(mutations.fields)) {
    const value = body[name];
    if (name !== mutations.product && (typeof value !== 'object' || value === null))
      cells[name] = value ?? null;
  }
  for (const { sent } of mutations.amounts) cells[sent] = opposite(cells[sent] ?? null);
  cells[UNDO_MOMENT] = now;
  cells[UNDO_REASON] = undoneReason(String(cells[UNDO_REASON] ?? ''), run)[language];
  return { row: { resource: mutations, cells, base: null }, cannot: [] };
}

function opposite(amount: Value): Value {
  const micros = typeof amount === 'number' ? toMicros(amount) : null;
  if (typeof amount !== 'number') return null;
  return micros === null ? -amount : fromMicros(-micros);
}

/** How the reason begins of an undo, and of the undo of an undo. */
const UNDONE: Bilingual = t('Undone: ', 'Ongedaan gemaakt: ');
const AGAIN: Bilingual = t('Again: ', 'Opnieuw: ');

const startsWith = (reason: string, heads: Bilingual): boolean =>
  Object.values(heads).some((head) => reason.startsWith(head));

/** The reason of a mutation that takes another one back: the user's own words, whatever was undone before. */
export function undoneReason(reason: string, run: string): Bilingual {
  const undoes = startsWith(reason, UNDONE);
  const own = /^(?:[^:]+: )(.*) \(run [\w-]+\)$/s.exec(reason)?.[1];
  const words = (undoes || startsWith(reason, AGAIN)) && own !== undefined ? own : reason;
  const heads = undoes && own !== undefined ? AGAIN : UNDONE;
  const tail = ` (run ${run})`;
  const within = (head: string): string =>
    `${head}${words.slice(0, LONGEST - head.length - tail.length)}${tail}`;
  return { en: within(heads.en), nl: within(heads.nl) };
}

/** The most characters of a reason, as a rule. */
const LONGEST = 255;

/** The members that an undo fills in itself: the moment and the reason (interface 2.6). */
export const [UNDO_MOMENT, UNDO_REASON] = ['DatumTijd', 'MutatieReden'] as const;

/** The `#key` of a mutation that takes a row back, which is posted once however often a run is undone. */
const undoKey = (run: string, { sheet, row }: RowPlace): string => `undo ${run} ${sheet}!${row}`;

const UNDO_KEY = /^undo \d{8}-\d{6}-[a-z0-9]{4} .+!\d+$/;

/** Whether a `#key` is that of a mutation that takes another one back. */
export const isUndoKey = (key: string): boolean => UNDO_KEY.test(key);

/** The postings that took one back, then that one, and so on. */
export async function undosOf(
  context: Context,
  posting: Pick<Posting, 'run'>,
  row: RowPlace,
): Promise<readonly Posting[]> {
  const { ledger, serviceKey, resources } = context;
  const [mutations] = ofKind(resources, 'posting');
  const found: Posting[] = [];
  if (mutations === undefined) return found;
  let key = byReference(undoKey(posting.run, row));
  for (;;) {
    const next = (await ledger.findPostings(serviceKey, mutations.name, [key])).get(key);
    if (next?.state !== 'done') return found;
    found.push(next);
    const sent = await sentRow(context, next);
    if (sent === undefined) return found;
    key = byReference(undoKey(next.run, sent.planned));
  }
}

/** The run that took a row's posting back; undefined where none did, or that was undone in its turn. */
export async function takenBackBy(
  context: Context,
  posting: Pick<Posting, 'run'>,
  row: RowPlace,
): Promise<string | undefined> {
  const undos = await undosOf(context, posting, row);
  return undos.length % 2 === 0 ? undefined : undos.at(-1)?.run;
}
