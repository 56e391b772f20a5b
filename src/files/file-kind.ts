import { closeSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { basename } from 'node:path';
import { EXIT, StopError } from '../core/errors.ts';
import { type Bilingual, t } from '../core/language.ts';
import { isHeldHere } from './held-files.ts';
import { unmarkedUtf16 } from './text-encoding.ts';

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

/** Why a file can't be read: the rest of a sentence that starts with its name, and what to do. */
interface FileRefusal {
  readonly sentence: Bilingual;
  readonly next: Bilingual;
}

/** What to do with a file that a spreadsheet program can open. */
const SAVE_AS_XLSX = t(
  'Open it in a spreadsheet program, save it as .xlsx and use that file.',
  'Open het in een spreadsheetprogramma, sla het op als .xlsx en gebruik dat bestand.',
);

/** What to do with a file that holds no table. */
export const EXPORT_AS_XLSX = t(
  'Ask for the data as .xlsx or .csv.',
  'Vraag om de gegevens als .xlsx of .csv.',
);

const UNPACK = t(
  'Unpack it and use the workbook that is in it.',
  'Pak het uit en gebruik de werkmap die erin zit.',
);

const refusal = (en: string, nl: string, next: Bilingual): FileRefusal => ({ sentence: t(en, nl), next });

/** The refusal of another kind of document, named with its article. */
export const notWorkbook = (en: string, nl: string, next: Bilingual = EXPORT_AS_XLSX): FileRefusal =>
  refusal(`is ${en}, not a workbook`, `is ${nl}, geen werkmap`, next);

/** The refusal of an archive, in which there may be a workbook. */
export const ARCHIVE = notWorkbook('an archive', 'een archief', UNPACK);

/** The refusal of a document that other programs can save as .xlsx, named with its article. */
export const unread = (en: string, nl: string, pronoun: 'die' | 'dat' = 'dat'): FileRefusal =>
  refusal(
    `is ${en}, which this program does not read`,
    `is ${nl}, en ${pronoun} leest dit programma niet`,
    SAVE_AS_XLSX,
  );

const OLD_EXCEL = unread('an old Excel workbook (.xls)', 'een oude Excel-werkmap (.xls)', 'die');

/** Refusals of OLE files by the name of a stream in them; the first one found counts. */
const STREAMS: readonly (readonly [string, FileRefusal])[] = [
  [
    'DRMEncryptedDataSpace',
    refusal(
      'is protected by rights management',
      'is beveiligd met rechtenbeheer (IRM)',
      t('Ask its owner for a copy without protection.', 'Vraag de eigenaar om een kopie zonder beveiliging.'),
    ),
  ],
  [
    'EncryptedPackage',
    refusal(
      'is protected by a password',
      'is beveiligd met een wachtwoord',
      t(
        'Open it with the password, save a copy without one and use that file.',
        'Open het met het wachtwoord, sla een kopie zonder wachtwoord op en gebruik dat bestand.',
      ),
    ),
  ],
  ['Workbook', OLD_EXCEL],
  ['Book', OLD_EXCEL],
];

/** Tells what an OLE file is: old workbooks are, and new ones with a password. */
function oleRefusal(opened: number): FileRefusal {
  const found = new Set<string>();
  const buffer = Buffer.alloc(1 << 20);
  for (let at = 0; ; at += buffer.length) {
    const bytesRead = readSync(opened, buffer, 0, buffer.length, at);
    if (bytesRead === 0) break;
    for (const [name] of STREAMS) if (hasEntry(buffer.subarray(0, bytesRead), name)) found.add(name);
  }
  const refusal = STREAMS.find(([name]) => found.has(name))?.[1];
  return (
    refusal ??
    notWorkbook(
      'another Office file, such as a document or a message',
      'een ander Office-bestand, zoals een document of bericht',
    )
  );
}

/** A stream name counts only at the start of a 128-byte directory entry. */
function hasEntry(bytes: Buffer, name: string): boolean {
  const wanted = Buffer.from(`${name}\0`, 'utf16le');
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1))
    if (at % 128 === 0 && bytes[at + 64] === wanted.length) return true;
  return false;
}

