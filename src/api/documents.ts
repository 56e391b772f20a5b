import { z } from 'zod';
import type { Counts } from '../core/counts.ts';
import type { ExitCode, StopError } from '../core/errors.ts';
import type { IssueCode } from '../core/issue-catalogue.ts';
import type { ShownStatus } from '../core/plan.ts';
import type { Value } from '../core/value.ts';
import type { ExportDocument } from '../export/export-records.ts';
import type { UndoDocument } from '../export/undo-run.ts';
import type { FinanceDocument } from '../finance/export-finance.ts';
import type { SheetProposal } from '../import/map/header-proposals.ts';
import type { SheetComesTo } from '../import/plan/comes-to.ts';
import type { RunRecord } from '../ledger/ledger.ts';
import type { AtWorkers } from '../queue/run-queue.ts';
import type { WrittenTemplate } from '../template/write-template-file.ts';

const text = z.string();
const count = z.number().int().min(0);
const texts = z.array(text).readonly();

/** A shape by the name of its type, as the pages and the JSON Schema made of these call it. */
const named = <T>(shape: z.ZodType<T>): z.ZodType<T> => shape;

/** Rows by what became of them, or would. */
const countsShape = z.strictObject({
  ...{ read: count, created: count, updated: count, unchanged: count, deleted: count, skipped: count },
  ...{ conflict: count, invalid: count, failed: count, unknown: count, notSent: count },
}) satisfies z.ZodType<Counts>;

const status = z.enum([
  ...(['created', 'updated', 'deleted', 'unchanged', 'skipped', 'conflict', 'invalid'] as const),
  ...(['failed', 'unknown', 'not sent', 'create', 'update', 'delete'] as const),
]);

const value = z.union([text, z.number(), z.boolean(), z.null()]);

const issue = z.strictObject({
  /** What is wrong, the same in every language. */
  code: z.custom<IssueCode>((code) => typeof code === 'string'),
  /** An `error` stops its row; with a `warning` it is sent. */
  severity: z.enum(['error', 'warning']),
  /** The column by its header; null for what is about the row. */
  field: text.nullable(),
  /** Such as `F12`; null when the sheet has no such column. */
  cell: text.nullable(),
  /** What stands there; empty where the cell shows nothing. */
  found: text,
  /** What to write in its place, or what else to do, in the language of `lang`. */
  expected: text,
  /** What is wrong and what to do, in sentences, in the language of `lang`. */
  message: text,
});

/** One problem of a row, as `--json` prints it. */
export interface IssueDocument extends z.infer<typeof issue> {}

const change = z.strictObject({
  /** The field by the interface’s own name. */
  field: text,
  /** What the record has; null for nothing. */
  from: named<Value>(value),
  /** What it gets; null for nothing. */
  to: named<Value>(value),
  /** The name of the id `from`, where planning read it. */
  fromName: text.exactOptional(),
  /** The name of the id `to`, where planning read it. */
  toName: text.exactOptional(),
  /** Of a count: what its difference is worth, to the cent; null where that is not known. */
  worth: z.number().nullable().exactOptional(),
});

/** One field that a row changes, as `--json` prints it: values as data, and the names of ids where known. */
export interface ChangeDocument extends z.infer<typeof change> {}

const conflict = z.strictObject({
  /** The field by the interface’s own name. */
  field: text,
  /** What it was when the file was written, or when an earlier run planned the row; absent where not known. */
  was: named<Value>(value).exactOptional(),
  /** What it is on the service now; null where that is not told. */
  now: named<Value>(value),
  /** What the row says; absent where the row deletes the record. */
  mine: named<Value>(value).exactOptional(),
  /** The names of the ids among these, where planning read them. */
  names: z.record(text, text).readonly().exactOptional(),
});

/** One field that the user and someone else both changed, as `--json` prints it. */
export interface ConflictDocument extends z.infer<typeof conflict> {}

