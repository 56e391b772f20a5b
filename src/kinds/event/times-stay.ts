import { sayMoment } from '../../core/codecs/moment.ts';
import { type Issue, issueAt } from '../../core/issue.ts';
import { t } from '../../core/language.ts';
import type { Value } from '../../core/value.ts';
import { addressOf, type MappedRow } from '../../import/map/map-row.ts';
import type { EventResource } from '../../schema/resource.ts';
import type { Existing } from '../catalogue/existing.ts';

type Row = MappedRow<EventResource>;

const dayOf = (value: Value | undefined): string | null =>
  typeof value === 'string' && value.length >= 10 ? value.slice(0, 10) : null;

/** Whether the row gives its event another day. */
export function movesDay({ values, mapping }: Row, existing: Existing): boolean {
  const { date } = mapping.resource;
  const [from, to] = [dayOf(existing.values[date]), dayOf(values[date])];
  return from !== null && to !== null && from !== to;
}

/**
 * A warning where an event moves to another day and the row leaves out some of its times (`names`): no read tells them, and
 * nothing says that the service moves them along (interface 4.4). Times that were last sent for the new day are right.
 */
export function timesStay(row: Row, existing: Existing, names: readonly string[], strict: boolean): Issue[] {
  if (!movesDay(row, existing)) return [];
  const { values, mapping, issues } = row;
  const { date } = mapping.resource;
  const [from, to] = [dayOf(existing.values[date]) ?? '', dayOf(values[date]) ?? ''];
  const left = names.filter(
    (name) =>
      values[name] === undefined &&
      dayOf(existing.values[name]) !== to &&
      !issues.some(({ field }) => field === name),
  );
  if (left.length === 0) return [];
  const day = sayMoment(from);
  const hint = t(
    `without ${left.join(' and ')} the service may keep the times on ${day.en}: fill in what is missing`,
    `zonder ${left.join(' en ')} houdt de dienst de tijden misschien op ${day.nl}: vul in wat ontbreekt`,
  );
  const place = { field: date, address: addressOf(mapping, date, row.row) };
  return [issueAt({ code: 'times-stay', found: to, hint }, place, strict)];
}
