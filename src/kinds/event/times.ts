import { isTimeOfDay } from '../../core/codecs/time-of-day.ts';
import { issueAt } from '../../core/issue.ts';
import { t } from '../../core/language.ts';
import type { Value, Values } from '../../core/value.ts';
import { addressOf, type MappedRow } from '../../import/map/map-row.ts';
import type { Context } from '../../run/context.ts';
import type { EventResource } from '../../schema/resource.ts';
import type { Existing } from '../catalogue/existing.ts';
import { timesApart } from './times-apart.ts';
import { movesDay, timesStay } from './times-stay.ts';

type Row = MappedRow<EventResource>;

/** The fields that are sent and that no read returns: the beginning and the end. */
function unreadFields(resource: EventResource): string[] {
  return Object.keys(resource.fields).filter((name) => resource.fields[name]?.reads === 'none');
}

/** The fields that say when an event is: its day, its beginning and its end. */
export const momentFields = (resource: EventResource): string[] => [resource.date, ...unreadFields(resource)];

/** An event with what the ledger knows it was last sent, where a read says nothing of it and the row touches it. */
export async function withSent(
  context: Context,
  row: Row,
  existing: Existing | null,
): Promise<Existing | null> {
  const { resource } = row.mapping;
  const touched = unreadFields(resource).some((name) => row.values[name] !== undefined);
  if (existing?.id == null || !(touched || movesDay(row, existing))) return existing;
  const sent = await context.ledger.findSent(context.serviceKey, resource.name, existing.id);
  return { ...existing, values: { ...sent, ...existing.values } };
}

/** Writes down what no read will tell, beside what was sent of it before. */
export async function rememberUnread(
  context: Context,
  resource: EventResource,
  id: number,
  body: Values,
): Promise<void> {
  const sent = unreadFields(resource).flatMap((name): [string, Value][] =>
    body[name] === undefined ? [] : [[name, body[name] ?? null]],
  );
  if (sent.length === 0) return;
  const before = await context.ledger.findSent(context.serviceKey, resource.name, id);
  const now = { ...before, ...Object.fromEntries(sent) };
  await context.ledger.rememberSent(context.serviceKey, resource.name, id, now);
}

/** The end of a day, as people write it: the first moment of the next. */
const DAY_END = '24:00:00';

/**
 * The row with its bare times on its day, the record's when the row names none. A time before the first one is of the
 * next day: parties end after midnight. What doesn't go with the day is a warning, which `strict` makes stop the row.
 */
export function withDays(row: Row, existing: Existing | null, strict: boolean): Row {
  const { resource } = row.mapping;
  const names = unreadFields(resource);
  if (existing !== null) row.issues.push(...timesStay(row, existing, names, strict));
  const given = names.filter((name) => typeof row.values[name] === 'string');
  if (given.length === 0) return row;
  const day = dayOf(row, existing);
  const values = given.some((name) => isTimeOfDay(row.values[name]))
    ? onDay(row, existing, day, strict)
    : row.values;
  const [begin, end] = names;
  if (day !== null && begin !== undefined && end !== undefined)
    row.issues.push(
      ...timesApart(row, values, { begin, end, day, several: takesDays(row, existing) }, strict),
    );
  return values === row.values ? row : { ...row, values };
}

/** Whether the row or its record says that the event takes several days. */
function takesDays({ mapping, shown }: Row, existing: Existing | null): boolean {
  const { severalDays } = mapping.resource;
  return shown[severalDays] === true || existing?.values[severalDays] === true;
}

/** The day of the row, else of its record; null where none is known, or the row's can't be read. */
function dayOf(row: Row, existing: Existing | null): string | null {
  if (isUnread(row)) return null;
  const { date } = row.mapping.resource;
  const value = row.values[date] ?? existing?.values[date];
  return typeof value === 'string' ? value.slice(0, 10) : null;
}

/** Whether the row names a day that can't be read: that is said already, and all there is to say. */
function isUnread({ issues, values, mapping }: Row): boolean {
  const { date } = mapping.resource;
  return values[date] === undefined && issues.some(({ field }) => field === date);
}

function onDay(row: Row, existing: Existing | null, day: string | null, strict: boolean): Row['values'] {
  const { resource } = row.mapping;
  const values = { ...row.values };
  let earliest = '';
  for (const name of unreadFields(resource)) {
    const value = values[name];
    const place = { field: name, address: addressOf(row.mapping, name, row.row) };
    const known = value ?? existing?.values[name];
    if (!isTimeOfDay(value)) earliest = typeof known === 'string' ? known : earliest;
    else if (day === null) {
      delete values[name];
      if (!isUnread(row))
        row.issues.push(issueAt({ code: 'time-expected', found: value, hint: NO_DAY }, place));
    } else if (value === DAY_END) {
      values[name] = `${dayAfter(day)} 00:00:00`;
      earliest = `${dayAfter(day)} 00:00:00`;
    } else {
      const today = `${day} ${value}`;
      const moment = earliest.startsWith(day) && today < earliest ? `${dayAfter(day)} ${value}` : today;
      if (moment !== today)
        row.issues.push(issueAt({ code: 'next-day', found: value, hint: moment }, place, strict));
      values[name] = moment;
      earliest = moment;
    }
  }
  return values;
}

const NO_DAY = t('the day is not known', 'de dag is niet bekend');

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}
