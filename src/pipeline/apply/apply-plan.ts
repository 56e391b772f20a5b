import pLimit from 'p-limit';
import type { StopError } from '../../errors.ts';
import { eachRow } from '../../ledger/each-row.ts';
import type { Counts } from '../../schema/counts.ts';
import { type PlannedRow, settledStatus } from '../../schema/plan.ts';
import type { Bilingual } from '../../schema/value.ts';
import type { Context } from '../context.ts';
import { type SheetCounts, totalCounts } from '../plan/plan-report.ts';
import { recordName, recordsBegun } from './begun.ts';
import { countOutcomes } from './outcome-counter.ts';
import { createRowChains, type Turn } from './row-chains.ts';
import { createSender } from './sender.ts';
import { createSendings, type SendingsOptions } from './sendings.ts';
import { keysPendingText } from './texts.ts';

/** What applying needs of a plan. */
export interface Appliable extends SendingsOptions {
  readonly sheets: readonly SheetCounts[];
}

/** What became of a plan. */
export interface Applied {
  readonly counts: Counts;
  readonly sheets: readonly SheetCounts[];
  readonly notes: readonly Bilingual[];
  /** Why the run ended before its end; null when it did not. */
  readonly stopped: StopError | null;
}

/** Rows at work beyond those in flight: while one writes to the ledger, another sends. The service bounds what is in flight. */
const AHEAD = 8;
/** So many rows may wait for a free place in flight. */
const WAITING = 500;

/**
 * Sends a plan's rows: side by side up to the concurrency, rows on one record in file order, rows that need a record
 * of another sheet after it. Rows that have an outcome already are left alone, so that an interrupted run goes on. Every
 * row's outcome is in the ledger when this returns; rows that were not sent have none. Whatever ends the run early is
 * in `stopped`, never an exception.
 */
export async function applyPlan(context: Context, plan: Appliable): Promise<Applied> {
  const sendings = createSendings(context, plan);
  const planned = totalCounts(plan.sheets);
  const toSend = planned.created + planned.updated + planned.deleted;
  const sender = createSender(context, plan.run, sendings, toSend);
  const begun = await recordsBegun(context, plan.run);
  await context.ledger.setRunState(plan.run, 'applying');
  const chains = createRowChains(pLimit(context.concurrency + AHEAD));
  const waiting = new Set<Promise<unknown>>();
  for await (const { planned: row, progress } of eachRow(context.ledger, plan.run, { pending: true })) {
    if (sender.stopped() !== null) break;
    if (settledStatus(row.action) !== null) continue;
    const work = chains
      .add(turnOf(row), (blame) => sender.send(row, { progress, begun: begun(row) }, blame))
      .finally(() => waiting.delete(work));
    waiting.add(work);
    if (waiting.size >= WAITING) await Promise.race(waiting);
  }
  await Promise.all(waiting);
  const stopped = sender.stopped();
  const sheets = await countOutcomes(context.ledger, plan.run, plan.sheets);
  const counts = totalCounts(sheets);
  await context.ledger.setRunState(plan.run, stopped === null ? 'done' : 'interrupted', counts);
  const pending = sender.unfinished();
  const notes = pending === 0 ? [] : [keysPendingText(pending, plan.run)];
  return { counts, sheets, notes: [...sendings.notes(), ...notes], stopped };
}

function turnOf(row: PlannedRow): Turn {
  return { key: recordName(row), after: row.needs.flatMap((need) => recordName(need) ?? []) };
}
