import { type Counts, countedAs, noCounts, plannedAs } from '../core/counts.ts';
import type { Language } from '../core/language.ts';
import { isSending, type PlannedRow, type Status } from '../core/plan.ts';
import { needsWork } from '../core/row-text.ts';
import { rowNow, rowsNow } from '../import/apply/rows-now.ts';
import type { Ledger, StoredResult } from '../ledger/ledger.ts';
import {
  type Entry,
  type FoundIssue,
  isFound,
  placeKey,
  plannedEntry,
  plannedText,
  recordKey,
  type ShownRow,
  shownRow,
} from './table-entries.ts';
import { isPlain, sortPlaces, type TableQuery, wantedBy } from './table-query.ts';

/** How a run's rows are shown. */
export interface RunTableOptions {
  readonly language: Language;
  /** Nothing of the run was sent, and its rows show what would become of them. */
  readonly dryRun: boolean;
  /** A program sends it just now. */
  readonly busy?: boolean;
  /** Rows of it were removed. */
  readonly pruned?: boolean;
}

/** A part of the rows that a query leaves. */
export interface TablePage {
  /** All that it leaves. */
  readonly total: number;
  readonly rows: readonly ShownRow[];
}

/** All rows of a table. */
interface TableSummary {
  readonly counts: Counts;
  /** Rows with a warning. */
  readonly warned: number;
  /** How many cells have a problem, by its sheet, code, field, severity and cause as JSON. */
  readonly issues: ReadonlyMap<string, number>;
}

/** Where a row stands in the user's file. */
export interface TablePlace {
  readonly sheet: string;
  readonly row: number;
}

/** Rows that are read from the ledger together. */
const BLOCK = 500;
/** Blocks that are kept: a screenful of any order stays quick, and memory bounded. */
const MOST_BLOCKS = 40;
/** What was read of a run that is being sent is new for so long, ms. */
const FRESH = 1000;
/** Rows after which others get their turn while the table is made. */
const TURN = 500;

/**
 * The rows of a run as a table to filter, search, sort and page through, in the order of the plan. It is made
 * by one pass over the ledger; a page without a filter needs none.
 */
export class RunTable {
  private readonly ledger: Ledger;
  private readonly run: string;
  private readonly language: Language;
  private readonly dryRun: boolean;
  private busy: boolean;
  private readonly blocks = new Map<number, Promise<readonly StoredResult[]>>();
  private entries: Promise<Entry[]> | undefined;
  private texts: Promise<string[]> | undefined;
  private places: ReadonlyMap<string, number> | undefined;
  private marks: ReadonlyMap<number, string> = new Map();
  private renewing: Promise<void> | undefined;
  private renewedAt = Number.NEGATIVE_INFINITY;
  private latest: { readonly key: string; readonly places: readonly number[] } | undefined;

  private readonly pruned: boolean;
  /** Where the rows stood that were not removed. */
  private kept: readonly number[] = [];

  constructor(ledger: Ledger, run: string, options: RunTableOptions) {
    const { language, dryRun, busy = false, pruned = false } = options;
    this.pruned = pruned;
    this.ledger = ledger;
    this.run = run;
    this.language = language;
    this.dryRun = dryRun;
    this.busy = busy;
  }

  /** The rows that a query leaves, from its offset on; `all`: how many rows the run has. */
  async page(query: TableQuery, all: number): Promise<TablePage> {
    const { offset, limit } = query;
    if (isPlain(query) && !this.pruned) {
      const length = Math.max(0, Math.min(limit, all - offset));
      const places = Array.from({ length }, (_, at) => offset + at);
      return { total: all, rows: await this.rowsAt(places) };
    }
    const places = await this.chosen(query);
    return { total: places.length, rows: await this.rowsAt(places.slice(offset, offset + limit)) };
  }

  /** A row with all that the ledger knows of it; undefined for none. */
  async find(sheet: string, row: number): Promise<StoredResult | undefined> {
    await this.index();
    const place = this.places?.get(placeKey(sheet, row));
    if (place === undefined) return undefined;
    return (await this.block(Math.floor(place / BLOCK)))[place % BLOCK];
  }

  /** A row as the table shows it; undefined for none. */
  async document(sheet: string, row: number): Promise<ShownRow | undefined> {
    const found = await this.find(sheet, row);
    return found && this.documentOf(found);
  }

  /** Rows that were planned by themselves, in the places that the run has for them; others are absent. */
  async placed(rows: readonly PlannedRow[]): Promise<readonly PlannedRow[]> {
    await this.index();
    return rows.flatMap((row) => {
      const seq = this.places?.get(placeKey(row.sheet, row.row));
      return seq === undefined ? [] : { ...row, seq };
    });
  }

