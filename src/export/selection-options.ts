import type { DateOrders } from '../core/codec.ts';
import { datetimeCodec } from '../core/codecs/datetime.ts';
import { sayMoment } from '../core/codecs/moment.ts';
import { type StopError, usageStop } from '../core/errors.ts';
import { describeIssue, issueAt } from '../core/issue.ts';
import { type Bilingual, NOTHING, t, withFlag } from '../core/language.ts';
import { shownMoment } from '../core/shown-moment.ts';
import type { Locale } from '../core/value.ts';
import { ordersIn } from '../import/map/column-habits.ts';
import { listerOf } from '../lists/lists.ts';
import type { Days, ExportedResource, Selection, SelectionWay } from '../records/listing.ts';

/** An unambiguous value for each flag. */
const EXAMPLES = { since: '"2026-11-01 06:00"', from: '2026-11-01', to: '2026-11-30' } as const;
type Flag = keyof typeof EXAMPLES;

/** A period, with notes on how ambiguous dates were read. */
interface Period {
  readonly days: Days;
  readonly notes: readonly Bilingual[];
}

/** How dates are read: by the locale, unless a date beside it shows another order of day and month. */
interface DateReading {
  readonly locale: Locale;
  readonly orders: DateOrders;
  /** Takes how ambiguous ones were read. */
  readonly notes: Bilingual[];
}

const readingOf = (locale: Locale, ...texts: readonly string[]): DateReading => ({
  ...{ locale, orders: ordersIn(texts), notes: [] },
});

/** A period as the user wrote it; null for none. Throws StopError with EXIT.usage. */
export function periodOf(from: string | undefined, to: string | undefined, locale: Locale): Period | null {
  if (from === undefined && to === undefined) return null;
  if (from === undefined || to === undefined) throw usageStop(HALF_PERIOD, HALF_PERIOD_NEXT);
  const reading = readingOf(locale, from, to);
  const days = { from: dayOf('from', from, reading), to: dayOf('to', to, reading) };
  if (days.from > days.to) throw usageStop(backwards(days), SWAP);
  return { days, notes: reading.notes };
}

/** A day of a period; with a time it is refused, unless midnight: dropping the time would go unnoticed. */
function dayOf(flag: 'from' | 'to', text: string, reading: DateReading): string {
  const moment = momentOf(flag, text, reading);
  if (moment.slice(11).startsWith('00:00:00')) return moment.slice(0, 10);
  throw usageStop(
    withFlag(
      t(
        `${text}: a period is of whole days, without a time.`,
        `${text}: een periode is van hele dagen, zonder tijd.`,
      ),
      `--${flag}`,
    ),
    likeIn(flag),
  );
}

/** A moment as wall-clock text `YYYY-MM-DD hh:mm:ss`. Throws StopError with EXIT.usage. */
function momentOf(flag: Flag, text: string, { locale, orders, notes }: DateReading): string {
  const read = datetimeCodec.decode({ column: 1, type: 'text', value: text }, locale, orders);
  if (read.ok && read.warning?.code === 'date-zone') throw usageStop(zoned(flag, text), likeIn(flag));
  if (read.ok) {
    if (read.warning?.code === 'date-order') notes.push(readAs(flag, text, read.value));
    return read.value;
  }
  const issue = issueAt(read.finding, { field: null, address: null });
  const [en, nl] = [describeIssue(issue, 'en'), describeIssue(issue, 'nl')];
  throw usageStop(withFlag(t(en, nl), `--${flag}`), likeIn(flag));
}

function readAs(flag: Flag, text: string, moment: string): Bilingual {
  const { en, nl } = sayMoment(moment);
  const plain = moment.endsWith(' 00:00:00') ? moment.slice(0, 10) : `"${moment}"`;
  return withFlag(
    t(
      `${text} was read as ${en}; ${plain} can be read in one way only`,
      `${text} is gelezen als ${nl}; ${plain} is maar op één manier te lezen`,
    ),
    `--${flag}`,
  );
}

