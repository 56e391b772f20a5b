import { columnLetters } from '../core/cell.ts';

/** The most characters that a cell holds. */
export const LONGEST_TEXT = 32_767;

/** Text as Excel stores it: cut at `LONGEST_TEXT`, with characters that XML can't hold as `_xHHHH_`. */
export function excelText(text: string): string {
  const cut = text.slice(0, LONGEST_TEXT);
  const marked = cut.includes('_x') ? cut.replace(/_(?=x[0-9a-fA-F]{4}_)/g, '_x005F_') : cut;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML can't hold
  return marked.replace(/[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff]/g, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
}

const LONGEST = 31;

/** A valid sheet name that is not in `taken` (lower case), to which it is added. */
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

/** The name of a sheet in a formula. */
export function sheetReference(name: string): string {
  return `'${name.replaceAll("'", "''")}'`;
}

/** The cells of a column below the header in a formula; one blank cell if there are none. */
export function columnRange(sheet: string, column: number, rows: number): string {
  const letters = columnLetters(column);
  return `${sheetReference(sheet)}!$${letters}$2:$${letters}$${Math.max(2, rows + 1)}`;
}

/** The length of the longest line of a text. */
export const longestLine = (text: string): number => Math.max(...text.split('\n').map((line) => line.length));

/** How many lines a text takes with so many characters on a line. */
export function wrappedLines(text: string, length: number): number {
  return text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / length)), 0);
}
