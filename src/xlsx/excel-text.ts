import { type Cell, columnLetters } from '../core/cell.ts';

/** The characters that a cell holds at most. */
export const LONGEST_TEXT = 32_767;

/** Text as Excel keeps it in a file: what XML can't hold escaped as `_xHHHH_`, and not longer than a cell may be. */
export function excelText(text: string): string {
  return (
    text
      .slice(0, LONGEST_TEXT)
      .replace(/_(?=x[0-9a-fA-F]{4}_)/g, '_x005F_')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML can't hold
      .replace(/[\x00-\x08\x0b\x0c\x0d-\x1f\x7f\ufffe\uffff]/g, escapeCharacter)
  );
}

function escapeCharacter(character: string): string {
  return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
}

/** The format a cell is shown by, General when it has none; a date never has none. */
export function excelFormat(cell: Cell): string | undefined {
  if (cell.format !== undefined || cell.type !== 'date') return cell.format;
  if (!cell.value.includes('-')) return 'hh:mm:ss';
  return cell.value.includes(' ') ? 'yyyy-mm-dd hh:mm:ss' : 'yyyy-mm-dd';
}

const LONGEST = 31;

/** A name that Excel accepts for a sheet, different from those taken (in lower case), to which it is added. */
export function sheetName(name: string, taken: Set<string>): string {
  const plain =
    name
      .replace(/[\\/?*:[\]]/g, '_')
      .replace(/^'+|'+$/g, '_')
      .trim()
      .slice(0, LONGEST) || 'Sheet';
  let unique = /^history$/i.test(plain) ? `${plain}_` : plain;
  for (let count = 2; taken.has(unique.toLowerCase()); count++) {
    const tail = ` (${count})`;
    unique = plain.slice(0, LONGEST - tail.length) + tail;
  }
  taken.add(unique.toLowerCase());
  return unique;
}

/** Whether a sheet has a name, or that name with the number that `sheetName` puts behind it. */
export function hasSheetName(sheet: string, name: string): boolean {
  return sheet.replace(/ \(\d+\)$/, '').toLowerCase() === name.toLowerCase();
}

/** A sheet's name as a formula cites it. */
export function sheetReference(name: string): string {
  return `'${name.replaceAll("'", "''")}'`;
}

/** The cells of a column below the header, as a formula cites them; one empty cell where there are none. */
export function columnRange(sheet: string, column: number, rows: number): string {
  const letters = columnLetters(column);
  return `${sheetReference(sheet)}!$${letters}$2:$${letters}$${Math.max(2, rows + 1)}`;
}
