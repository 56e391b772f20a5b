import { type Issue, stopsRow } from '../../core/issue.ts';
import { t } from '../../core/language.ts';
import type { Bilingual, Value } from '../../core/value.ts';
import type { BaseRecord } from '../../files/base-sheet.ts';
import type { ExistingRecord } from '../../records/existing-record.ts';
import { addressOf, type MappedRow } from '../../records/mapped-row.ts';
import { safeCell } from '../../records/safe-cell.ts';
import type { Resource } from '../../schema/resource.ts';

/** So many cells are named; the rest is counted. */
const SHOWN = 5;

/** Cells that held something when the workbook was written and hold nothing now, by sheet: import leaves their fields alone, which is to be said. */
export class EmptiedCells {
  private readonly bySheet = new Map<string, { count: number; readonly first: string[] }>();

  /** To be told of each row, with what is wrong with its cells as they stand there, and with what its record was and is. */
  add(row: MappedRow, found: readonly Issue[], was: BaseRecord, service: ExistingRecord): void {
    const { mapping, action, values, issues } = row;
    if (action === 'skip' || action === 'delete' || stopsRow(issues)) return;
    for (const field of mapping.columnOf.keys()) {
      if (values[field] !== undefined || (service.values[field] ?? null) === null) continue;
      // A cell that can't be read holds something.
      if (found.some((issue) => issue.field === field)) continue;
      if (!wasShown(mapping.resource, field, was.values[field] ?? null)) continue;
      const known = this.bySheet.get(mapping.sheet) ?? { count: 0, first: [] };
      this.bySheet.set(mapping.sheet, known);
      known.count++;
      if (known.first.length < SHOWN) known.first.push(addressOf(mapping, field, row.row) ?? field);
    }
  }

  /** What there is to say of a sheet. */
  notes(sheet: string): Bilingual[] {
    const known = this.bySheet.get(sheet);
    if (known === undefined) return [];
    const more = known.count - known.first.length;
    const list = known.first.join(', ');
    const [en, nl] = more > 0 ? [` and ${more} more`, ` en nog ${more}`] : ['', ''];
    return [
      t(
        `cells that were emptied leave their field as it is: ${list}${en}; #CLEAR clears it`,
        `cellen die leeggemaakt zijn laten hun veld zoals het is: ${list}${nl}; #CLEAR maakt het leeg`,
      ),
    ];
  }
}

/** Whether an export shows a value of a field that import takes: some it leaves out, such as a text that no cell holds. */
function wasShown({ keys, fields }: Resource, header: string, value: Value): boolean {
  const field = fields[header];
  if (value === null || field === undefined || keys.includes(header)) return false;
  if (field.update === 'none' || field.update === 'unsent') return false;
  const column = { header, field, type: field.codec.type, imported: true, path: [] };
  const options = { language: 'en', locale: 'en', csv: false } as const;
  return safeCell(field.codec.encode(value), column, options, () => {}) !== null;
}
