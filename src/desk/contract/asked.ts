import { z } from 'zod';

const text = z.string();
const count = z.number().int().min(0);
/** What a person types in one go; a cell of Excel holds no more. */
const typed = text.max(32_767);
const place = z.number().int().min(1).max(1_048_576);
const column = z.number().int().min(1).max(16_384);
const day = text.regex(/^\d{4}-\d\d-\d\d$/);
const decide = z.enum(['mine', 'theirs', 'skip']);
const onRow = z.object({ sheet: text, row: place });
const format = z.enum(['xlsx', 'csv']).default('xlsx');
const language = z.enum(['en', 'nl']);

/** A cell and what is to stand there; null takes a correction back. */
const cellCorrection = onRow.extend({ column, text: typed.nullable() });
/** Whose values a row in conflict gets; null leaves it open again. */
const rowDecision = onRow.extend({ decide: decide.nullable() });

/** All that the user says of how a file is read; what is absent is found by itself. */
export const chosenReading = z.object({
  /** Of each sheet what it holds (null leaves it out), where its headers are, what its columns are. */
  choices: z
    .array(
      z.object({
        sheet: text,
        as: text.nullable().optional(),
        headerRow: place.optional(),
        columns: z.array(z.object({ column, field: text.nullable() })).optional(),
      }),
    )
    .default([]),
  /** Values for all rows, as `--set` takes them. */
  set: z.record(text, typed).default({}),
  /** Rows that name no record, and could be new, are created. */
  createUnnamed: z.boolean().default(false),
  locale: z.enum(['nl', 'en']).optional(),
});

/** Which rows of a run are wanted, and in which order. */
export const rowsWish = z.object({
  /** Only rows of these statuses; all when empty. */
  status: z.array(text).default([]),
  /** Only rows that need work, that have a warning, that were corrected or decided on the page. */
  work: z.boolean().default(false),
  warned: z.boolean().default(false),
  replaced: z.boolean().default(false),
  sheet: text.nullable().default(null),
  /** Words that all stand in the row. */
  search: text.default(''),
  /** Only rows with this issue. */
  issue: z
    .object({ sheet: text, code: text, field: text.nullable(), cause: text.nullable() })
    .nullable()
    .default(null),
  sort: z.enum(['row', 'status', 'record', 'changes']).default('row'),
  descending: z.boolean().default(false),
});

/** What names a file that was brought, a run, a job. */
const ofFile = z.object({ file: text });
const ofRun = z.object({ run: text });
const ofJob = z.object({ job: text });
const nothing = z.object({});

/** What each route is asked with: as JSON; with a file that is brought in its address. */
export const ASKED = {
  /** `language`: the one that the browser would rather have. */
  exchangeKey: z.object({ key: text, language: language.optional() }),
  home: nothing,
  /** Waits until something changed after `since`. */
  news: z.object({ since: count }),
  chooseLanguage: z.object({ language }),

  addFile: z.object({ name: text }),
  sheets: ofFile,
  chooseReading: ofFile.extend({ reading: chosenReading }),
  /**
   * In the place of the plan that the file has, with what was corrected and decided in that. `createUnnamed`: rows
   * that name no record, and could be new, are created.
   */
  makePlan: ofFile.extend({ createUnnamed: z.boolean().optional() }),
  /** Plans what is left of a run that was sent, as a file of its own. */
  planRest: ofRun,

  stopJob: ofJob,
  jobFile: ofJob,

  /** The newest so many of which something was sent. */
  listRuns: z.object({ limit: count.default(50) }),
  /** By its name, or the newest one of a file. */
  run: z.union([ofRun, ofFile]),
  rows: rowsWish.extend({
    run: text,
    offset: count.default(0),
    limit: z.number().int().min(1).max(500).default(100),
  }),
  row: ofRun.extend(onRow.shape),
  /** What was sent to the record of a row so far. */
  history: ofRun.extend(onRow.shape),
  /** The next row that needs work of those that are wanted, after that place or before it. */
  next: rowsWish.extend({ run: text, from: z.number().int(), back: z.boolean().default(false) }),
  correct: ofRun.extend({
    corrections: z.array(cellCorrection).default([]),
    decisions: z.array(rowDecision).default([]),
  }),
  suggest: ofRun.extend({ sheet: text, column }),
  dropRun: ofRun,
  /** Sends a run exactly as shown, or what is left of it; `deletes` agrees to so many rows that delete. */
  send: ofRun.extend({ deletes: count.default(0) }),
  /** Says of doubtful rows that they arrived (`done`), or sends them again. */
  settle: ofRun.extend({ rows: z.array(onRow).min(1).max(1000), as: z.enum(['done', 'resend']) }),
  takeBack: ofRun,
  result: ofRun.extend({ problems: z.boolean().optional() }),
  report: ofRun,

  exports: nothing,
  makeExport: z.object({
    what: z.array(text).min(1),
    from: day.optional(),
    to: day.optional(),
    since: z.literal('last').optional(),
    format,
  }),
  makeFinance: z.object({
    from: day,
    to: day,
    all: z.boolean().default(false),
    format,
  }),
  makeTemplate: z.object({ kinds: z.array(text).min(1) }),

  service: nothing,
  /** Without a token the one that is kept stays. */
  saveService: z.object({ address: text.min(1), token: text.optional() }),
  /** Null is the sandbox. */
  useProfile: z.object({ profile: text.nullable() }),
  check: nothing,
} as const;

/** The name of a route. */
export type RouteName = keyof typeof ASKED;
/** What a route is asked with, defaults left out. */
export type AskedOf<R extends RouteName> = z.input<(typeof ASKED)[R]>;
/** The same as its server gets it. */
export type ReadAskedOf<R extends RouteName> = z.output<(typeof ASKED)[R]>;

/** All that the user says of how a file is read. */
export type ChosenReading = z.output<typeof chosenReading>;
/** Which rows are wanted, and in which order. */
export type RowsWish = z.output<typeof rowsWish>;
/** How a conflict is decided. */
export type Decision = z.output<typeof decide>;
