import { stopsRow } from '../core/issue.ts';
import type { Bilingual } from '../core/language.ts';
import type { Values } from '../core/value.ts';
import type { Resource } from '../schema/resource.ts';
import type { ExistingRecord, SameField } from './existing-record.ts';
import type { MappedRow } from './mapped-row.ts';
import type { Baseline, PlannerSetup, RowWindows, SourceSummary, UnplacedRow } from './planning.ts';
import type { ReadAgain } from './stale-reads.ts';

/** What was found of the record that a row names. */
export interface FoundRecord {
  /** As the service holds it; null when there is none. */
  readonly existing: ExistingRecord | null;
}

/** What was found of the records of a window of rows. */
export interface FoundWindow<R extends Resource, F extends FoundRecord> {
  readonly found: readonly F[];
  /** Holds rows that would create against what earlier runs sent, so that they do so once. */
  createOnce?(creations: readonly { planned: UnplacedRow; row: MappedRow<R> }[]): Promise<UnplacedRow[]>;
  /** Reads what a row names by itself. */
  readonly again: ReadAgain<F>;
}

export interface RowRecord<F extends FoundRecord> {
  readonly found: F;
  /** The key under which rows on one record are kept in order; null when no other row can be about it. */
  readonly key: string | null;
  readonly existing: ExistingRecord | null;
}

/** How the rows of a kind are held against records: what `planRecords` works by. */
export interface RecordMatching<R extends Resource, F extends FoundRecord>
  extends Pick<RowWindows, 'window' | 'ready'> {
  /** Looks up what the rows of a window name, in as few requests as it takes. */
  find(rows: readonly MappedRow<R>[]): Promise<FoundWindow<R, F>>;
  key(row: MappedRow<R>, found: F): string | null;
  /** Whether a field of a record is as a row says; by default `sameIn`. */
  same?(existing: ExistingRecord | null): SameField;
  /** Ids of records that a row names by other keys. */
  idsOf?(found: F): Values;
  /** The row completed by its record. */
  asMeant?(row: MappedRow<R>, existing: ExistingRecord | null): MappedRow<R>;
  /** Decides a row by the row, its record and the rules alone. */
  decide(row: MappedRow<R>, record: RowRecord<F>): UnplacedRow;
}

/** The rows of one resource in a run, as its kind plans them: what `planRecords` is given. */
export interface RecordRows<R extends Resource, F extends FoundRecord = FoundRecord> {
  /** How the rows of a sheet are held against records. */
  matching(setup: PlannerSetup): RecordMatching<R, F>;
  summary(): SourceSummary;
  /** What was learned of the service since this was asked last. */
  notes?(): Bilingual[];
}

/** Whether a row's record is looked up: with a baseline also that of cells that can't be read. */
export const needsRecord = ({ action, issues }: MappedRow, { at }: Baseline): boolean =>
  action !== 'skip' && (at !== '' || !stopsRow(issues));
