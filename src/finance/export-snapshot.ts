import { hash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { BigNumber } from 'bignumber.js';
import type { Value } from '../core/value.ts';
import type { Days } from '../records/listing.ts';
import type { Context } from '../run/context.ts';

/** What tells a record from another with its key: a digest of its content, a space and its amount. */
export type RecordState = string;

/** The values of a record, in the order of its sheet's columns. */
export type RecordContent = readonly Value[];

/** Characters of a digest. */
const DIGEST = 12;

/** The amount of a record, as a decimal in full; null for none. */
export const amountIn = (state: RecordState): string | null => state.slice(state.indexOf(' ') + 1) || null;

/**
 * Records as the ledger keeps them, in chunks so that they are never all in memory as text: a line of key, state and
 * content for each, parted by tabs; deflated, in base64.
 */
export type PackedRecords = readonly string[];

/** Lines of a chunk. */
const LINES = 4000;

/** Packs records as they come. */
export class RecordPack {
  private readonly chunks: string[] = [];
  private readonly lines: string[] = [];

  add(key: string, content: readonly unknown[], amount: BigNumber | null): void {
    const text = JSON.stringify(content);
    const digest = hash('sha256', text, 'base64url').slice(0, DIGEST);
    if (this.lines.push(`${key}\t${digest} ${amount?.toFixed() ?? ''}\t${text}`) === LINES) this.pack();
  }

  packed(): PackedRecords {
    this.pack();
    return this.chunks;
  }

  private pack(): void {
    if (this.lines.length === 0) return;
    this.chunks.push(deflateRawSync(this.lines.splice(0).join('\n')).toString('base64'));
  }
}

/** The records of a pack; `content` is JSON. */
export function* unpackRecords(
  packed: PackedRecords,
): Generator<{ readonly key: string; readonly state: RecordState; readonly content: string }> {
  for (const chunk of packed)
    for (const line of inflateRawSync(Buffer.from(chunk, 'base64')).toString().split('\n')) {
      const [key = '', state = ''] = line.split('\t', 2);
      yield { key, state, content: line.slice(key.length + state.length + 2) };
    }
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

/** Of what is kept: another one is not held against. */
export const VERSION = 3;

/** What a finance export held, as plain data in the ledger. */
export interface ExportSnapshot {
  readonly version: typeof VERSION;
  /** Wall clock, `YYYY-MM-DD hh:mm:ss`. */
  readonly at: string;
  readonly file: string;
  readonly hash: string;
  readonly sums: FinanceSums;
  /** By sheet, what the values of its records are. */
  readonly columns: Readonly<Record<RecordSheet, readonly string[]>>;
  readonly contents: Readonly<Record<RecordSheet, PackedRecords>>;
}

/** The days of a finance export, and whether of all events or only the definitive ones. */
export interface FinanceScope extends Days {
  readonly all: boolean;
}

const factName = ({ from, to, all }: FinanceScope): string =>
  `finance export ${from} ${to} ${all ? 'all' : 'definitive'}`;

/** The snapshot of the last export of a scope; undefined where there is none of this version. */
export async function findSnapshot(
  { ledger, serviceKey }: Context,
  scope: FinanceScope,
): Promise<ExportSnapshot | undefined> {
  const fact = await ledger.findFact(serviceKey, factName(scope));
  if (fact === undefined) return undefined;
  const found = JSON.parse(fact) as ExportSnapshot;
  return found.version === VERSION ? found : undefined;
}

/** Saves what an export held, once its file is in place. */
export async function saveSnapshot(
  { ledger, serviceKey }: Context,
  scope: FinanceScope,
  held: ExportSnapshot,
): Promise<void> {
  await ledger.rememberFact(serviceKey, factName(scope), JSON.stringify(held));
}
