import type { CheckDocument, RecordDocument, RowDocument, RunDocument } from '../../api/documents.ts';
import type { Counts, Made, ShownCounts } from '../../core/counts.ts';
import type { Language } from '../../core/language.ts';
import type { ExportDocument } from '../../export/export-records.ts';
import type { FinanceDocument } from '../../finance/export-finance.ts';
import type { SheetsDocument } from '../../import/sheets-document.ts';
import type { ServiceInUse } from '../../session/profile.ts';
import type { ChosenReading, Decision, RouteName } from './asked.ts';

/** Holds the secret of the page's session, with every request. */
export const SESSION_HEADER = 'x-catersheet-session';

/** What stopped some work, and the way out. */
interface Stop {
  /** The exit code that the command would end with. */
  exit: number;
  message: string;
  next: string | null;
}

/** How far a job is. */
interface JobProgress {
  stage: 'listing' | 'reading' | 'sending' | 'writing';
  /** What is listed or read, in the plural. */
  of: string | null;
  done: number;
  /** Null while unknown, as are the others. */
  total: number | null;
  /** A second. */
  rate: number | null;
  leftMs: number | null;
  /** Rows that were sent and not answered, and until when it is looked whether they arrived (ISO). */
  doubt: { rows: number; until: string } | null;
}

/** Work that takes a while, as it is now. */
export interface Job {
  id: string;
  kind: 'plan' | 'send' | 'settle' | 'take-back' | 'export' | 'finance' | 'template' | 'check';
  /** `waiting`: for its turn; `stopping`: nothing new is sent, what is out is awaited. */
  state: 'waiting' | 'running' | 'stopping' | 'done' | 'stopped' | 'failed';
  /** What it is about, such as the name of a file. */
  title: string;
  /** ISO, UTC. */
  startedAt: string;
  endedAt: string | null;
  progress: JobProgress | null;
  /** What there is to know, the newest last. */
  notes: readonly string[];
  stop: Stop | null;
  /** The file that was brought which it is about, by its id. */
  source: string | null;
  run: string | null;
  /** The name of what can be downloaded from `jobFile`. */
  file: string | null;
  answer: JobAnswers[keyof JobAnswers] | null;
}

/** What a job of a kind tells of what it made. */
export interface JobAnswers {
  export: ExportDocument;
  finance: FinanceDocument;
  check: CheckDocument;
}

/** Issues of one cause on one column of one sheet. */
interface IssueGroup {
  sheet: string;
  code: string;
  field: string | null;
  /** What tells it apart from others of its code. */
  cause: string | null;
  severity: 'error' | 'warning';
  message: string;
  count: number;
  /** How many of them are of rows that send something. */
  sends: number;
  /** The first cells. */
  places: readonly string[];
}

/** A sheet of a plan. */
interface PlanSheet {
  sheet: string;
  counts: Counts;
  /** What its creates are called, such as `posted`; undefined where they make a record. */
  made: Made | undefined;
  /** Fields that are amounts of money. */
  money: readonly string[];
  /** The names of its fields as people say them. */
  names: Readonly<Record<string, string>>;
}

/** A plan without its rows. */
export interface Plan {
  sheets: readonly PlanSheet[];
  counts: Counts;
  /** How the file was read. */
  notes: readonly string[];
  /** What its prices and counts come to, a sheet each. */
  comesTo: readonly { text: string; largest: readonly string[] }[];
  /** Sheets of the file that are not imported. */
  leftOut: readonly string[];
  groups: readonly IssueGroup[];
  /** Rows with a warning: all of them, and those that send something. */
  warned: { rows: number; sends: number };
  /** Rows of the run that the file takes back which it leaves, and the first of them, with the reason. */
  left: { count: number; rows: readonly { sheet: string; row: string; why: string }[] } | null;
  /** Rows that name no record and could be new, by sheet: the user is asked. */
  unnamed: readonly { sheet: string; rows: number }[];
  /** Cells corrected and conflicts decided on the page. */
  corrections: number;
  /** Rows that name no record are created, as the user said. */
  createUnnamed: boolean;
  /** Requests that it will send, and about how long that takes, ms. */
  requests: number;
  estimateMs: number | null;
  /** What it is known by, to whoever looked at it. */
  fingerprint: string;
  /** It sends more than is allowed without a look, as a sentence; empty where it does not. */
  over: string;
}

