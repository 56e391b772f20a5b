import { EXIT, StopError } from '../../errors.ts';
import { datetimeCodec } from '../../schema/codecs/datetime.ts';
import { expectedText } from '../../schema/issue.ts';
import type { Bilingual, Locale } from '../../schema/value.ts';
import type { Days } from './lists/days.ts';
import type { ExportedResource } from './lists/exporter.ts';
import { exporterOf } from './lists/exporters.ts';
import type { Selection, Way } from './selection.ts';

/** What the user chose, as texts; see `Selection`. */
export interface SelectionWishes {
  /** A moment, or `last`. */
  readonly since?: string | undefined;
  /** The first and the last day. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly definitive?: boolean | undefined;
  /** A workbook or CSV that names products. */
  readonly file?: string | undefined;
  /** With the ingredient declaration. */
  readonly declaration?: boolean | undefined;
}

const LAST = 'last';

/** What an export of a resource is to hold, by what the user chose. Throws StopError with EXIT.usage where it has no such choice. */
export function selectionOf(resource: ExportedResource, wishes: SelectionWishes, locale: Locale): Selection {
  if (wishes.declaration === true && resource.kind !== 'catalogue') throw takesNo(resource, '--declaration');
  const selection = wished(wishes, locale);
  const { ways } = exporterOf(resource);
  const way = selection.way === 'last' ? 'since' : selection.way;
  if (ways.includes(way)) return selection;
  throw way === 'all' ? needsToKnow(resource, ways) : takesNo(resource, FLAGS[way]);
}

function needsToKnow({ sheet }: ExportedResource, ways: readonly Way[]): StopError {
  const flags = ways.map((way) => FLAGS[way]);
  return stop(
    {
      en: `An export of ${sheet} needs to know which.`,
      nl: `Een export van ${sheet} moet weten welke.`,
    },
    { en: `Use ${flags.join(', or ')}.`, nl: `Gebruik ${flags.join(', of ')}.` },
  );
}

function takesNo({ sheet }: ExportedResource, flag: string): StopError {
  const next = { en: 'Leave it out; --help says what there is.', nl: 'Laat het weg; --help zegt wat er is.' };
  return stop(
    { en: `An export of ${sheet} takes no ${flag}.`, nl: `Een export van ${sheet} kent geen ${flag}.` },
    next,
  );
}

const FLAGS: Readonly<Record<Way, string>> = {
  ...{ all: '', since: '--since', period: '--from D --to D', definitive: '--definitive', file: '--file' },
};

function wished({ since, from, to, definitive, file }: SelectionWishes, locale: Locale): Selection {
  const days = daysOf(from, to, locale);
  const given = [since !== undefined, file !== undefined, days !== null || definitive === true];
  if (given.filter(Boolean).length > 1) throw stop(ONE_WAY, ONE_WAY_NEXT);
  if (file !== undefined) return { way: 'file', file };
  if (definitive === true) return { way: 'definitive', days };
  if (days !== null) return { way: 'period', days };
  if (since === undefined) return { way: 'all' };
  if (since === LAST) return { way: 'last' };
  return { way: 'since', moment: momentOf('since', since, locale) };
}

/** A period as the user wrote it; null for none. Throws StopError with EXIT.usage. */
export function daysOf(from: string | undefined, to: string | undefined, locale: Locale): Days | null {
  if (from === undefined && to === undefined) return null;
  if (from === undefined || to === undefined) throw stop(HALF_PERIOD, HALF_PERIOD_NEXT);
  const days = {
    from: dayOf('from', from, locale),
    to: dayOf('to', to, locale),
  };
  if (days.from > days.to) throw stop(backwards(days), HALF_PERIOD_NEXT);
  return days;
}

/** A day of a period. A time at midnight is how the service writes a day; of any other nobody would notice that it is dropped. */
function dayOf(flag: 'from' | 'to', text: string, locale: Locale): string {
  const moment = momentOf(flag, text, locale);
  if (moment.slice(11).startsWith('00:00:00')) return moment.slice(0, 10);
  throw stop(
    {
      en: `--${flag} ${text}: a period is of whole days, without a time.`,
      nl: `--${flag} ${text}: een periode is van hele dagen, zonder tijd.`,
    },
    likeIn(flag),
  );
}

const EXAMPLES = { since: '"2026-11-01 06:00"', from: '2026-11-01', to: '2026-11-30' } as const;
type Flag = keyof typeof EXAMPLES;

/** A moment as people write it, as wall-clock text `YYYY-MM-DD hh:mm:ss`. Throws StopError with EXIT.usage. */
function momentOf(flag: Flag, text: string, locale: Locale): string {
  const read = datetimeCodec.decode({ column: 1, type: 'text', value: text }, locale);
  if (read.ok && read.warning?.code === 'date-zone') throw stop(zoned(flag, text), likeIn(flag));
  if (read.ok) return read.value;
  const [en, nl] = [expectedText(read.finding, 'en'), expectedText(read.finding, 'nl')];
  throw stop(
    { en: `--${flag} ${text}: expected ${en}.`, nl: `--${flag} ${text}: verwacht werd ${nl}.` },
    likeIn(flag),
  );
}

function likeIn(flag: Flag): Bilingual {
  const last = flag === 'since' ? { en: ', or --since last', nl: ', of --since last' } : { en: '', nl: '' };
  return {
    en: `Write it as in --${flag} ${EXAMPLES[flag]}${last.en}.`,
    nl: `Schrijf het zoals in --${flag} ${EXAMPLES[flag]}${last.nl}.`,
  };
}

/** The interface shows no zone: what a moment in one is on the service's clock, can't be told. */
const zoned = (flag: Flag, text: string): Bilingual => ({
  en: `--${flag} ${text}: moments go by the service's own clock, and its time zone is not known.`,
  nl: `--${flag} ${text}: momenten gaan naar de klok van de dienst, en zijn tijdzone is niet bekend.`,
});

const stop = (message: Bilingual, next: Bilingual): StopError => new StopError(EXIT.usage, message, { next });

const ONE_WAY: Bilingual = {
  en: '--since, --file and --from with --to don’t go together.',
  nl: '--since, --file en --from met --to gaan niet samen.',
};
const ONE_WAY_NEXT: Bilingual = { en: 'Leave all but one of them out.', nl: 'Laat er één staan.' };
const HALF_PERIOD: Bilingual = {
  en: 'A period has a first and a last day.',
  nl: 'Een periode heeft een eerste en een laatste dag.',
};
const HALF_PERIOD_NEXT: Bilingual = {
  en: 'Write it as in --from 2026-11-01 --to 2026-11-30.',
  nl: 'Schrijf het zoals in --from 2026-11-01 --to 2026-11-30.',
};
const backwards = ({ from, to }: Days): Bilingual => ({
  en: `The period ends (${to}) before it begins (${from}).`,
  nl: `De periode eindigt (${to}) voordat hij begint (${from}).`,
});
