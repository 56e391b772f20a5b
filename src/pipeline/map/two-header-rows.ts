import type { HeaderCell } from './header-cell.ts';

/** A header's cells with those of the row above or below it that belong to it. */
export interface JoinedHeader {
  readonly cells: readonly HeaderCell[];
  readonly above: boolean;
  readonly below: boolean;
}

type Cells = readonly HeaderCell[];

const nameOf = ({ field, mark }: HeaderCell): string | undefined => field ?? mark;

/** The cells that name what the header doesn't name yet, in columns where it names nothing. */
function added(header: Cells, beside: Cells): Cells {
  const columns = new Set(header.flatMap((cell) => (nameOf(cell) === undefined ? [] : cell.column)));
  const names = new Set(header.map(nameOf));
  return beside.filter((cell) => {
    const name = nameOf(cell);
    return name !== undefined && !columns.has(cell.column) && !names.has(name);
  });
}

/** A row of data has values under the headers; the lower of two header rows has none there, or the same names. */
function isHeader(header: Cells, below: Cells): boolean {
  const names = new Map(header.map((cell) => [cell.column, nameOf(cell)]));
  return below.every((cell) => {
    const name = names.get(cell.column);
    return name === undefined || name === nameOf(cell) || cell.header.trim() === '';
  });
}

function join(header: Cells, more: Cells): Cells {
  const columns = new Set(more.map(({ column }) => column));
  return [...header.filter(({ column }) => !columns.has(column)), ...more].sort(
    (one, other) => one.column - other.column,
  );
}

/**
 * Cells that are merged from one row into the next hold their text in the upper row: the names then stand in two rows,
 * a group's name over several columns among them.
 */
export function joinRows(header: Cells, above: Cells | undefined, below: Cells | undefined): JoinedHeader {
  const upper = above === undefined ? [] : added(header, above);
  const whole = join(header, upper);
  const lower = below === undefined || !isHeader(whole, below) ? [] : added(whole, below);
  return { cells: join(whole, lower), above: upper.length > 0, below: lower.length > 0 };
}
