import { hash } from 'node:crypto';
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Context } from '../run/context.ts';
import { Decimal } from './decimal.ts';

/**
 * What is kept of a record from one export to the next: a stamp of all that it says, a check of each of its columns, a blank and the
 * amount that it comes to. Version 1 had no checks.
 */
export type RecordState = string;

/** So many characters of a hash tell one state of a record from another, and so many one value of a column. */
const [STAMP, CHECK] = [12, 3];
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The state of a record whose columns say this, in a fixed order; the amount is null for none. */
export function stateOf(content: readonly unknown[], amount: Decimal | null): RecordState {
  const said = content.map((value) => JSON.stringify(value) ?? 'null');
  const stamp = hash('sha256', `[${said.join(',')}]`, 'base64url').slice(0, STAMP);
  return packed(`${stamp}${said.map(checkOf).join('')} ${amount?.text ?? ''}`);
}

/** Of texts that differ in a few bits a CRC has the same ones over and over; multiplied, all of them count. */
function checkOf(text: string): string {
  const bits = Math.imul(crc32(text), 0x9e3779b1);
  return `${DIGITS[bits >>> 26]}${DIGITS[(bits >>> 20) & 63]}${DIGITS[(bits >>> 14) & 63]}`;
}

/** A text that is put together holds on to its parts; one that was read does not. */
const packed = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

/** The amount that a record came to; null for none. */
export const amountIn = (state: RecordState): Decimal | null =>
  Decimal.of(state.slice(state.indexOf(' ') + 1));

/** The stamp and the amount, without the checks. */
export const sealOf = (state: RecordState): string => state.slice(0, STAMP) + state.slice(state.indexOf(' '));

const checkAt = (state: RecordState, at: number): string =>
  state.slice(STAMP + at * CHECK, STAMP + (at + 1) * CHECK);

/** Tells whether records are as they were, and in which columns they are not, by the columns that were kept then and those of now. */
export class StateComparison {
  private readonly bySeal: boolean;
  private readonly shared: readonly (readonly [column: string, then: number, now: number])[];

  constructor(then: readonly string[], now: readonly string[]) {
    this.shared = now.flatMap((column, at) => {
      const before = then.indexOf(column);
      return before < 0 || now.indexOf(column) < at ? [] : [[column, before, at] as const];
    });
    this.bySeal =
      then.length === 0 || (then.length === now.length && then.every((one, at) => one === now[at]));
  }

  /** The same for a record that is as it was; a column that this program had not, or has no more, is no change of the record. */
  identity(state: RecordState, when: 'then' | 'now'): string {
    if (this.bySeal) return sealOf(state);
    const checks = this.shared.map(([, then, now]) => checkAt(state, when === 'then' ? then : now));
    return `${checks.join('')}${state.slice(state.indexOf(' '))}`;
  }

  /** The columns that say something else; none where it is not known what they said. */
  columns(was: RecordState, is: RecordState): string[] {
    return this.shared.flatMap(([column, then, now]) =>
      checkAt(was, then) === checkAt(is, now) ? [] : [column],
    );
  }
}

/** The record of a key, or those that have it in common. */
export type RecordStates = RecordState | RecordState[];

/**
 * Records as the ledger keeps them, in pieces, so that neither text nor objects of all of them are in memory at a time: a line of its key,
 * a tab and its state for each, those of one key in a row; deflated, in base64.
 */
export type PackedRecords = readonly string[];

/** So many lines are packed at a time. */
const LINES = 4000;

/** Packs records. */
export function packRecords(records: ReadonlyMap<string, RecordStates>): PackedRecords {
  const [pieces, lines]: [string[], string[]] = [[], []];
  const pack = (): void => {
    if (lines.length > 0) pieces.push(deflateRawSync(lines.splice(0).join('\n')).toString('base64'));
  };
  for (const [key, kept] of records)
    for (const state of typeof kept === 'string' ? [kept] : kept)
      if (lines.push(`${key}\t${state}`) === LINES) pack();
  pack();
  return pieces;
}

