import { closeSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { basename } from 'node:path';
import { EXIT, StopError } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { isHeldHere } from './held-files.ts';
import { DATABASE, type FileRefusal, fileRefusal } from './refused-kinds.ts';

type FileKind = 'xlsx' | 'csv';

const HEAD = 8192;

const CLOSE = t(
  'Close it in other programs and check that you may read it.',
  'Sluit het in andere programma’s en kijk of je het mag lezen.',
);

/** Refusals of what is not a file with content. */
const ODD = {
  folder: {
    sentence: t('is a folder, not a file', 'is een map, geen bestand'),
    next: t('Name one workbook inside it.', 'Noem één werkmap die erin staat.'),
  },
  special: {
    sentence: t('is not an ordinary file', 'is geen gewoon bestand'),
    next: t(
      'Save the workbook to disk and name that file.',
      'Sla de werkmap op schijf op en noem dat bestand.',
    ),
  },
  empty: {
    sentence: t('is empty: it holds 0 bytes', 'is leeg: er staan 0 bytes in'),
    next: t(
      'Save the workbook again, or download it again.',
      'Sla de werkmap opnieuw op, of download hem opnieuw.',
    ),
  },
  missing: {
    sentence: t('does not exist', 'bestaat niet'),
    next: t('Check the name and the folder.', 'Controleer de naam en de map.'),
  },
} as const satisfies Record<string, FileRefusal>;

/** How a zip starts: with a file, the end of an empty one, or the mark of a split one. */
const ZIP_STARTS = ['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08'];

/**
 * Tells what a file is by its content; anything but a zip is text if the user says so (`isText`). Throws
 * StopError for a file that can't be read, naming what it is.
 */
export function fileKind(file: string, isText: boolean): FileKind {
  try {
    // Before opening, as opening a pipe would wait for its other end.
    refuseOddFile(file, statSync(file));
    const opened = openSync(file, 'r');
    try {
      return kindByContent(file, opened, isText);
    } finally {
      closeSync(opened);
    }
  } catch (cause) {
    throw cause instanceof StopError ? cause : unopened(file, cause as NodeJS.ErrnoException);
  }
}

function refuseOddFile(file: string, stats: Stats): void {
  if (stats.isDirectory()) throw refuse(file, ODD.folder);
  if (!stats.isFile()) throw refuse(file, ODD.special);
  if (isHeldHere(file)) throw refuse(file, DATABASE);
  if (stats.size === 0) throw refuse(file, ODD.empty);
}

function kindByContent(file: string, opened: number, isText: boolean): FileKind {
  const buffer = Buffer.alloc(HEAD);
  const head = buffer.subarray(0, readSync(opened, buffer, 0, HEAD, 0));
  if (ZIP_STARTS.includes(head.toString('latin1', 0, 4))) return 'xlsx';
  if (isText) return 'csv';
  const found = fileRefusal(opened, head);
  if (found !== undefined) throw refuse(file, found);
  return 'csv';
}

function unopened(file: string, cause: NodeJS.ErrnoException): StopError {
  if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR') return refuse(file, ODD.missing, cause);
  const why = cause.code ?? cause.message;
  const sentence = t(`cannot be opened (${why})`, `kan niet worden geopend (${why})`);
  return refuse(file, { sentence, next: CLOSE }, cause);
}

function refuse(file: string, { sentence, next }: FileRefusal, cause?: unknown): StopError {
  const name = basename(file);
  const text = t(`The file ${name} ${sentence.en}.`, `Het bestand ${name} ${sentence.nl}.`);
  return new StopError(EXIT.file, text, { next, cause });
}
