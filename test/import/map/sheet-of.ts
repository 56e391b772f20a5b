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

/** Cells from column A on. */
export function toCells(inputs: readonly CellInput[]): Cell[] {
  return inputs.flatMap((value, at): Cell[] => {
    const column = at + 1;
    if (value === null) return [];
    if (typeof value === 'object') return [{ column, type: 'error', value: value.error }];
    if (typeof value === 'number') return [{ column, type: 'number', value }];
    return typeof value === 'boolean'
      ? [{ column, type: 'boolean', value }]
      : [{ column, type: 'text', value }];
  });
}

/** The mapping of a sheet with these headers in row 1, of packages unless told otherwise. */
export function mappingOf(
  headers: readonly string[],
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
  headers: readonly string[],
  cells: readonly CellInput[],
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
