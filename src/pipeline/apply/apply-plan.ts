import pLimit from 'p-limit';
import { EXIT, StopError } from '../../errors.ts';
import { eachRow } from '../../ledger/each-row.ts';
import type { Counts } from '../../schema/counts.ts';
import { type Outcome, type PlannedRow, settledStatus } from '../../schema/plan.ts';
import type { Bilingual } from '../../schema/value.ts';
import type { Context } from '../context.ts';
import { type SheetCounts, totalCounts } from '../plan/plan-report.ts';
import { createOutcomeCounter, type OutcomeCounter } from './outcome-counter.ts';
import { createRowChains } from './row-chains.ts';
import { sendRow } from './send-row.ts';
import { createSendings, type Sendings, type SendingsOptions } from './sendings.ts';

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
 * Sends a plan's rows: side by side up to the concurrency, rows on one record in file order. Every row's outcome is
 * in the ledger when this returns; rows that were not sent keep none. What the service does ends up in outcomes
 * and in `stopped`, never in an exception.
 */
export async function applyPlan(context: Context, plan: Appliable): Promise<Applied> {
  const counter = createOutcomeCounter(plan.sheets);
  const sendings = createSendings(context, plan);
  const sender = createSender(context, plan, sendings, counter);
  await context.ledger.setRunState(plan.run, 'applying');
  const chains = createRowChains(pLimit(context.concurrency + AHEAD));
  const waiting = new Set<Promise<unknown>>();
  for await (const { planned } of eachRow(context.ledger, plan.run, { pending: true })) {
    const status = settledStatus(planned.action);
    if (status !== null) counter.add(planned, status);
    // Rows that need nothing are counted to the end, also when nothing more can be sent.
    if (status !== null || sender.stopped() !== null) continue;
    const work = chains
      .add(planned.key, (ok) => sender.send(planned, ok))
      .finally(() => waiting.delete(work));
    waiting.add(work);
    if (waiting.size >= WAITING) await Promise.race(waiting);
  }
  await Promise.all(waiting);
  const stopped = sender.stopped();
  const sheets = counter.sheets();
  const counts = totalCounts(sheets);
  await context.ledger.setRunState(plan.run, stopped === null ? 'done' : 'interrupted', counts);
  return { counts, sheets, notes: sendings.notes(), stopped };
}

interface Sender {
  /** Sends a row and records its outcome; true when later rows on the record may follow. */
  send(planned: PlannedRow, previousOk: boolean): Promise<boolean>;
  stopped(): StopError | null;
}

function createSender(
  context: Context,
  plan: Appliable,
  sendings: Sendings,
  counter: OutcomeCounter,
): Sender {
  const total = plan.sheets.reduce(
    (sum, { counts }) => sum + counts.created + counts.updated + counts.deleted,
    0,
  );
  let done = 0;
  let thrown: StopError | null = null;
  const stopped = (): StopError | null => thrown ?? sendings.breaker.stop() ?? interrupted(context.signal);
  const finish = async (planned: PlannedRow, outcome: Outcome): Promise<boolean> => {
    await context.ledger.saveOutcomes(plan.run, [outcome]);
    counter.add(planned, outcome.status);
    context.log.info(
      { run: plan.run, sheet: planned.sheet, row: planned.row, id: outcome.id },
      outcome.status,
    );
    context.onProgress?.({ stage: 'sending', done: ++done, total });
    return ['created', 'updated', 'deleted'].includes(outcome.status);
  };
  return {
    stopped,
    async send(planned, previousOk) {
      if (stopped() !== null) return false;
      if (!previousOk) return await finish(planned, notSent(planned));
      try {
        return await finish(planned, await sendRow(sendings.of(planned.resource), planned));
      } catch (error) {
        if (!(error instanceof StopError)) throw error;
        thrown ??= error;
        return false;
      }
    },
  };
}

function interrupted(signal: AbortSignal | undefined): StopError | null {
  if (signal?.aborted !== true) return null;
  return signal.reason instanceof StopError
    ? signal.reason
    : new StopError(EXIT.interrupted, 'Interrupted.', { cause: signal.reason });
}

function notSent(planned: PlannedRow): Outcome {
  const message = {
    en: 'not sent: an earlier row about the same record did not go through',
    nl: 'niet verstuurd: een eerdere rij over hetzelfde record is niet gelukt',
  };
  return { seq: planned.seq, status: 'not sent', id: planned.id, message, issues: [], at: null };
}
