import { type Counts, countedAs, noCounts, plannedAs } from '../core/counts.ts';
import { type Language, onPage } from '../core/language.ts';
import { isSending, type Status } from '../core/plan.ts';
import { needsWork } from '../core/row-text.ts';
import { rowsNow, rowsNowAfter } from '../import/apply/rows-now.ts';
import { type RowDocument, rowDocument } from '../import/import-document.ts';
import type { Ledger, StoredResult } from '../ledger/ledger.ts';
import {
  type Entry,
  entryOf,
  type FoundIssue,
  foundKey,
  issueKey,
  plannedEntry,
  plannedText,
  textOf,
} from './table-entries.ts';

/** Which rows of a run are wanted, and in which order. */
export interface TableQuery {
  /** Of these statuses; of all when empty. */
  readonly status: readonly string[];
  /** Those alone that need work. */
  readonly work: boolean;
  /** Those alone that were put in place of the run's own. */
  readonly replaced: boolean;
  readonly sheet: string | null;
  /** Words that all stand in the row. */
  readonly search: string;
  /** Those alone with this issue. */
  readonly issue: { readonly sheet: string; readonly code: string; readonly field: string | null } | null;
  readonly sort: 'row' | 'status' | 'record' | 'changes';
  readonly descending: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** How a run's rows are shown. */
export interface RunTableOptions {
  readonly language: Language;
  /** Nothing of the run was sent, and its rows show what would become of them. */
  readonly dryRun: boolean;
  /** A program sends it just now. */
  readonly busy?: boolean;
}

/** A part of the rows that a query leaves. */
export interface TablePage {
  /** All that it leaves. */
  readonly total: number;
  readonly rows: readonly RowDocument[];
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
  private readonly replaced = new Map<string, RowDocument>();
  private entries: Promise<Entry[]> | undefined;
  private texts: Promise<string[]> | undefined;
  private places: ReadonlyMap<string, number> | undefined;
  private marks: ReadonlyMap<number, string> = new Map();
  private renewing: Promise<void> | undefined;
  private renewedAt = Number.NEGATIVE_INFINITY;
  private latest: { readonly key: string; readonly places: readonly number[] } | undefined;

  constructor(ledger: Ledger, run: string, { language, dryRun, busy = false }: RunTableOptions) {
    this.ledger = ledger;
    this.run = run;
    this.language = language;
    this.dryRun = dryRun;
    this.busy = busy;
  }

