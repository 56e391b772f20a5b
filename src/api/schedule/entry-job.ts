import type { ExitCode } from '../../core/errors.ts';
import type { Bilingual } from '../../core/language.ts';
import type { ProgramOptions } from '../../options/options.ts';
import type { ScheduleEntry } from '../../session/schedule.ts';
import type { Settings } from '../../session/settings.ts';

/** An entry that is due, and all that doing it needs. */
export interface EntryJob<Entry extends ScheduleEntry = ScheduleEntry> {
  readonly entry: Entry;
  /** Where its days and hours are counted. */
  readonly zone: string;
  /** With the signal that ends it in good order. */
  readonly options: ProgramOptions & { readonly signal: AbortSignal };
  readonly settings: Settings;
  /** The moment that it began. */
  readonly now: Date;
  /** Whether the same may work in a moment. */
  isPassing(error: unknown): boolean;
  /** Whether it was given to no other program: this one may have been stopped for long. */
  isOurs(): Promise<boolean>;
  tell(words: Bilingual): void;
}

/** What came of an entry. */
export interface EntryEnd {
  readonly exit: ExitCode;
  readonly text: Bilingual;
  /** There was something to do. */
  readonly did: boolean;
}

/** The time zone of an entry: its own, else that of this machine. */
export const zoneOf = ({ tz }: Pick<ScheduleEntry, 'tz'>): string =>
  tz ?? Intl.DateTimeFormat().resolvedOptions().timeZone;

/** When an inbox is looked into, where its entry does not say. */
const EACH_MINUTE = '* * * * *';

/** When an entry is due. */
export const cronOf = ({ cron }: Pick<ScheduleEntry, 'cron'>): string => cron ?? EACH_MINUTE;

/** Texts one after the other, as one. */
export const joinedTexts = (texts: readonly Bilingual[], between = ' '): Bilingual => ({
  en: texts.map(({ en }) => en).join(between),
  nl: texts.map(({ nl }) => nl).join(between),
});
