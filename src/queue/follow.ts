import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT, StopError } from '../core/errors.ts';
import { type Bilingual, inOne, t, withFlag } from '../core/language.ts';
import { totalCounts } from '../core/plan-report.ts';
import { countNow } from '../import/apply/apply-plan.ts';
import type { ImportRequest } from '../import/import.ts';
import type { Plan } from '../import/plan/plan-import.ts';
import type { Context } from '../run/context.ts';
import { caughtStop } from '../run/stop.ts';
import { type QueueState, RunQueue, refuseFile } from './run-queue.ts';
import { atLeisure } from './work.ts';

/** How often a run that others send is looked at, ms. */
const LOOK = 500;

/** What hears of a run that workers have. */
interface Following {
  /** Hears what is waited for, each time that this is something else. */
  readonly tell: (words: Bilingual) => void;
  /** Hears where it is, as often as that is looked at. */
  readonly looked?: ((now: QueueState) => Promise<void>) | undefined;
  /** What was handed over is followed alone: one that is over is not handed over anew. */
  readonly joins?: boolean | undefined;
}

/**
 * Hands a plan over to workers and follows it until it is sent. What is left when this program goes is sent
 * all the same: `stopped` says so.
 */
export function sendByWorkers(ledger: string, following: Following): NonNullable<ImportRequest['send']> {
  refuseFile(ledger);
  return async (context, plan) => {
    const queue = await RunQueue.open(ledger, context.serviceKey, false);
    try {
      // Where nothing is left to send, no worker is needed.
      const follows = plan.requests > 0 && (await handOver(queue, plan.run, following.joins));
      const stopped = follows ? await caughtStop(() => follow(context, plan, { queue, following })) : null;
      const now = await queue.stateOf(plan.run);
      // None where they are still at it.
      const notes = now.state === 'sent' || now.state === 'failed' ? now.notes : [];
      const busy = isTheirs(now);
      const sheets = [];
      for (const { sheet, resource, counts } of plan.sheets) {
        const now = await countNow(context.ledger, plan.run, { sheet, busy });
        sheets.push({ sheet, resource, counts: { ...now, read: counts.read } });
      }
      return { counts: totalCounts(sheets), sheets, notes, stopped, busy };
    } finally {
      await queue.close();
    }
  };
}

/** Hands a run over, unless it may still be sent as it was before; tells whether there is one to follow. */
async function handOver(queue: RunQueue, run: string, joins = false): Promise<boolean> {
  const now = await queue.stateOf(run);
  if (joins) return now.state !== 'unknown';
  if (isLeft(now) || now.state === 'withdrawn' || now.state === 'sent') await queue.handOver(run);
  return true;
}

/** Whether no worker goes on with a run that was not sent. */
const isLeft = (now: QueueState): now is Extract<QueueState, { state: 'unknown' | 'failed' }> =>
  now.state === 'unknown' || (now.state === 'failed' && !now.again);

/** Whether workers are at it, or will be. */
const isTheirs = (now: QueueState): boolean =>
  now.state === 'waiting' || now.state === 'sending' || (now.state === 'failed' && now.again);

/** Whether workers go on with a run that was handed over before, or will. */
export async function isWithWorkers(
  { ledger: address }: { readonly ledger: string },
  { serviceKey }: Context,
  run: string,
): Promise<boolean> {
  const queue = await RunQueue.open(address, serviceKey, false);
  try {
    return isTheirs(await queue.stateOf(run));
  } finally {
    await queue.close();
  }
}

/** Waits until a job is over, and tells how far it is. Throws StopError where it won't be sent, or Ctrl-C. */
async function follow(
  context: Context,
  plan: Plan,
  { queue, following }: { queue: RunQueue; following: Following },
): Promise<void> {
  const { ledger, signal, onProgress } = context;
  const { created, updated, deleted } = plan.counts;
  const total = created + updated + deleted;
  let told: string | undefined;
  const count = atLeisure(0, async () => {
    onProgress?.({ stage: 'sending', done: await ledger.countEnded(plan.run), total });
  });
  for (;;) {
    const now = await queue.stateOf(plan.run);
    await following.looked?.(now);
    if (now.state === 'sent') return;
    if (now.state === 'withdrawn') throw withdrawnStop(plan.run);
    if (isLeft(now)) throw givenUp(plan.run, now);
    const words = await toldText(plan.run, now, queue);
    if (words.en !== told) following.tell(words);
    told = words.en;
    if (now.state === 'sending') await count();
    if (signal?.aborted === true) throw leftStop(plan.run, signal.reason);
    await sleep(LOOK, undefined, signal && { signal }).catch(() => {});
  }
}

async function toldText(run: string, now: QueueState, queue: RunQueue): Promise<Bilingual> {
  if (now.state === 'sending') return t(`A worker sends run ${run}.`, `Een worker verstuurt run ${run}.`);
  if (now.state === 'failed') {
    const { en = 'it could not be sent', nl = 'het lukte niet' } = now.reason ?? {};
    return t(
      `A worker stopped: ${en} It is tried again soon.`,
      `Een worker stopte: ${nl} Het wordt zo weer geprobeerd.`,
    );
  }
  const waits = t(`Run ${run} waits for a worker.`, `Run ${run} wacht op een worker.`);
  const sent = withFlag(
    t('It is sent, whether you wait or not.', 'Hij wordt verstuurd, of je nu wacht of niet.'),
    'stop: Ctrl-C',
  );
  const parts = [waits, ...((await queue.workers()) === 0 ? [NO_WORKER] : []), sent];
  return inOne(parts);
}

/** Said of what waits where no worker is known to run. */
const NO_WORKER = withFlag(
  t(
    'No worker is running that is known: it waits until one is started.',
    'Er draait geen worker die bekend is: hij wacht tot er een gestart wordt.',
  ),
  'catersheet worker',
);

/** What is said of a run that somebody asked back. */
const withdrawnStop = (run: string): StopError =>
  new StopError(
    EXIT.interrupted,
    t(
      `Run ${run} was withdrawn: workers send nothing more of it.`,
      `Run ${run} is ingetrokken: workers versturen er niets meer van.`,
    ),
    {
      next: withFlag(
        t(
          'Send what is left of it when you want, here or by workers: nothing is sent twice.',
          'Verstuur wat er nog over is wanneer je wilt, hier of door workers: niets gaat dubbel.',
        ),
        `catersheet apply ${run}, --queue`,
      ),
    },
  );

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
      next: withFlag(
        t(
          'Go back to the run to follow it, and to have its result.',
          'Ga terug naar de run om hem te volgen en het resultaat te krijgen.',
        ),
        `catersheet apply ${run} --queue`,
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
      next: withFlag(
        t('Mend that, and send the run again.', 'Verhelp dat, en verstuur de run opnieuw.'),
        `catersheet apply ${run} --queue`,
      ),
    },
  );
}
