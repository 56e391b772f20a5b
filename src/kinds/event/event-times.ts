import { DAY_END, isTimeOfDay, lessADay } from '../../core/codecs/time-of-day.ts';
import type { Finding, Issue } from '../../core/issue.ts';
import { type Bilingual, t } from '../../core/language.ts';
import type { FieldChange } from '../../core/plan.ts';
import { shownMinute, shownMoment } from '../../core/shown-moment.ts';
import type { Value, Values } from '../../core/value.ts';
import type { ExistingRecord } from '../../records/existing-record.ts';
import { issueOn, type MappedRow } from '../../records/mapped-row.ts';
import type { RestoredFields, UndoTools } from '../../records/undo.ts';
import type { Context } from '../../run/context.ts';
import type { EventResource } from '../../schema/resource.ts';
import type { EventContext } from './event-list.ts';

type Row = MappedRow<EventResource>;

/** The fields that are sent and that no read returns: the beginning and the end. */
function unreadFields(resource: EventResource): string[] {
  return Object.keys(resource.fields).filter((name) => resource.fields[name]?.reads === 'none');
}

/** An event with what was last sent of fields that no read returns, where the row touches them. */
export async function withSent(
  context: Context,
  row: Row,
  existing: ExistingRecord | null,
): Promise<ExistingRecord | null> {
  const { resource } = row.mapping;
  const touched = unreadFields(resource).some((name) => row.values[name] !== undefined);
  if (existing?.id == null || !(touched || movesDay(row, existing))) return existing;
  const sent = await context.ledger.findSent(context.serviceKey, resource.name, existing.id);
  return { ...existing, values: { ...sent, ...existing.values } };
}

/** Remembers what no read will tell, beside what was sent of it before. */
export async function rememberUnread(context: EventContext, id: number, body: Values): Promise<void> {
  const { resource } = context;
  const sent = unreadFields(resource).flatMap((name): [string, Value][] =>
    body[name] === undefined ? [] : [[name, body[name] ?? null]],
  );
  if (sent.length === 0) return;
  const before = await context.ledger.findSent(context.serviceKey, resource.name, id);
  const now = { ...before, ...Object.fromEntries(sent) };
  await context.ledger.rememberSent(context.serviceKey, resource.name, id, now);
}

/**
 * The row with its bare times on its day, else its record's; a time of the night after the first one is on the
 * next day. What does not go with the day is a warning, an error if `strict`.
 */
export function withDays(row: Row, existing: ExistingRecord | null, strict: boolean): Row {
  const { resource } = row.mapping;
  const names = unreadFields(resource);
  if (existing !== null) row.issues.push(...timesStay(row, existing, names, strict));
  const given = names.filter((name) => typeof row.values[name] === 'string');
  if (given.length === 0) return row;
  const day = dayOf(row, existing);
  const values = given.some((name) => isTimeOfDay(row.values[name]))
    ? onDay(row, existing, day, strict)
    : row.values;
  row.issues.push(...endsBefore(row, values, existing, strict));
  if (day !== null) row.issues.push(...timesApart(row, values, day, takesDays(row, existing), strict));
  return values === row.values ? row : { ...row, values };
}

function takesDays({ mapping, shown }: Row, existing: ExistingRecord | null): boolean {
  const { severalDays } = mapping.resource;
  return shown[severalDays] === true || existing?.values[severalDays] === true;
}

/** The day of the row, else of its record; null where none is known, or the row's can't be read. */
function dayOf(row: Row, existing: ExistingRecord | null): string | null {
  if (isUnread(row)) return null;
  const { date } = row.mapping.resource;
  const value = row.values[date] ?? existing?.values[date];
  return typeof value === 'string' ? value.slice(0, 10) : null;
}

/** Whether the row's day can't be read: its issue is there already. */
function isUnread({ issues, values, mapping }: Row): boolean {
  const { date } = mapping.resource;
  return values[date] === undefined && issues.some(({ field }) => field === date);
}

