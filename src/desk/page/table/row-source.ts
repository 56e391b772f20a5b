import { batch, signal } from '@preact/signals';
import { type Counts, statusOf } from '../../../core/counts.ts';
import { needsWork } from '../../../core/row-text.ts';
import type { RowsDocument, TableRow } from '../../contract/documents.ts';
import type { BodyOf, ReadBodyOf } from '../../contract/routes.ts';
import type { CallError } from '../call.ts';
import { asCallError } from '../loaded.ts';

/** Rows asked for together. */
const PAGE = 100;
/** Pages that are kept: a few thousand rows, however many there are. */
const MOST_PAGES = 40;
/** Pages asked for at the same time: those that are seen now come before those passed by. */
const AT_ONCE = 2;
/** Rows looked through together for the next one that needs work. */
const LOOK = 500;

/** Which rows of a table are wanted, and in which order. */
export type RowsWish = Omit<ReadBodyOf<'planRows'>, 'offset' | 'limit'>;

/** All rows in their own order. */
export const ALL_ROWS: RowsWish = {
  ...{ status: [], work: false, warned: false, corrected: false, sheet: null, search: '', issue: null },
  ...{ sort: 'row', descending: false },
};

/** Asks for a part of the rows. */
export type AskRows = (wish: BodyOf<'planRows'>) => Promise<RowsDocument>;

/** Where a row stands in the user's file. */
export type RowPlace = Pick<TableRow, 'sheet' | 'row'>;

/** Whether both are the same row of the file. */
export const isSameRow = (one: RowPlace, other: RowPlace): boolean =>
  one.row === other.row && one.sheet === other.sheet;

/**
 * The rows of a table as far as they are looked at: pages are asked for as they come into sight and forgotten
 * when they are far. A row that is corrected keeps its place, also where it no longer is what was asked for,
 * until something else is asked for.
 */
export class RowSource {
  /** Goes up with everything that changes what is shown. */
  readonly version = signal(0);
  /** Rows to be shown; null until it is known. */
  readonly total = signal<number | null>(null);
  /** Counts of all rows of the run. */
  readonly counts = signal<Counts | null>(null);
  readonly error = signal<CallError | null>(null);
  /** Another choice of rows was made and is not there yet. */
  readonly changing = signal(false);

  private readonly ask: AskRows;
  private wish: RowsWish = ALL_ROWS;
  private pages = new Map<number, readonly TableRow[]>();
  private old = new Set<number>();
  private readonly asked = new Set<number>();
  private wanted: readonly number[] = [];
  /** Rows that stay where they are, though they are no longer among those asked for, by their place. */
  private stays = new Map<number, TableRow>();
  private age = 0;

  constructor(ask: AskRows) {
    this.ask = ask;
  }

  /** The row at a place; undefined while it is not there. */
  at(index: number): TableRow | undefined {
    return this.pages.get(Math.floor(index / PAGE))?.[index % PAGE];
  }

  /** Tells which rows are seen, so that they and the next ones come. */
  show(first: number, last: number, down = true): void {
    const end = Math.max(0, Math.ceil((this.total.peek() ?? 1) / PAGE) - 1);
    const [from, to] = [Math.floor(first / PAGE), Math.floor(last / PAGE)];
    const seen = Array.from({ length: to - from + 1 }, (_, at) => from + at);
    const next = down ? [to + 1, from - 1] : [from - 1, to + 1];
    this.wanted = [...seen, ...next].filter((page) => page >= 0 && page <= end);
    this.fetchNext();
  }

  /** Resolves when the row at a place is there, or can't be had. */
  async fetched(index: number): Promise<void> {
    const page = Math.floor(index / PAGE);
    if (this.at(index) === undefined) await this.read(page, this.age);
  }

  /** Shows other rows, or in another order; resolves when they are there. */
  async choose(wish: RowsWish): Promise<void> {
    this.wish = wish;
    const age = ++this.age;
    this.changing.value = true;
    await this.read(0, age, () => {
      this.pages = new Map();
      this.old = new Set();
      this.stays = new Map();
      this.wanted = [0];
    });
    if (age === this.age) this.changing.value = false;
  }

  /** Asks again for what is shown; until it comes what was there stays, but for counts that are known. */
  renew(counts?: Counts): void {
    this.age++;
    if (counts !== undefined) this.counts.value = counts;
    this.changing.value = false;
    this.old = new Set(this.pages.keys());
    this.asked.clear();
    this.error.value = null;
    if (this.wanted.length === 0) this.wanted = [0];
    this.fetchNext();
  }

  /** Puts rows that were checked again in their places. */
  replace(rows: readonly TableRow[], counts: Counts): void {
    for (const row of rows) {
      const index = this.indexOf(row);
      if (index === undefined) continue;
      const page = this.pages.get(Math.floor(index / PAGE)) ?? [];
      this.pages.set(Math.floor(index / PAGE), page.with(index % PAGE, row));
      if (fits(row, this.wish)) this.stays.delete(index);
      else this.stays.set(index, row);
    }
    // What is under way counted the rows as they were.
    this.age++;
    this.asked.clear();
    batch(() => {
      this.counts.value = counts;
      this.version.value++;
    });
    this.fetchNext();
  }

