import { setTimeout as sleep } from 'node:timers/promises';
import { asStop } from '../../core/as-stop.ts';
import { EXIT, StopError } from '../../core/errors.ts';
import { type Bilingual, t } from '../../core/language.ts';
import type { ProgramOptions } from '../../options/options.ts';
import { lastDue } from '../../queue/schedule/cron-moments.ts';
import type { TakenMoment } from '../../queue/schedule/schedule-engine.ts';
import {
  beganNow,
  type EntryDone,
  endedNow,
  recall,
  remember,
} from '../../queue/schedule/schedule-memory.ts';
import { doCheck } from './check-work.ts';
import { type EntryEnd, type EntryJob, joinedTexts } from './entry-job.ts';
import { doExport } from './export-work.ts';
import { doInbox } from './inbox-work.ts';
import type { Night, TimedEntry } from './night.ts';
import { sendReport } from './send-report.ts';

/** How often a program says that it is still at it, ms. */
const BEAT = 5000;
/** An export or a check that so many programs died of is left for the next time. */
const MOST_DEATHS = 5;

interface MomentWishes {
  readonly options: ProgramOptions;
  readonly signal: AbortSignal;
  tell(words: Bilingual): void;
  /** A person asked for it: it is done, whenever it was last. */
  readonly asked: boolean;
}

/** The same for the same time of the same entry. */
export const signOf = ({ cron, zone }: TimedEntry): string => `${cron} ${zone}`;

/**
 * Does an entry whose moment this program has taken, and remembers what came of it; null where that moment
 * was done already, or it was given to others. Whatever stops the work is in the answer. Throws where the
 * database is away.
 */
export async function doMoment(
  night: Night,
  timed: TimedEntry,
  taken: TakenMoment,
  wishes: MomentWishes,
): Promise<EntryEnd | null> {
  const { engine, ledger, profile } = night;
  const { entry, cron, zone } = timed;
  const now = await engine.now();
  const due = lastDue(cron, zone, now);
  const before = await recall(ledger, profile, entry.name);
  const isInbox = 'inbox' in entry;
  if (!wishes.asked && !isInbox && isDone(before?.last, due)) {
    await engine.done(taken);
    return null;
  }
  const looked = now.toISOString();
  const began = beganNow(due);
  const keep = async (last: EntryDone | null): Promise<void> =>
    await remember(ledger, profile, entry.name, { last, looked, sign: signOf(timed) });
  // An inbox is looked into each minute, mostly for nothing.
  if (!isInbox) await keep(began);
  const end =
    taken.tries > MOST_DEATHS && !isInbox
      ? DIED
      : await beating(night, timed, taken, { ...wishes, now, before: before?.last ?? null });
  if (end === 'lost') return null;
  const isCut = end.exit === EXIT.interrupted;
  if (end.did || end.exit !== EXIT.ok) await keep(endedNow(began, end.exit, end.text));
  else if (isInbox) await keep(before?.last ?? null);
  if (isCut) await engine.giveBack(taken);
  else await engine.done(taken);
  return end;
}

/** Whether a moment was done to its end. */
const isDone = (last: EntryDone | null | undefined, due: Date): boolean =>
  last != null && last.ended !== null && last.exit !== EXIT.interrupted && last.due >= due.toISOString();

type Begun = MomentWishes & { readonly now: Date; readonly before: EntryDone | null };

/** Does an entry, and says all the while that this program is at it; `lost` where another was given it. */
async function beating(
  { engine, settings }: Night,
  { entry, zone }: TimedEntry,
  taken: TakenMoment,
  { options, signal, tell, now, before }: Begun,
): Promise<EntryEnd | 'lost'> {
  const over = new AbortController();
  const isLost = { so: false };
  const beats = (async () => {
    while (!over.signal.aborted) {
      await sleep(BEAT, undefined, { signal: over.signal }).catch(() => {});
      if (over.signal.aborted) return;
      // A database that is away is waited for by the work itself.
      const has = await engine.beat(taken).catch(() => true);
      if (!has && !over.signal.aborted) {
        isLost.so = true;
        over.abort(LOST);
      }
    }
  })();
  const job: EntryJob = {
    ...{ entry, zone, settings, now, tell },
    options: { ...options, signal: AbortSignal.any([signal, over.signal]), onWait: tell },
    isPassing: (error) => engine.isPassing(error),
    isOurs: () => engine.beat(taken),
  };
  try {
    const end = await ended(job, before);
    return isLost.so || !(await engine.beat(taken)) ? 'lost' : end;
  } finally {
    if (!over.signal.aborted) over.abort();
    await beats;
  }
}

/** Does an entry; what stops it becomes its end, and is reported. */
async function ended(job: EntryJob, before: EntryDone | null): Promise<EntryEnd> {
  try {
    return await work(job);
  } catch (error) {
    // What waits for its turn ends with what it was ended by.
    const stop = job.options.signal.aborted ? LOST : asStop(error);
    const { message, next } = stop.texts;
    const { exit } = stop;
    const isTold = exit === EXIT.interrupted || ('inbox' in job.entry && isSame(before, exit, message));
    const lines = next === undefined ? [] : [next];
    const failed =
      isTold || !(await job.isOurs()) ? null : await sendReport(job, { exit, state: message, lines });
    const text = failed === null ? message : joinedTexts([message, failed.texts.message]);
    return { exit, text, did: true };
  }
}

/** Whether it came to the same the last time: each minute anew that would be no news. */
const isSame = (before: EntryDone | null, exit: number, { en }: Bilingual): boolean =>
  before !== null && before.exit === exit && before.text?.en.startsWith(en) === true;

function work(job: EntryJob): Promise<EntryEnd> {
  const { entry } = job;
  if ('inbox' in entry) return doInbox({ ...job, entry });
  if ('export' in entry) return doExport({ ...job, entry });
  return doCheck({ ...job, entry });
}

const LOST = new StopError(
  EXIT.interrupted,
  t('It was stopped, and is gone on with.', 'Het is gestopt, en gaat later verder.'),
);

const DIED: EntryEnd = {
  exit: EXIT.fault,
  did: true,
  text: t(
    `${MOST_DEATHS} programs ended unexpectedly while they were at it; it is done again when it is due.`,
    `${MOST_DEATHS} programma’s stopten onverwacht terwijl ze eraan bezig waren; het gebeurt weer op zijn tijd.`,
  ),
};
