import pLimit from 'p-limit';
import type { Step } from '../../core/plan.ts';
import { eachRow, type StoredResult } from '../../ledger/ledger.ts';
import type { Context } from '../../run/context.ts';
import { LeftInDoubt, verdictOn } from './doubt.ts';
import { resolveStep } from './intent.ts';
import { recordId, recordWrite } from './send-row.ts';
import { type Attempt, createSendings, type Sending, type Sendings } from './sending.ts';

/**
 * Settles the doubts of a run as going on with it would, but sends nothing: looks up what became of rows that
 * were sent without an answer, and records what took effect. Answers the rows settled, by their `seq`. A
 * posting can't be looked up. Does nothing while another program sends.
 */
export async function settleRows(context: Context, run: string): Promise<ReadonlyMap<number, StoredResult>> {
  if (!context.exclusive) return new Map();
  const sendings = createSendings(context, { run, sources: new Map(), addressOf: () => null });
  return await settleThose(context, run, sendings, () => true);
}

/**
 * The same of a run that is being sent: of its creates, as the rows beside them have claimed their records by
 * now.
 */
export const settleCreates = (
  context: Context,
  run: string,
  sendings: Sendings,
): Promise<ReadonlyMap<number, StoredResult>> =>
  settleThose(context, run, sendings, ({ purpose }) => purpose === 'create');

async function settleThose(
  context: Context,
  run: string,
  sendings: Sendings,
  isOne: (step: Step) => boolean,
): Promise<Map<number, StoredResult>> {
  const settled = new Map<number, StoredResult>();
  const limit = pLimit(context.concurrency);
  const looking: Promise<unknown>[] = [];
  for await (const result of eachRow(context.ledger, run)) {
    const { planned, outcome, progress } = result;
    const { done: at, sendingSince: doubt } = progress ?? { done: 0, sendingSince: null };
    const step = planned.steps[at];
    if (doubt === null || step === undefined || (outcome !== null && outcome.status !== 'unknown')) continue;
    if (!isOne(step)) continue;
    const one = { planned, step, at, id: null, doubt, fresh: false };
    const settle = async (): Promise<void> => {
      const found = await settleRow(sendings.of(planned.resource), result, one);
      if (found !== null) settled.set(planned.seq, found);
    };
    looking.push(
      limit(settle).catch((error: unknown) => {
        if (!(error instanceof LeftInDoubt)) throw error;
      }),
    );
  }
  await Promise.all(looking);
  return settled;
}

/** The row as it is known now; null when it still can't be told. */
async function settleRow(sending: Sending, result: StoredResult, one: Attempt): Promise<StoredResult | null> {
  const { planned, step, at } = one;
  const { context, run } = sending;
  const id = await recordId(sending, result);
  const resolved = await resolveStep(sending, step, id);
  if (resolved === null) return null;
  const { body } = resolved;
  const verdict = await verdictOn(sending, { ...one, id }, body, context.doubts.fromStart());
  if (verdict === null) return null;
  // Not recorded: a run that goes on looks once more.
  if (verdict === 'no') return { ...result, outcome: null, progress: { done: at, id, sendingSince: null } };
  const known = verdict.id ?? id;
  const saves: Promise<unknown>[] = [];
  await recordWrite(sending, { planned, step, id: known, body }, saves);
  const progress = { done: at + 1, id: known, sendingSince: null };
  await Promise.all([...saves, context.ledger.saveProgress(run, planned.seq, progress)]);
  return { ...result, progress };
}
