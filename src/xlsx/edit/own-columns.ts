import { columnFromLetters, columnLetters } from '../../core/cell.ts';
import { outputMark } from '../../core/header.ts';
import type { TagChanges } from './xml-copy.ts';

/** The columns that a result adds to a sheet, side by side. */
export interface OwnColumns {
  readonly first: number;
  readonly last: number;
  readonly headers: readonly string[];
}

/** Columns of an earlier result elsewhere, which are emptied, and the header that one keeps; null for none. */
export type OldColumns = ReadonlyMap<number, string | null>;

/** Widths in characters. */
const WIDTHS: Readonly<Record<string, number>> = {
  '#status': 13,
  '#id': 11,
  '#message': 60,
  '#changes': 48,
  '#at': 20,
};
const WIDTH = 14;

/** The `<col>` elements of the added columns. */
export function ownCols({ first, headers }: OwnColumns, prefix: string): string {
  return headers
    .map(
      (header, at) =>
        `<${prefix}col min="${first + at}" max="${first + at}" width="${WIDTHS[outputMark(header) ?? ''] ?? WIDTH}" customWidth="1"/>`,
    )
    .join('');
}

/** What remains of a `<col>` of the user's that reaches over the added columns: the range at their left and that at their right. */
export function aroundOwn(
  { first, last }: OwnColumns,
  min: number,
  max: number,
): { readonly left: TagChanges | null; readonly right: TagChanges | null } {
  return {
    left: min < first ? { min: String(min), max: String(Math.min(max, first - 1)) } : null,
    right: max > last ? { min: String(Math.max(min, last + 1)), max: String(max) } : null,
  };
}

const REFERENCE = /^(\$?)([A-Za-z]{1,3})(\$?\d+):(\$?)([A-Za-z]{1,3})(\$?\d+)$/;

/** A range that ends where the added columns begin, or among them, grown over them all; undefined for any other. */
export function grown(range: string, { first, last }: OwnColumns): string | undefined {
  const [, absolute = '', start = '', top, end = '', right = '', bottom] = REFERENCE.exec(range) ?? [];
  const [left, edge] = [columnFromLetters(start), columnFromLetters(right)];
  if (left === 0 || left >= first || edge < first - 1 || edge >= last) return undefined;
  return `${absolute}${start}${top}:${end}${columnLetters(last)}${bottom}`;
}

/** A sheet's used range with the added columns in it; undefined when they are in it already, or the range is none. */
export function widened(
  range: string,
  { last }: OwnColumns,
  columnOf: (letters: string) => number,
): string | undefined {
  const [, start, top, right, bottom] = /^([A-Z]{1,3})(\d+)(?::([A-Z]{1,3})(\d+))?$/.exec(range) ?? [];
  if (start === undefined || columnOf(right ?? start) >= last) return undefined;
  return `${start}${top}:${columnLetters(last)}${bottom ?? top}`;
}
