import { z } from 'zod';
import type { SheetsDocument as ReadDocument, SheetReadDocument } from '../../import/sheets-document.ts';
import { FILE_USES, type FileUse } from './file-uses.ts';

const text = z.string();

/** What a person types in one go; a cell of Excel holds no more. */
const typed = z.string().max(32_767);
const place = z.number().int().min(1).max(1_048_576);
const column = z.number().int().min(1).max(16_384);

/** What the user says of a sheet. */
const sheetChoice = z.object({
  sheet: text,
  /** The resource; null leaves the sheet out; absent: found by itself. */
  as: text.nullable().optional(),
  headerRow: place.optional(),
  /** What columns are taken for; null for one that is not used. */
  columns: z.array(z.object({ column, field: text.nullable() })).optional(),
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

/** What a sheet is taken for; `accept` is the choice that takes what is proposed of it. */
export type SheetDocument = SheetReadDocument;

/** What a file is taken for. */
export type SheetsDocument = Omit<ReadDocument, 'file'> & {
  readonly use: FileUse;
  /** What the user chose so far: a next choice goes with these. */
  readonly chosen?: ChosenReading | undefined;
};

/** The same as its route answers it; it is made and described below the desk. */
export const sheetsDocument = z.custom<SheetsDocument>((value) => value !== undefined);