const rowShape = z.strictObject({
  /** The sheet by its name in the file. */
  sheet: text,
  /** Its number in the sheet, from 1, headers included. */
  row: count,
  /** What became of it; of a plan what would: `create`, `update` or `delete` where something is sent. */
  status: named<ShownStatus>(status),
  /** The columns by which the row names its record, and `#key`, with what stands there. */
  key: z.record(text, named<Value>(value)).readonly().exactOptional(),
  /** The record's name. */
  label: text.exactOptional(),
  /** The record’s id on the service. */
  id: z.number().exactOptional(),
  /** What it changes, or was to change; of a new record what it is made with, from null. */
  changes: z.array(named<ChangeDocument>(change)).readonly().exactOptional(),
  /** Of a row in conflict the fields that both changed, where that is known. */
  conflict: z.array(named<ConflictDocument>(conflict)).readonly().exactOptional(),
  /** What is to be told of it, in the language of `lang`. */
  message: text.exactOptional(),
  /** What is wrong or odd about its cells. */
  issues: z.array(named<IssueDocument>(issue)).readonly().exactOptional(),
});

/** One row, as `--json` prints it. `row` is its number in the sheet. */
export interface RowDocument extends z.infer<typeof rowShape> {}

const sheet = z.strictObject({
  /** The sheet by its name in the file. */
  sheet: text,
  /** What it was read as, such as `packages`. */
  resource: text,
  /** Its rows. */
  counts: named<Counts>(countsShape),
  /** How it was read, when there is anything to know; in the language of `lang`. */
  notes: texts.exactOptional(),
});

/** One sheet, as `--json` prints it. */
export interface SheetDocument extends z.infer<typeof sheet> {}

const comesToShape = z.strictObject({
  /** The sheet by its name in the file. */
  sheet: text,
  /** Prices that rise, or products of which more was counted than the total. */
  up: count,
  /** Prices that fall, or products of which less was counted. */
  down: count,
  /** In neither: prices without an old or a new one, old ones of 0, and counts of unknown value. */
  apart: count,
  /** What the prices that rise or fall are on average, to the cent, and its change in %, to a tenth. */
  average: z
    .strictObject({ from: z.number(), to: z.number(), percent: z.number().nullable() })
    .readonly()
    .exactOptional(),
  /** What the differences of counts are worth, by the value that the service gives of the stock. */
  worth: z.strictObject({ more: z.number(), less: z.number(), total: z.number() }).readonly().exactOptional(),
  /** The ten largest changes, in % or, of counts, in value. */
  largest: z
    .array(
      z.strictObject({
        /** Its number in the sheet. */
        row: count,
        /** The record's name, or its keys. */
        label: text,
        /** The field by the interface’s own name. */
        field: text,
        /** What the record has, or the total. */
        from: named<Value>(value),
        /** What it gets, or what was counted. */
        to: named<Value>(value),
        /** The change of a price in %, to a tenth. */
        percent: z.number().exactOptional(),
        /** What the difference of a count is worth. */
        worth: z.number().exactOptional(),
      }),
    )
    .readonly(),
}) satisfies z.ZodType<SheetComesTo>;

/** What the prices or counts of a sheet come to in a plan, as `--json` prints it. */
export interface ComesToDocument extends z.infer<typeof comesToShape> {}

