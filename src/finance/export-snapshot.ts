import { hash } from 'node:crypto';
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import type { BigNumber } from 'bignumber.js';
import type { Days } from '../records/listing.ts';
import type { Context } from '../run/context.ts';

/**
 * What is kept of a record from one export to the next: a digest of its content, a checksum of each column, a
 * space and its amount.
 */
export type RecordState = string;

/** Characters of a digest, and of a column's checksum. */
const [DIGEST, CHECKSUM] = [12, 3];
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The state of a record: `content` is its columns, in a fixed order, and `amount` null for none. */
export function stateOf(content: readonly unknown[], amount: BigNumber | null): RecordState {
  const values = content.map((value) => JSON.stringify(value) ?? 'null');
  const digest = hash('sha256', `[${values.join(',')}]`, 'base64url').slice(0, DIGEST);
  const text = `${digest}${values.map(checksumOf).join('')} ${amount?.toFixed() ?? ''}`;
  // V8 keeps the parts of a joined string in memory; copied through a buffer it is flat.
  return Buffer.from(text, 'latin1').toString('latin1');
}

/** The multiplication spreads a CRC's differences over the bits that are kept. */
function checksumOf(text: string): string {
  const bits = Math.imul(crc32(text), 0x9e3779b1);
  return `${BASE64[bits >>> 26]}${BASE64[(bits >>> 20) & 63]}${BASE64[(bits >>> 14) & 63]}`;
}

/** The amount of a record, as a decimal in full; null for none. */
export const amountIn = (state: RecordState): string | null => state.slice(state.indexOf(' ') + 1) || null;

/** The digest and the amount, without checksums. */
export const digestOf = (state: RecordState): string =>
  state.slice(0, DIGEST) + state.slice(state.indexOf(' '));

const checksumAt = (state: RecordState, at: number): string =>
  state.slice(DIGEST + at * CHECKSUM, DIGEST + (at + 1) * CHECKSUM);

/** Compares record states by the columns that both exports have. */
export class StateComparison {
  private readonly sameColumns: boolean;
  private readonly shared: readonly (readonly [column: string, then: number, now: number])[];

  constructor(then: readonly string[], now: readonly string[]) {
    this.shared = now.flatMap((column, at) => {
      const before = then.indexOf(column);
      return before < 0 || now.indexOf(column) < at ? [] : [[column, before, at] as const];
    });
    this.sameColumns = then.length === now.length && then.every((one, at) => one === now[at]);
  }

  /** Equal for an unchanged record; a column that only one of the exports has is no change. */
  identity(state: RecordState, when: 'then' | 'now'): string {
    if (this.sameColumns) return digestOf(state);
    const checks = this.shared.map(([, then, now]) => checksumAt(state, when === 'then' ? then : now));
    return `${checks.join('')}${state.slice(state.indexOf(' '))}`;
  }

  /** The columns that differ. */
  columns(was: RecordState, is: RecordState): string[] {
    return this.shared.flatMap(([column, then, now]) =>
      checksumAt(was, then) === checksumAt(is, now) ? [] : [column],
    );
  }
}

/**
 * Records as the ledger keeps them, in chunks so that they are never all in memory as text: a line of key,
 * tab and state for each, those of one key together; deflated, in base64.
 */
export type PackedRecords = readonly string[];

/** Lines of a chunk. */
const LINES = 4000;

/** Packs the states of records by key: a line for each record that has it. */
export function packRecords(records: ReadonlyMap<string, string>): PackedRecords {
  const [chunks, lines]: [string[], string[]] = [[], []];
  const pack = (): void => {
    if (lines.length > 0) chunks.push(deflateRawSync(lines.splice(0).join('\n')).toString('base64'));
  };
  for (const [key, states] of records)
    for (const state of states.split('\n')) if (lines.push(`${key}\t${state}`) === LINES) pack();
  pack();
  return chunks;
}

/** The states of a pack, key by key. */
export function* unpackRecords(packed: PackedRecords): Generator<readonly [key: string, states: string]> {
  const states: RecordState[] = [];
  let key = '';
  for (const chunk of packed)
    for (const line of inflateRawSync(Buffer.from(chunk, 'base64')).toString().split('\n')) {
      const tab = line.indexOf('\t');
      const own = line.slice(0, tab);
      if (own !== key && states.length > 0) yield [key, states.splice(0).join('\n')];
      key = own;
      states.push(line.slice(tab + 1));
    }
  if (states.length > 0) yield [key, states.join('\n')];
}

/** The sheets of records. */
export const RECORD_SHEETS = ['events', 'lines', 'trips', 'mutations'] as const;
/** One of `RECORD_SHEETS`. */
export type RecordSheet = (typeof RECORD_SHEETS)[number];

/** Something of each sheet of records, made in their order. */
export const bySheet = <T>(of: (sheet: RecordSheet) => T): Record<RecordSheet, T> =>
  Object.fromEntries(RECORD_SHEETS.map((sheet) => [sheet, of(sheet)])) as Record<RecordSheet, T>;

/** The sums of an export. */
export const SUM_NAMES = ['revenue', 'arrangements', 'tripPrices', 'tripCosts', 'distance'] as const;
/** Sums by name, as decimals in full. */
export type FinanceSums = Readonly<Record<(typeof SUM_NAMES)[number], string>>;

/** What a finance export held, as plain data in the ledger. */
export interface ExportSnapshot {
  readonly version: 2;
  /** Wall clock, `YYYY-MM-DD hh:mm:ss`. */
  readonly at: string;
  readonly file: string;
  readonly hash: string;
  readonly sums: FinanceSums;
  /** By sheet, the columns of the checksums in its states. */
  readonly columns: Readonly<Record<RecordSheet, readonly string[]>>;
  readonly records: Readonly<Record<RecordSheet, PackedRecords>>;
  /** What the records held, which exports of earlier versions did not keep. */
  readonly contents?: Readonly<Record<RecordSheet, PackedRecords>>;
}

/** The days of a finance export, and whether of all events or only the definitive ones. */
export interface FinanceScope extends Days {
  readonly all: boolean;
}

const factName = ({ from, to, all }: FinanceScope): string =>
  `finance export ${from} ${to} ${all ? 'all' : 'definitive'}`;

/** The snapshot of the last export of a scope; undefined where there is none, or one of another version. */
export async function findSnapshot(
  { ledger, serviceKey }: Context,
  scope: FinanceScope,
): Promise<ExportSnapshot | undefined> {
  const fact = await ledger.findFact(serviceKey, factName(scope));
  if (fact === undefined) return undefined;
  const found = JSON.parse(fact) as ExportSnapshot;
  return found.version === 2 ? found : undefined;
}

/** Saves what an export held, once its file is in place. */
export async function saveSnapshot(
  { ledger, serviceKey }: Context,
  scope: FinanceScope,
  held: ExportSnapshot,
): Promise<void> {
  await ledger.rememberFact(serviceKey, factName(scope), JSON.stringify(held));
}
