import { randomUUID } from 'node:crypto';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { asStop } from '../core/as-stop.ts';
import { EXIT, StopError } from '../core/errors.ts';
import { t } from '../core/language.ts';
import type { ProgramOptions } from '../options/options.ts';
import type { Progress } from '../run/progress.ts';
import { type Session, withSession } from '../session/open-session.ts';
import { resolveSettings } from '../session/settings.ts';
import { keepMarks, PartsStream, removeOld, TakenOver } from './export-files.ts';
import { type AskedExport, ExportQueue, type ExportSizes, type TakenExport } from './export-jobs.ts';
import { type Mark, withoutMarks } from './export-marks.ts';
import { fetchSource } from './export-source.ts';
import { whileLooked } from './look.ts';

/** What a worker tells of exports while it works. */
export interface ExportEvents {
  began(asked: AskedExport): void;
  /** Its file is kept for who asked for it. */
  made(asked: AskedExport, size: number): void;
  /** It stopped before its end; `again`: it is tried once more, by this worker or another. */
  stopped(asked: AskedExport, stop: StopError, again: boolean): void;
  looked(sizes: ExportSizes): void;
}

/** Makes an export within a session, into a stream; resolves to what it came to, in plain data. */
export type MakeExport = (session: Session, asked: AskedExport, stream: PartsStream) => Promise<unknown>;

interface Wishes {
  /** Ends when nothing waits any more. */
  readonly drain: boolean;
  readonly signal: AbortSignal;
  readonly events: ExportEvents;
  readonly make: MakeExport;
}

/** Exports that a worker makes side by side: a short one need not wait for a long one. */
const LANES = 2;
/** How often the queue is looked at, a worker is heard of, and old files are removed, ms. */
const [LOOK, BEAT, SWEEP] = [1000, 1000, 3_600_000];
/** An export that so many workers died of is no more given to others. */
const MOST_DEATHS = 5;

/**
 * Makes the exports that were handed over for the service of these options, until the signal. A database that
 * is away is waited for. Throws StopError for settings that can't be used.
 */
export async function workExports(options: ProgramOptions, wishes: Wishes): Promise<void> {
  const { signal } = wishes;
  const { ledger } = resolveSettings(options);
  const serviceKey = await withSession(options, undefined, async ({ context }) => context.serviceKey);
  const queue = await ExportQueue.open(ledger, serviceKey, signal);
  try {
    const look = async () => wishes.events.looked(await queue.sizes());
    await look();
    const ends = await whileLooked(look, () =>
      Promise.allSettled(Array.from({ length: LANES }, () => workLane(options, wishes, queue))),
    );
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  } finally {
    await queue.close();
  }
}

/** Makes one export after the other. */
async function workLane(options: ProgramOptions, wishes: Wishes, queue: ExportQueue): Promise<void> {
  const { signal, drain } = wishes;
  const worker = randomUUID();
  let swept = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    try {
      if (performance.now() - swept > SWEEP) {
        await removeOld(queue);
        swept = performance.now();
      }
      const taken = await queue.take(worker);
      if (taken !== undefined) {
        await makeOne(options, wishes, queue, taken);
        continue;
      }
      const { waiting, working } = await queue.sizes();
      // What another worker is at may yet come back.
      if (drain && waiting + working === 0) return;
    } catch (error) {
      if (signal.aborted) return;
      const stop = asStop(error);
      if (!queue.database.isPassing(error) && !queue.database.isPassing(stop.cause)) throw stop;
    }
    await sleep(LOOK, undefined, { signal }).catch(() => {});
  }
}

