import type { Sheet } from '../../workbook/read-workbook.ts';
import { type MapOptions, type MappedRow, mapRow } from './map-row.ts';
import type { SheetMapping } from './sheet-mapping.ts';

/** What was seen of a sheet while its rows were read; filled in as the rows go by. */
export interface SheetReading {
  lastColumn: number;
  lastRow: number;
}

/** The rows below a sheet's header as typed fields, in batches as the file gives them. */
export async function* readRows(
  sheet: Sheet,
  mapping: SheetMapping,
  options: MapOptions,
  reading: SheetReading,
): AsyncGenerator<MappedRow[]> {
  for await (const batch of sheet.batches) {
    const mapped: MappedRow[] = [];
    for (const row of batch) {
      const last = row.cells.at(-1)?.column ?? 0;
      if (last > reading.lastColumn) reading.lastColumn = last;
      reading.lastRow = row.number;
      if (row.number <= mapping.headerRow) continue;
      const record = mapRow(row, mapping, options);
      if (record !== undefined) mapped.push(record);
    }
    if (mapped.length > 0) yield mapped;
  }
}