/** What a run came to. */
export const runShape = z.strictObject({
  /** The run’s name, for `applyPlan`, `undoRun` and `readRun`. */
  run: text,
  /** What its plan is known by, for the option `expect` of `applyPlan`. */
  fingerprint: text,
  /** The file’s path, as given. */
  file: text,
  /** Nothing was sent: counts and rows tell what would be. */
  dryRun: z.boolean(),
  /** The base URL of the service; `sandbox` for the one on this machine. */
  service: text,
  /** What the command ends with: `EXIT.rows` where a row or sheet needs work, `EXIT.unknown`, `EXIT.ok`, … */
  exit: z.custom<ExitCode>((code) => typeof code === 'number'),
  /** All rows of the file. */
  counts: named<Counts>(countsShape),
  /** In a dry run: how many rows would be created, updated and deleted. */
  planned: z.strictObject({ create: count, update: count, delete: count }).exactOptional(),
  /** Each sheet that was imported, in the order of the file. */
  sheets: z.array(named<SheetDocument>(sheet)).readonly(),
  /** Notes on the file and the run, when there are any. */
  notes: texts.exactOptional(),
  /** What its plan comes to in money, of each sheet that changes prices or counts stock. */
  comesTo: z.array(named<ComesToDocument>(comesToShape)).readonly().exactOptional(),
  /** What headers may mean that mean nothing as they stand, when there are any. */
  proposals: z
    .array(z.custom<SheetProposal>((one) => one !== undefined))
    .readonly()
    .exactOptional(),
  /** What takes them, as `--map` takes it. */
  map: text.exactOptional(),
  /** Requests sent, reads included. */
  requests: count,
  /** The result workbook's path; null where it could not be written. */
  result: text.nullable(),
  /** Why it could not be written. */
  resultError: text.exactOptional(),
  /** The report's path, where one was asked for; null where it could not be written. */
  report: text.nullable().exactOptional(),
  /** Why it could not be written. */
  reportError: text.exactOptional(),
  /** Every row that is not plainly fine; with `allRows` every row. */
  rows: z.array(named<RowDocument>(rowShape)).readonly(),
  /** How long it took, ms. */
  ms: count,
});

/** An import's result as one plain document, as `--json` prints it. */
export interface ImportDocument extends z.infer<typeof runShape> {}

/** An earlier run, as `catersheet runs --json` prints it. */
export interface RunDocument extends RunRecord {
  /** Another program is at it now: plans or sends it. */
  readonly busy: boolean;
  /** The run that took it back, if any. */
  readonly takenBack?: string;
  /** It was cut off, and this run finished what was left of it. */
  readonly finishedBy?: string;
  /** It was handed over to workers, who have it still. */
  readonly workers?: AtWorkers;
  /** Of one plan that was not sent: what it comes to in money, of each sheet that changes prices or counts stock. */
  readonly comesTo?: readonly ComesToDocument[];
}

/** What this ledger sent to a record; what `catersheet runs --record` prints. */
export interface RecordDocument {
  /** Its kind and its number, as asked for. */
  readonly record: string;
  /** Its name, when it was sent last; null where no run says it. */
  readonly label: string | null;
  /** Every change, the last one first. */
  readonly changes: readonly {
    /** The run that sent it. */
    readonly run: string;
    /** The file that it imported. */
    readonly file: string;
    /** When, wall clock, `YYYY-MM-DD hh:mm:ss`. */
    readonly at: string;
    /** The user of the machine that sent it; null where that was not written down. */
    readonly user: string | null;
    /** `unknown` where no answer tells. */
    readonly status: 'created' | 'updated' | 'deleted' | 'unknown';
    /** Each field. */
    readonly changes: readonly ChangeDocument[];
    /** What others changed before it, since this ledger had sent these fields last. */
    readonly elsewhere?: readonly ChangeDocument[];
  }[];
}

/** What was removed of old runs, or in a dry run would be; what `catersheet runs prune --json` prints. */
export interface PruneDocument {
  /** Nothing was removed. */
  readonly dryRun: boolean;
  /** Runs that began before this moment are old, wall clock, `YYYY-MM-DD hh:mm:ss`. */
  readonly before: string;
  /** Runs that have rows to remove, the newest first. */
  readonly runs: readonly {
    /** Its name. */
    readonly run: string;
    /** The file that it imported. */
    readonly file: string;
    /** When it began, wall clock. */
    readonly startedAt: string;
    /** Rows that go. */
    readonly removed: number;
    /** Rows that stay, as later imports ask for them. */
    readonly kept: number;
  }[];
  /** Plans that go whole, as nothing of them was sent. */
  readonly plans: readonly string[];
  /** Old runs that stay as they are: they can go on, or nobody knows what became of rows of theirs. */
  readonly open: readonly string[];
}

