import { z } from 'zod';
import type { SheetsDocument as ReadDocument, SheetReadDocument } from '../../import/sheets-document.ts';
import { FILE_USES, type FileUse } from './file-uses.ts';

const text = z.string();
const count = z.number().int().min(0);

/** What a person types in one go; a cell of Excel holds no more. */
const typed = z.string().max(32_767);
const place = z.number().int().min(1).max(1_048_576);
const column = z.number().int().min(1).max(16_384);

const columnChoice = z.object({ column, field: text.nullable() });

/** What the user says of a sheet. */
const sheetChoice = z.object({
  sheet: text,
  /** The resource; null leaves the sheet out; absent: found by itself. */
  as: text.nullable().optional(),
  headerRow: place.optional(),
  /** What columns are taken for; null for one that is not used. */
  columns: z.array(columnChoice).optional(),
});

/** All that the user says of how a file is read; what is absent is found by itself. */
export const chosenReading = z.object({
  use: z.enum(FILE_USES).default('import'),
  choices: z.array(sheetChoice).default([]),
  /** Values for all rows, as `--set` takes them. */
  set: z.record(text, typed).default({}),
  locale: z.enum(['nl', 'en']).nullable().default(null),
  delimiter: z.string().max(10).nullable().default(null),
  encoding: z.string().max(40).nullable().default(null),
});

/** All that the user says of how a file is read. */
export type ChosenReading = z.output<typeof chosenReading>;

const listOf = <Shape extends z.ZodType>(shape: Shape) => z.array(shape).readonly();

const shownColumn = z.strictObject({
  column,
  field: text.nullable(),
  letters: text,
  header: text,
  why: z.enum(['exact', 'remembered', 'proposed', 'choice', 'mark']).nullable(),
  proposed: listOf(text),
  shownOnly: z.boolean(),
  samples: listOf(text),
});

const sheetDocument = z.strictObject({
  sheet: text,
  hidden: z.boolean(),
  own: z.boolean(),
  kind: z.enum(['import', 'skip', 'problem']),
  resource: text.nullable(),
  resourceWhy: z.enum(['name', 'headers', 'choice', 'proposed']).nullable(),
  mayBe: listOf(text),
  serves: text.nullable(),
  reason: text.nullable(),
  next: text.nullable(),
  headerRow: place.nullable(),
  firstHeaderRow: place.nullable(),
  above: listOf(place),
  rows: count.nullable(),
  top: listOf(z.strictObject({ row: place, cells: listOf(z.strictObject({ column, text })) })),
  columns: listOf(shownColumn),
  columnsLeft: count,
  missing: listOf(text),
  accept: sheetChoice.extend({ columns: listOf(columnChoice).optional() }).nullable(),
}) satisfies z.ZodType<SheetReadDocument>;

const fieldDocument = z.strictObject({ name: text, help: text, required: z.boolean(), sent: z.boolean() });

/** What a file is taken for. */
export const sheetsDocument = z.strictObject({
  format: z.enum(['xlsx', 'csv']),
  delimiter: text.nullable(),
  encoding: text.nullable(),
  sample: text.nullable(),
  exact: z.boolean(),
  sheets: listOf(sheetDocument),
  resources: listOf(z.strictObject({ name: text, sheet: text, words: text, fields: listOf(fieldDocument) })),
  marks: listOf(z.strictObject({ name: text, help: text })),
  use: z.enum(FILE_USES),
  /** What the user chose so far: a next choice goes with these. */
  chosen: chosenReading.optional(),
}) satisfies z.ZodType<Omit<ReadDocument, 'file'>>;

/** What a sheet is taken for; `accept` is the choice that takes what is proposed of it. */
export type SheetDocument = SheetReadDocument;

/** What a file is taken for. */
export type SheetsDocument = Omit<ReadDocument, 'file'> & {
  readonly use: FileUse;
  /** What the user chose so far: a next choice goes with these. */
  readonly chosen?: ChosenReading | undefined;
};
