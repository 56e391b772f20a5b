import type { Exact } from './exact.ts';
import { type KeptRecords, type PackedRecords, recordsIn } from './kept-records.ts';
import { amountIn, type RecordState, StateComparison } from './record-state.ts';
import { RECORD_SHEETS, type RecordSheet, type Remembered } from './remembered.ts';

/** One record that is not as it was. */
export interface Changed {
  readonly sheet: RecordSheet;
  /** Its number; an arrangement's after that of its event. Records of one number are told apart by what they say. */
  readonly key: string;
  readonly what: 'added' | 'removed' | 'changed';
  /** Of a changed one: the members that say something else, and what is worked out of other records; none where that is not known. */
  readonly columns: readonly string[];
  readonly was: Exact | null;
  readonly now: Exact | null;
}

/** What is different from the last finance export of the same days. */
export interface FinanceChanges {
  readonly since: Pick<Remembered, 'at' | 'file' | 'hash' | 'sums'>;
  readonly counts: Readonly<Record<RecordSheet, Readonly<Record<Changed['what'], number>>>>;
  /** The first of them. */
  readonly listed: readonly Changed[];
}

/** What is known of the records of an export. */
export interface Known {
  readonly columns: Remembered['columns'];
  readonly records: Readonly<Record<RecordSheet, ReadonlyMap<string, KeptRecords>>>;
}

/** So many records are named. */
const LISTED = 500;

/** What became of the records of an earlier export. */
export function changesSince(before: Remembered, now: Known): FinanceChanges {
  const { at, file, hash, sums } = before;
  const counts = Object.fromEntries(
    RECORD_SHEETS.map((sheet) => [sheet, { added: 0, removed: 0, changed: 0 }]),
  ) as Record<RecordSheet, Record<Changed['what'], number>>;
  const listed: Changed[] = [];
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

const amountOf = (state: RecordState | null): Exact | null => (state === null ? null : amountIn(state));

/** What a record was and is; null where it was or is not there. */
interface Pair {
  readonly was: RecordState | null;
  readonly is: RecordState | null;
}

function* differences(
  then: PackedRecords,
  now: ReadonlyMap<string, KeptRecords>,
  comparison: StateComparison,
): Generator<Pair & { readonly key: string }> {
  const seen = new Set<string>();
  for (const [key, was] of recordsIn(then)) {
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
): Pair[] {
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
