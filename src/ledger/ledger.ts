import type { Counts } from '../core/counts.ts';
import type { Outcome, PlannedRow, RowResult } from '../core/plan.ts';
import type { Value, Values } from '../core/value.ts';

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
  /** As of its last change of state; null before the plan was complete. */
  readonly counts: Counts | null;
}

/** What an ExternalID stands for. */
export interface KnownRecord {
  readonly id: number;
  /** What the record was called when it was last written or seen; null where it has no name. */
  readonly label: string | null;
}

/** An ExternalID and the record it stands for. */
export interface KeyPair {
  readonly external: number;
  readonly id: number;
  /** Kept as it was when absent or null. */
  readonly label?: string | null;
}

/** How far a row is that is being sent: what a crash leaves to go on from. */
export interface RowProgress {
  /** Steps that went through. */
  readonly done: number;
  /** The id of the row's record, once it is known. */
  readonly id: number | null;
  /** When the next step was about to be sent, `YYYY-MM-DD hh:mm:ss.SSS`; null between steps. */
  readonly sendingSince: string | null;
}

/** A row as the ledger holds it. */
export interface StoredResult extends RowResult {
  /** Null for a row that was never about to be sent. */
  readonly progress: RowProgress | null;
}

/** Something that must never be sent twice, by what makes it that thing and no other. */
export interface Posting {
  readonly fingerprint: string;
  readonly run: string;
  readonly seq: number;
  /** `sending`: sent, and no answer is known. */
  readonly state: 'sending' | 'done';
  /** Wall clock, `YYYY-MM-DD hh:mm:ss`. */
  readonly at: string;
  readonly id: number | null;
}

/** A row that was not sent, as someone else changed its record meanwhile, and of which nobody has decided yet what counts. */
export interface OpenConflict {
  /** The record's key in the plan, such as `id:123`. */
  readonly key: string;
  /** The run that left it. */
  readonly run: string;
  /** The record's LMT when that run's plan read it. */
  readonly lmt: string | null;
  /** By field: what the plan read, and what the row was to make of it. None for a row that was to delete the record. */
  readonly fields: Readonly<Record<string, { readonly from: Value; readonly to: Value }>>;
}

/**
 * The durable memory: plans, outcomes, and which ExternalID is which id on which service. Asynchronous, so that
 * a server database can implement it. What a promise has answered outlives this process, however it ends.
 */
export interface Ledger {
  startRun(run: Omit<RunRecord, 'state' | 'planVersion' | 'counts'>): Promise<void>;
  setRunState(run: string, state: RunRecord['state'], counts?: Counts): Promise<void>;
  findRun(run: string): Promise<RunRecord | undefined>;
  /** The newest runs first, at most `limit`. */
  listRuns(limit: number): Promise<RunRecord[]>;
  /** What is needed to send or continue a run in another process; any JSON of the pipeline's. */
  saveDetails(run: string, details: unknown): Promise<void>;
  findDetails(run: string): Promise<unknown>;

  /** Adds rows to a run's plan, in one piece. `plannedFor` finds them from the call on. */
  savePlan(run: string, rows: readonly PlannedRow[]): Promise<void>;
  /** Earlier rows of the same plan about one record, in order. */
  plannedFor(run: string, resource: string, key: string): Promise<PlannedRow[]>;
  /** A run's rows in plan order, from `after` on, at most `limit`; `pending` keeps those without an outcome. */
  readRows(
    run: string,
    options: { after: number; limit: number; pending?: boolean; sheet?: string },
  ): Promise<StoredResult[]>;
  /**
   * Says how far a row is. `durable` waits for the disk itself: before a request that takes place anew each time, it
   * must outlive a power cut too.
   */
  saveProgress(run: string, seq: number, progress: RowProgress, durable: boolean): Promise<void>;
  saveOutcomes(run: string, outcomes: readonly Outcome[]): Promise<void>;
  /** Takes the outcome of rows back; `forget` also how far they were, as if they had never been sent. */
  reopenRows(run: string, rows: readonly { readonly seq: number; readonly forget: boolean }[]): Promise<void>;

  /** The records remembered for these ExternalIDs. */
  findKeys(
    service: string,
    resource: string,
    externals: readonly number[],
  ): Promise<Map<number, KnownRecord>>;
  rememberKeys(service: string, resource: string, pairs: readonly KeyPair[]): Promise<void>;
  /** The ExternalIDs that are remembered for these ids. */
  findExternals(service: string, resource: string, ids: readonly number[]): Promise<Map<number, number>>;

  /** Which of these ids some row is known to have created, or some ExternalID to stand for. */
  findKnownIds(service: string, resource: string, ids: readonly number[]): Promise<Set<number>>;

  /** What was found out about a service, such as that it does not keep ExternalID. */
  findFact(service: string, name: string): Promise<string | undefined>;
  rememberFact(service: string, name: string, value: string): Promise<void>;

  /** Fields of a record that no read returns, as they were last sent. */
  findSent(service: string, resource: string, id: number): Promise<Values | undefined>;
  rememberSent(service: string, resource: string, id: number, fields: Values): Promise<void>;

  /** What has been posted, or was about to be, under these fingerprints. */
  findPostings(
    service: string,
    resource: string,
    fingerprints: readonly string[],
  ): Promise<Map<string, Posting>>;
  /**
   * Takes a posting for this row, on disk before it resolves, with other names that the same may go by. Answers the
   * posting that stands there already under one of them, when it is another row's; then this row must not be sent.
   */
  claimPosting(
    service: string,
    resource: string,
    posting: Posting,
    also?: readonly string[],
  ): Promise<Posting | undefined>;
  /** Puts a posting in the place of the one that stands there under its name, in one piece, on disk before it resolves. */
  replacePosting(service: string, resource: string, posting: Posting): Promise<void>;
  /** What was posted or about to be from one moment up to another, by run and row, each once, after a place; at most `limit`. */
  listPostings(
    service: string,
    resources: readonly string[],
    page: {
      readonly from: string;
      readonly before: string;
      readonly after: Pick<Posting, 'run' | 'seq'> | null;
      readonly limit: number;
    },
  ): Promise<readonly Posting[]>;
  /** Says what became of a claimed posting: done, or (null) certainly not sent, so that it is free again. */
  settlePosting(
    service: string,
    resource: string,
    fingerprint: string,
    id: number | null,
    done: boolean,
  ): Promise<void>;

  /** The conflicts of a resource's records that are still to be decided. */
  findConflicts(service: string, resource: string): Promise<OpenConflict[]>;
  /** In place of what was remembered of the same record. */
  rememberConflict(service: string, resource: string, conflict: OpenConflict): Promise<void>;
  forgetConflict(service: string, resource: string, key: string): Promise<void>;

  close(): Promise<void>;
}

const PAGE = 500;

/** A run's rows in plan order, a page at a time; `pending` keeps those without an outcome, `sheet` those of one sheet. */
export async function* eachRow(
  ledger: Ledger,
  run: string,
  filter: { readonly pending?: boolean; readonly sheet?: string } = {},
): AsyncGenerator<StoredResult, undefined> {
  let after = -1;
  for (;;) {
    const rows = await ledger.readRows(run, { after, limit: PAGE, ...filter });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return undefined;
    after = last.planned.seq;
  }
}
