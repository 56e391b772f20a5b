import { cellAddress, columnFromLetters, columnLetters } from '../core/cell.ts';
import { LAST_COLUMN } from '../files/limits.ts';
import type { CellRange } from '../files/sheet.ts';

const RANGE = /^\$?([A-Za-z]{1,3})\$?(\d{1,7})(?::\$?([A-Za-z]{1,3})\$?(\d{1,7}))?$/;

/** Reads a range such as `A1:C5` or `A1`; undefined for other text, and for one that no sheet has. */
export function cellRange(ref: string | undefined): CellRange | undefined {
  const [, start, top, end = start, bottom = top] = RANGE.exec(ref ?? '') ?? [];
  if (start === undefined || end === undefined) return undefined;
  const [left, right] = [columnFromLetters(start), columnFromLetters(end)];
  if (left > right || right > LAST_COLUMN) return undefined;
  return { left, top: Number(top), right, bottom: Number(bottom) };
}

/** Writes a range as `A1:C5`. */
export function rangeText({ left, top, right, bottom }: CellRange): string {
  return `${cellAddress(left, top)}:${cellAddress(right, bottom)}`;
}

/** A range in a formula, `'Sheet'!$A$1:$C$5`, with the sheet name as quoted there. */
export function rangeFormula(sheet: string, { left, top, right, bottom }: CellRange): string {
  return `${sheet}!$${columnLetters(left)}$${top}:$${columnLetters(right)}$${bottom}`;
}