  /** Takes rows that replaced those of a plan in the ledger. */
  async take(rows: readonly PlannedRow[]): Promise<void> {
    const entries = await this.index();
    const texts = await this.texts;
    for (const planned of rows) {
      const row = { planned, outcome: null, progress: null };
      entries[planned.seq] = { ...plannedEntry(row, this.dryRun), key: recordKey(planned) };
      if (texts !== undefined) texts[planned.seq] = plannedText(row, this.language);
      this.blocks.delete(Math.floor(planned.seq / BLOCK));
    }
    this.latest = undefined;
  }

  /** Other rows on the records of these, as far as they disagree with them or were planned once more. */
  async beside(rows: readonly TablePlace[], keys: ReadonlySet<string>): Promise<readonly TablePlace[]> {
    if (keys.size === 0) return [];
    const own = new Set(rows.map(({ sheet, row }) => placeKey(sheet, row)));
    return (await this.index()).flatMap(({ key, sheet, row }) =>
      key != null && keys.has(key) && !own.has(placeKey(sheet, row)) ? { sheet, row } : [],
    );
  }

  /** The records that these rows are on, of those that `beside` tells of. */
  async keysOf(rows: readonly TablePlace[]): Promise<readonly string[]> {
    const entries = await this.index();
    return rows.flatMap(({ sheet, row }) => {
      const place = this.places?.get(placeKey(sheet, row));
      return place === undefined ? [] : (entries[place]?.key ?? []);
    });
  }

  /** Reads again what changed of a run that is sent (`busy`) or was begun, at most once in a while. */
  async renew(busy = false): Promise<void> {
    if (busy !== this.busy) {
      await this.renewing;
      this.busy = busy;
      this.renewedAt = Number.NEGATIVE_INFINITY;
    }
    if (this.renewing === undefined && performance.now() - this.renewedAt < FRESH) return;
    this.renewing ??= this.readChanged().finally(() => {
      this.renewing = undefined;
      this.renewedAt = performance.now();
    });
    await this.renewing;
  }

  /** All rows as they are now: their counts, how many have a warning, and cells by problem. */
  async summary(): Promise<TableSummary> {
    const issues = new Map<string, number>();
    let warned = 0;
    for (const entry of await this.index()) {
      if (entry.issues.some(({ severity }) => severity === 'warning')) warned++;
      for (const { code, field, severity, cause } of entry.issues) {
        const key = JSON.stringify([entry.sheet, code, field, severity, cause]);
        issues.set(key, (issues.get(key) ?? 0) + 1);
      }
    }
    return { counts: await this.counts(), warned, issues };
  }

  /**
   * Of the rows that a query leaves the place of the next one that needs work after another, or before it (`back`);
   * at the end it goes on at the other. Null where there is none. `decided`: rows of which it was said what is done.
   */
  async next(
    query: Omit<TableQuery, 'offset' | 'limit'>,
    {
      from,
      back,
      decided,
    }: { readonly from: number; readonly back: boolean; readonly decided: ReadonlySet<string> },
  ): Promise<number | null> {
    const places = await this.chosen(query);
    const entries = await this.index();
    const { length } = places;
    for (let step = 1; step <= length; step++) {
      const at = (from + (back ? -step : step) + 2 * length) % length;
      const { sheet, row, status } = entries[places[at] as number] as Entry;
      if (needsWork(status) && !decided.has(placeKey(sheet, row))) return at;
    }
    return null;
  }

  /** The counts of all rows as they are now, or of those of one sheet. */
  async counts(sheet?: string): Promise<Counts> {
    const counts = noCounts();
    for (const { sheet: own, status } of await this.index()) {
      if (sheet !== undefined && own !== sheet) continue;
      counts.read++;
      counts[countName(status)]++;
    }
    return counts;
  }

  /** The rows that have this problem in this column, with the same text found there. */
  async withFound(issue: FoundIssue): Promise<readonly TablePlace[]> {
    return (await this.index()).filter(({ sheet, issues }) =>
      issues.some((one) => isFound(sheet, one, issue)),
    );
  }

  /** The problem of other cells in a column in which this was found, if any. */
  async problemOf({ sheet: own, column, found }: Omit<FoundIssue, 'code'>): Promise<string | undefined> {
    const issues = (await this.index()).flatMap(({ sheet, issues: all }) => (sheet === own ? all : []));
    return issues.find((one) => one.column === column && one.found === found)?.code;
  }

  /** The rows of a status. */
  async withStatus(status: string): Promise<readonly TablePlace[]> {
    return (await this.index()).filter((entry) => entry.status === status);
  }

