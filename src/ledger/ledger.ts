import type { Counts } from '../core/counts.ts';
import type { Outcome, PlannedRow, RowResult } from '../core/plan.ts';
import type { Value, Values } from '../core/value.ts';

/** A run in the ledger. */
export interface RunRecord {
  /** Its name, such as `20270331-074512-k3vq`. */
  readonly run: string;
  /** The service's base URL; nothing of another service is mixed in. */
  readonly service: string;
  /** The file’s path, as given. */
  readonly file: string;
  /** Wall clock, `YYYY-MM-DD hh:mm:ss`. */
  readonly startedAt: string;
  /** The version of its plan; one of another version can't be sent. */
  readonly planVersion: number;
  /** `planning` until its plan is whole; `planned`: nothing was sent; `interrupted`: it can go on. */
  readonly state: 'planning' | 'planned' | 'applying' | 'done' | 'interrupted';
  /** At its last change of state; null before the plan was complete. */
  readonly counts: Counts | null;
  /** When its rows were removed, wall clock, `YYYY-MM-DD hh:mm:ss`; null while they are all kept. */
  readonly prunedAt: string | null;
}

/** A run, with what another process needs to send or continue it: any JSON, undefined before its plan is whole. */
export interface FoundRun extends RunRecord {
  readonly details: unknown;
}

/** What is gone of a run's rows, and what stays. */
export interface PrunedRows {
  readonly removed: number;
  readonly kept: number;
}

/** What of runs is removed. */
export interface Pruning {
  /** Removed now, wall clock; null only counts what would be. */
  readonly at: string | null;
  /** A run that has a row sent at this moment or later is left as it is, wall clock. */
  readonly since: string;
  /** Resources whose rows are kept where they were posted. */
  readonly posted: readonly string[];
  /** Runs of which the rows that updated a record are kept. */
  readonly updated: ReadonlySet<string>;
}

/** An ExternalID and its record. */
interface KeyPair {
  readonly external: number;
  readonly id: number;
  /** The record's name when it was last written or read; absent or null leaves it as it was. */
  readonly label?: string | null;
}

/** The same, as the ledger has it. */
export type KnownRecord = Required<KeyPair>;

/** How far the sending of a row is: where to go on after a crash. */
export interface RowProgress {
  /** Steps done. */
  readonly done: number;
  /** The id of the row's record, once it is known. */
  readonly id: number | null;
  /** When the next step was about to be sent, `YYYY-MM-DD hh:mm:ss.SSS`; null between steps. */
  readonly sendingSince: string | null;
}

/** A row in the ledger. */
export interface StoredResult extends RowResult {
  /** Null for a row that was never about to be sent. */
  readonly progress: RowProgress | null;
}

/** Something that must not be sent twice, known by its fingerprint. */
export interface Posting {
  readonly fingerprint: string;
  readonly run: string;
  readonly seq: number;
  /** `sending`: sent, without a known answer. */
  readonly state: 'sending' | 'done';
  /** Wall clock, `YYYY-MM-DD hh:mm:ss`. */
  readonly at: string;
  readonly id: number | null;
}

/** A conflict that nobody has decided yet: the row was not sent, as its record was changed meanwhile. */
interface OpenConflict {
  /** The record's key in the plan, such as `id:123`. */
  readonly key: string;
  /** The run that left it. */
  readonly run: string;
  /** The record's LMT when that run's plan read it. */
  readonly lmt: string | null;
  /** By field, the value that the plan read and the row's; none for a row that deletes the record. */
  readonly fields: Readonly<Record<string, { readonly from: Value; readonly to: Value }>>;
}

/** A create that was sent again, as a try of it that was not answered could no longer arrive. */
interface Resend {
  /** Names the posting that tells which row sent it again, and what it made. */
  readonly fingerprint: string;
  /** The run of the try that was not answered. */
  readonly run: string;
  /** What that try sent, ids filled in. */
  readonly body: Values;
}

/** A write of a record that was given up without an answer, and may still arrive. */
interface UnsettledWrite {
  /** The record's key in a plan, such as `id:123`. */
  readonly key: string;
  /** The row that sent it. */
  readonly run: string;
  readonly seq: number;
  /** When it was given up, ISO, UTC. */
  readonly at: string;
}

/** The place of the row that wrote a record last. */
interface WrittenPlace extends Pick<UnsettledWrite, 'run' | 'seq'> {
  /** When, ISO, UTC; null once reads surely show it. */
  readonly at: string | null;
}

/** The row that wrote a record last; `done`: all its requests went through. */
export interface WrittenRow extends PlannedRow {
  readonly run: string;
  readonly done: boolean;
}

/**
 * By field, what a record was sent last and held after that, where it holds something else. A field that no read
 * returns holds what it was sent.
 */
