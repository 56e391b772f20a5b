import type { CellValue, Style } from 'exceljs';
import { type Cell, UNCACHED } from '../schema/cell.ts';
import { textToSerial } from './serial-date.ts';

/** The characters that a cell holds at most. */
export const LONGEST_TEXT = 32_767;

/** The errors Excel knows in a file; any other would make it offer to repair the file. */
const ERRORS = ['#NULL!', '#DIV/0!', '#VALUE!', '#REF!', '#NAME?', '#NUM!', '#N/A', '#GETTING_DATA'];

/**
 * A formula whose result is not stored and whose text is not known, either. Left empty, its row would look complete and
 * be sent without it the next time; this one has no stored result again, and shows `#N/A` where it is worked out.
 */
const NO_RESULT = { formula: 'NA()' } as const;

/** A cell's value as exceljs writes it. Dates are serials, as a Date would bring a time zone into it. */
export function excelValue(cell: Cell): CellValue {
  if (cell.type === 'text') return excelText(cell.value);
  if (cell.type === 'date') return textToSerial(cell.value) ?? cell.value;
  if (cell.type !== 'error') return cell.value;
  if (cell.value === UNCACHED) return { ...NO_RESULT };
  return { error: ERRORS.includes(cell.value) ? cell.value : '#N/A' } as CellValue;
}

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

/** Hands out one and the same style for each format, as exceljs recognises a style by being the same object. */
export class StyleBook {
  private readonly styles = new Map<string, Partial<Style>>();
  private readonly base: Partial<Style>;

  constructor(base: Partial<Style> = {}) {
    this.base = base;
  }

  style(format: string | undefined): Partial<Style> {
    const key = format ?? '';
    let style = this.styles.get(key);
    if (style === undefined) {
      style = format === undefined ? { ...this.base } : { ...this.base, numFmt: format };
      this.styles.set(key, style);
    }
    return style;
  }
}
