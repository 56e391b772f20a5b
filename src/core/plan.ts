import type { Issue } from './issue.ts';
import type { Bilingual } from './language.ts';
import type { Value } from './value.ts';

/** Raised when the shape of a planned row changes: a plan saved by another version is refused. */
export const PLAN_VERSION = 1;

/** What each action comes to when all goes well: the plan alone decides those that send nothing. */
const ENDS = {
  create: 'created',
  update: 'updated',
  delete: 'deleted',
  unchanged: 'unchanged',
  skip: 'skipped',
  invalid: 'invalid',
  conflict: 'conflict',
  // Sent by an earlier run, and no answer is known.
  unknown: 'unknown',
} as const;
/** What the plan does with a row. */
type Action = keyof typeof ENDS;

/** The actions that send something. */
export const SENDING = ['create', 'update', 'delete'] as const satisfies readonly Action[];

/** One field that an update changes. */
export interface FieldChange {
  readonly field: string;
  readonly from: Value;
  readonly to: Value;
  /** What it was sent to be as `from`, where the service made something else of it. */
  readonly sent?: Value;
  /** Of a count: what its difference is worth, to the cent; null where that is not known. */
  readonly worth?: number | null;
}

/** One field of a conflict: what both sides know of it. */
interface FieldApart {
  readonly field: string;
  /** What it was when the file was written, or when an earlier run planned it; absent where that is not known. */
  readonly was?: Value;
  /** What it is on the service now. */
  readonly now: Value;
  /** What the row says; absent where the row deletes the record. */
  readonly mine?: Value;
}

/**
 * In a planned request, stands for an id that is known only after its record is created: of the row itself
 * (`self`), or of another resource's record with that ExternalID.
 */
export type RecordReference =
  | { readonly $ref: 'self' }
  | { readonly $ref: string; readonly external: number };

/** The row's own record. */
export const SELF: RecordReference = { $ref: 'self' };

/** An earlier row of the same plan that must succeed first, by its resource and key. */
export interface RowDependency {
  readonly resource: string;
  readonly key: string;
}

/**
 * One request of a row, as it will be sent. `key` stores the ExternalID after a create; a `post` is anew each
 * time and can't be found again; `download` fetches a file.
 */
export interface Step {
  readonly purpose: 'create' | 'key' | 'update' | 'delete' | 'post' | 'download';
  /** The endpoint's name in the table. */
  readonly endpoint: string;
  /** A file stands in it as its path on this machine. */
  readonly body: Readonly<Record<string, Value | RecordReference>>;
  /** Segments of the path. */
  readonly params?: Readonly<Record<string, number | string | RecordReference>>;
  /** Identifies the posting: it is sent at most once, ever. */
  readonly fingerprint?: string;
  /** Other fingerprints of the same posting, taken together with the first. */
  readonly also?: readonly string[];
}

/** What a row is about, as far as it is known. */
export interface RowAbout {
  /** The columns by which it names its record, and `#key`, with what stands there. */
  readonly key?: Readonly<Record<string, Value>>;
  /** The record's name. */
  readonly label?: string;
}

/** One row of a plan: what would happen and why. Plain data, saved as JSON. */
export interface PlannedRow {
  /** The row's place in the plan, from 0. */
  readonly seq: number;
  readonly sheet: string;
  /** The row number in the sheet. */
  readonly row: number;
  readonly resource: string;
  readonly action: Action;
  /** Rows with the same key are about one record, sent in file order; null when no other can be about it. */
  readonly key: string | null;
  readonly about?: RowAbout;
  /** The record's id on the service, when it exists. */
  readonly id: number | null;
  readonly external: number | null;
  /** The record's LMT when it was read; a different one at sending time is a conflict. */
  readonly lmt: string | null;
  /** The LMT that the row itself shows, as an export without a baseline has it. */
  readonly shownLmt?: string;
  readonly changes: readonly FieldChange[];
  /** The fields that both the user and someone else changed, of a row in conflict. */
  readonly apart?: readonly FieldApart[];
  /** The fields of which it says something, a character each: also what the record holds already. */
  readonly said?: string;
  /** The record holds, or may hold, what the update does not send. */
  readonly rest?: true;
  readonly steps: readonly Step[];
  readonly needs: readonly RowDependency[];
  /** The names of records whose ids it sends or changes. */
  readonly names?: readonly (readonly [field: string, id: number, name: string])[];
  /** The names under which an earlier run posted it. */
  readonly posted?: readonly string[];
  /** A fact that the ledger keeps once the plan is sent, whatever becomes of the row; one that it has stays. */
  readonly fact?: readonly [name: string, value: string];
  readonly issues: readonly Issue[];
  readonly message: Bilingual | null;
}

/** What became of a row. */
export type Status = (typeof ENDS)[Action] | 'failed' | 'not sent';

/** What became of a row, and why. */
export interface Outcome {
  readonly seq: number;
  readonly status: Status;
  readonly id: number | null;
  readonly message: Bilingual | null;
  /** Problems that only the service could find, such as a refused value. */
  readonly issues: readonly Issue[];
  /** Wall clock of this machine, `YYYY-MM-DD hh:mm:ss`; null when nothing was sent. */
  readonly at: string | null;
  /** The record exists and a request after its create is still to be sent: the run can continue with it. */
  readonly unfinished?: true;
}

/** A planned row with its outcome; null while it is still to be sent. */
export interface RowResult {
  readonly planned: PlannedRow;
  readonly outcome: Outcome | null;
}

/** The status of a row whose action succeeds. */
export const plannedStatus = (action: Action): Status => ENDS[action];

/** Whether an action sends something. */
export const isSending = (action: Action): action is (typeof SENDING)[number] =>
  SENDING.some((one) => one === action);

/** The status that the plan alone decides; null for rows that are to be sent. */
export const settledStatus = (action: Action): Status | null => (isSending(action) ? null : ENDS[action]);

/** What stands for a row: its status, or in a dry run what would be sent. */
export type ShownStatus = Status | (typeof SENDING)[number];

const STATUS_TEXTS: ReadonlySet<string> = new Set<Status | Action>([
  ...Object.values(ENDS),
  ...SENDING,
  ...(['failed', 'not sent'] as const),
]);

/** Whether a text is a status or an action, as `#status` holds them. */
export const isStatusText = (text: string): boolean => STATUS_TEXTS.has(text.trim());
