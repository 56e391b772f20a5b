import type { Cell } from '../schema/cell.ts';

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