function likeIn(flag: Flag): Bilingual {
  const last = flag === 'since' ? t(', or --since last', ', of --since last', NOTHING) : NOTHING;
  return t(
    `Write it as in --${flag} ${EXAMPLES[flag]}${last.en}.`,
    `Schrijf het zoals in --${flag} ${EXAMPLES[flag]}${last.nl}.`,
    t(`Write it as in ${EXAMPLES[flag]}.`, `Schrijf het zoals in ${EXAMPLES[flag]}.`),
  );
}

/** The interface names no time zone, so a moment with one can't be converted. */
const zoned = (flag: Flag, text: string): Bilingual =>
  withFlag(
    t(
      `${text}: moments go by the service's own clock, and its time zone is not known.`,
      `${text}: momenten gaan naar de klok van het systeem, en zijn tijdzone is niet bekend.`,
    ),
    `--${flag}`,
  );

const HALF_PERIOD: Bilingual = t(
  'A period has a first and a last day.',
  'Een periode heeft een eerste en een laatste dag.',
);
const HALF_PERIOD_NEXT: Bilingual = withFlag(
  t('Give its first and its last day.', 'Geef de eerste en de laatste dag.'),
  '--from 2026-11-01 --to 2026-11-30',
);
const SWAP: Bilingual = t('Turn them round.', 'Draai ze om.');
function backwards(days: Days): Bilingual {
  const [from, to] = [shownMoment(days.from), shownMoment(days.to)];
  return t(
    `The period ends (${to.en}) before it begins (${from.en}).`,
    `De periode eindigt (${to.nl}) voordat hij begint (${from.nl}).`,
  );
}

