import { expect, test } from 'vitest';
import type { Cell } from '../../../src/core/cell.ts';
import type { Codec } from '../../../src/core/codec.ts';
import type { IssueCode } from '../../../src/core/issue-catalogue.ts';
import type { Locale, Value } from '../../../src/core/value.ts';

/** `refused` with its code, or a value with the code of the warning that comes along. */
export type Expected =
  | { readonly refused: IssueCode }
  | { readonly value: Value; readonly warning?: IssueCode };

/** A cell, or its text, and what it is read as in nl and in en; one expectation stands for both. */
export type Case = readonly [cell: Cell | string, nl: Expected, en?: Expected];

export const text = (value: string): Cell => ({ column: 6, type: 'text', value });
export const number = (value: number, format?: string): Cell =>
  format === undefined ? { column: 6, type: 'number', value } : { column: 6, type: 'number', value, format };
export const flag = (value: boolean): Cell => ({ column: 6, type: 'boolean', value });
export const date = (value: string, format?: string): Cell =>
  format === undefined ? { column: 6, type: 'date', value } : { column: 6, type: 'date', value, format };
export const zoned = (value: string, zone: string): Cell => ({ column: 6, type: 'date', value, zone });
export const error = (value: string): Cell => ({ column: 6, type: 'error', value });

export const reads = (value: Value): Expected => ({ value });
export const warns = (value: Value, warning: IssueCode): Expected => ({ value, warning });
export const refuses = (refused: IssueCode): Expected => ({ refused });

/** The same for all of these cells. */
export const all = (expected: Expected, ...cells: readonly (Cell | string)[]): Case[] =>
  cells.map((cell) => [cell, expected]);
type Values<V = Value> = Readonly<Record<string, V>>;
type Way = (value: never) => Expected;
/** Texts with the values that they are read as, in both locales, or in one of them alone. */
export const texts = (values: Values, way: Way = reads as Way): Case[] =>
  Object.entries(values).map(([cell, value]) => [cell, way(value as never)]);
export const inNl = (values: Values, other: Expected, way: Way = reads as Way): Case[] =>
  texts(values, way).map(([cell, nl]) => [cell, nl, other]);
export const inEn = (values: Values, other: Expected, way: Way = reads as Way): Case[] =>
  texts(values, way).map(([cell, en]) => [cell, other, en]);
/** Texts that each locale reads in its own way. */
export const inBoth = (values: Values<readonly [nl: Value, en: Value]>, way: Way = reads as Way): Case[] =>
  Object.entries(values).map(([cell, [nl, en]]) => [cell, way(nl as never), way(en as never)]);

const shown = ({ type, value, format }: Cell): string =>
  `${type} ${JSON.stringify(value)}${format === undefined ? '' : ` shown by ${format}`}`;

function decode(codec: Codec, cell: Cell, locale: Locale): Expected {
  const decoded = codec.decode(cell, locale);
  if (!decoded.ok) return { refused: decoded.finding.code };
  const { value, warning } = decoded;
  return warning === undefined ? { value } : { value, warning: warning.code };
}

/** Holds a codec to a table of cells, in both locales, and every finding to quoting the cell, as it is stored or as it shows. */
export function holdCells(codec: Codec, cases: readonly Case[]): void {
  test.each(
    cases.flatMap(([given, nl, en = nl]) => {
      const cell = typeof given === 'string' ? text(given) : given;
      return [[shown(cell), 'nl', cell, nl] as const, [shown(cell), 'en', cell, en] as const];
    }),
  )('%s in %s is read or refused as it should be', (_, locale, cell, expected) => {
    expect(decode(codec, cell, locale)).toStrictEqual(expected);
    const decoded = codec.decode(cell, locale);
    const finding = decoded.ok ? decoded.warning : decoded.finding;
    const asShown = cell.type === 'boolean' || ('format' in cell && cell.format !== undefined);
    const zone = decoded.ok && cell.type === 'date' ? (cell.zone ?? '') : '';
    if (finding !== undefined && !asShown) expect(finding.found).toBe(String(cell.value) + zone);
  });
}

/** Holds `read` to a table of answers; what is not understood is kept, as text where it is no scalar. */
export function holdAnswers(
  codec: Codec,
  answers: readonly (readonly [answer: unknown, value: Value])[],
): void {
  const nothing = [null, undefined, '', '  '].map((answer) => [answer, null] as const);
  test.each([...answers, ...nothing])('the answer %j is read as %j', (answer, value) => {
    expect(codec.read(answer)).toStrictEqual(value);
  });
}

/** The cell that a spreadsheet program stores for an encoded value. */
export function cellOf(encoded: string | number | boolean): Cell {
  if (typeof encoded === 'number') return number(encoded);
  return typeof encoded === 'boolean' ? flag(encoded) : text(encoded);
}