/** A run as the page knows it. */
export interface Run extends RunDocument {
  /** Its counts under the words that people know: posted beside created. */
  shown: ShownCounts | null;
  /** The file that it is the plan of, by its id; null where that was not brought here. */
  source: string | null;
  /** Whether it is for the service in use: another's can be looked at, and is not sent. */
  here: boolean;
  /** It was corrected: it is planned anew before anything is sent. */
  stale: boolean;
  /** Something is left to send of it. */
  open: boolean;
  /** Its result and report can be downloaded. */
  result: boolean;
}

/** A row of a table: of a plan what would become of it, of a run what did. */
export interface TableRow extends RowDocument {
  /** One of its cells was corrected on the page. */
  corrected: boolean;
  /** How its conflict was decided on the page. */
  decided: Decision | null;
}

/** A cell of a row, as the user wrote it. */
export interface RowCell {
  column: number;
  letters: string;
  header: string;
  field: string | null;
  /** What the sheet shows. */
  text: string;
  /** What it was before it was corrected here; null where it was not. */
  before: string | null;
  issues: readonly { code: string; severity: 'error' | 'warning'; message: string }[];
  /** It is to be corrected: it holds more than what is to be decided between two values. */
  bad: boolean;
  /** Whether `suggest` has something to choose from. */
  list: boolean;
  /** What was probably meant, of a cell that can't be read. */
  answers: readonly string[];
}

/** A row with its cells. */
interface RowDetail {
  row: TableRow;
  cells: readonly RowCell[];
}

/** The same for other rows: a text for cells that hold what a correction solved, a decision for open conflicts. */
export interface Offer {
  /** What these cells hold; null for conflicts. */
  found: string | null;
  /** What each gets: the text, or the name of the decision. */
  text: string;
  corrections: readonly { sheet: string; row: number; column: number; text: string | null }[];
  decisions: readonly { sheet: string; row: number; decide: Decision }[];
}

/** What the first page shows, and what holds for all of them. */
export interface Home {
  language: Language;
  version: string;
  service: ServiceInUse;
  /** Files on their way, the newest first: their plans, which were not sent. */
  drafts: readonly Draft[];
  /** The newest runs of which something was sent. */
  runs: readonly Run[];
  /** Kinds of sheets that a template can have. */
  templates: readonly { name: string; sheet: string }[];
}

/** A file on its way. */
interface Draft {
  run: Run;
  /** Cells corrected and conflicts decided on the page. */
  corrections: number;
  /** The run that its file takes back. */
  undoes: string | null;
}

/** What a file is taken for, and what the user chose so far: a next choice goes with these. */
export interface Sheets extends SheetsDocument {
  chosen: ChosenReading;
  /** It has a plan, or was sent. */
  planned: boolean;
}

interface Started {
  job: Job;
}
interface Done {
  ok: true;
}

interface Answers {
  exchangeKey: { session: string };
  home: Home;
  /** All jobs, the newest first; `changed`: something else did, such as runs, files or the service. */
  news: { at: number; changed: boolean; jobs: readonly Job[] };
  chooseLanguage: Done;
  /** `exact`: nothing of its reading is left to decide. */
  addFile: { source: string; exact: boolean };
  sheets: Sheets;
  chooseReading: Sheets;
  makePlan: Started;
  planRest: Started;
  correct: { offer: Offer | null };
  suggest: { entries: readonly { text: string; id: number | null }[] };
  dropRun: Done;
  send: Started;
  stopJob: Started;
  listRuns: { runs: readonly Run[]; total: number };
  /** `deletes`: rows that delete and were not sent; `undo`: the run that took it back. */
  run: { run: Run; plan: Plan | null; deletes: number; undo: Run | null };
  /** `counts` are of all rows as they are now, corrections included. */
  rows: { total: number; rows: readonly TableRow[]; counts: Counts };
  row: RowDetail;
  history: Pick<RecordDocument, 'changes'>;
  next: { at: number | null };
  settle: Started;
  takeBack: Started;
  /** Kinds of records that can be exported, and how they can be chosen: by `period`, `since` the last one. */
  exports: { kinds: readonly { name: string; words: string; takes: readonly string[] }[] };
  makeExport: Started;
  makeFinance: Started;
  makeTemplate: Started;
  service: {
    service: ServiceInUse;
    /** Where the profiles are kept. */
    place: string;
    profiles: readonly { name: string; address: string | null; hasToken: boolean }[];
  };
  saveService: Done;
  useProfile: Done;
  check: Started;
}

/** What a route answers; a file is a response of its own. */
export type AnswerOf<R extends RouteName> = R extends keyof Answers ? Answers[R] : Response;
