import { normaliseHeader } from '../../core/header.ts';
import type { Bilingual } from '../../core/language.ts';
import { isExported, listerOf } from '../../lists/lists.ts';
import type { Members } from '../../schema/answer.ts';
import type { Resource } from '../../schema/resource.ts';

const known = new WeakMap<Resource, ReadonlySet<string>>();

/**
 * The normalised headers of an export's columns that only the service fills in: not imported, not unknown.
 */
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

/** The part of a nested record, or of the first of a list of them, that stands in its parent's row. */
function inRow(member: Exclude<Members[string], string>): Members {
  if ('one' in member) return member.one;
  return member.flat === true ? member.many : {};
}

/** The members that hold lists of records, at any depth, with the records' members. */
function listsIn(members: Members): [string, Members][] {
  return Object.entries(members).flatMap(([name, member]): [string, Members][] => {
    if (typeof member === 'string') return [];
    return 'one' in member ? listsIn(member.one) : [[name, member.many]];
  });
}

/** The sheet of a list nested in records, where several kinds of records have one of that name. */
export const nestedSheet = ({ sheet }: Pick<Resource, 'sheet'>, member: string): string =>
  `${sheet} ${member}`;

/**
 * Whether a sheet has the name of a list nested in records, such as productLinks, which an export writes
 * beside them, also behind that of its kind. With `headers`, whether it holds that list too: a user may
 * call a sheet of trips `planning`.
 */
export function isNestedSheet(
  resources: readonly Resource[],
  name: string,
  headers: readonly string[] = [],
): boolean {
  const member = name.replace(/ \(\d+\)$/, '');
  const found = new Set(headers.map(normaliseHeader));
  return resources.some((resource) => {
    const lists = 'listed' in resource ? listsIn(resource.listed) : [];
    return lists.some(([own, members]) => {
      const names = Object.keys(members);
      const there = names.filter((one) => found.has(normaliseHeader(one)));
      const named = member === own || member === nestedSheet(resource, own);
      return named && (headers.length === 0 || there.length * 2 >= names.length);
    });
  });
}

/** Whether only the service fills in a column. */
export function isListed(resource: Resource, header: string): boolean {
  const name = normaliseHeader(header);
  const isNamed = namedHeaders(resource).some((one) => normaliseHeader(one.header) === name);
  return isNamed || listedHeaders(resource).has(name);
}

/** A column with the names of what ids stand for; `called` is null for what else is told of their records. */
interface NamedHeader {
  readonly header: string;
  /** The field with the ids. */
  readonly id: string;
  readonly called: Bilingual | null;
}

/** The columns of a sheet that tell what the ids of others name. */
export function namedHeaders(resource: Resource): readonly NamedHeader[] {
  const named = 'named' in resource ? (resource.named ?? []) : [];
  const names = named.flatMap(({ id, header, of }) =>
    header === undefined ? [] : [{ header, id, called: of.called }],
  );
  if (!('beside' in resource)) return names;
  const others = Object.keys(resource.beside);
  return [...names, ...others.map((header) => ({ header, id: resource.parent, called: null }))];
}

/** A header, and what it stands for. */
interface Cell {
  readonly header: string;
  readonly name?: string;
}

/** The part of a list's members that makes a header an export's. */
const PART = 0.25;

/**
 * How many of the resource's own fields stand before the first column that only the service fills in; null
 * where the header is no export's. Exports of packages and recipes share nearly all columns, but each begins
 * with its own.
 */
export function ownFirst(resource: Resource, cells: readonly Cell[]): number | null {
  const listed = listedHeaders(resource);
  const before = isExported(resource) ? listerOf(resource).before?.(resource) : undefined;
  const told = new Set(before?.map(normaliseHeader));
  const isOther = ({ name, header }: Cell): boolean =>
    name === undefined && listed.has(normaliseHeader(header)) && !told.has(normaliseHeader(header));
  const others = cells.filter(isOther).length;
  if (listed.size === 0 || others < listed.size * PART) return null;
  return new Set(
    cells
      .slice(0, cells.findIndex(isOther))
      .flatMap(({ name = '' }) => (name in resource.fields ? name : [])),
  ).size;
}
