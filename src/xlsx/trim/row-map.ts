import { LAST_ROW } from '../../files/limits.ts';

/** Which rows of a sheet stay when others are left out, and where: those down to the headers, some below them, and whatever lies below the last used one. */
export class RowMap {
  private readonly header: number;
  private readonly kept: readonly number[];
  private readonly last: number;

  /** `kept` are the rows that stay between the headers and the last used row, in order. */
  constructor(header: number, kept: readonly number[], last: number) {
    this.header = header;
    this.kept = kept;
    this.last = Math.max(header, last, kept.at(-1) ?? 0);
  }

  /** Whether a row may be another afterwards. */
  get moves(): boolean {
    return this.header < LAST_ROW;
  }

  /** Whether a row is one of the headers, or stands above them. */
  isAbove(row: number): boolean {
    return row <= this.header;
  }

  /** The number that a row gets; 0 when it is left out. */
  of(row: number): number {
    const until = this.until(row);
    return until > this.until(row - 1) ? until : 0;
  }

  /** Where a row stands, or, when it is left out, the first below it that stays. */
  place(row: number): number {
    return Math.min(LAST_ROW, this.until(row - 1) + 1);
  }

  /** The rows that stay of some side by side; undefined when none does. */
  range(from: number, to: number): readonly [from: number, to: number] | undefined {
    const start = this.until(from - 1) + 1;
    // What reaches the bottom of the sheet goes on doing so.
    const end = to >= LAST_ROW ? LAST_ROW : this.until(to);
    return start <= end ? [start, end] : undefined;
  }

  /** Whether all of some rows side by side stay. */
  whole(from: number, to: number): boolean {
    return this.until(to) - this.until(from - 1) === to - from + 1;
  }

  /** The first of some rows side by side that stays, by its old number; undefined when none does. */
  firstOf(from: number, to: number): number | undefined {
    if (this.until(to) === this.until(from - 1)) return undefined;
    if (from <= this.header || from > this.last) return from;
    return this.kept[this.count(from - 1)] ?? this.last + 1;
  }

  /** How many rows stay down to one. */
  private until(row: number): number {
    if (row <= this.header) return row;
    if (row > this.last) return row - (this.last - this.header - this.kept.length);
    return this.header + this.count(row);
  }

  /** How many of the kept rows stand down to one. */
  private count(row: number): number {
    let [low, high] = [0, this.kept.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.kept[middle] as number) <= row) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** A sheet whose rows all stay where they are. */
export const ALL_STAY = new RowMap(LAST_ROW, [], LAST_ROW);
