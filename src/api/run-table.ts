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
/** Rows after which others get their turn while the table is made. */
const TURN = 500;

/** The rows of a run in their order, and where each stands among them by its `placeKey`. */
interface Index {
  readonly entries: Entry[];
  readonly places: ReadonlyMap<string, number>;
}

/**
 * The rows of a run as a table to filter, search, sort and page through, in the order of the plan, as they were
 * when it was first asked for them. It is made by one pass over the ledger; a page without a filter needs none.
 */
export class RunTable {
  private readonly ledger: Ledger;
  private readonly run: string;
  private readonly options: RunTableOptions;
  private readonly blocks = new Map<number, Promise<readonly StoredResult[]>>();
  private readonly index = lazily(() => this.readIndex());
  /** What is shown of each row: made when somebody searches. */
  private readonly texts = lazily(() => this.readTexts());
  private latest: { readonly key: string; readonly places: readonly number[] } | undefined;

  constructor(ledger: Ledger, run: string, options: RunTableOptions) {
    this.ledger = ledger;
    this.run = run;
    this.options = options;
  }

  /** The rows that a query leaves, from its offset on; `all`: how many rows the run has. */
  async page(query: TableQuery, all: number): Promise<TablePage> {
    const { offset, limit } = query;
    if (isPlain(query) && this.options.pruned !== true) {
      const length = Math.max(0, Math.min(limit, all - offset));
      return { total: all, rows: await this.rowsAt(Array.from({ length }, (_, at) => offset + at)) };
    }
    const places = await this.chosen(query);
    const { entries } = await this.index();
    const seqs = places.slice(offset, offset + limit).map((place) => (entries[place] as Entry).seq);
    return { total: places.length, rows: await this.rowsAt(seqs) };
  }

  /** A row with all that the ledger knows of it; undefined for none. */
  async find(sheet: string, row: number): Promise<StoredResult | undefined> {
    const entry = await this.entryOf({ sheet, row });
    return entry && (await this.rowOf(entry.seq));
  }

  /** A row as the table shows it; undefined for none. */
  async document(sheet: string, row: number): Promise<ShownRow | undefined> {
    const found = await this.find(sheet, row);
    return found && this.documentOf(found);
  }

  /** Rows that were planned by themselves, in the places that the run has for them; others are absent. */
  async placed(rows: readonly PlannedRow[]): Promise<readonly PlannedRow[]> {
    const entries = await Promise.all(rows.map((row) => this.entryOf(row)));
    return rows.flatMap((row, at) => {
      const seq = entries[at]?.seq;
      return seq === undefined ? [] : { ...row, seq };
    });
  }

  /** Takes rows that replaced those of a plan in the ledger. */
  async take(rows: readonly PlannedRow[]): Promise<void> {
    const { entries } = await this.index();
    const { dryRun, language } = this.options;
    for (const planned of rows) {
      const row = { planned, outcome: null, progress: null };
      const own = { key: recordKey(planned), text: plannedText(row, language) };
      entries[planned.seq] = { ...plannedEntry(row, dryRun), ...own };
      this.blocks.delete(Math.floor(planned.seq / BLOCK));
    }
    this.latest = undefined;
  }

  /** Other rows on the records of these, as far as they disagree with them or were planned once more. */
  async beside(rows: readonly TablePlace[], keys: ReadonlySet<string>): Promise<readonly TablePlace[]> {
    if (keys.size === 0) return [];
    const own = new Set(rows.map(({ sheet, row }) => placeKey(sheet, row)));
    return (await this.index()).entries.filter(
      ({ key, sheet, row }) => key != null && keys.has(key) && !own.has(placeKey(sheet, row)),
    );
  }

  /** The records that these rows are on, of those that `beside` tells of. */
  async keysOf(rows: readonly TablePlace[]): Promise<readonly string[]> {
    const entries = await Promise.all(rows.map((row) => this.entryOf(row)));
    return entries.flatMap((entry) => entry?.key ?? []);
  }