function onDay(
  row: Row,
  existing: ExistingRecord | null,
  day: string | null,
  strict: boolean,
): Row['values'] {
  const { resource } = row.mapping;
  const values = { ...row.values };
  let earliest = '';
  // A begin on a day of 1900, as databases store a time: its end counts from that day too.
  const [begin = ''] = unreadFields(resource).map((name) => values[name]);
  const fromZero = isTimeOfDay(begin) && begin >= DAY_END;
  for (const name of unreadFields(resource)) {
    const value = values[name];
    const known = value ?? existing?.values[name];
    if (!isTimeOfDay(value)) earliest = typeof known === 'string' ? known : earliest;
    else if (day === null) {
      delete values[name];
      if (!isUnread(row))
        row.issues.push(issueOn(row, name, { code: 'time-expected', found: value, hint: NO_DAY }));
    } else {
      const isLate = value >= DAY_END;
      const time = isLate ? lessADay(value) : value;
      const isNext =
        (isLate && !fromZero) || (earliest.startsWith(day) && isNight(earliest, `${day} ${time}`));
      const moment = `${isNext ? dayAfter(day) : day} ${time}`;
      if (isNext && value !== DAY_END)
        row.issues.push(
          issueOn(row, name, { code: 'next-day', found: value, hint: shownMoment(moment) }, strict),
        );
      values[name] = moment;
      earliest = moment;
    }
  }
  return values;
}

/** How long after its begin an end without a day may be on the next one: a party from 20:00 to 02:00 is. */
const NIGHT = 43_200_000;

/** Whether a time before another is the one of the night that follows. */
function isNight(from: string, until: string): boolean {
  const apart = clock(until) - clock(from);
  return apart < 0 && apart + DAY <= NIGHT;
}

const NO_DAY = t('the day is not known', 'de dag is niet bekend');

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

const dayIn = (value: Value | undefined): string | null =>
  typeof value === 'string' && value.length >= 10 ? value.slice(0, 10) : null;

function movesDay({ values, mapping }: Row, existing: ExistingRecord): boolean {
  const { date } = mapping.resource;
  const [from, to] = [dayIn(existing.values[date]), dayIn(values[date])];
  return from !== null && to !== null && from !== to;
}

/**
 * A warning where an event moves to another day without its times (`names`): no read tells them, and the
 * service may not move them along (interface 4.4).
 */
function timesStay(row: Row, existing: ExistingRecord, names: readonly string[], strict: boolean): Issue[] {
  if (!movesDay(row, existing)) return [];
  const { values, mapping, issues } = row;
  const { date } = mapping.resource;
  const [from, to] = [dayIn(existing.values[date]) ?? '', dayIn(values[date]) ?? ''];
  const left = names.filter(
    (name) =>
      values[name] === undefined &&
      dayIn(existing.values[name]) !== to &&
      !issues.some(({ field }) => field === name),
  );
  if (left.length === 0) return [];
  const day = shownMoment(from);
  const hint = t(
    `without ${left.join(' and ')} the service may keep the times on ${day.en}: fill in what is missing`,
    `zonder ${left.join(' en ')} houdt het systeem de tijden misschien op ${day.nl}: vul in wat ontbreekt`,
  );
  return [issueOn(row, date, { code: 'times-stay', found: to, hint }, strict)];
}

const DAY = 86_400_000;

