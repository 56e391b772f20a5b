import type { Cell } from '../../../src/core/cell.ts';
import { cellText } from '../../../src/core/codec.ts';
import { findHeader } from '../../../src/import/map/find-header.ts';

import { type MapOptions, mapRow } from '../../../src/import/map/map-row.ts';
import { mapHeader, type SetValue, type SheetMapping } from '../../../src/import/map/sheet-mapping.ts';
import type { MappedRow } from '../../../src/records/mapped-row.ts';
import { packages } from '../../../src/resources/packages.ts';
import type { Resource } from '../../../src/schema/resource.ts';

/** What stands in a cell: its plain value, or an error by its word. */
export type CellInput = string | number | boolean | null | { readonly error: string };

/**
 * The cells of a row: as they are, or as they are typed into a spreadsheet, between semicolons: numbers, true, false and
 * errors such as #N/A are what they are, 'text behind an apostrophe is text, and of nothing there is no cell.
 */
export type Line = string | readonly CellInput[];

function typed(text: string): CellInput {
  if (text === '') return null;
  if (text.startsWith("'")) return text.slice(1);
  if (/^#[A-Z][A-Z/]+$/.test(text)) return { error: text };
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

/** Cells from column A on. */
export function toCells(line: Line): Cell[] {
  const inputs = typeof line === 'string' ? line.split(';').map(typed) : line;
  return inputs.flatMap((value, at): Cell[] => {
    const column = at + 1;
    if (value === null) return [];
    if (typeof value === 'object') return [{ column, type: 'error', value: value.error }];
    return [{ column, type: typeof value === 'string' ? 'text' : typeof value, value } as Cell];
  });
}

/** The mapping of a sheet with these headers in row 1, of packages unless told otherwise. */
export function mappingOf(
  headers: Line,
  set: readonly SetValue[] = [],
  resource: Resource = packages,
): SheetMapping {
  const row = { number: 1, cells: toCells(headers) };
  const header = findHeader([row], resource);
  if (header === undefined) throw new Error(`no header among ${row.cells.map(cellText).join(', ')}`);
  return mapHeader(resource.sheet, resource, header, set);
}

export const THIS_YEAR = 2027;

/** Row 2 below these headers, read. */
export function readRow(
  headers: Line,
  cells: Line,
  options: Partial<MapOptions> & { readonly set?: readonly SetValue[]; readonly resource?: Resource } = {},
): MappedRow | undefined {
  const { set, resource, ...rest } = options;
  const row = { number: 2, cells: toCells(cells) };
  return mapRow(row, mappingOf(headers, set, resource), {
    locale: 'nl',
    strict: false,
    thisYear: THIS_YEAR,
    ...rest,
  });
}

/** Its issues, as `B2 error-cell`. */
export function issuesOf(row: MappedRow | undefined): string[] {
  return (row?.issues ?? []).map(({ address, code }) => `${address} ${code}`);
}
