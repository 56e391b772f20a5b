import type { Context } from '../../context.ts';
import { type KeptRecords, type PackedRecords, packRecords } from './kept-records.ts';
import type { RecordState } from './record-state.ts';

/** The sheets of records. */
export const RECORD_SHEETS = ['events', 'lines', 'trips', 'mutations'] as const;
/** See `RECORD_SHEETS`. */
export type RecordSheet = (typeof RECORD_SHEETS)[number];

/** The sums that are kept from one export to the next. */
export const SUM_NAMES = ['revenue', 'arrangements', 'tripPrices', 'tripCosts', 'distance'] as const;
/** Decimals in full, by name. */
export type FinanceSums = Readonly<Record<(typeof SUM_NAMES)[number], string>>;

/** What a finance export held. Plain data, as the ledger keeps it. */
export interface Remembered {
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
interface FirstRemembered extends Omit<Remembered, 'version' | 'columns' | 'records'> {
  readonly version: 1;
  readonly records: Readonly<Record<RecordSheet, Readonly<Record<string, RecordState>>>>;
}

/** Which finance exports are of the same: those of the same days, of all events or the definitive ones. */
export interface FinanceKind {
  readonly from: string;
  readonly to: string;
  readonly all: boolean;
}

const factName = ({ from, to, all }: FinanceKind): string =>
  `finance export ${from} ${to} ${all ? 'all' : 'definitive'}`;

/** What the last finance export of the same held; undefined where there was none, or one of a version that came after this program. */
export async function findRemembered(
  { ledger, serviceKey }: Context,
  kind: FinanceKind,
): Promise<Remembered | undefined> {
  const fact = await ledger.findFact(serviceKey, factName(kind));
  if (fact === undefined) return undefined;
  const found = JSON.parse(fact) as Remembered | FirstRemembered;
  if (found.version === 1) return withoutColumns(found);
  return found.version === 2 ? found : undefined;
}

/** To be called once the file is where it belongs. */
export async function remember(
  { ledger, serviceKey }: Context,
  kind: FinanceKind,
  held: Remembered,
): Promise<void> {
  await ledger.rememberFact(serviceKey, factName(kind), JSON.stringify(held));
}

function withoutColumns(first: FirstRemembered): Remembered {
  const columns = { events: [], lines: [], trips: [], mutations: [] };
  const [events, lines, trips, mutations] = RECORD_SHEETS.map((sheet) => unnumbered(first.records[sheet]));
  const records = { events, lines, trips, mutations } as Remembered['records'];
  return { ...first, version: 2, columns, records };
}

function unnumbered(records: Readonly<Record<string, RecordState>>): PackedRecords {
  const found = new Map<string, KeptRecords>();
  for (const [numbered, state] of Object.entries(records)) {
    const key = numbered.replace(/ \(\d+\)$/, '');
    const known = found.get(key);
    if (known === undefined) found.set(key, state);
    else found.set(key, [known, state].flat());
  }
  return packRecords(found);
}
