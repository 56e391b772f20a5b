import { createHash } from 'node:crypto';
import type { BigNumber } from 'bignumber.js';
import { decimalOf } from '../core/decimal.ts';
import type { Value } from '../core/value.ts';
import { type AnswerRecord, memberAt } from '../schema/answer.ts';
import type { FinanceDefinition, FinanceSheet } from '../schema/finance-definition.ts';
import {
  amountIn,
  bySheet,
  type ExportSnapshot,
  type PackedRecords,
  RECORD_SHEETS,
  type RecordContent,
  RecordPack,
  type RecordSheet,
  type RecordState,
  unpackRecords,
  VERSION,
} from './export-snapshot.ts';

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
  /** Of a changed record: the same members and sums with what they were and are. */
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
  readonly key: string;
  readonly was: RecordState | null;
  readonly is: RecordState | null;
}

/** The records of a sheet that differ. */
function differences(then: PackedRecords, now: PackedRecords): StatePair[] {
  const left = new Map<string, { was: RecordState[]; is: RecordState[] }>();
  const of = (key: string) => {
    const known = left.get(key) ?? { was: [], is: [] };
    left.set(key, known);
    return known;
  };
  for (const { key, state } of unpackRecords(then)) of(key).was.push(state);
  for (const { key, state } of unpackRecords(now)) {
    const { was, is } = of(key);
    const at = was.indexOf(state);
    if (at < 0) is.push(state);
    else was.splice(at, 1);
  }
  return [...left].flatMap(([key, { was, is }]) => {
    // Which is which of several nothing tells: they are paired by amount.
    const [before, after] = [was.sort(byAmount), is.sort(byAmount)];
    return Array.from({ length: Math.max(before.length, after.length) }, (_, at) => ({
      ...{ key, was: before[at] ?? null, is: after[at] ?? null },
    }));
  });
}

function byAmount(one: RecordState, two: RecordState): number {
  const [first, second] = [one, two].map((state) => decimalOf(amountIn(state)));
  return (first && second && first.comparedTo(second)) || (one < two ? -1 : 1);
}

/** What some records held, by key and state. */
function contentsOf(packed: PackedRecords, wanted: ReadonlySet<string>): Map<string, RecordContent> {
  const found = new Map<string, RecordContent>();
  if (wanted.size === 0) return found;
  for (const { key, state, content } of unpackRecords(packed))
    if (wanted.has(`${key}\t${state}`)) found.set(`${key}\t${state}`, JSON.parse(content));
  return found;
}

/** What became of some records of a sheet, with their names; `label`: the column that a record is called by. */
function described(
  { sheet, columns, label }: Pick<ChangedRecord, 'sheet' | 'columns'> & { readonly label: string | null },
  pairs: readonly StatePair[],
  then: PackedRecords,
  now: PackedRecords,
): ChangedRecord[] {
  const held = (when: 'was' | 'is', packed: PackedRecords) =>
    contentsOf(packed, new Set(pairs.map((pair) => `${pair.key}\t${pair[when]}`)));
  const [before, after] = [held('was', then), held('is', now)];
  return pairs.map(({ key, was, is }) => {
    const [old, own] = [before.get(`${key}\t${was}`), after.get(`${key}\t${is}`)];
    const changes = columns.flatMap((field, at) => {
      const [from, to] = [old?.[at], own?.[at]];
      // An id and its name stand in columns of their own.
      if (from === undefined || to === undefined || columns.indexOf(field) !== at) return [];
      return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ field, from, to }];
    });
    const at = label === null ? -1 : columns.indexOf(label);
    const name = own?.[at] ?? old?.[at];
    return {
      ...{ sheet, key, what: was === null ? 'added' : is === null ? 'removed' : 'changed' },
      columns: changes.map(({ field }) => field),
      ...(typeof name === 'string' && name !== '' && { label: name }),
      ...(was !== null && is !== null && { changes }),
      ...{ was: was && amountIn(was), now: is && amountIn(is) },
    };
  });
}

/** Collects the records of an export, for its hash, its snapshot and the changes since the last one. */
export class SnapshotBuilder {
  private readonly columns: ExportSnapshot['columns'];
  private readonly packs = bySheet(() => new RecordPack());
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
    this.packs[sheet].add(key, content, amount);
  }

  /** SHA-256 of all records in hexadecimal; their order and the language make no difference. */
  hash(): string {
    const made = createHash('sha256');
    for (const sheet of RECORD_SHEETS) {
      const records = Array.from(
        unpackRecords(this.packs[sheet].packed()),
        ({ key, state }) => `${key}\t${state}`,
      );
      for (const record of records.sort()) made.update(`${sheet}\t${record}\n`);
    }
    return made.digest('hex');
  }

  /** What changed since an earlier export; null where none is known, or it is of other columns. */
  changes(before: ExportSnapshot | undefined): FinanceChanges | null {
    if (before === undefined || JSON.stringify(before.columns) !== JSON.stringify(this.columns)) return null;
    const { at, file, hash, sums } = before;
    const counts = bySheet(() => ({ added: 0, removed: 0, changed: 0 }));
    const listed: ChangedRecord[] = [];
    for (const sheet of RECORD_SHEETS) {
      const [then, now] = [before.contents[sheet], this.packs[sheet].packed()];
      const pairs = differences(then, now);
      for (const { was, is } of pairs)
        counts[sheet][was === null ? 'added' : is === null ? 'removed' : 'changed']++;
      const first = pairs.slice(0, LISTED - listed.length);
      const about = { sheet, columns: this.columns[sheet], label: this.labels[sheet] };
      listed.push(...described(about, first, then, now));
    }
    return { since: { at, file, hash, sums }, counts, records: listed };
  }

  /** What the next export of the scope is compared with. */
  build(about: ExportMark): ExportSnapshot {
    const contents = bySheet((sheet) => this.packs[sheet].packed());
    return { version: VERSION, ...about, columns: this.columns, contents };
  }
}
