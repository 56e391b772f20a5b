import { setTimeout as sleep } from 'node:timers/promises';
import { asStop } from '../../core/as-stop.ts';
import { EXIT } from '../../core/errors.ts';
import { type Bilingual, type Language, t } from '../../core/language.ts';
import type { ProgramOptions } from '../../options/options.ts';
import { lastDue } from '../../queue/schedule/cron-moments.ts';
import { recall, remember } from '../../queue/schedule/schedule-memory.ts';
import { doMoment, signOf } from './do-entry.ts';
import type { EntryEnd } from './entry-job.ts';
import { entryNamed, type Night, openNight, type TimedEntry } from './night.ts';

/** What a scheduler tells while it works. */
export interface ScheduleTold {
  /** It looks at its entries from now on. */
  began(entries: number): void;
  /** Something of the settings, as they are read anew. */
  reread(words: Bilingual): void;
  /** Something of an entry. */
  said(name: string, words: Bilingual): void;
  /** An entry was done. */
  ended(name: string, end: EntryEnd): void;
}

interface ScheduleWishes {
  /** Ends it in good order. */
  readonly signal: AbortSignal;
  readonly told: ScheduleTold;
}

/** How often what is due is looked at, what dead programs were at, and the entries themselves, ms. */
const [LOOK, TAKE_BACK, KEEP] = [1000, 10_000, 60_000];
/** How often the settings are, ms. */
const REREAD = 5_000;
/** An entry that was due so long ago, and was not done, is done now, ms. */
const MISSED = 90_000;

/**
 * Does what the schedule of the settings says, when it is due, until the signal. Any number of programs may
 * do the same: each moment is done by one of them. A database that is away is waited for. Throws StopError
 * for settings that can't be used.
 */
export async function runSchedule(options: ProgramOptions, wishes: ScheduleWishes): Promise<void> {
  const night = await openNight(options, true);
  const working = new Map<string, Promise<void>>();
  const failed: unknown[] = [];
  const fault = new AbortController();
  const signal = AbortSignal.any([wishes.signal, fault.signal]);
  const { told } = wishes;
  try {
    const begin = (timed: TimedEntry): Promise<void> =>
      doDue(night, timed, { options, signal, told }).catch((error) => void failed.push(error));
    const look = lookingAt(night, working, begin, rereading(night, told));
    told.began(night.settings.schedule.length);
    while (!signal.aborted) {
      await orAway(night, look);
      for (const error of failed.splice(0)) await orAway(night, () => Promise.reject(error));
      await sleep(LOOK, undefined, { signal }).catch(() => {});
    }
  } finally {
    // What is out is awaited, and the rest given to others.
    fault.abort();
    await Promise.all(working.values());
    await night.close();
  }
}

/** Reads the settings anew, now and then; whether they changed. What can't be used is told once. */
function rereading(night: Night, told: ScheduleTold): () => boolean {
  let [last, wrong] = [performance.now(), ''];
  return () => {
    if (performance.now() - last < REREAD) return false;
    last = performance.now();
    try {
      const isChanged = night.reread();
      wrong = '';
      if (isChanged) told.reread(changedText(night.settings.schedule.length));
      return isChanged;
    } catch (error) {
      const { en, nl } = asStop(error).texts.message;
      if (wrong !== en) told.reread(t(`${en} ${AS_BEFORE.en}`, `${nl} ${AS_BEFORE.nl}`));
      wrong = en;
      return false;
    }
  };
}

const AS_BEFORE = t(
  'The schedule goes on as it was before that change.',
  'De planning gaat door zoals die voor die wijziging was.',
);

const changedText = (entries: number): Bilingual =>
  t(
    `The settings were changed; entries from now on: ${entries}.`,
    `De instellingen zijn gewijzigd; onderdelen vanaf nu: ${entries}.`,
  );

/** Looks once at what is due, and begins it; `begin` does so with an entry that waits. */
function lookingAt(
  night: Night,
  working: Map<string, Promise<void>>,
  begin: (timed: TimedEntry) => Promise<void>,
  reread: () => boolean,
): () => Promise<void> {
  const { engine, entries } = night;
  let [kept, takenBack] = [-Infinity, -Infinity];
  let all: readonly TimedEntry[] = [];
  return async () => {
    if (reread() || performance.now() - kept > KEEP) {
      all = await entries();
      await engine.keep(all);
      for (const timed of all) await catchUp(night, timed);
      kept = performance.now();
    }
    if (performance.now() - takenBack > TAKE_BACK) {
      await engine.takeBack();
      takenBack = performance.now();
    }
    const free = all.filter(({ queue }) => !working.has(queue));
    const waiting = new Set(await engine.waiting(free.map(({ queue }) => queue)));
    for (const timed of free) {
      const { queue } = timed;
      if (!waiting.has(queue)) continue;
      const work = begin(timed).finally(() => working.delete(queue));
      working.set(queue, work);
    }
  };
}

