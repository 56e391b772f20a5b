import type { Issue } from '../core/issue.ts';
import type { BaseRecord } from '../files/baseline-sheet.ts';
import type { ExistingRecord } from './existing-record.ts';
import type { MappedRow } from './mapped-row.ts';
import type { ComparedField, Same, SentChanges } from './three-way.ts';

/** What the records of a workbook were when it was written, as planning its rows asks for it. */
export interface Baseline {
  /** When that was, ISO in UTC; empty for a workbook that does not say. */
  readonly at: string;
  /** What the record with this key was; undefined where the workbook does not say, or of several. */
  find(resource: string, key: string): BaseRecord | undefined;
  /** What all records with this key were: several where the service's can't be told apart. */
  all(resource: string, key: string): readonly BaseRecord[];
  /** What it became by the runs that sent this workbook or a copy of it before; null when there were none. */
  readonly after: ((was: BaseRecord) => Promise<SentChanges>) | null;
  /** Gathers cells that were emptied since; null where empty cells are no one's doing. */
  readonly emptied: EmptiedCellsLog | null;
  /** Which conflicts the user was shown of it; null where there is nothing to be in conflict with. */
  readonly shown: ShownConflictsLog | null;
}

/** Gathers the cells that held something when the workbook was written and hold nothing now. */
interface EmptiedCellsLog {
  /** To be told of each row, the issues on its cells as they stand, and its record then and now. */
  add(row: MappedRow, found: readonly Issue[], was: BaseRecord, service: ExistingRecord): void;
}

/** The conflicts that the user was shown of a workbook, by record. */
interface ShownConflictsLog {
  /** Whose value the user decided for, of a field that both changed; undefined where that is still open. */
  decided(record: string, field: ComparedField, same: Same): 'mine' | 'theirs' | undefined;
  /** Notes what a run shows; `left` where it leaves theirs, as the user said. */
  show(record: string, field: ComparedField, left: boolean): void;
}
