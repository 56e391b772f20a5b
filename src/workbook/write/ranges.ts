import { columnLetters } from '../../schema/cell.ts';

/** A sheet's name as a formula cites it. */
export function sheetReference(name: string): string {
  return `'${name.replaceAll("'", "''")}'`;
}

/** The cells of a column below the header, as a formula cites them; one empty cell where there are none. */
export function columnRange(sheet: string, column: number, rows: number): string {
  const letters = columnLetters(column);
  return `${sheetReference(sheet)}!$${letters}$2:$${letters}$${Math.max(2, rows + 1)}`;
}
