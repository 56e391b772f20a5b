import { z } from 'zod';
import type { CheckDocument, ExportDocument, TemplateDocument } from '../../api/documents.ts';
import { countsShape } from '../../api/documents.ts';
import type { FinanceDocument } from '../../finance/export-finance.ts';
import { callsAnswer } from './beside-documents.ts';
import { FILE_USES } from './file-uses.ts';
import { planParts } from './plan-parts.ts';
import { madeDocument, shownCountsDocument, tableRow } from './row-document.ts';

/** The shape of a document that is made and described below the desk. */
const made = <T>() => z.custom<T>((value) => value !== undefined);

const text = z.string();
const count = z.number().int().min(0);

/** The languages of the page. */
export const language = z.enum(['en', 'nl']);

/** Which service it is. */
export const serviceDocument = z.object({
  /** The profile in use; null without one. */
  profile: text.nullable(),
  /** Its address without secrets; null for the sandbox. */
  address: text.nullable(),
  /** `sandbox`: made-up data, on this machine. */
  kind: z.enum(['sandbox', 'real']),
});

/** What stopped some work, and the way out. */
export const stopDocument = z.object({
  /** The exit code that the command would end with. */
  exit: z.number().int(),
  message: text,
  next: text.nullable(),
});

/** How far a job is. */
export const progressDocument = z.object({
  stage: z.enum(['listing', 'reading', 'sending', 'writing']),
  /** What is listed or read, in the plural. */
  of: text.nullable(),
  done: count,
  /** Null while unknown. */
  total: count.nullable(),
  /** How many a second; null until known. */
  rate: z.number().nullable(),
  /** About how long it still takes, ms; null while unknown. */
  leftMs: z.number().nullable(),
  /** Rows that were sent and not answered, and until when it is looked whether they arrived (ISO). */
  doubt: z.object({ rows: count, until: text }).nullable(),
});

/** A problem of a row that came while it was sent. */
export const problemDocument = z.object({
  sheet: text,
  row: count,
  status: text,
  /** What the row is about: its keys and name. */
  about: text,
  message: text,
});

/** Where what was handed over is; `again`: a try failed, and the next comes by itself. */
const atWorkers = z.enum(['waiting', 'working', 'again']);

const jobKinds = [
  'plan',
  'send',
  'correct',
  'settle',
  'take-back',
  'export',
  'finance',
  'template',
  'check',
  'orders',
  'refresh',
] as const;

/** What a job made, besides a file. */
const jobAnswer = z.union([
  z.object({ kind: z.literal('export'), document: made<ExportDocument>() }),
  z.object({ kind: z.literal('finance'), document: made<FinanceDocument>() }),
  z.object({ kind: z.literal('template'), document: made<TemplateDocument>() }),
  z.object({ kind: z.literal('check'), document: made<CheckDocument>() }),
  z.object({ kind: z.literal('calls'), document: callsAnswer }),
]);

/** Work that takes a while, as it is now. */
export const jobDocument = z.object({
  id: text,
  kind: z.enum(jobKinds),
  /** `waiting`: for its turn; `stopping`: nothing new is sent, what is out is awaited. */
  state: z.enum(['waiting', 'running', 'stopping', 'done', 'stopped', 'failed']),
  /** What it is about, such as the name of a file. */
  title: text,
  /** Where it is with workers, who do it; null for what is done here. */
  workers: atWorkers.nullable(),
  /** The service that was in use when it began: what it answers is of that one. */
  service: serviceDocument,
  /** How often it changed: answers and events come in any order, and the one with more is the later. */
  changes: count,
  /** ISO, UTC. */
  startedAt: text,
  endedAt: text.nullable(),
  progress: progressDocument.nullable(),
  /** What there is to know, the newest last. */
  notes: z.array(text),
  /** Of rows that are sent: how many came to what so far, by status. */
  outcomes: z.record(text, count),
  /** The newest problems of rows, and how many there are. */
  problems: z.object({ count, newest: z.array(problemDocument) }),
  stop: stopDocument.nullable(),
  /** The draft that it works on or made. */
  draft: text.nullable(),
  run: text.nullable(),
  /** What can be downloaded from `jobFile`. */
  file: z.object({ name: text, bytes: count }).nullable(),
  answer: jobAnswer.nullable(),
});

