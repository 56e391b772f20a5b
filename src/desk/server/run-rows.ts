import { rowDocument } from '../../api/make-documents.ts';
import { addressColumn } from '../../core/cell.ts';
import { type Counts, noCounts } from '../../core/counts.ts';
import { causeOf, type Issue } from '../../core/issue.ts';
import { type Language, onPage } from '../../core/language.ts';
import type { PlannedRow, ShownStatus } from '../../core/plan.ts';
import { isMade, issuesOf, keyText, messageText, needsWork, statusText } from '../../core/row-text.ts';
import { countOf } from '../../import/apply/apply-plan.ts';
import { pagesNow, rowNow } from '../../import/apply/outcomes.ts';
import type { Corrected } from '../../import/plan/saved-plan.ts';
import { hashOf } from '../../ledger/hash-index.ts';
import type { Ledger, StoredResult } from '../../ledger/ledger.ts';
import type { TableRow } from '../contract/answers.ts';
import { type Decision, type RowsWish, rowsWish } from '../contract/asked.ts';

/** Where a row stands in the user's file. */
export interface Place {
  readonly sheet: string;
  readonly row: number;
}

/** Names a place. */
export const placeKey = ({ sheet, row }: Place): string => `${row}\0${sheet}`;

/** A problem of a row, as far as rows are chosen and counted by it. */
interface EntryIssue {
  readonly code: string;
  readonly field: string | null;
  readonly severity: 'error' | 'warning';
  /** What tells it apart from others of its code; see `causeSign`. */
  readonly cause: string;
  /** The column of its cell, from 1; null where it is of no cell. */
  readonly column: number | null;
  readonly found: string;
}

/** What is kept of each row, so that all of them can be chosen from and sorted. */
interface Entry extends Place {
  readonly seq: number;
  readonly status: ShownStatus;
  readonly count: ReturnType<typeof countOf>;
  readonly changes: number;
  /** What it is about. */
  readonly record: string;
  /** The record that it is on, and others may be. */
  readonly key: string | null;
  readonly issues: readonly EntryIssue[];
  /** All that is shown of it, in lower case, once somebody searched. */
  text?: string;
}

/** A run, and how its rows are shown. */
interface RunToShow {
  readonly ledger: Ledger;
  readonly run: string;
  readonly language: Language;
  /** Nothing of the run was sent, and its rows show what would become of them. */
  readonly dryRun: boolean;
  /** A program sends it just now. */
  readonly busy: boolean;
  /** Rows of it were removed. */
  readonly pruned: boolean;
}

/** What was done to rows on the page, by their places. */
interface DoneTo {
  readonly corrected: ReadonlySet<string>;
  readonly decided: ReadonlyMap<string, Decision>;
}

/** What was done to the rows of a file on its way. */
export const doneTo = ({ corrections, decisions }: Corrected): DoneTo => ({
  corrected: new Set(corrections.map(placeKey)),
  decided: new Map(decisions.map((one) => [placeKey(one), one.decide])),
});

/** What tells an issue's cause apart, as a sign: its words are for nobody to read. */
export function causeSign(issue: Issue): string {
  const cause = causeOf(issue);
  return cause === '' ? '' : hashOf(cause).toString(36);
}

/** The record that a planned row is on, of all kinds; null for none. */
export const recordKey = ({ resource, key }: PlannedRow): string | null =>
  key === null ? null : `${resource}\n${key}`;

/** The wish for all rows in their own order. */
const ALL = JSON.stringify(rowsWish.parse({}));

/**
 * The rows of a run, to filter, search, sort and page through, in the order of the plan, as they were when it was
 * first asked for them: one pass over the ledger tells what they are chosen by. All rows in their own order need
 * none.
 */
export class RunRows {
  /** As it is by now: whoever looks says so. */
  done: DoneTo = { corrected: new Set(), decided: new Map() };
  private readonly shown: RunToShow;
  private readonly index = lazily(() => this.readIndex());
  /** What is shown of each row: made when somebody searches, as it takes most of the time. */
  private readonly texts = lazily(() => this.readTexts());
  private latest: { readonly key: string; readonly entries: readonly Entry[] } | undefined;

  constructor(shown: RunToShow) {
    this.shown = shown;
  }

