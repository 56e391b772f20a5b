import { createHash } from 'node:crypto';
import type { Decimal } from './decimal.ts';
import {
  amountIn,
  digestOf,
  type ExportSnapshot,
  type PackedRecords,
  packRecords,
  RECORD_SHEETS,
  type RecordSheet,
  type RecordState,
  type RecordStates,
  StateComparison,
  stateOf,
  unpackRecords,
} from './export-snapshot.ts';

/** A record that was added, removed or changed. */
export interface ChangedRecord {
  readonly sheet: RecordSheet;
  /** Its id; of an arrangement `event/arrangement`, which several records may share. */
  readonly key: string;
  readonly what: 'added' | 'removed' | 'changed';
  /** Of a changed record: the members and sums that differ. */
  readonly columns: readonly string[];
  readonly was: Decimal | null;
  readonly now: Decimal | null;
}

/** What changed since the last finance export of the same scope. */
export interface FinanceChanges {
  readonly since: Pick<ExportSnapshot, 'at' | 'file' | 'hash' | 'sums'>;
  readonly counts: Readonly<Record<RecordSheet, Readonly<Record<ChangedRecord['what'], number>>>>;
  /** The first changed records. */
  readonly listed: readonly ChangedRecord[];
}

interface CurrentRecords {
  readonly columns: ExportSnapshot['columns'];
  readonly records: Readonly<Record<RecordSheet, ReadonlyMap<string, RecordStates>>>;
}

/** Changed records listed, at most. */
const LISTED = 500;

function changesSince(before: ExportSnapshot, now: CurrentRecords): FinanceChanges {
  const { at, file, hash, sums } = before;
  const counts = Object.fromEntries(
    RECORD_SHEETS.map((sheet) => [sheet, { added: 0, removed: 0, changed: 0 }]),
  ) as Record<RecordSheet, Record<ChangedRecord['what'], number>>;
  const listed: ChangedRecord[] = [];
  for (const sheet of RECORD_SHEETS) {
    const comparison = new StateComparison(before.columns[sheet], now.columns[sheet]);
    for (const { key, was, is } of differences(before.records[sheet], now.records[sheet], comparison)) {
      const what = was === null ? 'added' : is === null ? 'removed' : 'changed';
      counts[sheet][what]++;
      if (listed.length === LISTED) continue;
      const columns = was === null || is === null ? [] : comparison.columns(was, is);
      listed.push({ ...{ sheet, key, what, columns }, was: amountOf(was), now: amountOf(is) });
    }
  }
  return { since: { at, file, hash, sums }, counts, listed };
}

const amountOf = (state: RecordState | null): Decimal | null => (state === null ? null : amountIn(state));

/** A record's state then and now; null where it did not or does not exist. */
interface StatePair {
  readonly was: RecordState | null;
  readonly is: RecordState | null;
}

function* differences(
  then: PackedRecords,
  now: ReadonlyMap<string, RecordStates>,
  comparison: StateComparison,
): Generator<StatePair & { readonly key: string }> {
  const seen = new Set<string>();
  for (const [key, was] of unpackRecords(then)) {
    const is = now.get(key) ?? [];
    seen.add(key);
    if (was === is) continue;
    for (const pair of pairs([was].flat(), [is].flat(), comparison)) yield { key, ...pair };
  }
  for (const [key, is] of now)
    if (!seen.has(key)) for (const one of [is].flat()) yield { key, was: null, is: one };
}

/** The changed records of one key; which is which nothing tells, so they are paired by amount. */
function pairs(
  then: readonly RecordState[],
  now: readonly RecordState[],
  comparison: StateComparison,
): StatePair[] {
  const left = new Map<string, RecordState[]>();
  for (const state of then) {
    const identity = comparison.identity(state, 'then');
    left.set(identity, [...(left.get(identity) ?? []), state]);
  }
  const others = now.filter((state) => left.get(comparison.identity(state, 'now'))?.pop() === undefined);
  const [was, is] = [[...left.values()].flat().sort(byAmount), others.sort(byAmount)];
  return Array.from({ length: Math.max(was.length, is.length) }, (_, at) => ({
    ...{ was: was[at] ?? null, is: is[at] ?? null },
  }));
}

function byAmount(one: RecordState, two: RecordState): number {
  const [first, second] = [amountIn(one), amountIn(two)];
  const order = first === null || second === null ? 0 : first.compare(second);
  return order || (one < two ? -1 : 1);
}

/** Collects the records of an export, for its hash, its snapshot and the changes since the last one. */
export class SnapshotBuilder {
  private readonly columns: ExportSnapshot['columns'];
  private readonly records: Record<RecordSheet, Map<string, RecordStates>> = {
    ...{ events: new Map(), lines: new Map(), trips: new Map(), mutations: new Map() },
  };

  constructor(columns: ExportSnapshot['columns']) {
    this.columns = columns;
  }

  /** Adds a record; `content` is in the order of the sheet's columns. Several records may share a key. */
  add(sheet: RecordSheet, key: string, content: readonly unknown[], amount: Decimal | null): void {
    const [records, state] = [this.records[sheet], stateOf(content, amount)];
    const known = records.get(key);
    if (known === undefined) records.set(key, state);
    else if (typeof known === 'string') records.set(key, [known, state]);
    else known.push(state);
  }

  /** SHA-256 of all records in hexadecimal; their order and the language make no difference. */
  hash(): string {
    const made = createHash('sha256');
    for (const sheet of RECORD_SHEETS) {
      const records = this.records[sheet];
      for (const key of [...records.keys()].sort())
        for (const digest of [records.get(key) ?? []].flat().map(digestOf).sort())
          made.update(`${sheet}\t${key}\t${digest}\n`);
    }
    return made.digest('hex');
  }

  /** What changed since an earlier export; null where none is known. */
  changes(before: ExportSnapshot | undefined): FinanceChanges | null {
    const { columns, records } = this;
    return before === undefined ? null : changesSince(before, { columns, records });
  }

  /** What the next export of the scope is compared with. */
  build(about: Pick<ExportSnapshot, 'at' | 'file' | 'hash' | 'sums'>): ExportSnapshot {
    const entries = RECORD_SHEETS.map((sheet) => [sheet, packRecords(this.records[sheet])]);
    const records = Object.fromEntries(entries) as ExportSnapshot['records'];
    return { version: 2, ...about, columns: this.columns, records };
  }
}
