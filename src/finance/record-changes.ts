import { createHash } from 'node:crypto';
import type { BigNumber } from 'bignumber.js';
import { decimalOf } from '../core/decimal.ts';
import type { Value } from '../core/value.ts';
import { type AnswerRecord, memberAt } from '../schema/answer.ts';
import type { FinanceDefinition, FinanceSheet } from '../schema/finance-definition.ts';
import {
  amountIn,
  bySheet,
  digestOf,
  type ExportSnapshot,
  type PackedRecords,
  packRecords,
  RECORD_SHEETS,
  type RecordSheet,
  type RecordState,
  StateComparison,
  stateOf,
  unpackRecords,
} from './export-snapshot.ts';
import { ContentPack, FoundContents, type RecordContent } from './record-contents.ts';

/** A record that was added, removed or changed. */
export interface ChangedRecord {
  readonly sheet: RecordSheet;
  /** Its id; of an arrangement `event/arrangement`, which several records may share. */
  readonly key: string;
  readonly what: 'added' | 'removed' | 'changed';
  /** Of a changed record: the members and sums that differ. */
  readonly columns: readonly string[];
  /** What it is called, where that is known. */
  readonly label?: string;
  /** The same members and sums with what they were and are, where the last export kept that. */
  readonly changes?: readonly { readonly field: string; readonly from: Value; readonly to: Value }[];
  /** Its amounts, as decimals in full; null for none. */
  readonly was: string | null;
  readonly now: string | null;
}

/** What an export is told apart by later: when and where it was made, its fingerprint, and its sums. */
type ExportMark = Pick<ExportSnapshot, 'at' | 'file' | 'hash' | 'sums'>;

/** What changed since the last finance export of the same scope. */
export interface FinanceChanges {
  /** The export it is held against. */
  readonly since: ExportMark;
  /** Of each sheet, how many records were added, removed and changed. */
  readonly counts: Readonly<Record<RecordSheet, Readonly<Record<ChangedRecord['what'], number>>>>;
  /** The first of them. */
  readonly records: readonly ChangedRecord[];
}

/** Changed records listed, at most. */
const LISTED = 500;

const membersOf = ({ columns }: FinanceSheet): string[] =>
  columns.flatMap(({ member }) => (member === undefined ? [] : [member]));

/** The content by which a changed record is recognised: no names of ids, and no language. */
export const contentOf = (sheet: FinanceSheet, record: AnswerRecord): unknown[] =>
  membersOf(sheet).map((member) => memberAt(record, member.split('.')) ?? null);

/** A record's state then and now; null where it did not or does not exist. */
interface StatePair {
  readonly was: RecordState | null;
  readonly is: RecordState | null;
}

function* differences(
  then: PackedRecords,
  now: ReadonlyMap<string, string>,
  comparison: StateComparison,
): Generator<StatePair & { readonly key: string }> {
  const seen = new Set<string>();
  for (const [key, was] of unpackRecords(then)) {
    const is = now.get(key);
    seen.add(key);
    if (was === is) continue;
    for (const pair of pairs(was.split('\n'), is?.split('\n') ?? [], comparison)) yield { key, ...pair };
  }
  for (const [key, states] of now)
    if (!seen.has(key)) for (const is of states.split('\n')) yield { key, was: null, is };
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
  const [first, second] = [one, two].map((state) => decimalOf(amountIn(state)));
  return (first && second && first.comparedTo(second)) || (one < two ? -1 : 1);
}

/** A changed record with its states. */
interface ChangedPair extends ChangedRecord {
  readonly pair: StatePair & { readonly key: string };
}

/** A member of a record, by the columns that its export had; null where it has none. */
const valueIn = (
  columns: readonly string[],
  content: RecordContent | undefined,
  column: string | null,
): Value => (column === null ? null : (content?.[columns.indexOf(column)] ?? null));

/** Collects the records of an export, for its hash, its snapshot and the changes since the last one. */
export class SnapshotBuilder {
  private readonly columns: ExportSnapshot['columns'];
  /** By sheet and key, the state of a record, or a line for each of several. */
  private readonly records = bySheet(() => new Map<string, string>());
  private readonly contents = bySheet(() => new ContentPack());
  private readonly labels: Readonly<Record<RecordSheet, string | null>>;