  /** A part of the rows that are wanted, and how many those are; `all`: how many rows the run has. */
  async page(
    wish: RowsWish,
    { offset, limit }: { readonly offset: number; readonly limit: number },
    all: number,
  ): Promise<{ total: number; rows: readonly TableRow[] }> {
    if (JSON.stringify(wish) === ALL && !this.shown.pruned)
      return { total: all, rows: (await this.read(offset, limit)).map(this.documentOf) };
    const wanted = await this.wanted(wish);
    const rows = await Promise.all(
      wanted.slice(offset, offset + limit).map(async ({ seq }) => await this.read(seq, 1)),
    );
    return { total: wanted.length, rows: rows.flat().map(this.documentOf) };
  }

  /**
   * Of the rows that are wanted the place of the next one that needs work after another, or before it (`back`); at
   * the end it goes on at the other. Null where there is none. What was decided needs none.
   */
  async next(
    wish: RowsWish,
    { from, back }: { readonly from: number; readonly back: boolean },
  ): Promise<number | null> {
    const wanted = await this.wanted(wish);
    const { length } = wanted;
    for (let step = 1; step <= length; step++) {
      const at = (from + (back ? -step : step) + 2 * length) % length;
      const entry = wanted[at] as Entry;
      if (needsWork(entry.status) && !this.done.decided.has(placeKey(entry))) return at;
    }
    return null;
  }

  /** What is known of all rows, in their order. */
  async entries(): Promise<readonly Entry[]> {
    return (await this.index()).entries;
  }

  /** What is known of a row; undefined for none. */
  async entry(place: Place): Promise<Entry | undefined> {
    const { entries, places } = await this.index();
    return entries[places.get(placeKey(place)) ?? -1];
  }

  /** A row with all that the ledger knows of it; undefined for none. */
  async find(place: Place): Promise<StoredResult | undefined> {
    const entry = await this.entry(place);
    return entry && (await this.read(entry.seq, 1))[0];
  }

  /** A row as it is shown. */
  readonly documentOf = (row: StoredResult): TableRow => {
    const key = placeKey(row.planned);
    return {
      ...rowDocument(row, this.shown.dryRun, this.shown.language, onPage),
      corrected: this.done.corrected.has(key),
      decided: this.done.decided.get(key) ?? null,
    };
  };

  /** Takes rows that replaced those of a plan in the ledger. */
  async take(rows: readonly PlannedRow[]): Promise<void> {
    const { entries } = await this.index();
    for (const planned of rows) {
      const row = { planned, outcome: null, progress: null };
      entries[planned.seq] = { ...this.entryOf(row), text: textOf(row, this.shown.language) };
    }
    this.latest = undefined;
  }

  /** The counts of all rows as they are now, or of those of one sheet. */
  async counts(sheet?: string): Promise<Counts> {
    const counts = noCounts();
    for (const entry of await this.entries()) {
      if (sheet !== undefined && entry.sheet !== sheet) continue;
      counts.read++;
      counts[entry.count]++;
    }
    return counts;
  }

  private async read(seq: number, limit: number): Promise<StoredResult[]> {
    const { ledger, run, busy } = this.shown;
    return (await ledger.readRows(run, { after: seq - 1, limit })).map((row) => rowNow(run, row, busy));
  }

  /** Does something with each row, in their order; others have their turn meanwhile. */
  private async each(work: (row: StoredResult, at: number) => void): Promise<void> {
    let at = 0;
    for await (const rows of pagesNow(this.shown.ledger, this.shown.run, { busy: this.shown.busy })) {
      for (const row of rows) work(row, at++);
      // A table of a million rows must not keep a page waiting.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  private async readIndex() {
    const entries: Entry[] = [];
    const places = new Map<string, number>();
    await this.each((row, at) => {
      places.set(placeKey(row.planned), at);
      entries.push(this.entryOf(row));
    });
    return { entries, places };
  }

  private async readTexts(): Promise<void> {
    const entries = await this.entries();
    await this.each((row, at) => {
      const entry = entries[at];
      if (entry !== undefined) entry.text = textOf(row, this.shown.language);
    });
  }

  private entryOf(row: StoredResult): Entry {
    const { planned } = row;
    const { seq, sheet, steps, changes } = planned;
    const { dryRun } = this.shown;
    return {
      ...{ seq, sheet, row: planned.row, status: statusText(row, dryRun), count: countOf(row, dryRun) },
      changes: isMade(planned) ? Object.keys(steps[0]?.body ?? {}).length : changes.length,
      ...{ record: planned.about?.label ?? keyText(planned), key: recordKey(planned) },
      issues: issuesOf(row).map((issue) => {
        const { code, field, severity, address, found } = issue;
        const column = address === null ? null : addressColumn(address);
        return { code, field, severity, column, cause: causeSign(issue), found };
      }),
    };
  }

  private async wanted(wish: RowsWish): Promise<readonly Entry[]> {
    const key = JSON.stringify(wish);
    if (this.latest?.key === key) return this.latest.entries;
    const words = wish.search.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length > 0) await this.texts();
    const chosen = (await this.entries()).filter(chosenBy(wish, this.done));
    const withAll = (parts: readonly string[]) =>
      chosen.filter(({ text }) => parts.every((part) => text?.includes(part)));
    // Words beside each other are meant so where any row has them so.
    const together = withAll(words.length === 0 ? [] : [words.join(' ')]);
    const entries = together.length > 0 ? together : withAll(words);
    this.latest = { key, entries: sorted(entries, wish) };
    return this.latest.entries;
  }
}

