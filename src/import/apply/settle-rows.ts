import pLimit from 'p-limit';
import { eachRow, type StoredResult } from '../../ledger/ledger.ts';
import { momentOf } from '../../records/sent-before.ts';
import type { Context } from '../../run/context.ts';
import { recordId, recordWrite } from './send-row.ts';
import { resolveStep } from './send-step.ts';
import { verdictOnDoubt } from './send-until-known.ts';
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
 * Looks once more for the creates of a run of which it could not be told what became of them: the rows
 * beside them have claimed their records by now. Answers the rows settled, by their `seq`.
 */
export function settleCreates(
  context: Context,
  run: string,
  sendings: Sendings,
): Promise<ReadonlyMap<number, StoredResult>> {
  return settleThose(context, run, sendings, ({ step }) => step.purpose === 'create');
}

async function settleThose(
  context: Context,
  run: string,
  sendings: Sendings,
  isOne: (doubt: Doubt) => boolean,
): Promise<Map<number, StoredResult>> {
  const settled = new Map<number, StoredResult>();
  const limit = pLimit(context.concurrency);
  const looking: Promise<unknown>[] = [];
  for await (const result of eachRow(context.ledger, run)) {
    const doubt = doubtOf(result);
    if (doubt === null || !isOne(doubt)) continue;
    const settle = async (): Promise<void> => {
      const found = await settleRow(sendings.of(result.planned.resource), result, doubt);
      if (found !== null) settled.set(result.planned.seq, found);
    };
    looking.push(limit(settle));
  }
  await Promise.all(looking);
  return settled;
}

type Doubt = Omit<Attempt, 'id'> & { readonly doubt: string };

/** The request of a row that was sent without an answer. */
function doubtOf({ planned, outcome, progress }: StoredResult): Doubt | null {
  const { done: at, sendingSince: doubt } = progress ?? { done: 0, sendingSince: null };
  const step = planned.steps[at];
  if (doubt === null || step === undefined) return null;
  if (outcome !== null && outcome.status !== 'unknown') return null;
  return { planned, step, at, doubt, recheck: false, looked: null };
}

/** The row as it is known now; null when it still can't be told. */
async function settleRow(sending: Sending, result: StoredResult, doubt: Doubt): Promise<StoredResult | null> {
  const { planned, step, at } = doubt;
  const id = await recordId(sending, result);
  const resolved = await resolveStep(sending, step, id);
  if (resolved === null) return null;
  if (await isTakenOver(sending, doubt)) return null;
  const { body } = resolved;
  const since = momentOf(doubt.doubt);
  const until = sending.context.doubts.fromStart();
  const verdict = await verdictOnDoubt(sending, { ...doubt, id }, { body, since, until });
  if (verdict == null) return null;
  // Not recorded: a run that goes on looks once more.
  if (verdict === 'no') return { ...result, outcome: null, progress: { done: at, id, sendingSince: null } };
  const known = verdict.id ?? id;
  const saves: Promise<unknown>[] = [];
  await recordWrite(sending, { planned, step, id: known, body }, saves);
  const progress = { done: at + 1, id: known, sendingSince: null };
  await Promise.all([...saves, sending.context.ledger.saveProgress(sending.run, planned.seq, progress)]);
  return { ...result, progress };
}

/** Whether another run sent a create since: what came of this try of it is no row's own. */
async function isTakenOver({ context, resource, run }: Sending, { step }: Doubt): Promise<boolean> {
  const { ledger, serviceKey } = context;
  const { fingerprint } = step;
  if (fingerprint === undefined) return false;
  const holder = (await ledger.findPostings(serviceKey, resource.name, [fingerprint])).get(fingerprint);
  return holder !== undefined && holder.run !== run;
}
