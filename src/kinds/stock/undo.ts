import { type Bilingual, t } from '../../core/language.ts';
import type { PlannedRow } from '../../core/plan.ts';
import type { Value } from '../../core/value.ts';
import { cannot, NO_ID, type UndoneRecord, type UndoTools } from '../../records/undo.ts';
import { ofKind } from '../kind.ts';
import { BOOKS, plannedFacts, undoKey } from './history.ts';
import type { StockResource } from './products.ts';

/** The members of a mutation with its moment and reason (interface 2.6). */
export const [MOMENT, UNDO_REASON] = ['DatumTijd', 'MutatieReden'] as const;

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
  // What came or went is taken back as of its moment: no count that is told later may take it for another move.
  const moment = plannedFacts(planned.steps[0] ?? {}).moves[0]?.moment ?? BOOKS;
  const key = undoKey(run, planned) + (moment === BOOKS ? '' : ` ${moment}`);
  const cells: Record<string, Value> = { '#key': key, [mutations.product]: product };
  for (const name of Object.keys(mutations.fields)) {
    const value = body[name];
    if (name !== mutations.product && (typeof value !== 'object' || value === null))
      cells[name] = value ?? null;
  }
  for (const { sent } of mutations.amounts) {
    const amount = cells[sent];
    cells[sent] = typeof amount === 'number' ? -amount : null;
  }
  cells[MOMENT] = now;
  cells[UNDO_REASON] = undoneReason(String(cells[UNDO_REASON] ?? ''), run)[language];
  return { row: { resource: mutations, cells, base: null }, cannot: [] };
}

/** The most characters of a reason, as a rule. */
const LONGEST = 255;

/** The reason of a mutation that takes another one back. */
export function undoneReason(reason: string, run: string): Bilingual {
  const within = (head: string): string =>
    `${head}${reason.slice(0, LONGEST - head.length - run.length - 7)} (run ${run})`;
  return t(within('Undone: '), within('Ongedaan gemaakt: '));
}

const UNDO_KEY = /^(undo \d{8}-\d{6}-[a-z0-9]{4} .+!\d+?)(?: (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d))?$/;

/** Of the `#key` of a mutation that takes another one back, its name and the moment of that; null for any other. */
export function readUndoKey(key: string | null): { readonly name: string; readonly moment: string } | null {
  const [, name, moment = BOOKS] = UNDO_KEY.exec(key ?? '') ?? [];
  return name === undefined ? null : { name, moment };
}
