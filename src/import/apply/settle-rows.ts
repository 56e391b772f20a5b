import pLimit from 'p-limit';
import { eachRow, type StoredResult } from '../../ledger/ledger.ts';
import type { Context } from '../../run/context.ts';
import { recordWrite, rememberedId } from './send-row.ts';
import { MissingRecord, resolveStep } from './send-steps.ts';
import { ownPosting, settleSoon } from './send-until-known.ts';
import { type Attempt, createSendings, type Sending } from './sending.ts';

/**
 * Looks up what became of the rows of a run that were sent without an answer, as going on with it would, and sends nothing.
 * Answers those of which it is known now, by their place in the plan: what took effect is written down too. A posting can't
 * be looked up. Only where no other program sends meanwhile.
 */
export async function settleRows(context: Context, run: string): Promise<ReadonlyMap<number, StoredResult>> {
  const settled = new Map<number, StoredResult>();
  if (!context.exclusive) return settled;
  const sendings = createSendings(context, { run, sources: new Map(), addressOf: () => null });
  const limit = pLimit(context.concurrency);
  const looking: Promise<unknown>[] = [];
  for await (const result of eachRow(context.ledger, run)) {
    const doubt = doubtOf(result);
    if (doubt === null) continue;
    const settle = async (): Promise<void> => {
      const found = await settleRow(sendings.of(result.planned.resource), result, doubt);
      if (found !== null) settled.set(result.planned.seq, found);
    };
    looking.push(limit(settle));
  }
  await Promise.all(looking);
  return settled;
}

/** The request of a row that was sent without an answer. */
interface Doubt extends Pick<Attempt, 'planned' | 'step' | 'at'> {
  readonly since: string;
}

function doubtOf({ planned, outcome, progress }: StoredResult): Doubt | null {
  if (progress === null || progress.sendingSince === null) return null;
  if (outcome !== null && outcome.status !== 'unknown') return null;
  const step = planned.steps[progress.done];
  return step === undefined ? null : { planned, step, at: progress.done, since: progress.sendingSince };
}

/** What is known of a row now; null when it can't be told still. */
async function settleRow(
  sending: Sending,
  result: StoredResult,
  { planned, step, at, since }: Doubt,
): Promise<StoredResult | null> {
  const { context, resource, run } = sending;
  const id = result.progress?.id ?? planned.id ?? (await rememberedId(sending, planned));
  const resolved = await resolveStep(context, resource, step, id).catch((error: unknown) => {
    if (error instanceof MissingRecord) return null;
    throw error;
  });
  if (resolved === null) return null;
  const one = { planned, step, at, id, doubt: since, recheck: false };
  const posting = await ownPosting(sending, one);
  const verdict =
    posting?.state === 'done'
      ? { id: posting.id }
      : await settleSoon(sending, one, resolved.body, new Date(since.replace(' ', 'T')));
  if (verdict === null) return null;
  // That it is not there is looked up once more before the run would go on.
  if (verdict === 'no') return { ...result, outcome: null, progress: { done: at, id, sendingSince: null } };
  const known = verdict.id ?? id;
  await recordWrite(sending, planned, step, known, resolved.body);
  const progress = { done: at + 1, id: known, sendingSince: null };
  await context.ledger.saveProgress(run, planned.seq, progress, false);
  return { ...result, progress };
}