/** The outcome of each call; what `orders send` and `refresh` print with `--json`. */
export interface CallsDocument {
  /** The base URL of the service; `sandbox` for the one on this machine. */
  readonly service: string;
  /** Each call, one for every id. */
  readonly calls: readonly {
    /** The id of the event or order, as text. */
    readonly id: string;
    /** `unknown` where no answer came, `not sent` where something stopped the calls before it. */
    readonly status: 'done' | 'unchanged' | 'failed' | 'unknown' | 'not sent';
    /** Why, where it is not plainly done; in the language of `lang`. */
    readonly message?: string;
  }[];
  /** Requests sent, reads included. */
  readonly requests: number;
}

/** The checks of a service; what `catersheet check --json` prints. */
export interface CheckDocument {
  /** The base URL of the service; `sandbox` for the one on this machine. */
  readonly service: string;
  /** Whether workbooks can be imported here. */
  readonly ok: boolean;
  /** Each check, in the order in which they were made. */
  readonly checks: readonly {
    /** What was tried, in English. */
    readonly what: string;
    /** No import works without it. */
    readonly needed: boolean;
    /** Whether it went well. */
    readonly ok: boolean;
    /** What came of it, in the language of `lang`. */
    readonly found: string;
    /** The next step. */
    readonly advice?: string;
  }[];
}

/** What a template holds; what `catersheet template --json` prints. */
export type TemplateDocument = Omit<WrittenTemplate, 'missing'> & {
  /** Lists that are missing from it, for which columns, and why. */
  readonly missing: readonly {
    /** The lookup by its name in the interface, such as `producttype`. */
    readonly lookup: string;
    /** The columns that go without a list, by their headers. */
    readonly columns: readonly string[];
    /** Why, in the language of `lang`. */
    readonly reason: string;
  }[];
};

/** One file of several that could not be imported. */
export interface StoppedFile {
  /** As it was given. */
  readonly file: string;
  /** Where it was moved. */
  readonly moved?: string | undefined;
}

/** What stopped a command. */
export interface StopDocument {
  /** What is wrong, as a `StopError` tells it. */
  readonly error: {
    /** What it stands for; the command ends with it, unless the document has an `exit` of its own. */
    readonly exit: StopError['exit'];
    /** What is wrong. */
    readonly message: string;
    /** The next step. */
    readonly next?: string;
  };
}

/** The sandbox, once it is there. */
interface SandboxDocument {
  /** Its base URL. */
  readonly baseUrl: string;
  /** The bearer token it asks for. */
  readonly token: string;
  /** Where it keeps its records: a SQLite file, or `:memory:`. */
  readonly data: string;
}

/** How much a ledger holds. */
interface LedgerHolds {
  /** Runs. */
  readonly runs: number;
  /** Rows of all runs. */
  readonly rows: number;
  /** Records with an ExternalID. */
  readonly records: number;
  /** What was made or posted once. */
  readonly postings: number;
}

/** Whether the ledger is whole, and the copies that are kept of it. */
interface LedgerCheckDocument {
  /** The file of the ledger. */
  readonly ledger: string;
  /** Nothing is wrong with it; also where there is none yet. */
  readonly whole: boolean;
  /** What is wrong; null for nothing. */
  readonly problem: string | null;
  /** The next step; null where nothing is wrong. */
  readonly next: string | null;
  /** What it holds; null where there is none, or it can’t be read. */
  readonly holds: LedgerHolds | null;
  /** Its copies, the newest first. */
  readonly copies: readonly {
    /** The file of the copy. */
    readonly file: string;
    /** When it was made, `YYYY-MM-DD hh:mm:ss UTC`. */
    readonly at: string;
    /** It can be put back. */
    readonly whole: boolean;
    /** What it holds; null where it can’t be read. */
    readonly holds: LedgerHolds | null;
    /** What is wrong with it; null for nothing. */
    readonly problem: string | null;
  }[];
}

