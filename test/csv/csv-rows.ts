import { writeFileSync } from 'node:fs';
import { type ReadOptions, readWorkbook, type Workbook } from '../../src/workbook/read-workbook.ts';

/** A CSV as it was read: its rows by their numbers, blanks as ''. */
export interface CsvRead {
  readonly rows: Record<number, string[]>;
  readonly workbook: Workbook;
}

/** Writes a file and reads it as CSV. */
export async function readText(
  file: string,
  content: string | Buffer,
  options: ReadOptions = {},
): Promise<CsvRead> {
  writeFileSync(file, content);
  const workbook = await readWorkbook(file, options);
  const rows: Record<number, string[]> = {};
  for (const sheet of workbook) {
    for await (const { number, cells } of sheet.rows) {
      const row: string[] = [];
      for (const { column, value } of cells) row[column - 1] = String(value);
      rows[number] = Array.from(row, (value) => value ?? '');
    }
  }
  return { rows, workbook };
}

/** Rows by their numbers, as `1 ID·Naam / 4 7·Soep`. */
export const rowsText = (rows: CsvRead['rows']): string =>
  Object.entries(rows)
    .map(([number, row]) => `${number} ${row.join('·')}`)
    .join(' / ');