  /** All rows as they are now: their counts, how many have a warning, and cells by problem. */
  async summary(): Promise<TableSummary> {
    const issues = new Map<string, number>();
    let warned = 0;
    for (const entry of (await this.index()).entries) {
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
    const { entries } = await this.index();
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
    for (const { sheet: own, status } of (await this.index()).entries) {
      if (sheet !== undefined && own !== sheet) continue;
      counts.read++;
      counts[countName(status)]++;
    }
    return counts;
  }

  /** The rows that have this problem in this column, with the same text found there. */
  async withFound(issue: FoundIssue): Promise<readonly TablePlace[]> {
    return (await this.index()).entries.filter(({ sheet, issues }) =>
      issues.some((one) => isFound(sheet, one, issue)),
    );
  }

  /** The problem of other cells in a column in which this was found, if any. */
  async problemOf({ sheet: own, column, found }: Omit<FoundIssue, 'code'>): Promise<string | undefined> {
    const issues = (await this.index()).entries.flatMap(({ sheet, issues: all }) =>
      sheet === own ? all : [],
    );
    return issues.find((one) => one.column === column && one.found === found)?.code;
  }

  /** The rows of a status. */
  async withStatus(status: string): Promise<readonly TablePlace[]> {
    return (await this.index()).entries.filter((entry) => entry.status === status);
  }

  private async entryOf({ sheet, row }: TablePlace): Promise<Entry | undefined> {
    const { entries, places } = await this.index();
    return entries[places.get(placeKey(sheet, row)) ?? -1];
  }

  private documentOf(row: StoredResult): ShownRow {
    return shownRow(row, this.options.dryRun, this.options.language);
  }

  private async rowOf(seq: number): Promise<StoredResult | undefined> {
    return (await this.block(Math.floor(seq / BLOCK))).find(({ planned }) => planned.seq === seq);
  }

  private async rowsAt(seqs: readonly number[]): Promise<ShownRow[]> {
    const rows: ShownRow[] = [];
    for (const seq of seqs) {
      const own = await this.rowOf(seq);
      if (own !== undefined) rows.push(this.documentOf(own));
    }
    return rows;
  }

  private block(number: number): Promise<readonly StoredResult[]> {
    const known = this.blocks.get(number);
    const read = known ?? this.readBlock(number);
    // The one that was used last goes last.
    this.blocks.delete(number);
    this.blocks.set(number, read);
    read.catch(() => this.blocks.delete(number));
    if (this.blocks.size > MOST_BLOCKS) this.blocks.delete(this.blocks.keys().next().value as number);
    return read;
  }

  private async readBlock(number: number): Promise<readonly StoredResult[]> {
    const rows = await this.ledger.readRows(this.run, { after: number * BLOCK - 1, limit: BLOCK });
    return rows.map((row) => rowNow(this.run, row, this.options.busy === true));
  }

  /** Does something with each row, in their order; others have their turn meanwhile. */
  private async each(work: (row: StoredResult, at: number) => void): Promise<void> {
    let at = 0;
    for await (const row of rowsNow(this.ledger, this.run, { busy: this.options.busy === true })) {
      work(row, at++);
      // A table of a million rows must not keep a page waiting.
      if (at % TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  private async readIndex(): Promise<Index> {
    const entries: Entry[] = [];
    const places = new Map<string, number>();
    await this.each((row, at) => {
      const entry = plannedEntry(row, this.options.dryRun);
      places.set(placeKey(entry.sheet, entry.row), at);
      entries.push(entry);
    });
    return { entries, places };
  }

  private async readTexts(): Promise<void> {
    const { entries } = await this.index();
    await this.each((row, at) => {
      const entry = entries[at];
      if (entry !== undefined) entry.text = plannedText(row, this.options.language);
    });
  }

  private async chosen(query: Omit<TableQuery, 'offset' | 'limit'>): Promise<readonly number[]> {
    const key = JSON.stringify({ ...query, offset: 0, limit: 0 });
    if (this.latest?.key === key) return this.latest.places;
    const { entries } = await this.index();
    const wanted = wantedBy(query);
    const words = query.search.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length > 0) await this.texts();
    const holding = (parts: readonly string[]): number[] =>
      entries.flatMap((entry, at) =>
        wanted(entry) && parts.every((part) => part === '' || entry.text?.includes(part)) ? at : [],
      );
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

/** What is made once it is asked for; after a failure it is made anew. */
function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
