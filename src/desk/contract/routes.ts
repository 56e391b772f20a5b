import { z } from 'zod';
import { broughtDocuments, fetchedInvoices, knownOrders } from './beside-documents.ts';
import {
  correctedDocument,
  draftDocument,
  exportsDocument,
  homeDocument,
  jobDocument,
  language,
  planDocument,
  rowDetail,
  rowsDocument,
  runDocument,
  serviceDocument,
  settingsDocument,
  suggestDocument,
} from './documents.ts';
import type { RouteName } from './paths.ts';
import { chosenReading, sheetsDocument } from './sheets-document.ts';

const text = z.string();
/** What a person types in one go; a cell of Excel holds no more. */
const typed = z.string().max(32_767);
const place = z.number().int().min(1).max(1_048_576);
const column = z.number().int().min(1).max(16_384);
const day = z.string().regex(/^\d{4}-\d\d-\d\d$/);
/** Numbers of events or orders, as text. */
const numbers = z.array(z.string().regex(/^[1-9]\d{0,14}$/));
/** Whether workers do it, in place of this program. */
const workers = z.boolean().default(false);
const none = z.object({});
const ok = z.object({ ok: z.literal(true) });

/** A cell and what is to stand there; null takes a correction back. */
export const cellCorrection = z.object({ sheet: text, row: place, column, text: typed.nullable() });
/** Whose values a row in conflict gets; null leaves it open again. */
export const rowDecision = z.object({
  sheet: text,
  row: place,
  decide: z.enum(['mine', 'theirs', 'skip']).nullable(),
});

const rowsQuery = z.object({
  /** Only rows of these statuses; all when empty. */
  status: z.array(text).default([]),
  /** Only rows that need work. */
  work: z.boolean().default(false),
  /** Only rows with a warning. */
  warned: z.boolean().default(false),
  /** Only rows that were corrected or decided on the page. */
  corrected: z.boolean().default(false),
  sheet: text.nullable().default(null),
  /** Words that all stand in the row. */
  search: z.string().max(200).default(''),
  /** Only rows with this issue; of any cause where that is null. */
  issue: z
    .object({
      ...{ sheet: text, code: text, field: text.nullable() },
      cause: text.nullable().default(null),
    })
    .nullable()
    .default(null),
  sort: z.enum(['row', 'status', 'record', 'changes']).default('row'),
  descending: z.boolean().default(false),
  offset: z.number().int().min(0).default(0),
  limit: z.number().int().min(1).max(500).default(100),
});

const oneRow = z.object({ sheet: text, row: z.coerce.number().int().min(1) });

/** What goes with a route, and what comes back. */
interface RouteShape {
  readonly query?: z.ZodType;
  /** JSON; absent where there is none, or where the body is a file. */
  readonly body?: z.ZodType;
  /** Absent where a file or a stream comes back. */
  readonly answer?: z.ZodType;
}

const started = z.object({ job: jobDocument });
const drafted = z.object({ draft: draftDocument });