  private async readChanged(): Promise<void> {
    const begun = await this.ledger.countBegun(this.run, BLOCK);
    const before = this.marks;
    // Known before the rows are read: what changes meanwhile is read once more.
    this.marks = new Map(begun.map(({ block, ...numbers }) => [block, JSON.stringify(numbers)]));
    const gone = [...before.keys()].filter((block) => !this.marks.has(block));
    const changed = begun.filter(
      ({ block, begun: all, ended }) => all > ended || before.get(block) !== this.marks.get(block),
    );
    for (const block of [...changed.map((one) => one.block), ...gone]) {
      this.blocks.delete(block);
      if (this.entries !== undefined) await this.putBlock(block, await this.entries);
    }
    if (changed.length + gone.length > 0) this.latest = undefined;
  }

  /** Puts the rows of a block as they are now in the place of what was known of them. */
  private async putBlock(block: number, entries: Entry[]): Promise<void> {
    const texts = await this.texts;
    for (const [at, row] of (await this.block(block)).entries()) {
      const place = block * BLOCK + at;
      entries[place] = plannedEntry(row, this.dryRun);
      if (texts !== undefined) texts[place] = plannedText(row, this.language);
    }
    await others();
  }

  private documentOf(row: StoredResult): ShownRow {
    return shownRow(row, this.dryRun, this.language);
  }

  private async rowsAt(places: readonly number[]): Promise<ShownRow[]> {
    const rows: ShownRow[] = [];
    for (const place of places) {
      const own = (await this.block(Math.floor(place / BLOCK)))[place % BLOCK];
      if (own === undefined) continue;
      rows.push(this.documentOf(own));
    }
    return rows;
  }

  private block(number: number): Promise<readonly StoredResult[]> {
    const known = this.blocks.get(number);
    if (known !== undefined) {
      // The one that was used last goes last.
      this.blocks.delete(number);
      this.blocks.set(number, known);
      return known;
    }
    const first = number * BLOCK;
    const after = this.pruned ? (this.kept[first - 1] ?? -1) : first - 1;
    const read = this.ledger
      .readRows(this.run, { after, limit: BLOCK })
      .then((rows) => rows.map((row) => rowNow(this.run, row, this.busy)));
    this.blocks.set(number, read);
    read.catch(() => this.blocks.delete(number));
    if (this.blocks.size > MOST_BLOCKS) this.blocks.delete(this.blocks.keys().next().value as number);
    return read;
  }

  private index(): Promise<Entry[]> {
    if (this.entries === undefined) {
      this.entries = this.readIndex();
      this.entries.catch(() => {
        this.entries = undefined;
      });
    }
    return this.entries;
  }

  private async readIndex(): Promise<Entry[]> {
    const entries: Entry[] = [];
    const places = new Map<string, number>();
    const kept: number[] = [];
    for await (const row of rowsNow(this.ledger, this.run, { busy: this.busy })) {
      const entry = plannedEntry(row, this.dryRun);
      if (this.pruned) kept.push(row.planned.seq);
      places.set(placeKey(entry.sheet, entry.row), entries.length);
      entries.push(entry);
      if (entries.length % TURN === 0) await others();
    }
    this.places = places;
    this.kept = kept;
    return entries;
  }

  /** What is shown of each row, in lower case: made when somebody searches. */
  private searched(): Promise<string[]> {
    if (this.texts === undefined) {
      this.texts = this.readTexts();
      this.texts.catch(() => {
        this.texts = undefined;
      });
    }
    return this.texts;
  }

  private async readTexts(): Promise<string[]> {
    const texts: string[] = [];
    for await (const row of rowsNow(this.ledger, this.run, { busy: this.busy })) {
      texts.push(plannedText(row, this.language));
      if (texts.length % TURN === 0) await others();
    }
    return texts;
  }

  private async chosen(query: Omit<TableQuery, 'offset' | 'limit'>): Promise<readonly number[]> {
    const key = JSON.stringify({ ...query, offset: 0, limit: 0 });
    if (this.latest?.key === key) return this.latest.places;
    const entries = await this.index();
    const wanted = wantedBy(query);
    const words = query.search.toLowerCase().split(/\s+/).filter(Boolean);
    const texts = words.length === 0 ? [] : await this.searched();
    const holding = (parts: readonly string[]): number[] => {
      const found: number[] = [];
      for (let at = 0; at < entries.length; at++)
        if (wanted(entries[at] as Entry) && parts.every((part) => part === '' || texts[at]?.includes(part)))
          found.push(at);
      return found;
    };
    // What stands there as it was typed goes before rows that hold its words here and there.
    let places = holding([words.join(' ')]);
    if (places.length === 0 && words.length > 1) places = holding(words);
    sortPlaces(places, entries, query);
    this.latest = { key, places };
    return places;
  }
}

/** What a status counts as, of a plan or of a run. */
const countName = (status: Entry['status']) =>
  isSending(status as never) ? plannedAs(status as never) : countedAs(status as Status);

/** Lets others have their turn: a table of a million rows must not keep a page waiting. */
const others = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
