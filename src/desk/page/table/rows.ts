import { batch, signal } from '@preact/signals';
import type { Counts } from '../../../core/counts.ts';
import type { AnswerOf, Offer, TableRow } from '../../contract/answers.ts';
import type { AskedOf, Decision, RowsWish } from '../../contract/asked.ts';
import { type CallError, call } from '../call.ts';
import { say } from '../language.ts';
import { asCallError, doJob } from '../live.ts';
import { announce } from '../pieces/frame.tsx';
import { goTo, route } from '../router.ts';

/** Rows asked for together, and how many such pages are kept. */
const [PAGE, MOST_PAGES] = [100, 40];

/** All rows in their own order. */
export const ALL_ROWS: RowsWish = {
  ...{ status: [], work: false, warned: false, replaced: false, sheet: null, search: '', issue: null },
  ...{ sort: 'row', descending: false },
};

/** Words of an address that choose some rows. */
export function rowsQuery(wish: Partial<RowsWish>): Readonly<Record<string, string>> {
  const changed = Object.entries(wish).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(ALL_ROWS[name as keyof RowsWish]),
  );
  return changed.length === 0 ? {} : { rows: JSON.stringify(Object.fromEntries(changed)) };
}

/** Which rows are chosen: as the address says, so that a reload and a link show the same. */
export function wished(): RowsWish {
  try {
    return { ...ALL_ROWS, ...(JSON.parse(route.value.query.rows ?? '{}') as Partial<RowsWish>) };
  } catch {
    return ALL_ROWS;
  }
}

/** Shows other rows, or in another order. */
export const chooseRows = (changed: Partial<RowsWish>): void =>
  goTo(route.peek().path, rowsQuery({ ...wished(), ...changed }), true);

/** Where a row stands in the user's file. */
export type RowPlace = Pick<TableRow, 'sheet' | 'row'>;

/** Whether both are the same row of the file. */
export const isSameRow = (one: RowPlace | null | undefined, other: RowPlace | null): boolean =>
  one?.row === other?.row && one?.sheet === other?.sheet;

/** An offer, and whether it was taken: then it is to take that back. */
type TakenOffer = Offer & { readonly isTaken?: boolean };

/** What a table does with its rows. */
interface RowsTable {
  /** Makes a row the active one and brings it into sight. */
  go(index: number): void;
  focus(): void;
}

/** Gives the open row the focus, by its heading. */
const focusPanel = (): void =>
  document.querySelector<HTMLElement>('.row-panel h2')?.focus({ preventScroll: true });

/**
 * The rows of a run as far as they are looked at, and the one that stands open: pages are asked for as they come
 * into sight, and forgotten after many others.
 */
export class Rows {
  /** Goes up with everything that changes what is shown. */
  readonly version = signal(0);
  /** Rows to be shown, and the counts of all rows of the run; null until it is known. */
  readonly total = signal<number | null>(null);
  readonly counts = signal<Counts | null>(null);
  readonly error = signal<CallError | null>(null);
  /** Another choice of rows was made and is not there yet. */
  readonly changing = signal(false);
  /** The row that the keys work on. */
  readonly active = signal(0);
  /** The row that stands open, and what is known of it: null while that is on its way. */
  readonly place = signal<RowPlace | null>(null);
  readonly detail = signal<AnswerOf<'row'> | null>(null);
  /** The column whose input takes the focus; null for none. */
  readonly focused = signal<number | null>(null);
  /** What can be done with other rows too; or was, and can be taken back. Null for nothing. */
  readonly offer = signal<TakenOffer | null>(null);
  /** Something is done with the open row, and what went wrong with it. */
  readonly busy = signal(false);
  readonly wrong = signal<CallError | null>(null);
  /** Whether its rows can be corrected. */
  readonly canCorrect: boolean;
  table: RowsTable | undefined;

  private readonly run: string;
  private wish: RowsWish = ALL_ROWS;
  private pages = new Map<number, readonly TableRow[]>();
  /** Pages that are on their way, or came since everything was asked for anew. */
  private asked = new Set<number>();
  private seen: readonly [number, number] = [0, 0];