/** What goes with each route and what comes back, by the route's name. */
export const ROUTES = {
  exchangeKey: { body: z.object({ key: z.string().max(200) }), answer: z.object({ session: text }) },
  /** Opens one address once, soon, for whoever follows it. */
  ticket: {
    body: z.object({ address: z.string().startsWith('/api/').max(2000) }),
    answer: z.object({ ticket: text }),
  },
  home: { answer: homeDocument },
  events: {},
  chooseLanguage: { body: z.object({ language }), answer: ok },

  /** The body is the file itself. */
  addFile: { query: z.object({ name: z.string().max(1000) }), answer: drafted },
  listDrafts: { answer: z.object({ drafts: z.array(draftDocument) }) },
  draft: { answer: drafted },
  dropDraft: { answer: ok },
  sheets: { answer: sheetsDocument },
  chooseReading: {
    body: chosenReading,
    answer: sheetsDocument,
  },
  /** `createUnnamed`: rows that name no record, and could be new, are created. */
  makePlan: {
    body: z.object({ allowDelete: z.boolean().optional(), createUnnamed: z.boolean().optional() }),
    answer: started,
  },
  plan: { answer: planDocument },
  planRows: { body: rowsQuery, answer: rowsDocument },
  planRow: { query: oneRow, answer: rowDetail },
  correct: {
    body: z.object({
      corrections: z.array(cellCorrection).max(1000).default([]),
      decisions: z.array(rowDecision).max(1000).default([]),
    }),
    answer: correctedDocument,
  },
  /** Gives all cells with the same problem the same text; null takes their corrections back. */
  correctSame: {
    body: z.object({ sheet: text, column, code: text, found: text, text: typed.nullable() }),
    answer: z.object({ corrected: z.number().int(), counts: correctedDocument.shape.counts }),
  },
  /** Decides all conflicts that are open in one way. */
  decideAll: {
    body: z.object({ decide: z.enum(['mine', 'theirs', 'skip']) }),
    answer: z.object({ decided: z.number().int(), counts: correctedDocument.shape.counts }),
  },
  suggest: {
    query: z.object({
      sheet: text,
      column: z.coerce.number().int().min(1),
      search: z.string().max(200).default(''),
    }),
    answer: suggestDocument,
  },
  /**
   * Sends the plan of that run, exactly as shown, or hands it over to workers; `deletes` agrees to so many
   * rows that delete.
   */
  send: { body: z.object({ run: text, deletes: z.number().int().min(0), workers }), answer: started },
  /** A draft of the same file, to correct what is left of it. */
  again: { body: none, answer: drafted },

  documents: { answer: broughtDocuments },
  /** The body is the document itself. */
  addDocument: { query: z.object({ name: z.string().max(1000) }), answer: ok },
  dropDocument: { answer: ok },
  invoices: { answer: fetchedInvoices },
  invoicesZip: {},
  invoice: {},

  listJobs: { answer: z.object({ jobs: z.array(jobDocument) }) },
  job: { answer: started },
  stopJob: { body: none, answer: started },
  jobFile: {},

  listRuns: {
    query: z.object({
      /** What was sent or begun; or plans of which nothing was. */
      what: z.enum(['sent', 'plans']).default('sent'),
      offset: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    answer: z.object({
      runs: z.array(runDocument),
      /** How many there are of both kinds. */
      total: z.object({ sent: z.number().int(), plans: z.number().int() }),
    }),
  },
  run: {
    answer: z.object({
      run: runDocument,
      plan: planDocument.nullable(),
      /** Rows that delete and were not sent. */
      deletes: z.number().int().min(0),
    }),
  },
  runRows: { body: rowsQuery, answer: rowsDocument },
  runRow: { query: oneRow, answer: rowDetail },
  /** Sends what was not sent of a run; `deletes` agrees to so many rows that delete. */
  goOn: { body: z.object({ deletes: z.number().int().min(0).default(0), workers }), answer: started },
  /** Says of doubtful rows that they arrived (`done`), or sends them again. */
  settle: {
    body: z.object({
      rows: z
        .array(z.object({ sheet: text, row: place }))
        .min(1)
        .max(1000),
      as: z.enum(['done', 'resend']),
    }),
    answer: started,
  },
  /** Makes the workbook that takes a run back, as a draft. */
  takeBack: { body: none, answer: started },
  result: { query: z.object({ problems: z.enum(['1']).optional() }) },
  report: {},

  /** How many workers of the service in use were heard of a moment ago. */
  workers: { answer: z.object({ running: z.number().int().min(0) }) },

  lookAtOrders: { body: z.object({ ids: numbers.max(1000) }), answer: knownOrders },
  /** Sends purchase orders: those named, or for `all` what the service has to send. */
  makeOrders: {
    body: z.object({
      ids: z.union([z.literal('all'), numbers.min(1).max(1000)]),
      /** Those that go once more although they were sent before, or may have been. */
      again: z.union([z.literal('all'), numbers.max(1000)]).default([]),
    }),
    answer: started,
  },
  /** Has the service refresh events. */
  makeRefresh: { body: z.object({ ids: numbers.min(1).max(1000) }), answer: started },

  exports: { answer: exportsDocument },
  /** A file that names the products to export: the body is the file itself. */
  addNamed: { query: z.object({ name: z.string().max(1000) }), answer: z.object({ id: text, name: text }) },
  makeExport: {
    body: z.object({
      what: z.array(text).min(1),
      from: day.nullable().default(null),
      to: day.nullable().default(null),
      /** An LMT, or `last`. */
      since: z.string().max(40).nullable().default(null),
      /** One that `addNamed` took. */
      named: z.string().max(40).nullable().default(null),
      definitive: z.boolean().default(false),
      declaration: z.boolean().default(false),
      format: z.enum(['xlsx', 'csv']).default('xlsx'),
      ids: z.boolean().default(false),
    }),
    answer: started,
  },
  makeFinance: {
    body: z.object({ from: day, to: day, all: z.boolean().default(false) }),
    answer: started,
  },
  makeTemplate: {
    body: z.object({
      kinds: z.array(text).default([]),
      offline: z.boolean().default(false),
      from: day.nullable().default(null),
      to: day.nullable().default(null),
    }),
    answer: started,
  },

  service: { answer: settingsDocument },
  check: { body: z.object({ lists: z.boolean().default(false) }), answer: started },
  /** Null is the sandbox. */
  useProfile: { body: z.object({ profile: text.nullable() }), answer: ok },
  saveProfile: {
    body: z.object({
      name: z.string().min(1).max(100),
      address: z.string().min(1).max(2000),
      /** Absent leaves the one that is kept. */
      token: z.string().max(8192).optional(),
    }),
    answer: ok,
  },
  dropProfile: { answer: ok },
  /** `service`: the one that they were chosen of; those of another are not taken for it. */
  chooseLists: {
    body: z.object({ service: serviceDocument, numbers: z.record(text, z.number().int().min(0)) }),
    answer: ok,
  },
} as const satisfies Readonly<Record<RouteName, RouteShape>>;

type Routes = typeof ROUTES;

/** What a caller gives to a route, defaults left out. */
export type BodyOf<R extends RouteName> = Routes[R] extends { body: infer B extends z.ZodType }
  ? z.input<B>
  : undefined;
/** The same as its server gets it. */
export type ReadBodyOf<R extends RouteName> = Routes[R] extends { body: infer B extends z.ZodType }
  ? z.output<B>
  : undefined;
/** What a caller adds to the address of a route. */
export type QueryOf<R extends RouteName> = Routes[R] extends { query: infer Q extends z.ZodType }
  ? z.input<Q>
  : undefined;
/** The same as its server gets it. */
export type ReadQueryOf<R extends RouteName> = Routes[R] extends { query: infer Q extends z.ZodType }
  ? z.output<Q>
  : undefined;
/** What a route answers. */
export type AnswerOf<R extends RouteName> = Routes[R] extends { answer: infer A extends z.ZodType }
  ? z.output<A>
  : undefined;
