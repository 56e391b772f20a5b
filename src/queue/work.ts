import { randomUUID } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Counts } from '../core/counts.ts';
import { asStop, EXIT, StopError } from '../core/errors.ts';
import { t } from '../core/language.ts';
import type { Applied } from '../import/apply/apply-plan.ts';
import { cutParts, sendParts } from '../import/apply/parts.ts';
import { beginForOthers, sendForOthers } from '../import/import.ts';
import { reopenSentPlan, type SentPlan } from '../import/plan/saved-plan.ts';
import type { ProgramOptions } from '../options/options.ts';
import { interruption } from '../service/request-error.ts';
import { type Session, withSession } from '../session/open-session.ts';
import { resolveSettings } from '../session/settings.ts';
import { RunQueue, type TakenRun } from './run-queue.ts';

type Stats = Session['context']['service']['stats'];

/** What a worker tells while it works. */
export type WorkerEvents = EventEmitter<{
  /** It sends a run, or goes on with it. */
  began: [run: string];
  /** A run was sent to its end, with so many requests. */
  sent: [run: string, counts: Counts, stats: Stats];
  /** A run stopped before its end; `again`: it is tried once more, by this worker or another. */
  stopped: [run: string, stop: StopError, again: boolean];
  /** It sends a run beside the worker that leads it. */
  joined: [run: string];
  /** It does so no more. */
  helped: [run: string, helped: Helped];
  /** It looked at the queue. */
  looked: [sizes: Awaited<ReturnType<RunQueue['sizes']>>];
}>;

/** How often an empty queue is looked at, ms. */
const LOOK = 500;
/** Who could not help waits so long, ms, as the service or the database may be away. */
const REST = 5000;
/** How often a worker says that it is there, ms. */
const BEAT = 3000;

interface WorkerWishes {
  /** Ends when nothing waits any more. */
  readonly drain: boolean;
  readonly signal: AbortSignal;
  readonly events: WorkerEvents;
}

/**
 * Sends the runs that were handed over for the service of these options, one after the other, until the
 * signal; several workers send one run side by side. A database that is away is waited for. Throws StopError
 * for settings that can't be used.
 */
export async function work(options: ProgramOptions, wishes: WorkerWishes): Promise<void> {
  const { signal, drain, events } = wishes;
  const { ledger, concurrency } = resolveSettings(options);
  const serviceKey = await withSession(options, undefined, async ({ context }) => context.serviceKey);
  const queue = await RunQueue.open(ledger, serviceKey, true, signal);
  const name = randomUUID();
  let beaten = Number.NEGATIVE_INFINITY;
  const look = async () => {
    const sizes = await looked(queue);
    if (sizes === undefined) return undefined;
    events.emit('looked', sizes);
    if (performance.now() - beaten > BEAT) {
      beaten = performance.now();
      // One that fails is followed by the next.
      await queue.beat(name).catch(() => {});
    }
    return sizes;
  };
  const worker = { options: { ...options, signal }, queue, events, concurrency };
  let rest = 0;
  try {
    while (!signal.aborted) {
      const sizes = await look();
      if (sizes !== undefined && sizes.due + sizes.sending > 0) {
        const go = async (): Promise<TakenUp> =>
          performance.now() < rest ? 'nothing' : await takeUp(worker);
        const done = await whileLooked(look, () => caught(queue, signal, go));
        if (done === 'stopped') rest = performance.now() + REST;
        if (done === 'sent') continue;
      } else if (drain && sizes?.waiting === 0) return;
      await sleep(LOOK, undefined, { signal }).catch(() => {});
    }
  } finally {
    await queue.gone(name).catch(() => {});
    await queue.close();
  }
}

interface Worker {
  readonly options: ProgramOptions & { readonly signal: AbortSignal };
  readonly queue: RunQueue;
  readonly events: WorkerEvents;
  /** Most requests in flight, over all workers. */
  readonly concurrency: number;
}

