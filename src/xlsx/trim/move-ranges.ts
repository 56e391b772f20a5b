import { LAST_ROW } from '../../files/limits.ts';
import type { RowMap } from './row-map.ts';

const RANGE = /^(\$?[A-Za-z]{1,3})?(\$?)(\d*)(?::(\$?[A-Za-z]{1,3})?(\$?)(\d*))?$/;

/** A range such as `A2:C9`, `A2`, `A:C` or `2:9` in its parts; undefined for anything else. */
function partsOf(
  range: string,
): { from: number; to: number; text: (rows: readonly [number, number]) => string } | undefined {
  const found = RANGE.exec(range);
  if (found === null || range === '') return undefined;
  const [, left = '', fixed = '', top = '', right, fixedToo = '', bottom] = found;
  if (top === '') return { from: 1, to: LAST_ROW, text: () => range };
  const single = bottom === undefined;
  const [from, to] = [Number(top), Number(single ? top : bottom)];
  const text = ([start, end]: readonly [number, number]): string =>
    single ? `${left}${fixed}${start}` : `${left}${fixed}${start}:${right ?? ''}${fixedToo}${end}`;
  return { from: Math.min(from, to), to: Math.max(from, to), text };
}

/** The rows of a range; undefined when it is none. */
export function rowsOf(range: string): readonly [from: number, to: number] | undefined {
  const parts = partsOf(range);
  return parts && [parts.from, parts.to];
}

/** A range at the rows that stay of it; undefined when none does. What is no range stays. */
export function moveRange(range: string, rows: RowMap): string | undefined {
  const parts = partsOf(range);
  if (parts === undefined) return range;
  const left = rows.range(parts.from, parts.to);
  return left && parts.text(left);
}

/** The same for ranges with blanks between them; undefined when nothing is left. */
export function moveRanges(ranges: string, rows: RowMap): string | undefined {
  const left = ranges.split(/\s+/).flatMap((range) => (range === '' ? [] : (moveRange(range, rows) ?? [])));
  return left.length === 0 ? undefined : left.join(' ');
}

/** From where the formulas of a rule for some ranges see rows: its first row, and the first that stays of it, by their old numbers. */
export function firstRows(ranges: string, rows: RowMap): readonly [from: number, to: number] | undefined {
  const all = ranges.split(/\s+/).flatMap((range) => {
    const found = range === '' ? undefined : rowsOf(range);
    return found === undefined ? [] : [found];
  });
  const left = all.flatMap(([from, to]) => rows.firstOf(from, to) ?? []);
  if (left.length === 0) return undefined;
  return [Math.min(...all.map(([from]) => from)), Math.min(...left)];
}