/** The options that select records, as the user wrote them. */
export interface SelectionOptions {
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

/** A selection, with notes on how ambiguous dates were read. */
interface ReadSelection {
  readonly selection: Selection;
  readonly notes: readonly Bilingual[];
}

/** A kind of records to export, and which of them. */
export interface ExportKind {
  readonly resource: ExportedResource;
  readonly selection: Selection;
  /** With the ingredient declaration. */
  readonly declaration: boolean;
}

/**
 * The kinds of an export with the selection that the options ask for. Of several each goes by the options
 * that it has. Throws StopError with EXIT.usage for an option that none has, or a kind that can't do without.
 */
export function kindsOf(
  resources: readonly ExportedResource[],
  wishes: SelectionOptions,
  locale: Locale,
): { readonly kinds: readonly ExportKind[]; readonly notes: readonly Bilingual[] } {
  const several = resources.length > 1;
  const declares = (one: ExportedResource): boolean => listerOf(one).declaration === true;
  const isWhole = (one: ExportedResource): boolean => {
    const ways = listerOf(one).ways(one);
    return wishes.since === undefined && ways.includes('all') && !ways.includes('period');
  };
  const byDays = wishes.from !== undefined || wishes.to !== undefined;
  const notes = new Map<string, Bilingual>();
  const kinds = resources.map((resource): ExportKind => {
    const declaration = wishes.declaration === true && (declares(resource) || !resources.some(declares));
    const whole = several && byDays && isWhole(resource) && !resources.every(isWhole);
    const own = whole ? { ...wishes, from: undefined, to: undefined } : wishes;
    const read = selectionOf(resource, { ...own, declaration }, locale);
    for (const note of whole ? [wholeText(resource)] : read.notes) notes.set(note.en, note);
    return { resource, selection: read.selection, declaration };
  });
  return { kinds, notes: [...notes.values()] };
}

const wholeText = ({ sheet }: ExportedResource): Bilingual =>
  t(`${sheet}: all of them, as they have no days`, `${sheet}: allemaal, want ze hebben geen dagen`);

/** The selection that the options ask for. Throws StopError with EXIT.usage where the resource lacks it. */
function selectionOf(resource: ExportedResource, wishes: SelectionOptions, locale: Locale): ReadSelection {
  const lister = listerOf(resource);
  if (wishes.declaration === true && lister.declaration !== true) throw takesNo(resource, ['--declaration']);
  const ways = lister.ways(resource);
  const hasDays = wishes.from !== undefined || wishes.to !== undefined;
  if (hasDays && !ways.includes('period')) throw takesNo(resource, FLAGS.period);
  const read = readSelection(wishes, locale);
  const way = read.selection.way === 'last' ? 'since' : read.selection.way;
  if (ways.includes(way)) return read;
  throw way === 'all' ? needsToKnow(resource, ways) : takesNo(resource, FLAGS[way]);
}

function needsToKnow({ sheet }: ExportedResource, ways: readonly SelectionWay[]): StopError {
  const flags = ways.flatMap((way) => FLAGS[way]);
  return usageStop(
    t(`An export of ${sheet} needs to know which.`, `Een export van ${sheet} moet weten welke.`),
    t(
      `Use ${flags.join(', or ')}.`,
      `Gebruik ${flags.join(', of ')}.`,
      t(
        `Use ${ways.map((way) => WAY_NAMES[way].en).join(', or ')}.`,
        `Gebruik ${ways.map((way) => WAY_NAMES[way].nl).join(', of ')}.`,
      ),
    ),
  );
}

function takesNo({ sheet }: ExportedResource, flags: readonly string[]): StopError {
  return usageStop(
    t(
      `An export of ${sheet} takes no ${flags.join(' or ')}.`,
      `Een export van ${sheet} kent geen ${flags.join(' of ')}.`,
      t(`An export of ${sheet} can’t be chosen so.`, `Een export van ${sheet} is niet zo te kiezen.`),
    ),
    t('Leave it out.', 'Laat het weg.'),
  );
}

const FLAGS: Readonly<Record<SelectionWay, readonly string[]>> = {
  all: [],
  since: ['--since'],
  period: ['--from D --to D', '--period P'],
  definitive: ['--definitive'],
  file: ['--file'],
};

/** The ways in words. */
const WAY_NAMES: Readonly<Record<SelectionWay, Bilingual>> = {
  all: t('all of them', 'alles'),
  since: t('those that changed since a moment', 'wat gewijzigd is sinds een moment'),
  period: t('those of a period', 'die van een periode'),
  definitive: t('the definitive ones', 'de definitieve'),
  file: t('those in a file', 'die in een bestand'),
};

function readSelection(
  { since, from, to, definitive, file }: SelectionOptions,
  locale: Locale,
): ReadSelection {
  const period = periodOf(from, to, locale);
  const byDays = period !== null || definitive === true;
  const given = [since !== undefined, file !== undefined, byDays];
  const isSinceOnDays = file === undefined && definitive !== true && since !== 'last';
  if (given.filter(Boolean).length > 1 && !isSinceOnDays) throw usageStop(ONE_WAY, ONE_WAY_NEXT);
  const { days = null, notes = [] } = period ?? {};
  if (file !== undefined) return { selection: { way: 'file', file }, notes };
  if (definitive === true) return { selection: { way: 'definitive', days }, notes };
  if (since === undefined)
    return { selection: days === null ? { way: 'all' } : { way: 'period', days }, notes };
  if (since === 'last') return { selection: { way: 'last' }, notes };
  const reading = readingOf(locale, since);
  const moment = momentOf('since', since, reading);
  const selection: Selection = { way: 'since', moment, ...(days !== null && { days }) };
  return { selection, notes: [...notes, ...reading.notes] };
}

const ONE_WAY: Bilingual = withFlag(
  t(
    'A file, definitive events, what changed since the last export and a period don’t go together.',
    'Een bestand, definitieve evenementen, wat wijzigde sinds de vorige export en een periode gaan niet samen.',
  ),
  '--file, --definitive, --since last, --from --to',
);
const ONE_WAY_NEXT: Bilingual = t('Leave all but one of them out.', 'Laat er één staan.');
