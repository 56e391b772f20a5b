import { needsWork } from '../core/row-text.ts';
import { type Entry, placeKey } from './table-entries.ts';

/** Which rows of a run are wanted, and in which order. */
export interface TableQuery {
  /** Of these statuses; of all when empty. */
  readonly status: readonly string[];
  /** Those alone that need work. */
  readonly work: boolean;
  /** Those alone with a warning. */
  readonly warned: boolean;
  /** Those alone that stand in these places, as `placeKey` names them; null for all. */
  readonly only: readonly string[] | null;
  readonly sheet: string | null;
  /** Words that all stand in the row. */
  readonly search: string;
  /** Those alone with this issue; of any cause where `cause` is null. */
  readonly issue: {
    readonly sheet: string;
    readonly code: string;
    readonly field: string | null;
    readonly cause: string | null;
  } | null;
  readonly sort: 'row' | 'status' | 'record' | 'changes';
  readonly descending: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** Whether a query wants all rows in their own order. */
export function isPlain({
  status,
  work,
  warned,
  only,
  sheet,
  search,
  issue,
  sort,
  descending,
}: TableQuery): boolean {
  const isAll = status.length === 0 && !work && !warned && only === null && sheet === null && issue === null;
  return isAll && search.trim() === '' && sort === 'row' && !descending;
}

/** Whether a row is among those wanted, but for its words. */
export function wantedBy({
  status,
  work,
  warned,
  only,
  sheet,
  issue,
}: Omit<TableQuery, 'offset' | 'limit'>): (entry: Entry) => boolean {
  const of = new Set<string>(status);
  const places = only && new Set(only);
  return (entry) =>
    (of.size === 0 || of.has(entry.status)) &&
    (!work || needsWork(entry.status)) &&
    (!warned || entry.issues.some(({ severity }) => severity === 'warning')) &&
    (sheet === null || entry.sheet === sheet) &&
    (issue === null || hasIssue(entry, issue)) &&
    (places === null || places.has(placeKey(entry.sheet, entry.row)));
}

function hasIssue({ sheet, issues }: Entry, of: NonNullable<TableQuery['issue']>): boolean {
  return (
    sheet === of.sheet &&
    issues.some(
      ({ code, field, cause }) =>
        code === of.code && field === of.field && (of.cause === null || cause === of.cause),
    )
  );
}

/** Sorts places in file order where nothing else tells. */
export function sortPlaces(
  places: number[],
  entries: readonly Entry[],
  { sort, descending }: Pick<TableQuery, 'sort' | 'descending'>,
): void {
  const way = descending ? -1 : 1;
  const at = (place: number): Entry => entries[place] as Entry;
  const words = new Intl.Collator('nl', { numeric: true });
  const compare: Readonly<Record<TableQuery['sort'], (one: Entry, other: Entry) => number>> = {
    row: () => 0,
    status: (one, other) => one.status.localeCompare(other.status),
    record: (one, other) => words.compare(one.record, other.record),
    changes: (one, other) => one.changes - other.changes,
  };
  const by = compare[sort];
  places.sort((one, other) => {
    const order = way * by(at(one), at(other));
    return order !== 0 ? order : sort === 'row' ? way * (one - other) : one - other;
  });
}
