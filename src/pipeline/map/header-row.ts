import type { Row } from '../../schema/cell.ts';
import { INPUT_MARKS, normaliseHeader, OUTPUT_MARKS } from '../../schema/header.ts';
import type { Resource } from '../../schema/resource.ts';

/** How far down a header is looked for: titles, addresses and logos stand above it, data never does. */
export const HEADER_SEARCH_ROWS = 60;

const MARKS: ReadonlySet<string> = new Set([...INPUT_MARKS, ...OUTPUT_MARKS]);

/** One header cell: the text as typed, and the resource's field or the program's mark it stands for. */
export interface HeaderCell {
  readonly column: number;
  readonly header: string;
  readonly field?: string;
  readonly mark?: string;
}

/** The row that holds a sheet's headers. */
export interface HeaderRow {
  readonly row: number;
  readonly cells: readonly HeaderCell[];
  /** How many different fields of the resource it names. */
  readonly fields: number;
}

/** The resource's fields by their normalised names. */
function fieldNames(resource: Resource): ReadonlyMap<string, string> {
  return new Map(Object.keys(resource.fields).map((name) => [normaliseHeader(name), name]));
}

function readHeader(row: Row, names: ReadonlyMap<string, string>): HeaderRow {
  const cells = row.cells.map((cell): HeaderCell => {
    const header = cell.type === 'text' ? cell.value : String(cell.value);
    const normal = normaliseHeader(header);
    const field = cell.type === 'text' ? names.get(normal) : undefined;
    if (field !== undefined) return { column: cell.column, header, field };
    return MARKS.has(normal)
      ? { column: cell.column, header, mark: normal }
      : { column: cell.column, header };
  });
  const fields = new Set(cells.flatMap((cell) => cell.field ?? [])).size;
  return { row: row.number, cells, fields };
}

/** The row that names the most fields of the resource, the first of equals; undefined when none names any. */
export function findHeader(top: readonly Row[], resource: Resource): HeaderRow | undefined {
  const names = fieldNames(resource);
  let best: HeaderRow | undefined;
  for (const row of top) {
    const header = readHeader(row, names);
    if (header.fields > (best?.fields ?? 0)) best = header;
  }
  return best;
}
