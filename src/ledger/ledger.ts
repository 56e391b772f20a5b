import type { Counts } from '../schema/counts.ts';
import type { Outcome, PlannedRow, RowResult } from '../schema/plan.ts';

/** A run as the ledger knows it. */
export interface RunRecord {
  readonly run: string;
  /** The service's base URL; what belongs to another service is never mixed in. */
  readonly service: string;
  readonly file: string;
  /** Wall clock, `YYYY-MM-DD hh:mm:ss`. */
  readonly startedAt: string;
  /** The version of its planned rows: one of another version cannot be sent. */
  readonly planVersion: number;
  readonly state: 'planning' | 'planned' | 'applying' | 'done' | 'interrupted';
}

/** An ExternalID and the id of the record it stands for. */
export interface KeyPair {
  readonly external: number;
  readonly id: number;
}

/**
 * The durable memory: plans, outcomes, and which ExternalID is which id on which service. Asynchronous, so that
 * a server database can implement it. What a promise has answered outlives this process, however it ends.
 */
export interface Ledger {
  startRun(run: Omit<RunRecord, 'state' | 'planVersion'>): Promise<void>;
  setRunState(run: string, state: RunRecord['state'], counts?: Counts): Promise<void>;
  findRun(run: string): Promise<RunRecord | undefined>;

  /** Adds rows to a run's plan, in one piece. */
  savePlan(run: string, rows: readonly PlannedRow[]): Promise<void>;
  /** Earlier rows of the same plan about one record, in order. */
  plannedFor(run: string, resource: string, key: string): Promise<PlannedRow[]>;
  /** A run's rows in plan order, from `after` on, at most `limit`; `pending` keeps those without an outcome. */
  readRows(
    run: string,
    options: { after: number; limit: number; pending?: boolean; sheet?: string },
  ): Promise<RowResult[]>;
  /**
   * Says that a row is about to be sent; on disk, power cut or not, when it resolves. A row that is marked and has no
   * outcome after a crash is in doubt.
   */
  markSending(run: string, seq: number): Promise<void>;
  saveOutcomes(run: string, outcomes: readonly Outcome[]): Promise<void>;

  /** The ids remembered for these ExternalIDs. */
  findKeys(service: string, resource: string, externals: readonly number[]): Promise<Map<number, number>>;
  rememberKeys(service: string, resource: string, pairs: readonly KeyPair[]): Promise<void>;

  close(): Promise<void>;
}
