import pLimit from 'p-limit';
import { eachRow, type StoredResult } from '../../ledger/ledger.ts';
import type { Context } from '../../run/context.ts';
import { recordWrite, rememberedId } from './send-row.ts';
import { ownPosting, resolveOrNull, settleSoon } from './send-until-known.ts';
import { type Attempt, createSendings, type Sending } from './sending.ts';

/**
 * Settles the doubts of a run as going on with it would, but sends nothing: looks up what became of rows that
 * were sent without an answer, and records what took effect. Answers the rows settled, by their `seq`. A
 * posting can't be looked up. Does nothing while another program sends.
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

/** The row as it is known now; null when it still can't be told. */
async function settleRow(
  sending: Sending,
  result: StoredResult,
  { planned, step, at, since }: Doubt,
): Promise<StoredResult | null> {
  const { context, run } = sending;
  const id = result.progress?.id ?? planned.id ?? (await rememberedId(sending, planned));
  const resolved = await resolveOrNull(sending, { step, id });
  if (resolved === null) return null;
  const one = { planned, step, at, id, doubt: since, recheck: false };
  const posting = await ownPosting(sending, one);
  const verdict =
    posting?.state === 'done'
      ? { id: posting.id }
      : await settleSoon(sending, one, resolved.body, new Date(since.replace(' ', 'T')));
  if (verdict === null) return null;
  // Not recorded: a run that goes on looks once more.
  if (verdict === 'no') return { ...result, outcome: null, progress: { done: at, id, sendingSince: null } };
  const known = verdict.id ?? id;
  await recordWrite(sending, planned, step, known, resolved.body);
  const progress = { done: at + 1, id: known, sendingSince: null };
  await context.ledger.saveProgress(run, planned.seq, progress, false);
  return { ...result, progress };
}
