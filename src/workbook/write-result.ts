import type { Writable } from 'node:stream';
import { type Bilingual, t } from '../core/language.ts';
import { type CsvStyle, PLAIN_STYLE } from '../csv/csv-layout.ts';
import { NotInEncoding, writeCsvResult } from '../csv/write-csv.ts';
import { isCsv } from '../files/file-name.ts';
import type { ResultSheet, ResultSummary } from '../files/result-sheet.ts';
import { type PlacedFile, writeAtomically } from '../files/write-aside.ts';
import { DamagedPart } from '../xlsx/damage.ts';
import { writeResultBook } from '../xlsx/edit/result-book.ts';
import { rewriteWorkbook } from '../xlsx/edit/rewrite-workbook.ts';

/** How to write a result. */
interface ResultOptions {
  /** For a CSV target. */
  readonly style?: CsvStyle | undefined;
  /** The imported workbook, when the result is to be a copy of it with outcomes added. */
  readonly source?: string;
  /** What it is made of, whose mode it has. */
  readonly like?: string | undefined;
  /** A summary sheet; a CSV has none. */
  readonly summary?: ResultSummary;
  /** The date of a new workbook. */
  readonly made?: Date;
}

/** Zip archives have no earlier date. */
const UNDATED = new Date(1980, 0, 1);

const ANEW = t(
  'the workbook is put together in an unusual way, so its result is a new one: formats, formulas and pictures are not in it',
  'de werkmap is ongewoon opgebouwd, dus het resultaat is een nieuwe: opmaak, formules en afbeeldingen staan er niet in',
);

/**
 * Writes the sheets of an import with the outcome of every row beside it: into a copy of their workbook, as a
 * new XLSX, or as CSV (the first sheet) by the name of the target. Written atomically; memory holds a batch
 * of rows. Throws StopError when the place can't be written to.
 */
export async function writeResult(
  target: string,
  sheets: readonly ResultSheet[],
  options: ResultOptions = {},
): Promise<PlacedFile> {
  const { source, summary, style = PLAIN_STYLE, made = UNDATED, like } = options;
  if (isCsv(target)) return await writeCsv(target, sheets[0], style, like);
  // A new workbook has no macros, and its kind has to be what its name says.
  const writeNew = (): Promise<PlacedFile> =>
    writeAtomically(
      target.replace(/\.xlsm$/i, '.xlsx'),
      (stream) => writeResultBook(stream, { sheets, summary, made }),
      { like },
    );
  if (source === undefined) return await writeNew();
  try {
    let notes: readonly Bilingual[] = [];
    const rewrite = async (stream: Writable): Promise<void> => {
      notes = await rewriteWorkbook(stream, source, target, { sheets, summary });
    };
    const written = await writeAtomically(target, rewrite, { like });
    return { ...written, notes: [...notes, ...written.notes] };
  } catch (cause) {
    if (!(cause instanceof DamagedPart)) throw cause;
    const written = await writeNew();
    return { ...written, notes: [ANEW, ...written.notes] };
  }
}

/** In the encoding of the file that was read, or UTF-8 if that lacks a character. */
async function writeCsv(
  target: string,
  sheet: ResultSheet | undefined,
  style: CsvStyle,
  like: string | undefined,
): Promise<PlacedFile> {
  const write = (as: CsvStyle): Promise<PlacedFile> => {
    const fill = async (stream: Writable): Promise<void> => {
      if (sheet !== undefined) await writeCsvResult(stream, sheet, as);
    };
    return writeAtomically(target, fill, { like });
  };
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
