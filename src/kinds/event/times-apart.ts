import { sayMoment } from '../../core/codecs/moment.ts';
import { isTimeOfDay } from '../../core/codecs/time-of-day.ts';
import { type Finding, type Issue, issueAt } from '../../core/issue.ts';
import type { Values } from '../../core/value.ts';
import { addressOf, type MappedRow } from '../../import/map/map-row.ts';
import type { EventResource } from '../../schema/resource.ts';

const DAY = 86_400_000;

/** Where the begin and the end stand, and the day they are to be on, as `YYYY-MM-DD`. */
interface Frame {
  readonly begin: string;
  readonly end: string;
  readonly day: string;
  /** The event takes several days, so that only an end before its begin is wrong. */
  readonly several: boolean;
}

/**
 * Warnings on times that the row gives and that don't go with its day, or with one another: last week's row copied, its
 * day changed, its times not. `values` are the row's with its bare times on their day.
 */
export function timesApart(
  { mapping, row, values: given }: MappedRow<EventResource>,
  values: Values,
  { begin, end, day, several }: Frame,
  strict: boolean,
): Issue[] {
  const [from, until] = [momentOf(values[begin]), momentOf(values[end])];
  const at = (field: string, finding: Finding): Issue =>
    issueAt(finding, { field, address: addressOf(mapping, field, row) }, strict);
  const issues: Issue[] = [];
  const elsewhere = from !== null && from.slice(0, 10) !== day;
  if (elsewhere) issues.push(at(begin, { code: 'time-other-day', found: from, hint: sayMoment(day) }));
  // A bare end was put on the right day; beside a begin on another one, that begin is what is wrong.
  if (until === null || isTimeOfDay(given[end])) return issues;
  const start = from ?? `${day} 00:00:00`;
  const apart = clock(until) - clock(start);
  const most = several ? Number.POSITIVE_INFINITY : from === null ? 2 * DAY : DAY;
  if (apart < 0 || apart > most)
    issues.push(at(end, { code: 'end-apart', found: until, hint: sayMoment(from ?? day) }));
  return issues;
}

const momentOf = (value: unknown): string | null =>
  typeof value === 'string' && value.length > 10 ? value : null;

const clock = (moment: string): number => Date.parse(`${moment.replace(' ', 'T')}Z`);