/** A file on its way to the service. */
export const draftDocument = z.object({
  id: text,
  file: z.object({ name: text, bytes: count }),
  /** ISO, UTC. */
  addedAt: text,
  /** `undo`: a workbook that takes `of` back; `again`: what `of` left. */
  origin: z.enum(['file', 'undo', 'again']),
  of: text.nullable(),
  /** `read`: nothing is planned; `sent`: its run was sent, or begun. */
  stage: z.enum(['read', 'planned', 'sent']),
  /** The run of its last plan. */
  run: text.nullable(),
  /** Its job that is under way, or the last one. */
  job: jobDocument.nullable(),
  /** Cells corrected and conflicts decided on the page. */
  corrections: count,
  decisions: count,
  allowDelete: z.boolean(),
  /** Rows that name no record are created, as the user said. */
  createUnnamed: z.boolean(),
  use: z.enum(FILE_USES),
});

/** A plan without its rows. */
export const planDocument = z.object({
  run: text,
  /** The name of its file. */
  file: text,
  /** The one that it was made for. */
  service: serviceDocument,
  /** Whether that is the service in use: another's can be looked at, and is not sent. */
  here: z.boolean(),
  counts: countsShape,
  sheets: z.array(
    z.object({
      sheet: text,
      resource: text,
      counts: countsShape,
      /** What its creates are called, such as `posted`; absent where they make a record. */
      made: madeDocument.optional(),
      /** Fields that are amounts of money. */
      money: z.array(text),
      notes: z.array(text),
    }),
  ),
  /** Sheets of the file that are not imported. */
  leftOut: z.array(text),
  /** Notes on the whole file. */
  notes: z.array(text),
  ...planParts,
  /** Requests that it will send, and about how long that takes, ms. */
  requests: count,
  estimateMs: z.number().nullable(),
  /** Rows to delete: only where the user agrees to that. */
  deletes: count,
  /** Whether workers can send it. */
  workers: z.boolean(),
  /** Corrected or decided since the plan was made: it is made anew before anything is sent. */
  stale: z.boolean(),
  /** Something to send was begun or sent. */
  sent: z.boolean(),
});

/** A part of a table's rows. */
export const rowsDocument = z.object({
  /** Rows that the filter leaves. */
  total: count,
  /** Those asked for, from `offset` on. */
  offset: count,
  rows: z.array(tableRow),
  /** Counts of all rows as they are now, corrections included. */
  counts: countsShape,
});

/** A cell of a row, as the user wrote it. */
const cellDocument = z.object({
  column: count,
  letters: text,
  header: text,
  field: text.nullable(),
  /** What the sheet shows. */
  text,
  /** What it was before it was corrected here; null where it was not. */
  before: text.nullable(),
  /** The problems of the cell. */
  issues: z.array(
    z.object({ code: text, severity: z.enum(['error', 'warning']), message: text, expected: text }),
  ),
  /** How many cells have the same problem, this one included. */
  same: count,
  /** What the problem was that it was corrected for, and how many corrected cells had the same. */
  solved: z.object({ code: text, found: text, count }).nullable(),
  /** Whether `suggest` has something to choose from. */
  list: z.boolean(),
});

/** A row with its cells. */
export const rowDetail = z.object({
  row: tableRow,
  cells: z.array(cellDocument),
  /** What can be said in its cell of `#action`, which is among the cells; nothing where it can't be changed. */
  actions: z.array(text),
  /** Of a conflict: what each field was, is on the service now, and was to be; as shown. */
  conflict: z.array(z.object({ field: text, was: text, now: text, mine: text })),
  /** Its requests and what came of them. */
  requests: z.array(
    z.object({ purpose: text, path: text, state: z.enum(['waiting', 'out', 'done']), fields: count }),
  ),
  /** Sent without an answer: the user can say whether it arrived. */
  doubtful: z.boolean(),
});

/** What came of corrections. */
export const correctedDocument = z.object({
  /** The rows that were checked again. */
  rows: z.array(tableRow),
  counts: countsShape,
  corrections: count,
  /** Other cells with the problem that the first correction solved; null for none. */
  same: z.object({ sheet: text, column: count, code: text, found: text, count, text }).nullable(),
  /** After a decision: conflicts that are still open. */
  conflicts: count,
});

/** What can be chosen for a cell. */
export const suggestDocument = z.object({
  /** `names`: of the service; `words`: few, such as yes and no; `none`: anything can be typed. */
  kind: z.enum(['names', 'words', 'none']),
  entries: z.array(z.object({ text, detail: text.nullable() })),
  /** There are more than these. */
  more: z.boolean(),
});