/** Takes the moment of an entry, where no other program did, and does it. */
async function doDue(
  night: Night,
  timed: TimedEntry,
  { options, signal, told }: ScheduleWishes & { readonly options: ProgramOptions },
): Promise<void> {
  const taken = await night.engine.take(timed.queue);
  if (taken === undefined) return;
  const { name } = timed.entry;
  const tell = (words: Bilingual): void => told.said(name, words);
  const end = await doMoment(night, timed, taken, { options, signal, tell, asked: taken.asked });
  if (end !== null && (end.did || end.exit !== EXIT.ok)) told.ended(name, end);
}

/** Has an entry done that was due while nobody kept the time: once, however often that was. */
async function catchUp({ engine, ledger, profile }: Night, timed: TimedEntry): Promise<void> {
  const { entry, cron, zone, queue } = timed;
  // An inbox is looked into soon anyway.
  if ('inbox' in entry) return;
  const now = await engine.now();
  const known = await recall(ledger, profile, entry.name);
  const sign = signOf(timed);
  if (known?.sign !== sign) {
    // New, or at another time than before: it counts from now on.
    await remember(ledger, profile, entry.name, {
      last: known?.last ?? null,
      looked: now.toISOString(),
      sign,
    });
    return;
  }
  const due = lastDue(cron, zone, now);
  const since = known.last === null ? known.looked : known.last.due;
  const isMissed = due.toISOString() > since && now.getTime() - due.getTime() > MISSED;
  if (isMissed && (await engine.active([queue])).length === 0) await engine.catchUp(queue);
}

/** Does work that others can do as well: a database that was away must not end a scheduler. */
async function orAway({ engine }: Night, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const stop = asStop(error);
    if (!engine.isPassing(error) && !engine.isPassing(stop.cause)) throw stop;
  }
}

/** How often it is looked whether another program is done, ms. */
const TURN = 500;

/**
 * Does one entry now, whatever its time, after any other program that is at it. What it came to is answered,
 * also where a scheduler took it meanwhile. Throws StopError for settings that can't be used, and the reason
 * of the signal.
 */
export async function doNow(
  options: ProgramOptions,
  name: string,
  { signal, told }: ScheduleWishes,
): Promise<EntryEnd & { readonly language: Language }> {
  const night = await openNight(options, false);
  try {
    const end = await doOne(night, name, { options, signal, told });
    return { ...end, language: night.settings.lang };
  } finally {
    await night.close();
  }
}

async function doOne(night: Night, name: string, wishes: NowWishes): Promise<EntryEnd> {
  const timed = entryNamed(await night.entries(), name);
  const takeBack = await night.engine.ask(timed.queue);
  try {
    return await turnOf(night, timed, wishes);
  } finally {
    // Done with what another one left: nobody is to do it once more.
    await takeBack();
  }
}

type NowWishes = ScheduleWishes & { readonly options: ProgramOptions };

/** Does an entry that was asked for, as soon as no other program is at it. */
async function turnOf(
  night: Night,
  timed: TimedEntry,
  { options, signal, told }: NowWishes,
): Promise<EntryEnd> {
  const { engine, ledger, profile } = night;
  const { queue, entry } = timed;
  const tell = (words: Bilingual): void => told.said(entry.name, words);
  for (let isTold = false; ; isTold = true) {
    signal.throwIfAborted();
    await engine.takeBack();
    const taken = await engine.take(queue);
    if (taken !== undefined)
      return (await doMoment(night, timed, taken, { options, signal, tell, asked: true })) ?? LOST;
    const isBusy = (await engine.active([queue])).length + (await engine.waiting([queue])).length > 0;
    if (!isBusy) {
      const last = (await recall(ledger, profile, entry.name))?.last;
      return {
        exit: (last?.exit ?? EXIT.ok) as EntryEnd['exit'],
        text: last?.text ?? NOTHING_DONE,
        did: true,
      };
    }
    if (!isTold) tell(BUSY);
    await sleep(TURN, undefined, { signal }).catch(() => {});
  }
}

const BUSY = t(
  'A scheduler is at it; waiting until it is done.',
  'Een planner is ermee bezig; er wordt gewacht tot die klaar is.',
);
const NOTHING_DONE = t('A scheduler did it.', 'Een planner heeft het gedaan.');
const LOST: EntryEnd = {
  exit: EXIT.interrupted,
  did: true,
  text: t('Another program goes on with it.', 'Een ander programma gaat ermee verder.'),
};
