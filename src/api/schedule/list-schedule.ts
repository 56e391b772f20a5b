import type { ExitCode } from '../../core/errors.ts';
import { type Bilingual, type Language, t } from '../../core/language.ts';
import type { ProgramOptions } from '../../options/options.ts';
import { nextDue } from '../../queue/schedule/cron-moments.ts';
import { type EntryDone, recall } from '../../queue/schedule/schedule-memory.ts';
import type { ScheduleEntry } from '../../session/schedule.ts';
import { openNight, type TimedEntry } from './night.ts';

/** What is scheduled, and what came of it; what `catersheet schedule --list --json` prints. */
export interface ScheduleDocument {
  /** The profile that it is of. */
  readonly profile: string;
  /** The entries, in the order of the file of settings. */
  readonly schedule: readonly {
    /** Its name. */
    readonly name: string;
    /** What it does. */
    readonly does: 'export' | 'check' | 'inbox';
    /** When, as cron has it. */
    readonly cron: string;
    /** The time zone that its hours are of. */
    readonly tz: string;
    /** When it is due next, ISO, UTC. */
    readonly next: string;
    /** Whether a program is at it now. */
    readonly running: boolean;
    /** When it was last begun or looked at, also where there was nothing to do, ISO, UTC; null for never. */
    readonly looked: string | null;
    /** When there last was something to do, and what came of it; null for never. */
    readonly last: {
      /** The moment that it was due, ISO, UTC. */
      readonly due: string;
      /** When it began, ISO, UTC. */
      readonly began: string;
      /** When it ended, ISO, UTC; null while it is at work, or where its program was killed. */
      readonly ended: string | null;
      /** What the same command would end with; null before it ended. */
      readonly exit: ExitCode | null;
      /** What came of it, in the language of `lang`; null before it ended. */
      readonly message: string | null;
      /** The machine that did it. */
      readonly by: string;
    } | null;
  }[];
}

/** What came of one entry; what `catersheet schedule --once NAME --json` prints. */
export interface EntryDocument {
  /** Its name. */
  readonly name: string;
  /** What the same command would end with. */
  readonly exit: ExitCode;
  /** What came of it, in the language of `lang`. */
  readonly message: string;
}

/** Lists what is scheduled, when it last ran, what came of it and when it runs next. Throws StopError. */
export async function listSchedule(
  options: ProgramOptions,
): Promise<ScheduleDocument & { readonly language: Language }> {
  const night = await openNight(options, false);
  try {
    const { engine, ledger, profile, settings } = night;
    const entries = await night.entries();
    const active = new Set(await engine.active(entries.map(({ queue }) => queue)));
    const now = await engine.now();
    const listed = async ({ entry, cron, zone, queue }: TimedEntry): Promise<Listed> => {
      const { last = null, looked = null } = (await recall(ledger, profile, entry.name)) ?? {};
      return {
        ...{ name: entry.name, does: doesOf(entry), cron, tz: zone },
        ...{ next: nextDue(cron, zone, now).toISOString(), running: active.has(queue), looked },
        last: last && lastOf(last, settings.lang),
      };
    };
    const schedule = await Promise.all(entries.map(listed));
    return { profile, schedule, language: settings.lang };
  } finally {
    await night.close();
  }
}

type Listed = ScheduleDocument['schedule'][number];

function lastOf({ due, began, ended, exit, text, by }: EntryDone, language: Language): Listed['last'] {
  return { due, began, ended, exit: exit as ExitCode | null, message: text?.[language] ?? null, by };
}

function doesOf(entry: ScheduleEntry): Listed['does'] {
  if ('inbox' in entry) return 'inbox';
  return 'export' in entry ? 'export' : 'check';
}

/** What an entry does, in a word. */
export const DOES: Readonly<Record<Listed['does'], Bilingual>> = {
  export: t('export', 'export'),
  check: t('check', 'controle'),
  inbox: t('inbox', 'inbox'),
};
