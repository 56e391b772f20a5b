import type { Row } from '../../schema/cell.ts';
import { cellText } from '../../schema/codec.ts';
import { INPUT_MARKS, normaliseHeader, OUTPUT_MARKS } from '../../schema/header.ts';
import type { Resource } from '../../schema/resource.ts';
import type { HeaderCell } from './header-cell.ts';
import { type HeaderName, namesFor } from './header-names.ts';
import { joinRows } from './two-header-rows.ts';

/** How far down a header is looked for: titles, addresses and logos stand above it, data never does. */
export const HEADER_SEARCH_ROWS = 60;

const MARKS: ReadonlySet<string> = new Set([...INPUT_MARKS, ...OUTPUT_MARKS]);

/** What holds a sheet's headers: one row, or two that share them between them. */
export interface HeaderRow {
  /** The last of its rows; what stands below is data. */
  readonly row: number;
  /** The first of its rows. */
  readonly first: number;
  readonly cells: readonly HeaderCell[];
  /** How many different fields of the resource it names. */
  readonly fields: number;
}

/** What the user says of a header. */
export interface HeaderWishes {
  /** The row it stands in; looked for when absent. */
  readonly headerRow?: number | undefined;
  /** Headers of the user's own. */
  readonly names?: readonly HeaderName[] | undefined;
}

interface Names {
  /** The resource's fields by their normalised names. */
  readonly fields: ReadonlyMap<string, string>;
  readonly own: ReadonlyMap<string, string>;
}

function toHeader(cells: readonly HeaderCell[], row: number, first = row): HeaderRow {
  return { row, first, cells, fields: new Set(cells.flatMap(({ field }) => field ?? [])).size };
}

function readHeader(row: Row, names: Names): HeaderRow {
  const cells = row.cells.map((cell): HeaderCell => {
    const header = cellText(cell);
    const normal = normaliseHeader(header);
    const own = names.own.get(normal);
    const known = cell.type === 'text' ? (names.fields.get(normal) ?? '') : '';
    const name = own ?? (known === '' && MARKS.has(normal) ? normal : known);
    if (name === '') return { column: cell.column, header };
    return MARKS.has(name)
      ? { column: cell.column, header, mark: name }
      : { column: cell.column, header, field: name };
  });
  return toHeader(cells, row.number);
}

/**
 * The row that names the most fields of the resource, the first of equals, or the one that the user points at; with
 * the row above or below it where the two share the headers. Undefined when none names any.
 */
export function findHeader(
  top: readonly Row[],
  resource: Resource,
  { headerRow, names: own = [] }: HeaderWishes = {},
): HeaderRow | undefined {
  const fields = new Map(Object.keys(resource.fields).map((name) => [normaliseHeader(name), name]));
  const names: Names = { fields, own: namesFor(resource, own) };
  let best: HeaderRow | undefined;
  for (const row of top) {
    if (headerRow === undefined ? row.number > HEADER_SEARCH_ROWS : row.number !== headerRow) continue;
    const header = readHeader(row, names);
    if (header.fields > (best?.fields ?? 0)) best = header;
  }
  if (best === undefined) return undefined;
  const at = best.row;
  const beside = (number: number): HeaderRow | undefined => {
    const row = top.find((one) => one.number === number);
    return row === undefined ? undefined : readHeader(row, names);
  };
  const joined = joinRows(best.cells, beside(at - 1)?.cells, beside(at + 1)?.cells);
  return toHeader(joined.cells, joined.below ? at + 1 : at, joined.above ? at - 1 : at);
}