type Applied = Readonly<Record<string, { readonly sent: Value; readonly held: Value }>>;

/** What is remembered of a resource's records, by kind: each by its record's key in a plan, such as `id:123`. */
export interface Memory {
  readonly applied: Applied;
  readonly write: WrittenPlace;
  readonly conflict: OpenConflict;
  readonly unsettled: UnsettledWrite;
  /** By the try that was not answered. */
  readonly resend: Resend;
}

/**
 * The durable memory: plans, outcomes, postings, and ids by ExternalID. Asynchronous, so that a server
 * database can implement it. What a resolved promise wrote outlives this process, however it ends.
 */
export interface Ledger {
  startRun(run: Omit<RunRecord, 'state' | 'planVersion' | 'counts' | 'prunedAt'>): Promise<void>;
  /**
   * Changes what is known of a run; what is absent stays. `from`: where it is in one of these states; false where it
   * is in none of them, or gone.
   */
  updateRun(
    run: string,
    now: { readonly state?: RunRecord['state']; readonly counts?: Counts; readonly details?: unknown },
    from?: readonly RunRecord['state'][],
  ): Promise<boolean>;
  findRun(run: string): Promise<FoundRun | undefined>;
  /** Every service that a run was for or that something was posted to. */
  listServices(): Promise<string[]>;
  /** The newest runs first, at most `limit`: of all, or those in one of these states, after `offset` newer ones. */
  listRuns(
    limit: number,
    wanted?: { readonly states: readonly RunRecord['state'][]; readonly offset: number },
  ): Promise<RunRecord[]>;
  /** How many runs are in one of these states. */
  countRuns(states: readonly RunRecord['state'][]): Promise<number>;

  /** Adds rows to a run's plan, all or none; `plannedFor` finds them from the call on. */
  savePlan(run: string, rows: readonly PlannedRow[]): Promise<void>;
  /** Replaces rows of a plan that is being made, each in its place and with the key it had. */
  replaceRows(run: string, rows: readonly PlannedRow[]): Promise<void>;
  /** The plan's rows about one record so far, in order. */
  plannedFor(run: string, resource: string, key: string): Promise<PlannedRow[]>;
  /** A run's rows in plan order after place `after`, at most `limit`; `pending`: those without an outcome. */
  readRows(
    run: string,
    options: { after: number; limit: number; pending?: boolean; sheet?: string },
  ): Promise<StoredResult[]>;
  /** A hash of a run's plan, all of its rows as they are kept. */
  findPlanHash(run: string): Promise<Buffer>;
  /** How many of a run's rows have an outcome. */
  countEnded(run: string): Promise<number>;
  /** Saves how far a row is, and what became of it: what is absent stays, and null removes it. */
  saveRow(
    run: string,
    seq: number,
    now: { readonly progress?: RowProgress | null; readonly outcome?: Outcome | null },
  ): Promise<void>;
  /**
   * Saves, so that it outlives a power cut, that a request which must not be repeated goes out next: as soon
   * as `markSending` says the same. Until then a row that is read back was not sent, unless the machine was
   * started anew since.
   */
  intend(run: string, seq: number, progress: RowProgress): Promise<void>;
  /** Saves before it returns that a request goes out, as its bytes are about to be written. */
  markSending(run: string, seq: number, progress: RowProgress): void;

  /** What is known of these ExternalIDs, or of these ids, by what was asked for. */
  findKeys(
    service: string,
    resource: string,
    numbers: readonly number[],
    by?: 'external' | 'id',
  ): Promise<Map<number, KnownRecord>>;
  rememberKeys(service: string, resource: string, pairs: readonly KeyPair[]): Promise<void>;
  /** Which of these ids are known to be created by a row, or to have an ExternalID. */
  findKnownIds(service: string, resource: string, ids: readonly number[]): Promise<Set<number>>;

  /** A fact about a service, such as that it does not keep ExternalID. */
  findFact(service: string, name: string): Promise<string | undefined>;
  rememberFact(service: string, name: string, value: string): Promise<void>;

  /** What is remembered under these keys, or under all of them. */
  recall<K extends keyof Memory>(
    service: string,
    resource: string,
    kind: K,
    keys?: readonly string[],
  ): Promise<Map<string, Memory[K]>>;
  /** In place of what was remembered under the same key; null forgets it. */
  remember<K extends keyof Memory>(
    service: string,
    resource: string,
    kind: K,
    key: string,
    value: Memory[K] | null,
  ): Promise<void>;

  /**
   * The rows that wrote these records last, with their runs, by the record's key, such as `id:123`; `since`:
   * those that reads may not show yet, written after that moment.
   */
  findWrites(
    service: string,
    resource: string,
    keys: readonly string[],
    since?: string,
  ): Promise<ReadonlyMap<string, WrittenRow>>;

