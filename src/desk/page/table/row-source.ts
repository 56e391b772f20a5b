import { batch, signal } from '@preact/signals';
import type { Counts } from '../../../core/counts.ts';
import type { TableRow } from '../../contract/answers.ts';
import type { RowsWish } from '../../contract/asked.ts';
import { type CallError, call } from '../call.ts';
import { asCallError } from '../loaded.ts';

/** Rows asked for together, and how many such pages are kept. */
const [PAGE, MOST_PAGES] = [100, 40];

/** All rows in their own order. */
export const ALL_ROWS: RowsWish = {
  ...{ status: [], work: false, warned: false, replaced: false, sheet: null, search: '', issue: null },
  ...{ sort: 'row', descending: false },
};

/** Words of an address that choose some rows. */
export const rowsQuery = (wish: Partial<RowsWish>): Readonly<Record<string, string>> =>
  Object.keys(wish).length === 0 ? {} : { rows: JSON.stringify(wish) };

/** The choice of rows that an address names. */
export function wishIn({ rows = '{}' }: Readonly<Record<string, string>> = {}): RowsWish {
  try {
    return { ...ALL_ROWS, ...(JSON.parse(rows) as Partial<RowsWish>) };
  } catch {
    return ALL_ROWS;
  }
}

/** Where a row stands in the user's file. */
export type RowPlace = Pick<TableRow, 'sheet' | 'row'>;

/** Whether both are the same row of the file. */
export const isSameRow = (one: RowPlace | null, other: RowPlace | null): boolean =>
  one?.row === other?.row && one?.sheet === other?.sheet;

/**
 * The rows of a run as far as they are looked at: pages are asked for as they come into sight and forgotten when
 * they are far.
 */
export class RowSource {
  /** Goes up with everything that changes what is shown. */
  readonly version = signal(0);
  /** Rows to be shown, and the counts of all rows of the run; null until it is known. */
  readonly total = signal<number | null>(null);
  readonly counts = signal<Counts | null>(null);
  readonly error = signal<CallError | null>(null);
  /** Another choice of rows was made and is not there yet. */
  readonly changing = signal(false);

  private readonly run: string;
  private wish: RowsWish = ALL_ROWS;
  private pages = new Map<number, readonly TableRow[]>();
  /** Pages that are on their way, or came since everything was asked for anew. */
  private asked = new Set<number>();
  private seen: readonly [number, number] = [0, 0];

  constructor(run: string) {
    this.run = run;
  }

  /** The row at a place; undefined while it is not there. */
  at(index: number): TableRow | undefined {
    return this.pages.get(Math.floor(index / PAGE))?.[index % PAGE];
  }

  /** Tells which rows are seen, so that they and the next ones come. */
  show(first: number, last: number): void {
    this.seen = [first, last];
    if (this.changing.peek()) return;
    const end = Math.ceil((this.total.peek() ?? 1) / PAGE);
    for (let page = Math.floor(first / PAGE); page <= Math.floor(last / PAGE) + 1; page++)
      if (page === 0 || page < end) void this.read(page);
  }

  /** Resolves when the row at a place is there, or can't be had. */
  async fetched(index: number): Promise<TableRow | undefined> {
    if (this.at(index) === undefined) await this.read(Math.floor(index / PAGE));
    return this.at(index);
  }

  /** Shows other rows, or in another order; resolves when they are there. */
  async choose(wish: RowsWish): Promise<void> {
    this.wish = wish;
    this.changing.value = true;
    this.asked = new Set();
    await this.read(0, true);
  }

  /** Asks again for what is shown; until it comes what was there stays. */
  renew(): void {
    this.asked = new Set();
    if (this.changing.peek()) void this.read(0, true);
    else this.show(...this.seen);
  }

  /** Puts rows that were checked again in their places. */
  replace(rows: readonly TableRow[]): void {
    for (const row of rows)
      for (const [page, known] of this.pages) {
        const at = known.findIndex((one) => isSameRow(one, row));
        if (at >= 0) this.pages.set(page, known.with(at, row));
      }
    this.version.value++;
    this.renew();
  }

  /** The place of the next row that needs work, after one or before it; null for none. */
  async next(from: number, back: boolean): Promise<number | null> {
    return (await call('next', { run: this.run, ...this.wish, from, back })).at;
  }

  private async read(page: number, isAnew = false): Promise<void> {
    const { asked } = this;
    if (asked.has(page)) return;
    asked.add(page);
    try {
      const part = { offset: page * PAGE, limit: PAGE };
      const { rows, total, counts } = await call('rows', { run: this.run, ...this.wish, ...part });
      if (asked !== this.asked) return;
      if (isAnew) this.pages = new Map();
      this.pages.set(page, rows);
      const here = this.seen[0] / PAGE;
      const [far = 0] = [...this.pages.keys()].sort((a, b) => Math.abs(b - here) - Math.abs(a - here));
      if (this.pages.size > MOST_PAGES) {
        this.pages.delete(far);
        asked.delete(far);
      }
      batch(() => {
        this.total.value = total;
        this.counts.value = counts;
        this.error.value = null;
        this.changing.value = false;
        this.version.value++;
      });
    } catch (error) {
      if (asked !== this.asked) return;
      asked.delete(page);
      this.error.value = asCallError(error);
    }
  }
}
