import { createHash, hash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { BigNumber } from 'bignumber.js';
import type { Value } from '../core/value.ts';
import type { Days } from '../records/listing.ts';
import type { Context } from '../run/context.ts';
import { type AnswerRecord, memberAt } from '../schema/answer.ts';
import type { FinanceDefinition } from '../schema/finance-definition.ts';

/** The sheets of records. */
export const RECORD_SHEETS = ['events', 'lines', 'trips', 'mutations'] as const;
/** One of `RECORD_SHEETS`. */
type RecordSheet = (typeof RECORD_SHEETS)[number];

/** A sheet with a table: of records, or of the bookings that follow from them. */
export type TableSheet = RecordSheet | 'bookings';

/** Something of each sheet of records, made in their order. */
export const bySheet = <T>(of: (sheet: RecordSheet) => T): Record<RecordSheet, T> =>
  Object.fromEntries(RECORD_SHEETS.map((sheet) => [sheet, of(sheet)])) as Record<RecordSheet, T>;

/** The days of a finance export, and whether of all events or only the definitive ones. */
export interface FinanceScope extends Days {
  readonly all: boolean;
}

/** What an export is told apart by later. */
interface ExportMark {
  /** When it was made: wall clock, `YYYY-MM-DD hh:mm:ss`. */
  readonly at: string;
  /** The workbook’s path. */
  readonly file: string;
  /** SHA-256 of the records, in hexadecimal. */
  readonly hash: string;
  /** Its sums, as decimals in full. */
  readonly sums: Readonly<
    Record<'revenue' | 'arrangements' | 'tripPrices' | 'tripCosts' | 'distance', string>
  >;
}

/** A record that was added, removed or changed. */
interface ChangedRecord {
  readonly sheet: RecordSheet;
  /** Its id; of an arrangement `event/arrangement`, which several records may share. */
  readonly key: string;
  readonly what: 'added' | 'removed' | 'changed';
  /** What it is called, where that is known. */
  readonly label?: string;
  /** The members and sums that differ, with what they were and are; none of one that was added or removed. */
  readonly changes: readonly { readonly field: string; readonly from: Value; readonly to: Value }[];
  /** Its amounts, as decimals in full; null for none. */
  readonly was: string | null;
  readonly now: string | null;
}

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

/** Lines of a chunk, and characters of the digest that each begins with. */
const [LINES, DIGEST] = [4000, 12];

/**
 * Records as the ledger keeps them, in chunks so that they are never all in memory as text: a line of digest,
 * key, amount and content for each, parted by tabs; deflated, in base64.
 */
function recordPack() {
  const chunks: string[] = [];
  const lines: string[] = [];

  function add(line: string): void {
    const digest = hash('sha256', line, 'base64url').slice(0, DIGEST);
    if (lines.push(`${digest}\t${line}`) === LINES) end();
  }

  function end(): void {
    if (lines.length === 0) return;
    chunks.push(deflateRawSync(lines.splice(0).join('\n')).toString('base64'));
  }

  return { chunks, add, end };
}

type PackedRecord = readonly [digest: string, key: string, amount: string, content: string];

function* recordsIn(chunks: readonly string[]): Generator<PackedRecord> {
  for (const chunk of chunks)
    for (const line of inflateRawSync(Buffer.from(chunk, 'base64')).toString().split('\n'))
      yield line.split('\t') as unknown as PackedRecord;
}

/** What a record was and is, where that differs; undefined where it did not or does not exist. */
interface RecordPair {
  readonly key: string;
  readonly was: PackedRecord | undefined;
  readonly is: PackedRecord | undefined;
}

/** The records of a sheet that differ. */
function differences(then: readonly string[], now: readonly string[]): RecordPair[] {
  const sides = [['was', then, 1] as const, ['is', now, -1] as const];
  /** How many more of a digest there were than there are. */
  const more = new Map<string, number>();
  for (const [, chunks, by] of sides)
    for (const [digest] of recordsIn(chunks)) more.set(digest, (more.get(digest) ?? 0) + by);
  const found = new Map<string, Record<'was' | 'is', PackedRecord[]>>();
  for (const [side, chunks, by] of sides)
    for (const record of recordsIn(chunks)) {
      const [digest, key] = record;
      const left = more.get(digest) ?? 0;
      if (left * by <= 0) continue;
      more.set(digest, left - by);
      const pair = found.get(key) ?? { was: [], is: [] };
      found.set(key, pair);
      pair[side].push(record);
    }
  return [...found].flatMap(([key, { was, is }]) => {
    // Which is which of several nothing tells: they are paired by amount.
    const [before, after] = [was.sort(byAmount), is.sort(byAmount)];
    const both = Array.from({ length: Math.max(was.length, is.length) });
    return both.map((_, at) => ({ key, was: before[at], is: after[at] }));
  });
}

const byAmount = ([, , one]: PackedRecord, [, , two]: PackedRecord): number => Number(one) - Number(two);

/** Of what is kept: another one is not held against. */
const VERSION = 4;

/** What a finance export held, as plain data in the ledger. */
interface ExportSnapshot extends ExportMark {
  readonly version: number;
  /** By sheet, what the values of its records are. */
  readonly columns: Readonly<Record<RecordSheet, readonly string[]>>;
  readonly contents: Readonly<Record<RecordSheet, readonly string[]>>;
}

const factName = ({ from, to, all }: FinanceScope): string =>
  `finance export ${from} ${to} ${all ? 'all' : 'definitive'}`;

/** What belongs to the content of a record beside its members. */
const BESIDE: Readonly<Record<RecordSheet, readonly string[]>> = {
  events: ['arrangements', 'trips'],
  lines: [],
  trips: [],
  mutations: ['state'],
};

/** Collects the records of an export, for its hash, and for what changed since the last one. */
export function exportedRecords(definition: FinanceDefinition) {
  const { events, lines, trips } = definition;
  const columns: ExportSnapshot['columns'] = bySheet((sheet) => [
    ...definition[sheet].columns.flatMap(({ member }) => member ?? []),
    ...BESIDE[sheet],
  ]);
  const labels: Readonly<Record<RecordSheet, string | null>> = {
    events: events.label,
    lines: lines.label,
    trips: trips.label,
    mutations: null,
  };
  const packs = bySheet(() => recordPack());

  /** Adds a record; several may share a key. `beside`: what belongs to it and is no member. */
  function add(
    sheet: RecordSheet,
    key: string,
    of: AnswerRecord,
    amount: BigNumber | null,
    ...beside: Value[]
  ): void {
    // No names of ids, and no language.
    const members = columns[sheet].slice(0, -beside.length || undefined);
    const content = [...members.map((member) => memberAt(of, member.split('.')) ?? null), ...beside];
    packs[sheet].add(`${key}\t${amount?.toFixed() ?? ''}\t${JSON.stringify(content)}`);
  }

  /** SHA-256 of all records in hexadecimal; their order and the language make no difference. */
  function hash(): string {
    const made = createHash('sha256');
    for (const sheet of RECORD_SHEETS) {
      const digests = Array.from(recordsIn(packed(sheet)), ([digest]) => digest);
      made.update(`${sheet} ${digests.sort().join('')}\n`);
    }
    return made.digest('hex');
  }

  /** What changed since the last export of a scope; null where none is known, or it is of other columns. */
  async function changes(
    { ledger, serviceKey }: Context,
    scope: FinanceScope,
  ): Promise<FinanceChanges | null> {
    const fact = await ledger.findFact(serviceKey, factName(scope));
    if (fact === undefined) return null;
    const { version, columns: then, contents, at, file, hash, sums } = JSON.parse(fact) as ExportSnapshot;
    if (version !== VERSION || JSON.stringify(then) !== JSON.stringify(columns)) return null;
    const counts = bySheet(() => ({ added: 0, removed: 0, changed: 0 }));
    const records: ChangedRecord[] = [];
    for (const sheet of RECORD_SHEETS)
      for (const pair of differences(contents[sheet], packed(sheet))) {
        const what = pair.was === undefined ? 'added' : pair.is === undefined ? 'removed' : 'changed';
        counts[sheet][what]++;
        if (records.length < LISTED) records.push({ ...{ sheet, what }, ...described(sheet, pair) });
      }
    return { since: { at, file, hash, sums }, counts, records };
  }

  function described(
    sheet: RecordSheet,
    { key, was, is }: RecordPair,
  ): Omit<ChangedRecord, 'sheet' | 'what'> {
    const fields = columns[sheet];
    const [old, own] = [was, is].map((one): readonly Value[] =>
      one === undefined ? [] : JSON.parse(one[3]),
    );
    const changes = fields.flatMap((field, at) => {
      const [from, to] = [old?.[at], own?.[at]];
      // An id and its name stand in columns of their own.
      if (from === undefined || to === undefined || fields.indexOf(field) !== at) return [];
      return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ field, from, to }];
    });
    const at = fields.indexOf(labels[sheet] ?? '');
    const name = own?.[at] ?? old?.[at];
    return {
      ...{ key, changes, was: was?.[2] || null, now: is?.[2] || null },
      ...(typeof name === 'string' && name !== '' && { label: name }),
    };
  }

  /** Saves what the export held, once its file is in place: the next one of the scope is compared with it. */
  async function save({ ledger, serviceKey }: Context, scope: FinanceScope, mark: ExportMark): Promise<void> {
    const contents = bySheet((sheet) => packed(sheet));
    const held: ExportSnapshot = { version: VERSION, ...mark, columns, contents };
    await ledger.rememberFact(serviceKey, factName(scope), JSON.stringify(held));
  }

  function packed(sheet: RecordSheet): readonly string[] {
    packs[sheet].end();
    return packs[sheet].chunks;
  }

  return { add, hash, changes, save };
}
