import type { Row } from '../../core/cell.ts';
import type { Resource } from '../../schema/resource.ts';
import { isBlank } from './cell-sense.ts';
import { findHeader } from './find-header.ts';
import { namesFor } from './header-names.ts';
import { headerByWords } from './header-proposals.ts';
import { HEADER_SEARCH_ROWS, type HeaderRow, type HeaderWishes, readHeader } from './header-row.ts';

/**
 * The header of a sheet as one of a resource, as far as it can be told: by the names of its fields, else by
 * the words of people, else by the look of the rows. Undefined where no row looks like one, and where the row
 * that the user names is empty.
 */
export function anyHeader(
  top: readonly Row[],
  resource: Resource | undefined,
  wishes: HeaderWishes,
): HeaderRow | undefined {
  if (resource === undefined) return bareHeader(top, new Map(), wishes);
  return (
    findHeader(top, resource, wishes) ??
    headerByWords(top, resource, wishes) ??
    bareHeader(top, namesFor(resource, wishes.names ?? []), wishes)
  );
}

/** A row as a header, though it names nothing: the one that the user names, else one that looks like it. */
function bareHeader(
  top: readonly Row[],
  names: HeaderRow['names'],
  { headerRow }: HeaderWishes,
): HeaderRow | undefined {
  const row = headerRow === undefined ? likelyHeader(top) : top.find(({ number }) => number === headerRow);
  if (row === undefined) return undefined;
  const { cells } = readHeader(row, names);
  return { headerRow: row.number, firstHeaderRow: row.number, headers: cells, names, most: 0 };
}

const textsIn = ({ cells }: Row): number =>
  cells.filter((cell) => cell.type === 'text' && !isBlank(cell)).length;

/** The first row with mostly texts and nearly as many of them as any: titles above it are shorter. */
function likelyHeader(top: readonly Row[]): Row | undefined {
  const rows = top.filter((row) => row.number <= HEADER_SEARCH_ROWS && textsIn(row) * 2 > row.cells.length);
  const most = Math.max(0, ...rows.map(textsIn));
  return rows.find((row) => textsIn(row) * 3 >= most * 2);
}