  /** The postings, done or about to be sent, with these fingerprints, or with one that begins so, by that. */
  findPostings(
    service: string,
    resource: string,
    fingerprints: readonly string[],
    by?: 'whole' | 'beginning',
  ): Promise<Map<string, Posting>>;
  /**
   * Claims a posting for its row, on disk before it resolves; `also` are more fingerprints of it. Answers the
   * posting that has one of them, of another row or done: then nothing is claimed, and this row must not be
   * sent.
   */
  claimPosting(
    service: string,
    resource: string,
    posting: Posting,
    also?: readonly string[],
  ): Promise<Posting | undefined>;
  /** At most `limit` postings of a period (`from` up to `before`) after a place, by run and row. */
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
  /**
   * Says what became of a claimed posting, on disk before it resolves where it is sent once more; what is absent stays.
   * Null: it was certainly not sent, and its fingerprint is free again, or still.
   */
  settlePosting(
    service: string,
    resource: string,
    fingerprint: string,
    now: (Pick<Posting, 'state' | 'id'> & Partial<Posting>) | null,
  ): Promise<void>;

  /** The rows without an outcome of runs that did not come to their end, whose request was out. */
  findCutOff(service: string): Promise<readonly (StoredResult & { readonly run: string })[]>;

  /**
   * Removes the rows of runs that are done, and says of each run how many: all but those that wrote a record
   * last, may still arrive, or are to be kept, as later plans ask for them. Records, keys and postings stay
   * known. A run with a row that was sent lately, or has requests left, is not in the answer.
   */
  pruneRuns(runs: readonly string[], pruning: Pruning): Promise<ReadonlyMap<string, PrunedRows>>;
  /** Removes runs of which nothing was sent, with their rows; others are left as they are. */
  removeRuns(runs: readonly string[]): Promise<void>;

  close(): Promise<void>;
}

const PAGE = 500;

interface RowsFilter {
  readonly pending?: boolean;
  readonly sheet?: string;
}

/** A run's rows in plan order; `pending`: those without an outcome, `sheet`: those of one sheet. */
export async function* eachRow(
  ledger: Ledger,
  run: string,
  filter: RowsFilter = {},
): AsyncGenerator<StoredResult, undefined> {
  // One at a time: what is begun for a row may look at the service before the next row is.
  for await (const rows of rowPages(ledger, run, filter)) yield* rows;
  return undefined;
}

/** The same in pages, none empty. */
export async function* rowPages(
  ledger: Ledger,
  run: string,
  filter: RowsFilter = {},
): AsyncGenerator<StoredResult[], undefined> {
  let after = -1;
  for (;;) {
    const rows = await ledger.readRows(run, { after, limit: PAGE, ...filter });
    const last = rows.at(-1);
    if (last === undefined) return undefined;
    yield rows;
    after = last.planned.seq;
  }
}

/** Rows of a plan from one place to another, both included. */
export type PlaceRange = readonly [first: number, last: number];

/** Rows of a run that one program sends: none of them waits for a row of another part. */
export interface Part {
  /** Its place among the run's parts, from 0. */
  readonly part: number;
  /** In the order of the plan. */
  readonly places: readonly PlaceRange[];
}

/** The programs that send one run side by side, as one of them has it. */
export interface Team {
  /** Lets others send parts of a run beside this program, which has the right to send alone. */
  share(run: string, parts: readonly Part[]): Promise<void>;
  /**
   * Takes the next part that no program sends, also one of a program that was not heard of for long;
   * undefined where there is none. Throws StopError where this program may send no more.
   */
  take(): Promise<Part | undefined>;
  /** To be called when all rows of a part have an outcome, or are left to who sends the run alone. */
  done(part: Part): Promise<void>;
  /**
   * Takes the run for this program alone, once no other one sends of it; false while others do. To be asked
   * by who shared it: it has the right to send as before, and the parts are gone.
   */
  alone(): Promise<boolean>;
}

/** The right to send with a ledger, which one program has at a time, or several for one run. */
export interface SendingRight {
  release(): void | Promise<void>;
  /**
   * Throws StopError where this program may send no more, as its right ended or another may have it by now: asked as
   * the bytes of each write are about to leave. Absent for a ledger in a file, whose right ends with the program.
   */
  readonly check?: () => void;
  /** Absent for a ledger in a file. */
  readonly team?: Team;
}

/** Where a ledger keeps that a run's plan was in a copy that was put back: no service has this name. */
export const placeOfCopied = (run: string) => ['', `${run} is from a copy`] as const;

/**
 * Whether a run was in a copy that was put back, and not done: what of it was sent since the copy was made may
 * not be known.
 */
export async function isFromCopy({ findFact }: Pick<Ledger, 'findFact'>, run: string): Promise<boolean> {
  return (await findFact(...placeOfCopied(run))) !== undefined;
}