/** A backup of the ledger. */
interface LedgerBackupDocument {
  /** The file of the ledger. */
  readonly ledger: string;
  /** The file of the backup. */
  readonly backup: string;
  /** It took the place of an earlier one. */
  readonly replaced: boolean;
  /** What both hold. */
  readonly holds: LedgerHolds;
}

/** A copy that was put in the place of the ledger. */
interface LedgerRestoreDocument {
  /** The file of the ledger. */
  readonly ledger: string;
  /** The copy that was put back. */
  readonly copy: string;
  /** When it was made, `YYYY-MM-DD hh:mm:ss UTC`. */
  readonly at: string;
  /** What the ledger holds now. */
  readonly holds: LedgerHolds;
  /** Where the ledger that was there stays; null where there was none. */
  readonly kept: string | null;
  /** Runs that the copy does not know. */
  readonly lost: readonly Pick<RunDocument, 'run' | 'file' | 'startedAt'>[];
  /** Of what was posted since, how much was carried over. */
  readonly carried: number;
  /** How many runs the ledger should hold; null where that is not known. */
  readonly held: number | null;
}

/** A ledger that was moved. */
interface LedgerMoveDocument {
  /** Where it was: a file, or the address of a database. */
  readonly from: string;
  /** Where it is now. */
  readonly to: string;
  /** What was brought along, by table. */
  readonly tables: readonly {
    readonly name: string;
    readonly rows: number;
    /** SHA-256 of all that its rows hold, the same on both sides. */
    readonly sum: string;
  }[];
}

/** All that `--json` prints, by name. `scripts/json-schema.mjs` makes the JSON Schema of these. */
export interface Documents {
  /** `import`, `apply`, `documents`, `invoices` and `refresh FILE`; `error` is what stopped it */
  readonly import: ImportDocument &
    Partial<StopDocument> & {
      /** Where the file was moved. */
      readonly moved?: string;
    };
  /** `import` of several files, and with `--done-to`; `error` is what stopped the rest */
  readonly imports: Partial<StopDocument> & {
    /** In the order of the files; of one that could not be read what stopped it. */
    readonly imports: readonly (Documents['import'] | (StopDocument & StoppedFile))[];
    /** What the command ends with. */
    readonly exit: StopError['exit'];
  };
  /** What stopped a command */
  readonly error: StopDocument;
  /** `undo` */
  readonly undo: UndoDocument;
  /** `runs` */
  readonly runs: {
    /** The newest 50, the last one first. */
    readonly runs: readonly RunDocument[];
  };
  /** `runs RUN` */
  readonly run: RunDocument & {
    /** Every row. */
    readonly rows: readonly RowDocument[];
  };
  /** `runs --record` */
  readonly record: RecordDocument;
  /** `runs prune` */
  readonly prune: PruneDocument;
  /** `export`, but for finance */
  readonly export: ExportDocument;
  /** `export finance`; amounts are decimals in text */
  readonly finance: FinanceDocument;
  /** `orders send`, and `refresh` with numbers; `error` is what stopped them */
  readonly calls: CallsDocument & Partial<StopDocument>;
  /** `check` */
  readonly check: CheckDocument;
  /** `template` */
  readonly template: TemplateDocument;
  /** `sandbox` */
  readonly sandbox: SandboxDocument;
  /** `ledger check` */
  readonly ledgerCheck: LedgerCheckDocument;
  /** `ledger backup` */
  readonly ledgerBackup: LedgerBackupDocument;
  /** `ledger restore` */
  readonly ledgerRestore: LedgerRestoreDocument;
  /** `ledger move` */
  readonly ledgerMove: LedgerMoveDocument;
}