  constructor(definition: FinanceDefinition) {
    const { events, lines, trips } = definition;
    this.labels = { events: events.label, lines: lines.label, trips: trips.label, mutations: null };
    this.columns = {
      events: [...membersOf(definition.events), 'arrangements', 'trips'],
      lines: membersOf(definition.lines),
      trips: membersOf(definition.trips),
      mutations: ['state', ...membersOf(definition.mutations)],
    };
  }

  /** Adds a record; `content` is in the order of the sheet's columns. Several records may share a key. */
  add(sheet: RecordSheet, key: string, content: readonly unknown[], amount: BigNumber | null): void {
    const [records, state] = [this.records[sheet], stateOf(content, amount)];
    this.contents[sheet].add(key, state, content);
    const known = records.get(key);
    records.set(key, known === undefined ? state : `${known}\n${state}`);
  }

  /** SHA-256 of all records in hexadecimal; their order and the language make no difference. */
  hash(): string {
    const made = createHash('sha256');
    for (const sheet of RECORD_SHEETS) {
      const records = this.records[sheet];
      for (const key of [...records.keys()].sort())
        for (const digest of (records.get(key) ?? '').split('\n').map(digestOf).sort())
          made.update(`${sheet}\t${key}\t${digest}\n`);
    }
    return made.digest('hex');
  }

  /** What changed since an earlier export; null where none is known. */
  changes(before: ExportSnapshot | undefined): FinanceChanges | null {
    if (before === undefined) return null;
    const { at, file, hash, sums } = before;
    const counts = bySheet(() => ({ added: 0, removed: 0, changed: 0 }));
    const listed: ChangedRecord[] = [];
    for (const sheet of RECORD_SHEETS) {
      const changed: ChangedPair[] = [];
      const comparison = new StateComparison(before.columns[sheet], this.columns[sheet]);
      const found = differences(before.records[sheet], this.records[sheet], comparison);
      for (const { key, was, is } of found) {
        const what = was === null ? 'added' : is === null ? 'removed' : 'changed';
        counts[sheet][what]++;
        if (listed.length + changed.length === LISTED) continue;
        const columns = was === null || is === null ? [] : comparison.columns(was, is);
        changed.push({
          ...{ pair: { key, was, is }, sheet, key, what, columns },
          ...{ was: was && amountIn(was), now: is && amountIn(is) },
        });
      }
      listed.push(...this.withContents(sheet, changed, before));
    }
    return { since: { at, file, hash, sums }, counts, records: listed };
  }

  /** The changed records of a sheet, with their names and what they held. */
  private withContents(
    sheet: RecordSheet,
    changed: readonly ChangedPair[],
    before: ExportSnapshot,
  ): ChangedRecord[] {
    const states = (when: 'was' | 'is'): [string, RecordState][] =>
      changed.flatMap(({ pair }) => (pair[when] === null ? [] : [[pair.key, pair[when]]]));
    const then = new FoundContents(before.contents?.[sheet], states('was'));
    const now = new FoundContents(this.contents[sheet].packed(), states('is'));
    const [old, own] = [before.columns[sheet], this.columns[sheet]];
    return changed.map(({ pair: { key, was, is }, ...record }) => {
      const held = was === null ? undefined : then.find(key, was);
      const holds = is === null ? undefined : now.find(key, is);
      const label = valueIn(own, holds, this.labels[sheet]) ?? valueIn(old, held, this.labels[sheet]);
      const changes =
        held === undefined || holds === undefined
          ? undefined
          : record.columns.map((field) => ({
              ...{ field, from: valueIn(old, held, field), to: valueIn(own, holds, field) },
            }));
      return {
        ...record,
        ...(typeof label === 'string' && label !== '' && { label }),
        ...(changes !== undefined && { changes }),
      };
    });
  }

  /** What the next export of the scope is compared with. */
  build(about: ExportMark): ExportSnapshot {
    const records = bySheet((sheet) => packRecords(this.records[sheet]));
    const contents = bySheet((sheet) => this.contents[sheet].packed());
    return { version: 2, ...about, columns: this.columns, records, contents };
  }
}
