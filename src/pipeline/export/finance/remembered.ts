import { createHash, hash } from 'node:crypto';
import type { Context } from '../../context.ts';
import { Exact } from './exact.ts';

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
  readonly version: 1;
  /** Wall clock, `YYYY-MM-DD hh:mm:ss`. */
  readonly at: string;
  readonly file: string;
  readonly hash: string;
  readonly sums: FinanceSums;
  /** By sheet and key, what a record was and the amount it came to: `stamp amount`. */
  readonly records: Readonly<Record<RecordSheet, Readonly<Record<string, string>>>>;
}

/** One record that is not as it was. */
export interface Changed {
  readonly sheet: RecordSheet;
  readonly key: string;
  readonly what: 'added' | 'removed' | 'changed';
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

/** Which finance exports are of the same: those of the same days, of all events or the definitive ones. */
export interface FinanceKind {
  readonly from: string;
  readonly to: string;
  readonly all: boolean;
}

const factName = ({ from, to, all }: FinanceKind): string =>
  `finance export ${from} ${to} ${all ? 'all' : 'definitive'}`;

/** What the last finance export of the same held; undefined where there was none, or one of another version. */
export async function findRemembered(
  { ledger, serviceKey }: Context,
  kind: FinanceKind,
): Promise<Remembered | undefined> {
  const fact = await ledger.findFact(serviceKey, factName(kind));
  const found = fact === undefined ? undefined : (JSON.parse(fact) as Remembered);
  return found?.version === 1 ? found : undefined;
}

/** To be called once the file is where it belongs. */
export async function remember(
  { ledger, serviceKey }: Context,
  kind: FinanceKind,
  held: Remembered,
): Promise<void> {
  await ledger.rememberFact(serviceKey, factName(kind), JSON.stringify(held));
}

/** So many records are named. */
const LISTED = 500;
/** So many characters of a hash tell one state of a record from another. */
const STAMP = 12;

/** Follows the records of an export: what they are, and what became of those of the last one. */
export class Trail {
  private readonly now: Record<RecordSheet, Map<string, string>> = {
    ...{ events: new Map(), lines: new Map(), trips: new Map(), mutations: new Map() },
  };

  /** `content` is what the record says, in a fixed order, and `amount` what it comes to. A key that is there already is numbered. */
  add(sheet: RecordSheet, key: string, content: readonly unknown[], amount: Exact | null): void {
    const stamp = hash('sha256', JSON.stringify(content), 'base64url').slice(0, STAMP);
    const records = this.now[sheet];
    let own = key;
    for (let number = 2; records.has(own); number++) own = `${key} (${number})`;
    records.set(own, packed(`${stamp} ${amount?.text ?? ''}`));
  }

  /** Of all records, whatever their order and the language of the workbook, in hexadecimals (SHA-256). */
  hash(): string {
    const made = createHash('sha256');
    for (const sheet of RECORD_SHEETS)
      for (const key of [...this.now[sheet].keys()].sort())
        made.update(`${sheet}\t${key}\t${this.now[sheet].get(key)}\n`);
    return made.digest('hex');
  }

  /** What became of the records of an earlier export; null where none is known. */
  changes(before: Remembered | undefined): FinanceChanges | null {
    if (before === undefined) return null;
    const { at, file, hash: held, sums, records } = before;
    const all = RECORD_SHEETS.flatMap((sheet) => differences(sheet, records[sheet], this.now[sheet]));
    const countOf = (sheet: RecordSheet, what: Changed['what']): number =>
      all.filter((one) => one.sheet === sheet && one.what === what).length;
    const counts = Object.fromEntries(
      RECORD_SHEETS.map((sheet) => [
        sheet,
        {
          added: countOf(sheet, 'added'),
          removed: countOf(sheet, 'removed'),
          changed: countOf(sheet, 'changed'),
        },
      ]),
    ) as unknown as FinanceChanges['counts'];
    return { since: { at, file, hash: held, sums }, counts, listed: all.slice(0, LISTED) };
  }

  /** What the next export is to be compared with. */
  held(about: Pick<Remembered, 'at' | 'file' | 'hash' | 'sums'>): Remembered {
    const entries = RECORD_SHEETS.map((sheet) => [sheet, Object.fromEntries(this.now[sheet])]);
    return { version: 1, ...about, records: Object.fromEntries(entries) as Remembered['records'] };
  }
}

/** A text that is put together holds on to its parts; one that was read does not. */
const packed = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

function differences(
  sheet: RecordSheet,
  then: Readonly<Record<string, string>>,
  now: ReadonlyMap<string, string>,
): Changed[] {
  const found: Changed[] = [];
  for (const [key, record] of now) {
    const old = Object.hasOwn(then, key) ? then[key] : undefined;
    if (old === record) continue;
    const what = old === undefined ? 'added' : 'changed';
    found.push({ sheet, key, what, was: amountOf(old), now: amountOf(record) });
  }
  for (const [key, old] of Object.entries(then))
    if (!now.has(key)) found.push({ sheet, key, what: 'removed', was: amountOf(old), now: null });
  return found;
}

const amountOf = (record: string | undefined): Exact | null => Exact.of(record?.split(' ')[1]);
