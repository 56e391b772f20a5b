import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT, StopError } from '../core/errors.ts';
import { type Bilingual, t } from '../core/language.ts';
import { countNow } from '../import/apply/apply-plan.ts';
import type { Send } from '../import/import.ts';
import type { Plan } from '../import/plan/plan-import.ts';
import { totalCounts } from '../import/plan/plan-report.ts';
import type { Context } from '../run/context.ts';
import { caughtStop } from '../run/stop.ts';
import { jobFact, type QueueState, RunQueue, refuseFile } from './run-queue.ts';

/** How often a run that others send is looked at, ms. */
const LOOK = 500;
/** Places of a plan that are counted together: only their sum matters. */
const ALL = 2 ** 40;

/**
 * Hands a plan over to workers and follows it until it is sent; `tell` hears what it waits for. What is left
 * when this program goes is sent all the same: `stopped` says so.
 */
export function sendByWorkers(ledger: string, tell: (words: Bilingual) => void): Send {
  refuseFile(ledger);
  return async (context, plan) => {
    const queue = await RunQueue.open(ledger, context.serviceKey, false);
    try {
      // Where nothing is left to send, no worker is needed.
      const job = plan.requests > 0 ? await jobOf(context, queue, plan) : undefined;
      const stopped =
        job === undefined ? null : await caughtStop(() => follow(context, plan, { queue, job, tell }));
      const notes = await notesOn(context, queue, plan.run);
      const sheets = [];
      for (const { sheet, resource, counts } of plan.sheets) {
        const now = await countNow(context.ledger, plan.run, { sheet });
        sheets.push({ sheet, resource, counts: { ...now, read: counts.read } });
      }
      return { counts: totalCounts(sheets), sheets, notes, stopped };
    } finally {
      await queue.close();
    }
  };
}

/** The job of a run: one that was handed over before, while it may still be sent. */
async function jobOf(context: Context, queue: RunQueue, { run, requests }: Plan): Promise<string> {
  const { ledger, serviceKey } = context;
  const fact = jobFact(run);
  const known = await ledger.findFact(serviceKey, fact);
  const state: QueueState = known === undefined ? { state: 'unknown' } : await queue.stateOf(known);
  const isOver = state.state === 'unknown' || (state.state === 'failed' && !state.again);
  if (known !== undefined && !isOver && (state.state !== 'sent' || requests === 0)) return known;
  const job = await queue.handOver({ run }, known);
  await ledger.rememberFact(serviceKey, fact, job);
  return job;
}

/** What workers noted on a run that they sent; none where they are still at it. */
async function notesOn(
  { ledger, serviceKey }: Context,
  queue: RunQueue,
  run: string,
): Promise<readonly Bilingual[]> {
  const job = await ledger.findFact(serviceKey, jobFact(run));
  const now = job === undefined ? undefined : await queue.stateOf(job);
  return now?.state === 'sent' || now?.state === 'failed' ? now.notes : [];
}

/** Whether workers go on with a run that was handed over before, or will. */
export async function isWithWorkers(
  { ledger: address }: { readonly ledger: string },
  { ledger, serviceKey }: Context,
  run: string,
): Promise<boolean> {
  const job = await ledger.findFact(serviceKey, jobFact(run));
  if (job === undefined) return false;
  const queue = await RunQueue.open(address, serviceKey, false);
  try {
    const now = await queue.stateOf(job);
    return now.state === 'waiting' || now.state === 'sending' || (now.state === 'failed' && now.again);
  } finally {
    await queue.close();
  }
}

/** Waits until a job is over, and tells how far it is. Throws StopError where it won't be sent, or Ctrl-C. */
async function follow(
  context: Context,
  plan: Plan,
  { queue, job, tell }: { queue: RunQueue; job: string; tell: (words: Bilingual) => void },
): Promise<void> {
  const { ledger, signal, onProgress } = context;
  const { created, updated, deleted } = plan.counts;
  const total = created + updated + deleted;
  let told: string | undefined;
  for (;;) {
    const now = await queue.stateOf(job);
    if (now.state === 'sent') return;
    if (now.state === 'unknown' || (now.state === 'failed' && !now.again)) throw givenUp(plan.run, now);
    const said = now.state === 'failed' ? `failed ${now.reason?.en}` : now.state;
    if (said !== told) tell(toldText(plan.run, now));
    told = said;
    if (now.state === 'sending') {
      const blocks = await ledger.countBegun(plan.run, ALL);
      onProgress?.({ stage: 'sending', done: blocks.reduce((sum, { ended }) => sum + ended, 0), total });
    }
    if (signal?.aborted === true) throw leftStop(plan.run, signal.reason);
    await sleep(LOOK, undefined, signal && { signal }).catch(() => {});
  }
}

function toldText(run: string, now: QueueState): Bilingual {
  if (now.state === 'sending') return t(`A worker sends run ${run}.`, `Een worker verstuurt run ${run}.`);
  if (now.state === 'failed') {
    const { en = 'it could not be sent', nl = 'het lukte niet' } = now.reason ?? {};
    return t(
      `A worker stopped: ${en} It is tried again soon.`,
      `Een worker stopte: ${nl} Het wordt zo weer geprobeerd.`,
    );
  }
  return t(
    `Run ${run} waits for a worker. Ctrl-C leaves it there: it is sent all the same.`,
    `Run ${run} wacht op een worker. Met Ctrl-C laat je hem daar: hij wordt toch verstuurd.`,
    t(`Run ${run} waits for a worker.`, `Run ${run} wacht op een worker.`),
  );
}

/** What is said of a run that others go on with. */
function leftStop(run: string, cause: unknown): StopError {
  return new StopError(
    EXIT.interrupted,
    t(
      `Run ${run} is left to the workers, who go on with it.`,
      `Run ${run} is aan de workers gelaten, die ermee verdergaan.`,
    ),
    {
      cause,
      next: t(
        `catersheet apply ${run} --queue follows it again, and writes the result.`,
        `catersheet apply ${run} --queue volgt hem weer, en schrijft het resultaat.`,
        t('Open the run to see how far it is.', 'Open de run om te zien hoever hij is.'),
      ),
    },
  );
}

function givenUp(run: string, now: QueueState): StopError {
  const reason = now.state === 'failed' ? now.reason : null;
  const { en, nl } = reason ?? t('no worker knows it any more.', 'geen worker kent hem meer.');
  return new StopError(
    EXIT.service,
    t(`The workers gave run ${run} up: ${en}`, `De workers gaven run ${run} op: ${nl}`),
    {
      next: t(
        `Mend that, then hand it over again: catersheet apply ${run} --queue.`,
        `Verhelp dat, en geef hem daarna weer over: catersheet apply ${run} --queue.`,
        t('Mend that, and send the run again.', 'Verhelp dat, en verstuur de run opnieuw.'),
      ),
    },
  );
}