/** The records of a pack, key by key. */
export function* unpackRecords(packed: PackedRecords): Generator<readonly [key: string, kept: RecordStates]> {
  let [key, kept]: [string | undefined, RecordState[]] = [undefined, []];
  for (const piece of packed)
    for (const line of inflateRawSync(Buffer.from(piece, 'base64')).toString().split('\n')) {
      const tab = line.indexOf('\t');
      const own = line.slice(0, tab);
      if (key !== undefined && own !== key) {
        yield [key, plain(kept)];
        kept = [];
      }
      key = own;
      kept.push(line.slice(tab + 1));
    }
  if (key !== undefined) yield [key, plain(kept)];
}

const plain = (kept: RecordState[]): RecordStates => (kept.length === 1 ? (kept[0] ?? '') : kept);

/** The sheets of records. */
export const RECORD_SHEETS = ['events', 'lines', 'trips', 'mutations'] as const;
/** See `RECORD_SHEETS`. */
export type RecordSheet = (typeof RECORD_SHEETS)[number];

/** The sums that are kept from one export to the next. */
export const SUM_NAMES = ['revenue', 'arrangements', 'tripPrices', 'tripCosts', 'distance'] as const;
/** Decimals in full, by name. */
export type FinanceSums = Readonly<Record<(typeof SUM_NAMES)[number], string>>;

/** What a finance export held. Plain data, as the ledger keeps it. */
export interface RememberedExport {
  readonly version: 2;
  /** Wall clock, `YYYY-MM-DD hh:mm:ss`. */
  readonly at: string;
  readonly file: string;
  readonly hash: string;
  readonly sums: FinanceSums;
  /** By sheet, what the checks in its states are of; none where they have no checks. */
  readonly columns: Readonly<Record<RecordSheet, readonly string[]>>;
  readonly records: Readonly<Record<RecordSheet, PackedRecords>>;
}

/** Version 1 had no checks, and numbered the records of a key: `7/70`, `7/70 (2)`. */
interface FirstRememberedExport extends Omit<RememberedExport, 'version' | 'columns' | 'records'> {
  readonly version: 1;
  readonly records: Readonly<Record<RecordSheet, Readonly<Record<string, RecordState>>>>;
}

/** Which finance exports are of the same: those of the same days, of all events or the definitive ones. */
export interface FinanceScope {
  readonly from: string;
  readonly to: string;
  readonly all: boolean;
}

const factName = ({ from, to, all }: FinanceScope): string =>
  `finance export ${from} ${to} ${all ? 'all' : 'definitive'}`;

/** What the last finance export of the same held; undefined where there was none, or one of a version that came after this program. */
export async function findRememberedExport(
  { ledger, serviceKey }: Context,
  kind: FinanceScope,
): Promise<RememberedExport | undefined> {
  const fact = await ledger.findFact(serviceKey, factName(kind));
  if (fact === undefined) return undefined;
  const found = JSON.parse(fact) as RememberedExport | FirstRememberedExport;
  if (found.version === 1) return withoutColumns(found);
  return found.version === 2 ? found : undefined;
}

/** To be called once the file is where it belongs. */
export async function rememberExport(
  { ledger, serviceKey }: Context,
  kind: FinanceScope,
  held: RememberedExport,
): Promise<void> {
  await ledger.rememberFact(serviceKey, factName(kind), JSON.stringify(held));
}

function withoutColumns(first: FirstRememberedExport): RememberedExport {
  const columns = { events: [], lines: [], trips: [], mutations: [] };
  const [events, lines, trips, mutations] = RECORD_SHEETS.map((sheet) => unnumbered(first.records[sheet]));
  const records = { events, lines, trips, mutations } as RememberedExport['records'];
  return { ...first, version: 2, columns, records };
}

function unnumbered(records: Readonly<Record<string, RecordState>>): PackedRecords {
  const found = new Map<string, RecordStates>();
  for (const [numbered, state] of Object.entries(records)) {
    const key = numbered.replace(/ \(\d+\)$/, '');
    const known = found.get(key);
    if (known === undefined) found.set(key, state);
    else found.set(key, [known, state].flat());
  }
  return packRecords(found);
}
