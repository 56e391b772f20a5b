import { datetimeCodec } from '../core/codecs/datetime.ts';
import { type StopError, usageStop } from '../core/errors.ts';
import { type Bilingual, t, withFlag } from '../core/language.ts';
import { shownMoment } from '../core/shown-moment.ts';
import type { Locale } from '../core/value.ts';
import { listerOf } from '../lists/lists.ts';
import type { Days, ExportedResource, ResolvedSelection, Selection } from '../records/listing.ts';

/** An unambiguous value for each flag. */
const EXAMPLES = { since: '"2026-11-01 06:00"', from: '2026-11-01', to: '2026-11-30' } as const;
type Flag = keyof typeof EXAMPLES;

/** A period as the user wrote it; null for none. Throws StopError with EXIT.usage. */
export function periodOf({ from, to, locale }: WrittenPeriod): Days | null {
  if (from === undefined && to === undefined) return null;
  if (from === undefined || to === undefined) throw halfPeriod();
  const days = { from: dayOf('from', from, locale), to: dayOf('to', to, locale) };
  if (days.from > days.to) throw usageStop(backwards(days), SWAP);
  return days;
}

/** A day of a period; with a time it is refused, unless midnight: dropping the time would go unnoticed. */
function dayOf(flag: 'from' | 'to', text: string, locale?: Locale): string {
  const moment = momentOf(flag, text, locale);
  if (moment.slice(11).startsWith('00:00:00')) return moment.slice(0, 10);
  throw wrong(
    flag,
    text,
    t('a period is of whole days, without a time', 'een periode is van hele dagen, zonder tijd'),
  );
}

/**
 * A moment as wall-clock text `YYYY-MM-DD hh:mm:ss`. The Dutch write the day first; of a date in English nobody
 * can tell. Throws StopError with EXIT.usage.
 */
function momentOf(flag: Flag, text: string, locale: Locale = 'nl'): string {
  const read = datetimeCodec.decode({ column: 1, type: 'text', value: text }, 'nl');
  if (!read.ok) throw wrong(flag, text, t('this is no date', 'dit is geen datum'));
  // The interface names no time zone, so a moment with one can't be converted.
  if (read.warning?.code === 'date-zone') throw wrong(flag, text, ZONE);
  if (read.warning?.code === 'date-order' && locale !== 'nl') throw wrong(flag, text, ORDER);
  return read.value;
}

const ZONE: Bilingual = t(
  "moments go by the service's own clock, and its time zone is not known",
  'momenten gaan naar de klok van het systeem, en zijn tijdzone is niet bekend',
);
const ORDER: Bilingual = t(
  "which is the day and which the month can't be told",
  'wat de dag is en wat de maand, is niet te zien',
);

const wrong = (flag: Flag, text: string, why: Bilingual): StopError =>
  usageStop(
    withFlag(t(`${text}: ${why.en}.`, `${text}: ${why.nl}.`), `--${flag}`),
    t(`Write it as in ${EXAMPLES[flag]}.`, `Schrijf het zoals in ${EXAMPLES[flag]}.`),
  );

/** For a period that lacks a day, or both. */
export const halfPeriod = (): StopError =>
  usageStop(
    t('A period has a first and a last day.', 'Een periode heeft een eerste en een laatste dag.'),
    withFlag(
      t('Give its first and its last day.', 'Geef de eerste en de laatste dag.'),
      '--from 2026-11-01 --to 2026-11-30',
    ),
  );

const SWAP: Bilingual = t('Turn them round.', 'Draai ze om.');
function backwards(days: Days): Bilingual {
  const [from, to] = [shownMoment(days.from), shownMoment(days.to)];
  return t(
    `The period ends (${to.en}) before it begins (${from.en}).`,
    `De periode eindigt (${to.nl}) voordat hij begint (${from.nl}).`,
  );
}

/** The first and the last day, and how dates are written. */
interface WrittenPeriod {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly locale?: Locale | undefined;
}

