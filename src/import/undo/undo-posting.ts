import type { PlannedRow } from '../../core/plan.ts';
import type { Language, Value } from '../../core/value.ts';
import { fromMicros, toMicros } from '../../kinds/posting/micros.ts';
import { UNDO_MOMENT, UNDO_REASON, undoKey } from '../../kinds/posting/undo-key.ts';
import type { CountResource, PostingResource } from '../../schema/resource.ts';
import { NO_ID, undoneReason } from './texts.ts';
import type { FindId } from './undo-link.ts';
import type { Undone } from './undo-row.ts';

/** What a mutation that takes another back is written with. */
interface Wording {
  readonly run: string;
  /**
   * Wall clock: it is booked when it takes place. Booked back in time it would change stock and periods that others
   * have counted and closed since.
   */
  readonly now: string;
  readonly language: Language;
}

/**
 * Takes back a mutation, or what a count posted, by one of the opposite amount.
 */
export async function undoPosting(
  posted: PostingResource | CountResource,
  mutations: PostingResource,
  { planned, findId }: { readonly planned: PlannedRow; readonly findId: FindId },
  { run, now, language }: Wording,
): Promise<Undone> {
  const body = planned.steps[0]?.body ?? {};
  const product = await findId(body[posted.product]);
  if (product === null) return { row: null, cannot: [NO_ID] };
  const cells: Record<string, Value> = {
    '#key': undoKey(run, planned),
    [mutations.product]: product,
  };
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
