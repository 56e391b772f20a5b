import { createHash } from 'node:crypto';
import type { Decimal } from './decimal.ts';
import {
  amountIn,
  type PackedRecords,
  packRecords,
  RECORD_SHEETS,
  type RecordSheet,
  type RecordState,
  type RecordStates,
  type RememberedExport,
  StateComparison,
  sealOf,
  stateOf,
  unpackRecords,
} from './remembered-export.ts';

/** One record that is not as it was. */
export interface ChangedRecord {
  readonly sheet: RecordSheet;
  /** Its number; an arrangement's after that of its event. Records of one number are told apart by what they say. */
  readonly key: string;
  readonly what: 'added' | 'removed' | 'changed';
  /** Of a changed one: the members that say something else, and what is worked out of other records; none where that is not known. */
  readonly columns: readonly string[];
  readonly was: Decimal | null;
  readonly now: Decimal | null;
}

/** What is different from the last finance export of the same days. */
export interface FinanceChanges {
  readonly since: Pick<RememberedExport, 'at' | 'file' | 'hash' | 'sums'>;
  readonly counts: Readonly<Record<RecordSheet, Readonly<Record<ChangedRecord['what'], number>>>>;
  /** The first of them. */
  readonly listed: readonly ChangedRecord[];
}

/** What is known of the records of an export. */
interface CurrentRecords {
  readonly columns: RememberedExport['columns'];
  readonly records: Readonly<Record<RecordSheet, ReadonlyMap<string, RecordStates>>>;
}

/** So many records are named. */
const LISTED = 500;

/** What became of the records of an earlier export. */
function changesSince(before: RememberedExport, now: CurrentRecords): FinanceChanges {
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

/** What a record was and is; null where it was or is not there. */
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

/** The records of one number that are not as they were: of those that are nobody knows which is which, so that amounts tell. */
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

/** Follows the records of an export: what they are, and what became of those of the last one. */
export class RecordTrail {
  private readonly columns: RememberedExport['columns'];
  private readonly records: Record<RecordSheet, Map<string, RecordStates>> = {
    ...{ events: new Map(), lines: new Map(), trips: new Map(), mutations: new Map() },
  };

  /** With what the content of a sheet's records is of, in order. */
  constructor(columns: RememberedExport['columns']) {
    this.columns = columns;
  }

  /** `content` is what the record says, column by column, and `amount` what it comes to. Several records may have one key. */
  add(sheet: RecordSheet, key: string, content: readonly unknown[], amount: Decimal | null): void {
    const [records, state] = [this.records[sheet], stateOf(content, amount)];
    const known = records.get(key);
    if (known === undefined) records.set(key, state);
    else if (typeof known === 'string') records.set(key, [known, state]);
    else known.push(state);
  }

  /** Of all records, whatever their order and the language of the workbook, in hexadecimals (SHA-256). */
  hash(): string {
    const made = createHash('sha256');
    for (const sheet of RECORD_SHEETS) {
      const records = this.records[sheet];
      for (const key of [...records.keys()].sort())
        for (const seal of [records.get(key) ?? []].flat().map(sealOf).sort())
          made.update(`${sheet}\t${key}\t${seal}\n`);
    }
    return made.digest('hex');
  }

  /** What became of the records of an earlier export; null where none is known. */
  changes(before: RememberedExport | undefined): FinanceChanges | null {
    const { columns, records } = this;
    return before === undefined ? null : changesSince(before, { columns, records });
  }

  /** What the next export is to be compared with. */
  held(about: Pick<RememberedExport, 'at' | 'file' | 'hash' | 'sums'>): RememberedExport {
    const entries = RECORD_SHEETS.map((sheet) => [sheet, packRecords(this.records[sheet])]);
    const records = Object.fromEntries(entries) as RememberedExport['records'];
    return { version: 2, ...about, columns: this.columns, records };
  }
}