/** The options that select records, as the user wrote them. */
export interface SelectionOptions extends WrittenPeriod {
  /** A moment, or `last`. */
  readonly since?: string | undefined;
  readonly definitive?: boolean | undefined;
  /** A workbook or CSV that names products. */
  readonly file?: string | undefined;
  /** With the ingredient declaration. */
  readonly declaration?: boolean | undefined;
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
): { readonly kinds: readonly ExportKind[]; readonly notes: readonly Bilingual[] } {
  const notes: Bilingual[] = [];
  const declares = (one: ExportedResource): boolean => listerOf(one).declaration === true;
  const kinds = resources.map((resource): ExportKind => {
    const declaration = wishes.declaration === true && declares(resource);
    if (wishes.declaration === true && !resources.some(declares)) throw takesNo(resource, ['--declaration']);
    const own = readSelection(wishes);
    if (resources.length === 1 || !('days' in own) || listerOf(resource).ways(resource).includes('period'))
      return { resource, declaration, selection: takenBy(resource, own) };
    notes.push(undatedText(resource));
    const undated = readSelection({ ...wishes, from: undefined, to: undefined });
    return { resource, declaration, selection: takenBy(resource, undated) };
  });
  return { kinds, notes };
}

const undatedText = ({ sheet }: ExportedResource): Bilingual =>
  t(
    `${sheet}: not chosen by day, as they have none`,
    `${sheet}: niet op dag gekozen, want ze hebben er geen`,
  );

/** The selection. Throws StopError with EXIT.usage where the resource can't be chosen so. */
function takenBy(resource: ExportedResource, selection: Selection): Selection {
  const ways = listerOf(resource).ways(resource);
  if ('days' in selection && selection.days && !ways.includes('period'))
    throw takesNo(resource, FLAGS.period);
  const way = selection.way === 'last' ? 'since' : selection.way;
  if (ways.includes(way)) return selection;
  if (way !== 'all') throw takesNo(resource, FLAGS[way]);
  const { sheet } = resource;
  throw usageStop(
    t(`An export of ${sheet} needs to know which.`, `Een export van ${sheet} moet weten welke.`),
    withFlag(t('Say which.', 'Zeg welke.'), ways.flatMap((one) => FLAGS[one]).join(', ')),
  );
}

function takesNo({ sheet }: ExportedResource, flags: readonly string[]): StopError {
  return usageStop(
    withFlag(
      t(`An export of ${sheet} can’t be chosen so.`, `Een export van ${sheet} is niet zo te kiezen.`),
      flags.join(', '),
    ),
    t('Leave it out.', 'Laat het weg.'),
  );
}

const FLAGS: Readonly<Record<ResolvedSelection['way'], readonly string[]>> = {
  all: [],
  since: ['--since'],
  period: ['--from D --to D', '--period P'],
  definitive: ['--definitive'],
  file: ['--file'],
};

function readSelection(wishes: SelectionOptions): Selection {
  const { since, definitive, file, locale } = wishes;
  const days = periodOf(wishes);
  const given = [since !== undefined, file !== undefined, days !== null || definitive === true];
  const isSinceOnDays = file === undefined && definitive !== true && since !== 'last';
  if (given.filter(Boolean).length > 1 && !isSinceOnDays) throw usageStop(ONE_WAY, ONE_WAY_NEXT);
  if (file !== undefined) return { way: 'file', file };
  if (definitive === true) return { way: 'definitive', days };
  if (since === undefined) return days === null ? { way: 'all' } : { way: 'period', days };
  if (since === 'last') return { way: 'last' };
  return { way: 'since', moment: momentOf('since', since, locale), ...(days !== null && { days }) };
}

const ONE_WAY: Bilingual = withFlag(
  t(
    'A file, definitive events, what changed since the last export and a period don’t go together.',
    'Een bestand, definitieve evenementen, wat wijzigde sinds de vorige export en een periode gaan niet samen.',
  ),
  '--file, --definitive, --since last, --from --to',
);
const ONE_WAY_NEXT: Bilingual = t('Leave all but one of them out.', 'Laat er één staan.');
