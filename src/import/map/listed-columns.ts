import { normaliseHeader } from '../../core/header.ts';
import type { Members } from '../../schema/answer.ts';
import type { Resource } from '../../schema/resource.ts';
import type { HeaderCell } from './header-row.ts';

const known = new WeakMap<Resource, ReadonlySet<string>>();

/** The headers of an export that hold what only the service fills in, normalised: nothing to import, and nothing unknown. */
function listedHeaders(resource: Resource): ReadonlySet<string> {
  const found = known.get(resource);
  if (found !== undefined) return found;
  const names = 'listed' in resource ? headersOf(resource.listed) : [];
  const own = new Set(
    Object.entries(resource.fields).flatMap(([name, { listName }]) => [name, listName ?? name]),
  );
  const listed = new Set(names.filter((name) => !own.has(name)).map(normaliseHeader));
  known.set(resource, listed);
  return listed;
}

function headersOf(members: Members): string[] {
  return Object.entries(members).flatMap(([name, member]) => {
    if (typeof member === 'string') return [name];
    return headersOf(inRow(member)).map((inner) => `${name}.${inner}`);
  });
}

/** What of a nested record, or of the first of a list of them, stands in the row of what it is nested in. */
function inRow(member: Exclude<Members[string], string>): Members {
  if ('one' in member) return member.one;
  return member.flat === true ? member.many : {};
}

/** The members that hold lists of records, however deep, with what those records hold. */
function listsIn(members: Members): [string, Members][] {
  return Object.entries(members).flatMap(([name, member]): [string, Members][] => {
    if (typeof member === 'string') return [];
    return 'one' in member ? listsIn(member.one) : [[name, member.many]];
  });
}

/**
 * Whether a sheet is called as an export calls what it puts beside the records: lists that are nested in them, such as productLinks.
 * With the texts of its header, whether that is what it holds: a user may call a sheet of trips `planning`.
 */
export function isNestedSheet(
  resources: readonly Resource[],
  name: string,
  headers: readonly string[] = [],
): boolean {
  const member = name.replace(/ \(\d+\)$/, '');
  const found = new Set(headers.map(normaliseHeader));
  const lists = resources.flatMap((resource) => ('listed' in resource ? listsIn(resource.listed) : []));
  return lists.some(([own, members]) => {
    const names = Object.keys(members);
    const there = names.filter((one) => found.has(normaliseHeader(one)));
    return own === member && (headers.length === 0 || there.length >= names.length * HALF);
  });
}

const HALF = 0.5;

/** Whether a column holds what only the service fills in. */
export function isListed(resource: Resource, header: string): boolean {
  return listedHeaders(resource).has(normaliseHeader(header));
}

/** So large a part of what a list returns tells an export from a sheet of the user's. */
const PART = 0.25;

/**
 * How many of the resource's own fields stand before the first column that only the service fills in; null where the header is not
 * that of an export. Exports of packages and recipes have nearly all columns in common, but each begins with its own.
 */
export function ownFirst(resource: Resource, cells: readonly HeaderCell[]): number | null {
  const listed = listedHeaders(resource);
  const told = new Set('told' in resource ? resource.told.map(normaliseHeader) : []);
  const isOther = ({ field, header }: HeaderCell): boolean =>
    field === undefined && listed.has(normaliseHeader(header)) && !told.has(normaliseHeader(header));
  const others = cells.filter(isOther).length;
  if (listed.size === 0 || others < listed.size * PART) return null;
  const before = cells.slice(0, cells.findIndex(isOther));
  return new Set(before.flatMap(({ field }) => field ?? [])).size;
}
