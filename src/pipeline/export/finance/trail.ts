import { createHash } from 'node:crypto';
import type { Exact } from './exact.ts';
import { changesSince, type FinanceChanges } from './finance-changes.ts';
import { type KeptRecords, packRecords } from './kept-records.ts';
import { sealOf, stateOf } from './record-state.ts';
import { RECORD_SHEETS, type RecordSheet, type Remembered } from './remembered.ts';

/** Follows the records of an export: what they are, and what became of those of the last one. */
export class Trail {
  private readonly columns: Remembered['columns'];
  private readonly records: Record<RecordSheet, Map<string, KeptRecords>> = {
    ...{ events: new Map(), lines: new Map(), trips: new Map(), mutations: new Map() },
  };

  /** With what the content of a sheet's records is of, in order. */
  constructor(columns: Remembered['columns']) {
    this.columns = columns;
  }

  /** `content` is what the record says, column by column, and `amount` what it comes to. Several records may have one key. */
  add(sheet: RecordSheet, key: string, content: readonly unknown[], amount: Exact | null): void {
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
  changes(before: Remembered | undefined): FinanceChanges | null {
    const { columns, records } = this;
    return before === undefined ? null : changesSince(before, { columns, records });
  }

  /** What the next export is to be compared with. */
  held(about: Pick<Remembered, 'at' | 'file' | 'hash' | 'sums'>): Remembered {
    const entries = RECORD_SHEETS.map((sheet) => [sheet, packRecords(this.records[sheet])]);
    const records = Object.fromEntries(entries) as Remembered['records'];
    return { version: 2, ...about, columns: this.columns, records };
  }
}