/** Refusals of text by how it starts. */
const BEGINNINGS: readonly (readonly [RegExp, FileRefusal])[] = [
  [
    /^\s*(<!--((?!-->).)*-->\s*)*<(!doctype html|html|head|body|table|thead|tbody|tr|meta|title|style|script|div|center|font|span|p|h[1-6])\b/is,
    notWorkbook('a web page (HTML)', 'een webpagina (HTML)', SAVE_AS_XLSX),
  ],
  [
    /^\s*<\?xml.*urn:schemas-microsoft-com:office:spreadsheet/is,
    refusal('is an XML Spreadsheet of Excel 2003', 'is een XML-spreadsheet van Excel 2003', SAVE_AS_XLSX),
  ],
  [
    /^\s*<(\?xml|svg)\b/i,
    notWorkbook('an XML or web page file', 'een XML-bestand of webpagina', SAVE_AS_XLSX),
  ],
  [/^\s*(\{\s*("|\}\s*$)|\[\s*[[{"])/, notWorkbook('JSON', 'JSON')],
];

const IMAGE = notWorkbook('an image', 'een afbeelding');
/** A database, whether by what is in it or as this program has it open. */
const DATABASE = notWorkbook('a database', 'een database');
const DAMAGED = refusal(
  'is neither an Excel workbook nor text: it is damaged, or something else',
  'is geen Excel-werkmap en geen tekst: het is beschadigd, of iets anders',
  EXPORT_AS_XLSX,
);

/** Refusals of other kinds of files by their first bytes. */
const SIGNATURES: readonly (readonly [string | RegExp, FileRefusal])[] = [
  ['%PDF', notWorkbook('a PDF', 'een PDF')],
  [/^(?:\x89PNG|\xff\xd8\xff|GIF8|II\*\0|MM\0\*|RIFF....WEBP)/s, IMAGE],
  ['{\\rtf', notWorkbook('an RTF document', 'een RTF-document')],
  ['\x1f\x8b', ARCHIVE],
  [/^BZh\d1AY&SY/, ARCHIVE],
  ['\xfd7zXZ\0', ARCHIVE],
  ['Rar!', ARCHIVE],
  ['7z\xbc\xaf', ARCHIVE],
  [/^.{257}ustar/s, ARCHIVE],
  ['\x09\0\x04\0', OLD_EXCEL],
  ['\x09\x02\x06\0', OLD_EXCEL],
  ['\x09\x04\x06\0', OLD_EXCEL],
  ['\x09\x08\x08\0', OLD_EXCEL],
  ['\x09\x08\x10\0', OLD_EXCEL],
  ['SQLite format 3', DATABASE],
];

/** Why a file that is not a zip can't be read as CSV, by its first bytes; undefined when it can. */
function fileRefusal(opened: number, head: Buffer): FileRefusal | undefined {
  if (head.toString('hex', 0, 8) === 'd0cf11e0a1b11ae1') return oleRefusal(opened);
  const start = head.toString('latin1');
  const signature = SIGNATURES.find(([bytes]) =>
    typeof bytes === 'string' ? start.startsWith(bytes) : bytes.test(start),
  );
  if (signature !== undefined) return signature[1];
  const wide = /^(\xff\xfe|\xfe\xff)/.test(start) || unmarkedUtf16(head) !== undefined;
  if (!wide && isBinary(head)) return DAMAGED;
  const text = start.replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '').replaceAll('\0', '');
  return BEGINNINGS.find(([pattern]) => pattern.test(text))?.[1];
}

/** Text may hold a few control characters, or be cut by separators of ASCII (28-31). */
function isBinary(head: Buffer): boolean {
  let controls = 0;
  for (const byte of head) if (byte < 9 || (byte > 13 && byte < 27)) controls++;
  return controls > 2 && controls * 20 > head.length;
}