/** What a worker found to do. */
type TakenUp = 'sent' | 'stopped' | 'nothing';

/** Helps with the run that is sent, or sends the next one. */
async function takeUp(worker: Worker): Promise<TakenUp> {
  const { options, queue, events, concurrency } = worker;
  const run = await queue.shared();
  if (run !== undefined) {
    if (await queue.isWithdrawn(run)) return 'nothing';
    const asked = askedBack(queue, options);
    const helped = await asked.during(run, () =>
      helpRun(asked.options, { run, concurrency, began: () => events.emit('joined', run) }),
    );
    if (helped !== undefined) events.emit('helped', run, helped);
    return helped === undefined ? 'nothing' : helped.stop === null ? 'sent' : 'stopped';
  }
  return !(await queue.isSending()) && (await sendNext(worker)) ? 'sent' : 'nothing';
}

/** Options for a run that ends where it is asked back meanwhile: what is on its way is awaited. */
function askedBack(queue: RunQueue, options: Worker['options']) {
  const asked = new AbortController();
  const look = async (run: string): Promise<void> => {
    if (await queue.isWithdrawn(run)) asked.abort(WITHDRAWN);
  };
  return {
    options: { ...options, signal: AbortSignal.any([options.signal, asked.signal]) },
    during: async <T>(run: string, work: () => Promise<T>): Promise<T> =>
      await whileLooked(() => look(run), work),
  };
}

const WITHDRAWN = new StopError(EXIT.interrupted, t('It was withdrawn.', 'Hij is ingetrokken.'));

/** How the queue stands; undefined where the database is away. */
async function looked(queue: RunQueue) {
  try {
    return await queue.sizes();
  } catch (error) {
    if (!queue.isPassing(error)) throw error;
    return undefined;
  }
}

/** Does work that others can do as well: a database that was away must not end a worker. */
async function caught(queue: RunQueue, signal: AbortSignal, send: () => Promise<TakenUp>): Promise<TakenUp> {
  try {
    return await send();
  } catch (error) {
    // It waited for its turn.
    if (signal.aborted && !(error instanceof StopError)) return 'nothing';
    const stop = asStop(error);
    const isPassing = queue.isPassing(error) || queue.isPassing(stop.cause) || stop.exit === EXIT.interrupted;
    if (!isPassing) throw stop;
    return 'nothing';
  }
}

/** Takes its turn, then the next run, and sends it; tells whether one was there. */
async function sendNext({ options, queue, events, concurrency }: Worker): Promise<boolean> {
  const asked = askedBack(queue, options);
  const send = async (session: Session): Promise<boolean> => {
    if (session.right === null) return false;
    const taken = await queue.take((run, why) =>
      events.emit('stopped', run, new StopError(EXIT.service, why), false),
    );
    if (taken === undefined) return false;
    await queue.begin(taken);
    const { context } = session;
    events.emit('began', taken.run);
    const plan = await orStop(() => reopenSentPlan(context, taken.run));
    const applied =
      plan instanceof StopError
        ? plan
        : await orStop(() => asked.during(taken.run, () => sendTogether(session, plan)));
    const stop = applied instanceof StopError ? applied : applied.stopped;
    if (applied instanceof StopError || stop !== null) {
      const why = stop as StopError;
      const noted =
        applied instanceof StopError ? taken : { ...taken, notes: [...taken.notes, ...applied.notes] };
      events.emit('stopped', taken.run, why, await hand(queue, noted, { stop: why, isPlan: plan === why }));
      return true;
    }
    await queue.sent(taken, applied.notes);
    events.emit('sent', taken.run, applied.counts, context.service.stats);
    return true;
  };
  return await withSession(asked.options, 'try', send, { sharedConcurrency: concurrency });
}

async function orStop<T>(work: () => Promise<T>): Promise<T | StopError> {
  try {
    return await work();
  } catch (error) {
    return asStop(error);
  }
}

