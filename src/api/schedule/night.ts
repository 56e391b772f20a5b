import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { EXIT, StopError, usageStop } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import { nearest } from '../../core/nearest.ts';
import { systemTime } from '../../core/time.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { openAnyLedger } from '../../ledger/open-ledger.ts';
import type { ProgramOptions } from '../../options/options.ts';
import { refuseFile } from '../../queue/queued-runs.ts';
import { inboxSign } from '../../queue/schedule/claimed-file.ts';
import { nextDue } from '../../queue/schedule/cron-moments.ts';
import { queueName, ScheduleEngine, type Timed } from '../../queue/schedule/schedule-engine.ts';
import { todayIn } from '../../session/relative-day.ts';
import type { ScheduleEntry } from '../../session/schedule.ts';
import { resolveSettings, type Settings } from '../../session/settings.ts';
import { cronOf, zoneOf } from './entry-job.ts';
import { checkExport } from './export-work.ts';

/** An entry of the schedule, as the engine has it too. */
export interface TimedEntry extends Timed {
  readonly entry: ScheduleEntry;
}

/** What a scheduler works with, opened; to be closed again. */
export interface Night {
  /** As they were read last. */
  readonly settings: Settings;
  readonly engine: ScheduleEngine;
  readonly ledger: Ledger;
  /** The name of the profile that the schedule is of. */
  readonly profile: string;
  /** The entries as they are now: an inbox may be there by now, or be another folder. */
  entries(): Promise<readonly TimedEntry[]>;
  /**
   * Reads the settings anew; whether they changed. Throws StopError for what can't be used: they stay as they
   * were then.
   */
  reread(): boolean;
  close(): Promise<void>;
}

/**
 * Opens the schedule of the settings; `ticks`: this program keeps the time. Throws StopError (usage) for a
 * ledger in a file, no schedule, and an entry that could never be done.
 */
export async function openNight(options: ProgramOptions, ticks: boolean): Promise<Night> {
  let settings = checked(options);
  refuseFile(settings.ledger);
  const { profile = 'default' } = settings;
  if (settings.schedule.length === 0) throw noSchedule(profile);
  const { ledger } = await openAnyLedger(settings.ledger, systemTime);
  try {
    const engine = await ScheduleEngine.open(settings.ledger, ticks);
    return {
      ...{ engine, ledger, profile },
      get settings() {
        return settings;
      },
      entries: async () => {
        const now = settings;
        return await Promise.all(now.schedule.map((entry) => timed(entry, now)));
      },
      reread() {
        const fresh = checked(options);
        if (fresh.ledger !== settings.ledger) throw otherLedger();
        const isChanged = !isDeepStrictEqual(fresh, settings);
        settings = fresh;
        return isChanged;
      },
      async close() {
        await engine.close();
        await ledger.close();
      },
    };
  } catch (error) {
    await ledger.close();
    throw error;
  }
}

/** The settings as they are now. Throws StopError (usage) for an entry that could never be done. */
function checked(options: ProgramOptions): Settings {
  const settings = resolveSettings(options);
  for (const entry of settings.schedule) checkTimed(entry, settings);
  return settings;
}

/** The entry of this name. Throws StopError (usage) where there is none. */
export function entryNamed(entries: readonly TimedEntry[], name: string): TimedEntry {
  const found = entries.find(({ entry }) => entry.name.toLowerCase() === name.trim().toLowerCase());
  if (found !== undefined) return found;
  const all = entries.map(({ entry }) => entry.name);
  const [near] = nearest(name, all);
  const names = all.join(', ');
  throw usageStop(
    t(`The schedule has no entry ${name}.`, `In de planning staat geen ${name}.`),
    t(`It has: ${names}.`, `Wel: ${names}.`),
    { give: { once: near ?? null } },
  );
}

/** An entry with all that makes it what it is: two schedulers with the same one do it once. */
async function timed(
  entry: ScheduleEntry,
  { ledger, baseUrl, sandboxData, profile }: Settings,
): Promise<TimedEntry> {
  const [cron, zone] = [cronOf(entry), zoneOf(entry)];
  // A folder of this machine is no other's by the same name.
  const place = 'inbox' in entry ? ((await inboxSign(entry.inbox)) ?? hostname()) : '';
  const told = JSON.stringify([ledger, baseUrl ?? sandboxData, profile ?? '', entry, cron, zone, place]);
  const sign = createHash('sha256').update(told).digest('hex').slice(0, 32);
  return { entry, cron, zone, queue: queueName(sign) };
}

function checkTimed(entry: ScheduleEntry, settings: Settings): void {
  const zone = zoneOf(entry);
  try {
    nextDue(cronOf(entry), zone, new Date());
  } catch (cause) {
    throw new StopError(
      EXIT.usage,
      t(
        `schedule, entry "${entry.name}": "${cronOf(entry)}" is no moment that ever comes.`,
        `schedule, onderdeel "${entry.name}": "${cronOf(entry)}" is geen moment dat ooit komt.`,
      ),
      { cause, next: t('Look at its days and months.', 'Kijk de dagen en maanden na.') },
    );
  }
  if ('export' in entry) checkExport(entry, settings, todayIn(zone, new Date()));
}

const otherLedger = (): StopError =>
  usageStop(
    t('The settings name another ledger now.', 'De instellingen noemen nu een ander register.'),
    t('Start the schedule anew to use it.', 'Start de planning opnieuw om het te gebruiken.'),
  );

const noSchedule = (profile: string): StopError =>
  usageStop(
    t(`The profile ${profile} has no schedule.`, `Het profiel ${profile} heeft geen planning.`),
    t(
      'Give it one in your catersheet.config.json, as docs/settings.md says, or choose another with --profile.',
      'Geef het er een in je catersheet.config.json, zoals docs/settings.md zegt, of kies een ander met --profile.',
      t(
        'Give it one in your catersheet.config.json, as docs/settings.md says.',
        'Geef het er een in je catersheet.config.json, zoals docs/settings.md zegt.',
      ),
    ),
  );