  constructor(run: string, canCorrect: boolean) {
    this.run = run;
    this.canCorrect = canCorrect;
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

  /** Shows other rows, or in another order, from the first. */
  async choose(wish: RowsWish): Promise<void> {
    this.wish = wish;
    this.changing.value = true;
    this.asked = new Set();
    await this.read(0, true);
    this.table?.go(0);
  }

  /** Asks again for what is shown; until it comes what was there stays. */
  renew(): void {
    this.asked = new Set();
    if (this.changing.peek()) void this.read(0, true);
    else this.show(...this.seen);
  }

  /** Opens the row at a place of the table. */
  async open(index: number, withFocus: boolean): Promise<void> {
    await this.attempt(() => this.openAt(index, withFocus));
  }

  /** Opens the next row that needs work, or the one before. */
  async step(back: boolean, withFocus: boolean): Promise<void> {
    await this.attempt(() => this.next(back, withFocus));
  }

  close(): void {
    this.place.value = null;
    this.table?.focus();
  }

  /** Puts a text in a cell of the open row; null takes a correction back. */
  async save(column: number, text: string | null): Promise<void> {
    const cell = this.detail.peek()?.cells.find((one) => one.column === column);
    await this.onOpen(async (from) => {
      // What was only looked at is no correction.
      if (text === cell?.text) await this.next(false, true);
      else await this.correct(from, { corrections: [{ ...from, column, text }] });
    });
  }

  /** Decides the conflict of the open row; null leaves it open again. */
  async decide(decide: Decision | null): Promise<void> {
    await this.onOpen((from) => this.correct(from, { decisions: [{ ...from, decide }] }));
  }

  /** Does the same with other rows too; what cells got can be taken back. */
  async take({ isTaken, ...offer }: TakenOffer): Promise<void> {
    await this.onOpen(async (from) => {
      const { corrections, decisions } = offer;
      await call('correct', { run: this.run, corrections: [...corrections], decisions: [...decisions] });
      const back = corrections.map((one) => ({ ...one, text: null }));
      this.offer.value = isTaken || back.length === 0 ? null : { ...offer, corrections: back, isTaken: true };
      this.renew();
      await this.goOn(from);
    });
  }

  /** Says of the open row, which is in doubt, whether it arrived. */
  async settle(as: 'done' | 'resend'): Promise<void> {
    await this.onOpen(async (from) => {
      await doJob(call('settle', { run: this.run, rows: [from], as }));
      this.renew();
      await this.look(from);
    });
  }

  /** What can be chosen for a cell of the open row. */
  async suggest(column: number) {
    const { run } = this;
    const { sheet = '' } = this.place.peek() ?? {};
    return (await call('suggest', { run, sheet, column })).entries;
  }

  /** What was sent to the record of a row so far, the last first. */
  async history(place: RowPlace): Promise<AnswerOf<'history'>['changes']> {
    return (await call('history', { run: this.run, ...place })).changes;
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    this.busy.value = true;
    this.wrong.value = null;
    await work().catch((error: unknown) => {
      this.wrong.value = asCallError(error);
    });
    this.busy.value = false;
  }

  private async onOpen(work: (place: RowPlace) => Promise<void>): Promise<void> {
    const place = this.place.peek();
    if (place !== null) await this.attempt(() => work(place));
  }

  private async openAt(index: number, withFocus: boolean): Promise<void> {
    if (this.at(index) === undefined) await this.read(Math.floor(index / PAGE));
    const row = this.at(index);
    if (row === undefined) return;
    const bad = (await this.look(row))?.cells.find(({ bad }) => bad);
    this.focused.value = withFocus && this.canCorrect ? (bad?.column ?? null) : null;
    if (withFocus && this.focused.peek() === null) focusPanel();
  }

  private async next(back: boolean, withFocus: boolean): Promise<void> {
    const asked = { run: this.run, ...this.wish, from: this.active.peek(), back };
    const { at } = await call('next', asked);
    if (at === null) announce(say('No other row needs work.', 'Geen andere rij vraagt werk.'));
    else this.table?.go(at);
    if (at !== null && (withFocus || this.place.peek() !== null)) await this.openAt(at, withFocus);
    else if (withFocus) focusPanel();
  }

  /** What is known of a row, which stands open from here on; null where another one does by then. */
  private async look({ sheet, row }: RowPlace): Promise<AnswerOf<'row'> | null> {
    const place = { sheet, row };
    batch(() => {
      if (!isSameRow(this.place.peek(), place)) this.detail.value = null;
      this.place.value = place;
    });
    const answer = await call('row', { run: this.run, ...place });
    if (!isSameRow(this.place.peek(), place)) return null;
    this.detail.value = answer;
    return answer;
  }

  private async correct(from: RowPlace, asked: Omit<AskedOf<'correct'>, 'run'>) {
    this.focused.value = null;
    this.offer.value = (await call('correct', { run: this.run, ...asked })).offer;
    this.renew();
    await this.goOn(from, asked.corrections?.[0]?.column);
  }

  /** On to what is next to be corrected: in the row, a warning in the cell that was corrected, else the next row. */
  private async goOn(from: RowPlace, corrected?: number): Promise<void> {
    // Who went to another row meanwhile stays there.
    if (!isSameRow(this.place.peek(), from)) return;
    const now = await this.look(from);
    const bad = now?.cells.find(({ bad }) => bad);
    const warned = now?.cells.find(({ column, issues }) => column === corrected && issues.length > 0);
    if (bad !== undefined) this.focused.value = bad.column;
    else if (warned !== undefined) {
      announce(warned.issues.map(({ message }) => message).join(' '));
      focusPanel();
    } else if (now?.row.status !== 'conflict' || now.row.decided !== null) await this.next(false, true);
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
      // The last one that came is the last to go.
      this.pages.delete(page);
      this.pages.set(page, rows);
      const [oldest = page] = this.pages.keys();
      if (this.pages.size > MOST_PAGES) {
        this.pages.delete(oldest);
        asked.delete(oldest);
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