/**
 * Leaves a run that was not sent to its end to the others, or for a later try; tells whether there is one. A
 * plan that can't be sent (`isPlan`) is given up: it is no better the next time.
 */
async function hand(
  queue: RunQueue,
  taken: TakenRun,
  { stop, isPlan }: { readonly stop: StopError; readonly isPlan: boolean },
): Promise<boolean> {
  if (stop.exit === EXIT.interrupted || (await queue.isWithdrawn(taken.run))) {
    await queue.giveBack(taken.job, taken.notes);
    return true;
  }
  return await queue.failed(taken, stop.texts.message, isPlan && !queue.isPassing(stop.cause));
}

/** How often it is looked whether the others are done, ms. */
const OTHERS = 250;

/**
 * Sends a plan that this program has the right to send: first its parts, beside the workers that join, then
 * alone what is left: rows in doubt, rows behind them, and what comes after all others. Whatever ends it
 * early is in `stopped`, or is the answer where nothing can be told of its rows.
 */
async function sendTogether(session: Session, plan: SentPlan): Promise<Applied | StopError> {
  const { context, right } = session;
  await beginForOthers(context, plan);
  const parts = await cutParts(context, plan.run);
  const team = right?.team;
  if (parts.length < 2 || team === undefined) return await sendForOthers(context, plan);
  await team.share(plan.run, parts);
  for (;;) {
    // Also what others who died were at.
    const stop = await sendParts(context, plan, team);
    if (stop !== null) return stop;
    if (await team.alone()) break;
    await sleep(OTHERS);
    if (context.signal?.aborted === true) return interruption(context.signal);
  }
  // What others left in doubt was sent a moment ago: from now on it has its whole time.
  return await sendForOthers(session.anew(), plan);
}

/** What a worker did for a run that another one leads. */
interface Helped {
  /** Why it stopped before there was nothing left to take; null when it did not. */
  readonly stop: StopError | null;
  readonly stats: Session['context']['service']['stats'];
}

/** Sends parts of a run beside the worker that leads it; undefined where it can't be joined any more. */
async function helpRun(
  options: ProgramOptions,
  { run, concurrency, began }: { run: string; concurrency: number; began: () => void },
): Promise<Helped | undefined> {
  const help = async ({ context, right }: Session): Promise<Helped | undefined> => {
    if (right?.team === undefined) return undefined;
    began();
    const stop = await sendParts(context, await reopenSentPlan(context, run), right.team);
    return { stop, stats: context.service.stats };
  };
  return await withSession(options, { join: run }, help, { sharedConcurrency: concurrency });
}

/** How often a queue is looked at while its worker is busy, ms. */
const BUSY = 1000;

/** Does work, and looks at the queue meanwhile: who watches its figures wants those of now. */
async function whileLooked<T>(look: () => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  const done = new AbortController();
  const looking = (async () => {
    for (;;) {
      await sleep(BUSY, undefined, { signal: done.signal }).catch(() => {});
      if (done.signal.aborted) return;
      // What is wrong with the queue is found by the work too, which tells it.
      await look().catch(() => {});
    }
  })();
  try {
    return await work();
  } finally {
    done.abort();
    await looking;
  }
}

/** After a look others have so many times as long: a look at a million rows costs as much as sending them. */
const LEISURE = 20;

/**
 * A look that is made when it is asked for, but not again so soon that it keeps others from their work, nor
 * before `least` ms; `now`: it is made in any case.
 */
export function atLeisure(least: number, look: () => Promise<unknown>): (now?: boolean) => Promise<void> {
  let from = Number.NEGATIVE_INFINITY;
  return async (now = false) => {
    const began = performance.now();
    if (!now && began < from) return;
    await look();
    const ended = performance.now();
    from = Math.max(began + least, ended + LEISURE * (ended - began));
  };
}