/** Tells whether a row is among those wanted, but for its words. */
const chosenBy =
  ({ status, work, warned, replaced, sheet, issue }: RowsWish, { corrected, decided }: DoneTo) =>
  (entry: Entry): boolean =>
    (status.length === 0 || status.includes(entry.status)) &&
    (!work || needsWork(entry.status)) &&
    (!warned || entry.issues.some(({ severity }) => severity === 'warning')) &&
    (!replaced || corrected.has(placeKey(entry)) || decided.has(placeKey(entry))) &&
    (sheet === null || entry.sheet === sheet) &&
    (issue === null ||
      (entry.sheet === issue.sheet &&
        entry.issues.some(
          ({ code, field, cause }) =>
            code === issue.code && field === issue.field && (issue.cause ?? cause) === cause,
        )));

const words = new Intl.Collator('nl', { numeric: true });
/** The order of rows; that of the file where nothing else tells. */
const ORDERS: Readonly<Record<RowsWish['sort'], (one: Entry, other: Entry) => number>> = {
  row: (one, other) => one.seq - other.seq,
  status: (one, other) => one.status.localeCompare(other.status),
  record: (one, other) => words.compare(one.record, other.record),
  changes: (one, other) => one.changes - other.changes,
};

function sorted(entries: readonly Entry[], { sort, descending }: RowsWish): readonly Entry[] {
  const by = ORDERS[sort];
  return entries.toSorted(descending ? (one, other) => by(other, one) : by);
}

/** All that is shown of a row, in lower case. */
function textOf(row: StoredResult, language: Language): string {
  const { planned, outcome } = row;
  const { about, names = [], changes, steps } = planned;
  const told = isMade(planned)
    ? steps.flatMap(({ body }) => Object.values(body).filter((value) => typeof value !== 'object'))
    : changes.flatMap(({ from, to }) => [from, to]);
  const parts = [
    ...[
      planned.sheet,
      planned.row,
      about?.label,
      ...Object.entries(about?.key ?? {}).map((of) => of.join(' ')),
    ],
    ...[outcome?.id ?? planned.id, ...told, ...names.map(([, , name]) => name)],
    messageText(row, language, onPage),
  ];
  return parts.join('\n').toLowerCase();
}

/** Runs that are kept: the one on the page, and a few that it goes back to. */
const MOST_KEPT = 4;
/** How long what was read of a run that is being sent is new, ms; longer where it takes longer to read. */
const FRESH = 1000;

/** The rows of the runs that were looked at last. */
export class LookedAt {
  private readonly kept = new Map<string, { until: number; readonly rows: RunRows }>();

  /** The rows of a run; `counts`: those of a run that changes no more by itself, null while it may. */
  async rowsOf(shown: RunToShow, counts: Counts | null): Promise<RunRows> {
    const key = JSON.stringify([{ ...shown, ledger: null }, counts]);
    const known = this.kept.get(key);
    const isNew = known !== undefined && performance.now() < known.until;
    const now = isNew ? known : { until: Number.POSITIVE_INFINITY, rows: new RunRows(shown) };
    this.kept.delete(key);
    this.kept.set(key, now);
    if (this.kept.size > MOST_KEPT) this.kept.delete(this.kept.keys().next().value as string);
    if (isNew || counts !== null) return now.rows;
    const began = performance.now();
    await now.rows.counts().finally(() => {
      const read = performance.now();
      now.until = read + FRESH + 10 * (read - began);
    });
    return now.rows;
  }

  /** Forgets all of them: they were read by other settings. */
  drop(): void {
    this.kept.clear();
  }
}

/** What is made once it is asked for; after a failure it is made anew. */
export function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
