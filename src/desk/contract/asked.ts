import { z } from 'zod';
import type { RouteName } from './paths.ts';

const text = z.string();
const count = z.number().int().min(0);
/** What a person types in one go; a cell of Excel holds no more. */
const typed = text.max(32_767);
const place = z.number().int().min(1).max(1_048_576);
const column = z.number().int().min(1).max(16_384);
const day = text.regex(/^\d{4}-\d\d-\d\d$/);
const decide = z.enum(['mine', 'theirs', 'skip']);
const onRow = z.object({ sheet: text, row: place });
const inQuery = z.coerce.number().int();
const named = z.object({ name: text.max(1000) });

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
  locale: z.enum(['nl', 'en']).optional(),
  delimiter: text.max(10).optional(),
  encoding: text.max(40).optional(),
});

/** Which rows of a run are wanted, and in which order. */
const rowsWish = z.object({
  /** Only rows of these statuses; all when empty. */
  status: z.array(text).default([]),
  /** Only rows that need work, that have a warning, that were corrected or decided on the page. */
  work: z.boolean().default(false),
  warned: z.boolean().default(false),
  replaced: z.boolean().default(false),
  sheet: text.nullable().default(null),
  /** Words that all stand in the row. */
  search: text.max(200).default(''),
  /** Only rows with this issue. */
  issue: z
    .object({ sheet: text, code: text, field: text.nullable(), cause: text.nullable() })
    .nullable()
    .default(null),
  sort: z.enum(['row', 'status', 'record', 'changes']).default('row'),
  descending: z.boolean().default(false),
});

/** What goes with each route, in its address or as JSON; a file goes as it is. */
export const ASKED = {
  exchangeKey: { body: z.object({ key: text.max(200) }) },
  /** Opens one address once, soon, for whoever follows it. */
  ticket: { body: z.object({ address: text.startsWith('/api/').max(2000) }) },
  /** Waits until something changed after `since`. */
  news: { query: z.object({ since: inQuery.min(0) }) },
  chooseLanguage: { body: z.object({ language: z.enum(['en', 'nl']) }) },

  addFile: { query: named },
  chooseReading: { body: chosenReading },
  /**
   * With what was corrected and decided in the plan `of`, in the place of which it comes; of one that was sent
   * for what is left of it. `createUnnamed`: rows that name no record, and could be new, are created.
   */
  makePlan: { body: z.object({ of: text.optional(), createUnnamed: z.boolean().optional() }) },
  correct: {
    body: z.object({
      corrections: z.array(cellCorrection).max(1000).default([]),
      decisions: z.array(rowDecision).max(1000).default([]),
    }),
  },
  /** Gives the cells with the same problem as that row had the same text; `back` takes that back. */
  correctSame: {
    body: onRow.extend({ column, code: text, found: text, text: typed, back: z.boolean().default(false) }),
  },
  /** Decides all conflicts that are open in one way. */
  decideAll: { body: z.object({ decide }) },
  suggest: { query: z.object({ sheet: text, column: inQuery.min(1), search: text.max(200).default('') }) },
  /** Sends a run exactly as shown, or what is left of it; `deletes` agrees to so many rows that delete. */
  send: { body: z.object({ deletes: count.default(0) }) },

  listRuns: {
    query: z.object({ offset: inQuery.min(0).default(0), limit: inQuery.min(1).max(200).default(50) }),
  },
  rows: {
    body: rowsWish.extend({ offset: count.default(0), limit: z.number().int().min(1).max(500).default(100) }),
  },
  row: { query: z.object({ sheet: text, row: inQuery.min(1) }) },
  /** The next row that needs work of those that are wanted, after that place or before it. */
  next: { body: rowsWish.extend({ from: z.number().int(), back: z.boolean().default(false) }) },
  /** Says of doubtful rows that they arrived (`done`), or sends them again. */
  settle: { body: z.object({ rows: z.array(onRow).min(1).max(1000), as: z.enum(['done', 'resend']) }) },
  result: { query: z.object({ problems: z.enum(['1']).optional() }) },

  makeExport: {
    body: z.object({
      what: z.array(text).min(1),
      from: day.optional(),
      to: day.optional(),
      since: z.literal('last').optional(),
      definitive: z.boolean().optional(),
      declaration: z.boolean().optional(),
      format: z.enum(['xlsx', 'csv']).default('xlsx'),
    }),
  },
  makeFinance: { body: z.object({ from: day, to: day, all: z.boolean().default(false) }) },
  makeTemplate: { body: z.object({ kinds: z.array(text).min(1) }) },

  /** Without a token the one that is kept stays. */
  saveService: { body: z.object({ address: text.min(1).max(2000), token: text.max(8192).optional() }) },
  /** Null is the sandbox. */
  useProfile: { body: z.object({ profile: text.nullable() }) },
} as const satisfies Partial<Record<RouteName, { readonly query?: z.ZodType; readonly body?: z.ZodType }>>;

type Part<R extends RouteName, Name extends 'query' | 'body'> = R extends keyof typeof ASKED
  ? (typeof ASKED)[R] extends Readonly<Record<Name, infer Shape extends z.ZodType>>
    ? Shape
    : z.ZodUndefined
  : z.ZodUndefined;

/** What a caller gives to a route, defaults left out. */
export type BodyOf<R extends RouteName> = z.input<Part<R, 'body'>>;
/** The same as its server gets it. */
export type ReadBodyOf<R extends RouteName> = z.output<Part<R, 'body'>>;
/** What a caller adds to the address of a route. */
export type QueryOf<R extends RouteName> = z.input<Part<R, 'query'>>;
/** The same as its server gets it. */
export type ReadQueryOf<R extends RouteName> = z.output<Part<R, 'query'>>;

/** All that the user says of how a file is read. */
export type ChosenReading = z.output<typeof chosenReading>;
/** Which rows are wanted, and in which order. */
export type RowsWish = z.output<typeof rowsWish>;
/** How a conflict is decided. */
export type Decision = z.output<typeof decide>;
