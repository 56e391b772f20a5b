import { DAY_END, isTimeOfDay, lessADay } from '../../core/codecs/time-of-day.ts';
import type { Finding } from '../../core/issue.ts';
import { t } from '../../core/language.ts';
import type { FieldChange } from '../../core/plan.ts';
import { shownMoment } from '../../core/shown-moment.ts';
import type { Value } from '../../core/value.ts';
import type { ExistingRecord } from '../../records/existing-record.ts';
import { keeping } from '../../records/last-applied.ts';
import { issueOn, type MappedRow } from '../../records/mapped-row.ts';
import type { RestoredFields, UndoTools } from '../../records/undo.ts';
import type { EventResource } from '../../schema/resource.ts';

type Row = MappedRow<EventResource>;

/** The fields that are sent and that no read returns: the beginning and the end. */
function unreadFields(resource: EventResource): string[] {
  return Object.keys(resource.fields).filter((name) => resource.fields[name]?.reads === 'none');
}

/** How long after its begin an end without a day may be on the next one: a party from 20:00 to 02:00 is. */
const NIGHT = 43_200_000;
const DAY = 86_400_000;

const NO_DAY = t('the day is not known', 'de dag is niet bekend');

/**
 * The row with its bare times on its day, else its record's; an end of the night after the begin is on the next
 * day. That is a warning, as is a begin on another day; an end before the begin is an error.
 */
export function withDays(row: Row, existing: ExistingRecord | null, strict: boolean): Row {
  const { resource } = row.mapping;
  const { date } = resource;
  const [begin = '', end = ''] = unreadFields(resource);
  // As it was sent: a service may show moments of another zone.
  const dayHeld = existing && keeping(existing, date);
  if ([begin, end].every((name) => typeof row.values[name] !== 'string')) return row;
  const say = (name: string, finding: Finding): unknown =>
    row.issues.push(issueOn(row, name, finding, strict));
  const values = { ...row.values };
  const isUnread = values[date] === undefined && row.issues.some(({ field }) => field === date);
  const day = isUnread ? null : dayIn(values[date] ?? dayHeld ?? undefined);
  // A begin on a day of 1900, as databases store a time: its end counts from that day too.
  const fromZero = isTimeOfDay(values[begin]) && values[begin] >= DAY_END;
  for (const name of [begin, end]) {
    const value = values[name];
    if (!isTimeOfDay(value)) continue;
    delete values[name];
    if (day === null) {
      // A day that can't be read has its issue already.
      if (!isUnread) say(name, { code: 'time-expected', found: value, hint: NO_DAY });
      continue;
    }
    const isLate = value >= DAY_END;
    const time = isLate ? lessADay(value) : value;
    const from = name === end ? momentOf(values[begin] ?? existing?.values[begin]) : null;
    const apart = from?.startsWith(day) === true ? clock(`${day} ${time}`) - clock(from) : 0;
    const isNext = (isLate && !fromZero) || (apart < 0 && apart + DAY <= NIGHT);
    const moment = `${isNext ? dayAfter(day) : day} ${time}`;
    if (isNext && value !== DAY_END) say(name, { code: 'next-day', found: value, hint: shownMoment(moment) });
    values[name] = moment;
  }
  // An event that moves may take its times along.
  const isMoved = values[date] !== undefined && dayIn(dayHeld ?? undefined) !== dayIn(values[date]);
  const held = isMoved ? {} : existing?.values;
  const [from, until] = [begin, end].map((name) => momentOf(values[name] ?? held?.[name]));
  if (from != null && until != null && clock(until) < clock(from)) {
    const [begins, ends] = [shownMoment(from), shownMoment(until)];
    const code = 'end-before-begin';
    if (values[end] == null)
      say(begin, { code, found: from, hint: t(`it ends on ${ends.en}`, `het eindigt op ${ends.nl}`) });
    else say(end, { code, found: until, hint: t(`it begins on ${begins.en}`, `het begint op ${begins.nl}`) });
  }
  const own = momentOf(values[begin]);
  if (own !== null && day !== null && !own.startsWith(day))
    say(begin, { code: 'time-other-day', found: own, hint: shownMoment(day) });
  return { ...row, values };
}

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + DAY).toISOString().slice(0, 10);
}

const dayIn = (value: Value | undefined): string | null =>
  typeof value === 'string' && value.length >= 10 ? value.slice(0, 10) : null;

const momentOf = (value: unknown): string | null =>
  typeof value === 'string' && value.length > 10 ? value : null;

const clock = (moment: string): number => Date.parse(`${moment.replace(' ', 'T')}Z`);

const GO_TOGETHER = t(
  'the day and the times of an event are left as they are: they go together, and one of them can’t come back',
  'de dag en de tijden van een evenement blijven zoals ze zijn: ze horen bij elkaar, en een ervan kan niet terug',
);

/** The day and times of an event go back together: else the event would be on two days. */
export function restoreMoment(
  resource: EventResource,
  changes: readonly FieldChange[],
  restore: UndoTools['restore'],
): RestoredFields {
  const moment = [resource.date, ...unreadFields(resource)];
  const restored = restore(resource, changes);
  const [ofMoment, others] = [true, false].map((is) =>
    changes.filter(({ field }) => moment.includes(field) === is),
  ) as [FieldChange[], FieldChange[]];
  const back = ofMoment.filter(({ field }) => field in restored.cells);
  if (back.length === 0 || back.length === ofMoment.length) return restored;
  const rest = restore(resource, others);
  return { ...rest, left: [...rest.left, GO_TOGETHER] };
}
