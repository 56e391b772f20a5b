import { extname } from 'node:path';
import { type Bilingual, t } from '../core/language.ts';
import { type CsvStyle, PLAIN_STYLE } from '../csv/csv-layout.ts';
import { NotInEncoding, writeCsvResult } from '../csv/write-csv.ts';
import type { ResultSheet, ResultSummary } from '../files/result-sheet.ts';
import { writeAside } from '../files/write-aside.ts';
import { DamagedPart } from '../xlsx/damage.ts';
import { rewriteWorkbook } from '../xlsx/edit/rewrite-workbook.ts';
import { type ResultBook, writeResultBook } from '../xlsx/write/result-book.ts';

export type {
  CellMark,
  NumberedOutcome,
  ResultRow,
  ResultSheet,
  ResultSummary,
  ShownOutcome,
  SummaryCell,
  Tone,
} from '../files/result-sheet.ts';

/** How a result is written. */
interface ResultOptions {
  /** How a CSV is written, when the target is one. */
  readonly style?: CsvStyle | undefined;
  /** The workbook that was imported, when the result is to be that workbook with outcomes added. */
  readonly source?: string;
  /** A sheet that tells what the whole came to; a CSV has none. */
  readonly summary?: ResultSummary;
  /** When it is written; what a new workbook is dated. */
  readonly made?: Date;
}

/**
 * Where a result is: under another name when the one that was asked for is taken by an open file; and what
 * there is to say of it.
 */
export interface WrittenResult {
  readonly place: string;
  readonly notes: readonly Bilingual[];
}

const ANEW: Bilingual = t(
  'the workbook is put together in an unusual way, so its result is a new one: formats, formulas and pictures are not in it',
  'de werkmap is ongewoon opgebouwd, dus het resultaat is een nieuwe: opmaak, formules en afbeeldingen staan er niet in',
);

/**
 * Writes the sheets of an import with every row's outcome beside it: into a copy of the workbook they came
 * from, as a new XLSX, or as CSV (the first sheet) when the target's name ends so. The target is whole or not
 * there: it is written under another name in the same folder, put on disk, and renamed. Memory holds a batch
 * of rows. Throws StopError when the place can't be written to.
 */
export async function writeResult(
  target: string,
  sheets: readonly ResultSheet[],
  options: ResultOptions = {},
): Promise<WrittenResult> {
  const { source, summary, style = PLAIN_STYLE, made = new Date() } = options;
  if (isCsvName(target)) return await writeCsv(target, sheets[0], style);
  if (source === undefined) return await writeAnew(target, { sheets, summary, made });
  try {
    let notes: readonly Bilingual[] = [];
    const written = await writeAside(target, async (stream) => {
      notes = await rewriteWorkbook(stream, source, target, { sheets, summary });
    });
    return { ...written, notes: [...notes, ...written.notes] };
  } catch (cause) {
    if (!(cause instanceof DamagedPart)) throw cause;
    const written = await writeAnew(target.replace(/\.xlsm$/i, '.xlsx'), { sheets, summary, made });
    return { ...written, notes: [ANEW, ...written.notes] };
  }
}

async function writeAnew(target: string, book: ResultBook): Promise<WrittenResult> {
  let notes: readonly Bilingual[] = [];
  const written = await writeAside(target, async (stream) => {
    notes = await writeResultBook(stream, book);
  });
  return { ...written, notes: [...notes, ...written.notes] };
}

/** In the encoding of the file that was read; in UTF-8 where that lacks a character. */
async function writeCsv(
  target: string,
  sheet: ResultSheet | undefined,
  style: CsvStyle,
): Promise<WrittenResult> {
  const write = (as: CsvStyle): Promise<WrittenResult> =>
    writeAside(target, async (stream) => {
      if (sheet !== undefined) await writeCsvResult(stream, sheet, as);
    });
  try {
    return await write(style);
  } catch (cause) {
    if (!(cause instanceof NotInEncoding)) throw cause;
    const written = await write({ ...style, encoding: 'utf-8' });
    return { ...written, notes: [inUtf8(style.encoding, cause.character), ...written.notes] };
  }
}

function inUtf8(encoding: string, character: string): Bilingual {
  return t(
    `the result is in UTF-8, as ${encoding}, which the file is in, lacks a character of it (${character})`,
    `het resultaat staat in UTF-8, omdat ${encoding}, de tekenset van het bestand, een teken ervan mist (${character})`,
  );
}

const isCsvName = (target: string): boolean => extname(target).toLowerCase() === '.csv';