/** Makes one export, and says so while it lasts; another worker that took it over ends it. */
async function makeOne(
  options: ProgramOptions,
  { signal, events, make }: Wishes,
  queue: ExportQueue,
  taken: TakenExport,
): Promise<void> {
  const { asked } = taken;
  events.began(asked);
  if (taken.deaths >= MOST_DEATHS) {
    await queue.end(taken, DIED);
    events.stopped(asked, DIED, false);
    return;
  }
  const lost = new AbortController();
  let progress: Progress | null = null;
  const beat = async (): Promise<void> => {
    if (!(await queue.beat(taken, progress))) lost.abort(new TakenOver());
  };
  // One that fails is followed by the next.
  const timer = setInterval(() => void beat().catch(() => {}), BEAT);
  const own = {
    ...options,
    ...{ lang: asked.lang, locale: asked.locale, signal: AbortSignal.any([signal, lost.signal]) },
    onProgress: (now: Progress) => (progress = now),
    onWait: undefined,
  };
  try {
    await queue.database.patiently(beat);
    const made = await withSession(own, undefined, (session) => makeIn(session, make, queue, taken));
    await queue.end(taken, { made });
    events.made(asked, made.size);
  } catch (error) {
    await leave(queue, taken, { error, events, isEnding: signal.aborted, isLost: lost.signal.aborted });
  } finally {
    clearInterval(timer);
  }
}

async function makeIn(session: Session, make: MakeExport, queue: ExportQueue, taken: TakenExport) {
  const { asked } = taken;
  const marks: Mark[] = [];
  // In words the service is called as it is where they are read.
  const ledger = withoutMarks(session.context.ledger, marks);
  const context = { ...session.context, ledger, serviceName: asked.service };
  const source = await fetchSource(queue, taken);
  const file = source.file === undefined ? {} : { file: source.file };
  const stream = new PartsStream(queue, taken);
  const done = finished(stream);
  try {
    const own = { ...asked, options: { ...asked.options, ...file } };
    const work = make({ ...session, context }, own, stream);
    // A stream that fails ends the work: its own reason tells more.
    const [result] = await Promise.race([
      Promise.all([work, done]),
      done.then(() => Promise.all([work, done])),
    ]);
    await keepMarks(queue, taken, marks);
    return { result: JSON.stringify(source.named(result)), ...stream.sum };
  } catch (error) {
    stream.destroy();
    await done.catch(() => {});
    if (source.file === undefined || !(error instanceof StopError)) throw error;
    const { message, next } = source.named(error.texts);
    throw new StopError(error.exit, message, { next, change: error.change, cause: error.cause });
  } finally {
    await source.remove();
  }
}

/** Leaves an export that was not made: to the others where this worker ends, else with what stopped it. */
async function leave(
  queue: ExportQueue,
  taken: TakenExport,
  {
    error,
    events,
    isEnding,
    isLost,
  }: {
    readonly error: unknown;
    readonly events: ExportEvents;
    readonly isEnding: boolean;
    readonly isLost: boolean;
  },
): Promise<void> {
  const isGone = isLost || error instanceof TakenOver;
  const isBack = isGone && (await queue.stateOf(taken.job)).state === 'withdrawn';
  const stop = isBack ? WITHDRAWN : isGone ? TAKEN_OVER : asStop(error);
  const isAway = stop.exit !== EXIT.service && queue.database.isPassing(stop.cause);
  const again = isEnding || isGone || isAway;
  events.stopped(taken.asked, stop, again);
  // One that another has by now is his: both say so themselves.
  if (again) await queue.giveBack(taken);
  else await queue.end(taken, stop);
}

const WITHDRAWN = new StopError(EXIT.interrupted, t('It was withdrawn.', 'Hij is ingetrokken.'));

const TAKEN_OVER = new StopError(
  EXIT.service,
  t(
    'This worker was silent for so long that another makes it by now.',
    'Deze worker was zo lang stil dat een andere het nu doet.',
  ),
);

const DIED = new StopError(
  EXIT.service,
  t(
    `${MOST_DEATHS} workers died while they made the export.`,
    `${MOST_DEATHS} workers stopten er onverwacht mee terwijl ze de export maakten.`,
  ),
  {
    next: t(
      'Give the same command without --queue: it shows what is wrong.',
      'Geef dezelfde opdracht zonder --queue: dan zie je wat er mis is.',
      t('Make the export here: it shows what is wrong.', 'Maak de export hier: dan zie je wat er mis is.'),
    ),
  },
);