  /** The place of a row that is there. */
  indexOf(place: RowPlace): number | undefined {
    for (const [page, rows] of this.pages) {
      const at = rows.findIndex((row) => isSameRow(row, place));
      if (at >= 0) return page * PAGE + at;
    }
    return undefined;
  }

  /**
   * The nearest place after another, or before it, whose row needs work: at the end it goes on at the other.
   * Undefined where no other row does.
   */
  async nextToDo(from: number, back = false): Promise<number | undefined> {
    const total = this.total.peek() ?? 0;
    if (this.toDo === 0) return undefined;
    return (
      (await this.seek(from + (back ? -1 : 1), back ? -1 : total, back)) ??
      (await this.seek(back ? total - 1 : 0, from, back))
    );
  }

  /** How many of all rows need work. */
  private get toDo(): number | undefined {
    const counts = this.counts.peek();
    if (counts === null) return undefined;
    const names = (Object.keys(counts) as (keyof Counts)[]).filter(
      (name) => name !== 'read' && needsWork(statusOf(name, false)),
    );
    return names.reduce((sum, name) => sum + counts[name], 0);
  }

  /** The first place on the way to an end, itself left out, whose row needs work. */
  private async seek(first: number, last: number, back: boolean): Promise<number | undefined> {
    const isWanted = ({ status, decided }: TableRow): boolean => decided === null && needsWork(status);
    const isBefore = (at: number): boolean => (back ? at > last : at < last);
    let at = first;
    for (; isBefore(at); at += back ? -1 : 1) {
      const known = this.at(at);
      // What is being asked for again may have been corrected since.
      if (known === undefined || this.old.has(Math.floor(at / PAGE))) break;
      if (isWanted(known)) return at;
    }
    for (; isBefore(at); at += back ? -LOOK : LOOK) {
      const start = back ? Math.max(last + 1, at - LOOK + 1) : at;
      const end = back ? at + 1 : Math.min(last, at + LOOK);
      const { rows } = await this.part(start, end);
      const found = back ? rows.findLastIndex(isWanted) : rows.findIndex(isWanted);
      if (found >= 0) return start + found;
    }
    return undefined;
  }

  private fetchNext(): void {
    if (this.changing.peek()) return;
    const missing = this.wanted.filter(
      (page) => (!this.pages.has(page) || this.old.has(page)) && !this.asked.has(page),
    );
    for (const page of missing.slice(0, Math.max(0, AT_ONCE - this.asked.size))) {
      this.asked.add(page);
      void this.read(page, this.age).then((isRead) => isRead && this.fetchNext());
    }
  }

  private async read(page: number, age: number, before?: () => void): Promise<boolean> {
    if (before !== undefined) this.stays = new Map();
    try {
      const { rows, total, counts } = await this.part(page * PAGE, (page + 1) * PAGE);
      if (age !== this.age) return false;
      before?.();
      this.asked.delete(page);
      this.old.delete(page);
      this.pages.set(page, rows);
      this.forget();
      batch(() => {
        this.total.value = total + this.stays.size;
        this.counts.value = counts;
        this.error.value = null;
        this.version.value++;
      });
      return true;
    } catch (error) {
      if (age === this.age) {
        this.asked.delete(page);
        this.error.value = asCallError(error);
      }
      return false;
    }
  }

  /** The rows from a place up to another, with those that stay where they are. */
  private async part(start: number, end: number) {
    const stays = this.stays;
    const before = (index: number): number => [...stays.keys()].filter((at) => at < index).length;
    const offset = start - before(start);
    const limit = Math.max(1, end - before(end) - offset);
    const answer = await this.ask({ ...this.wish, offset, limit });
    const asked = answer.rows[Symbol.iterator]();
    const rows: TableRow[] = [];
    for (let index = start; index < end; index++) {
      const row = stays.get(index) ?? asked.next().value;
      if (row === undefined) break;
      rows.push(row);
    }
    return { ...answer, rows };
  }

  /** Lets go of the pages that are farthest from what is seen. */
  private forget(): void {
    const [here = 0] = this.wanted;
    while (this.pages.size > MOST_PAGES) {
      const [first = 0] = [...this.pages.keys()].toSorted((a, b) => Math.abs(b - here) - Math.abs(a - here));
      this.pages.delete(first);
      this.old.delete(first);
    }
  }
}

/** Whether a row as it is now is among those that are wanted, as far as the page can tell. */
function fits(row: TableRow, { status, work, corrected, issue }: RowsWish): boolean {
  const isIssue =
    issue === null ||
    issue === undefined ||
    (row.issues ?? []).some(
      ({ code, field }, at) =>
        code === issue.code &&
        field === issue.field &&
        (issue.cause === null || issue.cause === undefined || row.causes[at] === issue.cause),
    );
  return (
    isIssue &&
    (status.length === 0 || status.includes(row.status)) &&
    (!work || needsWork(row.status)) &&
    (!corrected || row.corrected || row.decided !== null)
  );
}