/** Warnings on times that don't go with their day or each other; `values`: with bare times on their day. */
function timesApart(row: Row, values: Values, day: string, several: boolean, strict: boolean): Issue[] {
  const [begin, end] = unreadFields(row.mapping.resource);
  if (begin === undefined || end === undefined) return [];
  const [from, until] = [momentOf(values[begin]), momentOf(values[end])];
  const at = (field: string, finding: Finding): Issue => issueOn(row, field, finding, strict);
  const issues: Issue[] = [];
  const elsewhere = from !== null && from.slice(0, 10) !== day;
  if (elsewhere) issues.push(at(begin, { code: 'time-other-day', found: from, hint: shownMoment(day) }));
  // A bare end was put on the right day; beside a begin on another one, that begin is what is wrong.
  if (until === null || isTimeOfDay(row.values[end])) return issues;
  const start = from ?? `${day} 00:00:00`;
  const apart = clock(until) - clock(start);
  // An end before a begin that is known is no warning any more.
  if (apart < 0 && issuesOn(row, end)) return issues;
  const most = several ? Number.POSITIVE_INFINITY : from === null ? 2 * DAY : DAY;
  if (apart < 0 || apart > most)
    issues.push(at(end, { code: 'end-apart', found: until, hint: shownMoment(from ?? day) }));
  return issues;
}

const issuesOn = ({ issues }: Row, name: string): boolean =>
  issues.some(({ code, field }) => code === 'end-before-begin' && field === name);

/** The issue on an event that ends before it begins, by the row or by what was last sent of the other. */
function endsBefore(row: Row, values: Values, existing: ExistingRecord | null, strict: boolean): Issue[] {
  const [begin, end] = unreadFields(row.mapping.resource);
  if (begin === undefined || end === undefined) return [];
  // An event that moves may take its times along.
  const held = existing === null || movesDay(row, existing) ? {} : existing.values;
  const [from, until] = [momentOf(values[begin] ?? held[begin]), momentOf(values[end] ?? held[end])];
  if (from === null || until === null || clock(until) >= clock(from)) return [];
  const isEnd = values[end] != null;
  const [name, found, other] = isEnd ? [end, until, shownMoment(from)] : [begin, from, shownMoment(until)];
  const begins = t(`it begins on ${other.en}`, `het begint op ${other.nl}`);
  const ends = t(`it ends on ${other.en}`, `het eindigt op ${other.nl}`);
  const hint = !isEnd ? ends : isTimeOfDay(row.values[end]) ? withDay(begins, until) : begins;
  return [issueOn(row, name, { code: 'end-before-begin', found, hint }, strict)];
}

/** Advice on an end without a day, which may be meant to be on the next one. */
function withDay({ en, nl }: Bilingual, until: string): Bilingual {
  const next = shownMinute(`${dayAfter(until.slice(0, 10))}${until.slice(10)}`);
  return t(
    `${en}; if the next day is meant, write ${next.en}`,
    `${nl}; is de volgende dag bedoeld, schrijf dan ${next.nl}`,
  );
}

const momentOf = (value: unknown): string | null =>
  typeof value === 'string' && value.length > 10 ? value : null;

const clock = (moment: string): number => Date.parse(`${moment.replace(' ', 'T')}Z`);

const goTogether = (fields: readonly string[], why: readonly Bilingual[]): Bilingual =>
  t(
    `${fields.join(', ')}: left as it is, as the day and the times of an event go together (${why.map(({ en }) => en).join('; ')})`,
    `${fields.join(', ')}: gelaten zoals het is, want de dag en de tijden van een evenement horen bij elkaar (${why.map(({ nl }) => nl).join('; ')})`,
  );

/** The day and times of an event go back together: else the event would be on two days. */
export function restoreMoment(
  resource: EventResource,
  changes: readonly FieldChange[],
  restore: UndoTools['restore'],
): RestoredFields {
  const restored = restore(resource, changes);
  const moment = [resource.date, ...unreadFields(resource)];
  const stays = changes.some(({ field }) => moment.includes(field) && !(field in restored.cells));
  const goes = moment.filter((field) => field in restored.cells);
  if (!stays || goes.length === 0) return restored;
  const { cells, was, left } = restore(
    resource,
    changes.filter(({ field }) => !moment.includes(field)),
  );
  return { cells, was, left: [...left, goTogether(goes, restored.left)] };
}