/** A run in the list. */
export const runDocument = z.object({
  run: text,
  file: text,
  service: text,
  /** Wall clock of this machine, `YYYY-MM-DD hh:mm:ss`. */
  startedAt: text,
  state: z.enum(['planning', 'planned', 'applying', 'done', 'interrupted']),
  busy: z.boolean(),
  counts: countsShape.nullable(),
  /** The same under the words that people know: posted, fetched and uploaded beside created. */
  shown: shownCountsDocument.nullable(),
  takenBack: text.nullable(),
  finishedBy: text.nullable(),
  /** When its rows were removed, wall clock: it can be neither taken back nor downloaded. */
  prunedAt: text.nullable(),
  /** The draft that it is the plan of; null for a run of the command line. */
  draft: text.nullable(),
  /** Whether it is for the service in use: another's can be seen and not sent. */
  here: z.boolean(),
  /** The newer plan of the same file; null where it is the newest. Only that one is sent. */
  replacedBy: text.nullable(),
  /** Its file was corrected since: a new plan is made before anything is sent. */
  stale: z.boolean(),
  /** Something can be sent of it. */
  open: z.boolean(),
  /** Whether its result and report can be downloaded. */
  result: z.boolean(),
  /** Where it is with workers; null where it was not handed over, or is over. */
  workers: atWorkers.nullable(),
  /** Its job that is under way. */
  job: jobDocument.nullable(),
});

/** The first page. */
export const homeDocument = z.object({
  language,
  version: text,
  service: serviceDocument,
  /** The names of the profiles. */
  profiles: z.array(text),
  /** How runs and exports are handed over to workers; null where there can be none. */
  workers: z.object({ usual: z.boolean() }).nullable(),
  /** Files on their way, the newest first: those that were not sent. */
  drafts: z.array(draftDocument),
  /** The newest runs of which something was sent. */
  runs: z.array(runDocument),
  /** Kinds of sheets that a template can have. */
  templates: z.array(z.object({ name: text, sheet: text, words: text })),
});

/** What can be exported. */
export const exportsDocument = z.object({
  kinds: z.array(
    z.object({
      name: text,
      words: text,
      /** How its records are chosen. */
      takes: z.array(z.enum(['period', 'since', 'definitive', 'declaration', 'file'])),
      /** The watermark of the last export, as shown; null where there was none. */
      last: text.nullable(),
    }),
  ),
});

/** A dropdown list of the service, chosen by what is in it. */
const dropdownDocument = z.object({
  /** What it is for, such as `locatie`. */
  name: text,
  words: text,
  /** The number in use; null where none is known. */
  number: count.nullable(),
  candidates: z.array(z.object({ number: count, entries: z.array(text), total: count.nullable() })),
});

/** The service, its profiles and its lists. */
export const settingsDocument = z.object({
  service: serviceDocument,
  profiles: z.array(
    z.object({
      name: text,
      address: text.nullable(),
      hasToken: z.boolean(),
      isDefault: z.boolean(),
    }),
  ),
  /** Where the profiles are kept. */
  place: text,
  dropdowns: z.array(dropdownDocument),
});

/** What is told while the page is open. */
export const EVENTS = {
  /** A job as it is now. */
  job: jobDocument,
  /** What the page shows of these may be old. */
  changed: z.object({ what: z.enum(['drafts', 'runs', 'service']), id: text.nullable() }),
} as const;

/** Which service it is. */
export type ServiceDocument = z.output<typeof serviceDocument>;
/** What stopped some work, and the way out. */
export type StopDocument = z.output<typeof stopDocument>;
/** How far a job is. */
export type ProgressDocument = z.output<typeof progressDocument>;
/** A problem of a row that came while it was sent. */
export type ProblemDocument = z.output<typeof problemDocument>;
/** Work that takes a while, as it is now. */
export type JobDocument = z.output<typeof jobDocument>;
/** What kind of work a job is. */
export type JobKind = JobDocument['kind'];
/** A file on its way to the service. */
export type DraftDocument = z.output<typeof draftDocument>;
/** A plan without its rows. */
export type PlanDocument = z.output<typeof planDocument>;
/** A row of a table. */
export type TableRow = z.output<typeof tableRow>;
/** A part of a table's rows. */
export type RowsDocument = z.output<typeof rowsDocument>;
/** A row with its cells. */
export type RowDetail = z.output<typeof rowDetail>;
/** What came of corrections. */
export type CorrectedDocument = z.output<typeof correctedDocument>;
/** What can be chosen for a cell. */
export type SuggestDocument = z.output<typeof suggestDocument>;
/** A run in the list. */
export type DeskRun = z.output<typeof runDocument>;
/** What the first page shows. */
export type HomeDocument = z.output<typeof homeDocument>;
/** What can be exported. */
export type ExportsDocument = z.output<typeof exportsDocument>;
/** The service, its profiles and its lists. */
export type SettingsDocument = z.output<typeof settingsDocument>;
/** What is told, by the name of the event. */
export type EventOf<E extends keyof typeof EVENTS> = z.output<(typeof EVENTS)[E]>;