  /** The rows that a query leaves, from its offset on; `all`: how many rows the run has. */
  async page(query: TableQuery, all: number): Promise<TablePage> {
    const { offset, limit } = query;
    if (isPlain(query)) {
      const places = Array.from(
        { length: Math.max(0, Math.min(limit, all - offset)) },
        (_, at) => offset + at,
      );
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

  /** Whether any row is in place of the run's own. */
  get isReplaced(): boolean {
    return this.replaced.size > 0;
  }

  /** The rows that are in place of the run's own, each with what the run has. */
  async *replacements(): AsyncGenerator<{ readonly was: StoredResult; readonly now: RowDocument }> {
    for (const now of this.replaced.values()) {
      const was = await this.find(now.sheet, now.row);
      if (was !== undefined) yield { was, now };
    }
  }

  /** A row as the table shows it; undefined for none. */
  async document(sheet: string, row: number): Promise<RowDocument | undefined> {
    const found = await this.find(sheet, row);
    return this.replaced.get(placeKey(sheet, row)) ?? (found && this.documentOf(found));
  }

  /** Puts rows in place of the run's own: what would become of them once they are corrected. */
  async replace(rows: readonly RowDocument[]): Promise<void> {
    const entries = await this.index();
    for (const row of rows) {
      const key = placeKey(row.sheet, row.row);
      const place = this.places?.get(key);
      if (place === undefined) continue;
      this.replaced.set(key, row);
      entries[place] = entryOf(row);
      if (this.texts !== undefined) (await this.texts)[place] = textOf(row);
    }
    this.latest = undefined;
  }

  /** Puts the run's own rows back. */
  async restore(rows: readonly { readonly sheet: string; readonly row: number }[]): Promise<void> {
    const entries = await this.index();
    for (const { sheet, row } of rows) {
      const place = this.places?.get(placeKey(sheet, row));
      const own = await this.find(sheet, row);
      this.replaced.delete(placeKey(sheet, row));
      if (place === undefined || own === undefined) continue;
      entries[place] = plannedEntry(own, this.dryRun, this.language);
      if (this.texts !== undefined) (await this.texts)[place] = textOf(this.documentOf(own));
    }
    this.latest = undefined;
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

  /** Makes the table ready for filters, before anybody asks for one. */
  async prepare(): Promise<void> {
    await this.index();
  }

  /** The counts of all rows as they are now, or of those of one sheet. */
  async counts(sheet?: string): Promise<Counts> {
    const counts = noCounts();
    for (const { sheet: own, status } of await this.index()) {
      if (sheet !== undefined && own !== sheet) continue;
      counts.read++;
      counts[isSending(status as never) ? plannedAs(status as never) : countedAs(status as Status)]++;
    }
    return counts;
  }

  /** The rows that have this problem in this column, with the same text found there. */
  async withFound(issue: FoundIssue): Promise<readonly { readonly sheet: string; readonly row: number }[]> {
    const key = foundKey(issue);
    return (await this.index()).flatMap(({ cells, sheet, row }) =>
      cells.includes(key) ? { sheet, row } : [],
    );
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
      entries[place] = plannedEntry(row, this.dryRun, this.language);
      if (texts !== undefined) texts[place] = plannedText(row, this.language);
    }
    await others();
  }

  private documentOf(row: StoredResult): RowDocument {
    return rowDocument(row, this.dryRun, this.language, onPage);
  }

  private async rowsAt(places: readonly number[]): Promise<RowDocument[]> {
    const rows: RowDocument[] = [];
    for (const place of places) {
      const own = (await this.block(Math.floor(place / BLOCK)))[place % BLOCK];
      if (own === undefined) continue;
      const { sheet, row } = own.planned;
      rows.push(this.replaced.get(placeKey(sheet, row)) ?? this.documentOf(own));
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
    const read = rowsNowAfter(this.ledger, this.run, {
      ...{ after: number * BLOCK - 1, limit: BLOCK, busy: this.busy },
    });
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
    for await (const row of rowsNow(this.ledger, this.run, { busy: this.busy })) {
      const entry = plannedEntry(row, this.dryRun, this.language);
      places.set(placeKey(entry.sheet, entry.row), entries.length);
      entries.push(entry);
      if (entries.length % TURN === 0) await others();
    }
    this.places = places;
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
      const { sheet, row: number } = row.planned;
      const now = this.replaced.get(placeKey(sheet, number));
      texts.push(now === undefined ? plannedText(row, this.language) : textOf(now));
      if (texts.length % TURN === 0) await others();
    }
    return texts;
  }

  private async chosen(query: TableQuery): Promise<readonly number[]> {
    const { offset: _, limit: __, ...rest } = query;
    const key = JSON.stringify(rest);
    if (this.latest?.key === key) return this.latest.places;
    const entries = await this.index();
    const wanted = wantedBy(query, this.replaced);
    const words = query.search.toLowerCase().split(/\s+/).filter(Boolean);
    const texts = words.length === 0 ? [] : await this.searched();
    const places: number[] = [];
    for (let at = 0; at < entries.length; at++)
      if (wanted(entries[at] as Entry) && words.every((word) => texts[at]?.includes(word))) places.push(at);
    sortPlaces(places, entries, query);
    this.latest = { key, places };
    return places;
  }
}

const placeKey = (sheet: string, row: number): string => `${row}\0${sheet}`;
/** Whether a query wants all rows in their own order. */
function isPlain({ status, work, replaced, sheet, search, issue, sort, descending }: TableQuery): boolean {
  const isAll = status.length === 0 && !work && !replaced && sheet === null && issue === null;
  return isAll && search.trim() === '' && sort === 'row' && !descending;
}

function wantedBy(
  { status, work, replaced: isReplaced, sheet, issue }: TableQuery,
  replaced: ReadonlyMap<string, RowDocument>,
): (entry: Entry) => boolean {
  const ofIssue = issue === null ? null : issueKey(issue.sheet, issue.code, issue.field);
  const of = new Set<string>(status);
  return (entry) =>
    (of.size === 0 || of.has(entry.status)) &&
    (!work || needsWork(entry.status)) &&
    (sheet === null || entry.sheet === sheet) &&
    (ofIssue === null || entry.issues.includes(ofIssue)) &&
    (!isReplaced || replaced.has(placeKey(entry.sheet, entry.row)));
}

/** Sorts places in file order where nothing else tells. */
function sortPlaces(
  places: number[],
  entries: readonly Entry[],
  { sort, descending }: Pick<TableQuery, 'sort' | 'descending'>,
): void {
  const way = descending ? -1 : 1;
  const at = (place: number): Entry => entries[place] as Entry;
  const words = new Intl.Collator('nl', { numeric: true });
  const compare: Readonly<Record<TableQuery['sort'], (one: Entry, other: Entry) => number>> = {
    row: () => 0,
    status: (one, other) => one.status.localeCompare(other.status),
    record: (one, other) => words.compare(one.record, other.record),
    changes: (one, other) => one.changes - other.changes,
  };
  const by = compare[sort];
  places.sort((one, other) => {
    const order = way * by(at(one), at(other));
    return order !== 0 ? order : sort === 'row' ? way * (one - other) : one - other;
  });
}

/** Lets others have their turn: a table of a million rows must not keep a page waiting. */
const others = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
