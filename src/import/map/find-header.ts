import type { Row } from '../../core/cell.ts';
import { normaliseHeader } from '../../core/header.ts';
import type { Resource } from '../../schema/resource.ts';
import { isBlank } from './cell-sense.ts';
import { meantFields } from './header-meaning.ts';
import { namesFor } from './header-names.ts';
import {
  fieldsIn,
  HEADER_SEARCH_ROWS,
  type HeaderCell,
  type HeaderRow,
  type HeaderWishes,
  readHeader,
  spread,
  withoutName,
} from './header-row.ts';
import { isListed, ownFirst } from './listed-columns.ts';

/** So many names of fields make a row the header; fewer where no row has so many. */
const ENOUGH = 3;

/**
 * The header of a sheet as one of a resource: the first row with enough names of its fields, else with enough words for
 * them, or the row that the user names. Undefined where no row has any, or that row has none.
 */
export function findHeader(
  top: readonly Row[],
  resource: Resource,
  wishes: HeaderWishes = {},
): HeaderRow | undefined {
  const names = namesFor(resource, wishes.names ?? []);
  const rows = rowsFor(top, wishes).map((row) => ({ row, headers: readHeader(row, names) }));
  type Read = (typeof rows)[number];
  const first = (count: (read: Read) => number): Read | undefined => {
    const counts = rows.map(count);
    const least = Math.min(ENOUGH, Math.max(1, ...counts));
    return rows.find((_, at) => (counts[at] ?? 0) >= least);
  };
  const named = first(({ headers }) => fieldsIn(headers).size);
  const isNamed = named !== undefined && fieldsIn(named.headers).size > 1;
  const found = isNamed
    ? named
    : (first(({ headers }) => headers.filter((cell) => isKnown(cell, resource)).length) ?? named);
  if (found === undefined) return undefined;
  const { number } = found.row;
  const below = top.filter((one) => one.number > number);
  const { headerRow, headers } = spread(number, found.headers, below, wishes, names, resource);
  return { firstHeaderRow: number, headerRow, headers: withoutIdle(headers, resource, wishes), names };
}

const isKnown = ({ field, header }: HeaderCell, resource: Resource): boolean =>
  field !== undefined || meantFields(resource, header).length > 0;

const rowsFor = (top: readonly Row[], { headerRow }: HeaderWishes): Row[] =>
  top.filter(({ number }) => (headerRow === undefined ? number <= HEADER_SEARCH_ROWS : number === headerRow));

/** A proposal that was taken once gives way to the field's own header, and to an export's columns. */
function withoutIdle(
  headers: readonly HeaderCell[],
  resource: Resource,
  { names = [] }: HeaderWishes,
): readonly HeaderCell[] {
  const taken = new Set(names.flatMap((one) => (one.taken === true ? normaliseHeader(one.header) : [])));
  const isTaken = ({ header }: HeaderCell): boolean => taken.has(normaliseHeader(header));
  const own = new Set(headers.flatMap((cell) => (isTaken(cell) ? [] : (cell.field ?? []))));
  const isExport = taken.size > 0 && ownFirst(resource, headers) !== null;
  return headers.map((cell) =>
    isTaken(cell) && (own.has(cell.field ?? '') || (isExport && isListed(resource, cell.header)))
      ? withoutName(cell)
      : cell,
  );
}

/** The header of a sheet as far as it can be told: that of the resource, else the row that looks like one. */
export function anyHeader(
  top: readonly Row[],
  resource: Resource | undefined,
  wishes: HeaderWishes,
): HeaderRow | undefined {
  const found = resource && findHeader(top, resource, wishes);
  if (found !== undefined) return found;
  const rows = rowsFor(top, wishes);
  // Titles above it are shorter.
  const most = Math.max(...rows.map(textsIn));
  const row =
    wishes.headerRow === undefined ? rows.find((one) => most > 0 && textsIn(one) * 3 >= most * 2) : rows[0];
  if (row === undefined) return undefined;
  const names = resource === undefined ? new Map<string, string>() : namesFor(resource, wishes.names ?? []);
  return { headerRow: row.number, firstHeaderRow: row.number, headers: readHeader(row, names), names };
}

/** The texts of a row of mostly texts. */
function textsIn({ cells }: Row): number {
  const texts = cells.filter((cell) => cell.type === 'text' && !isBlank(cell)).length;
  return texts * 2 > cells.length ? texts : 0;
}
