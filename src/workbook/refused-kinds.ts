import type { FileHandle } from 'node:fs/promises';
import type { Bilingual } from '../schema/value.ts';

/** Why a file can't be read: the rest of a sentence that begins with the file's name, and what to do. */
export interface Refusal {
  readonly sentence: Bilingual;
  readonly next: Bilingual;
}

const t = (en: string, nl: string): Bilingual => ({ en, nl });

const SAVE = t(
  'Open it in a spreadsheet program, save it as .xlsx and use that file.',
  'Open het in een spreadsheetprogramma, sla het op als .xlsx en gebruik dat bestand.',
);
const EXPORT = t('Ask for the data as .xlsx or .csv.', 'Vraag om de gegevens als .xlsx of .csv.');

const IMAGE = t('is an image, not a workbook', 'is een afbeelding, geen werkmap');
const excel = (version: number): Bilingual =>
  t(
    `is an Excel workbook of version ${version}, which this program does not read`,
    `is een Excel-werkmap van versie ${version}, en die leest dit programma niet`,
  );

/** How files of other kinds begin. */
const SIGNATURES: readonly (readonly [string, Bilingual])[] = [
  ['%PDF', t('is a PDF, not a workbook', 'is een PDF, geen werkmap')],
  ['\x89PNG', IMAGE],
  ['\xff\xd8\xff', IMAGE],
  ['GIF8', IMAGE],
  ['{\\rtf', t('is an RTF document, not a workbook', 'is een RTF-document, geen werkmap')],
  ['\x1f\x8b', t('is a gzip archive, not a workbook', 'is een gzip-archief, geen werkmap')],
  ['Rar!', t('is a RAR archive, not a workbook', 'is een RAR-archief, geen werkmap')],
  ['7z\xbc\xaf', t('is a 7-Zip archive, not a workbook', 'is een 7-Zip-archief, geen werkmap')],
  ['\x09\0\x04\0', excel(2)],
  ['\x09\x02\x06\0', excel(3)],
  ['\x09\x04\x06\0', excel(4)],
  ['\x09\x08\x08\0', excel(5)],
  [
    '\xff\xfe\0\0',
    t(
      'is text in UTF-32, which spreadsheet programs do not write',
      'is tekst in UTF-32, en dat schrijven spreadsheetprogramma’s niet',
    ),
  ],
  ['SQLite format 3', t('is a database, not a workbook', 'is een database, geen werkmap')],
];

/** Names of workbooks that are not text, whatever is in them. */
const BINARY_NAMES = /^\.(xls[xmb]?|xlt[xm]?|ods|ots|numbers)$/;

/** Why a file that is no zip can't be read as CSV either, by its first bytes; undefined when it can. */
export async function refusal(
  handle: FileHandle,
  head: Buffer,
  extension: string,
): Promise<Refusal | undefined> {
  if (head.toString('hex', 0, 8) === 'd0cf11e0a1b11ae1') return oleRefusal(handle);
  const start = head.toString('latin1');
  const signature = SIGNATURES.find(([bytes]) => start.startsWith(bytes));
  if (signature !== undefined) return { sentence: signature[1], next: EXPORT };
  return textRefusal(start, extension);
}

function textRefusal(start: string, extension: string): Refusal | undefined {
  const text = start.replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '').replaceAll('\0', '');
  if (/^\s*<(!doctype html|html|head|body|table|meta|div)\b/i.test(text)) {
    return {
      sentence: t('is a web page (HTML), not a workbook', 'is een webpagina (HTML), geen werkmap'),
      next: SAVE,
    };
  }
  if (/^\s*<\?xml/i.test(text)) {
    const old = text.includes('urn:schemas-microsoft-com:office:spreadsheet');
    return {
      sentence: old
        ? t('is an XML Spreadsheet of Excel 2003', 'is een XML-spreadsheet van Excel 2003')
        : t('is an XML or web page file, not a workbook', 'is een XML-bestand of webpagina, geen werkmap'),
      next: SAVE,
    };
  }
  if (/^MIME-Version:/i.test(text))
    return {
      sentence: t(
        'is a saved web page (MHTML), not a workbook',
        'is een opgeslagen webpagina (MHTML), geen werkmap',
      ),
      next: SAVE,
    };
  const utf16 = /^(\xff\xfe|\xfe\xff)/.test(start);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what tells binary from text
  if (!utf16 && /[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(start)) {
    return {
      sentence: t(
        'is neither an Excel workbook nor text: it is damaged, or something else',
        'is geen Excel-werkmap en geen tekst: het is beschadigd, of iets anders',
      ),
      next: EXPORT,
    };
  }
  if (!BINARY_NAMES.test(extension)) return undefined;
  return {
    sentence: t(
      `is plain text, not an Excel workbook, although its name ends in ${extension}`,
      `is gewone tekst, geen Excel-werkmap, al eindigt de naam op ${extension}`,
    ),
    next: t(
      'If it is CSV, rename it to .csv; otherwise ask for the data as .xlsx.',
      'Is het CSV, hernoem het dan naar .csv; vraag anders om de gegevens als .xlsx.',
    ),
  };
}

/** OLE files hold old workbooks, and new ones with a password; the names of their streams, in UTF-16, tell which. */
async function oleRefusal(handle: FileHandle): Promise<Refusal> {
  const found = await findNames(handle, ['EncryptedPackage', 'Workbook', 'Book', 'WordDocument']);
  if (found.has('EncryptedPackage')) {
    return {
      sentence: t('is protected by a password', 'is beveiligd met een wachtwoord'),
      next: t(
        'Open it with the password, save a copy without one and use that file.',
        'Open het met het wachtwoord, sla een kopie zonder wachtwoord op en gebruik dat bestand.',
      ),
    };
  }
  if (found.has('Workbook') || found.has('Book')) {
    return {
      sentence: t(
        'is an old Excel workbook (.xls), which this program does not read',
        'is een oude Excel-werkmap (.xls), en die leest dit programma niet',
      ),
      next: SAVE,
    };
  }
  if (found.has('WordDocument'))
    return {
      sentence: t('is a Word document, not a workbook', 'is een Word-document, geen werkmap'),
      next: EXPORT,
    };
  return {
    sentence: t('is an old Office file, not a workbook', 'is een oud Office-bestand, geen werkmap'),
    next: EXPORT,
  };
}

async function findNames(handle: FileHandle, names: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  // Root Entry first: a name counts as a stream's only at the start of a 128-byte directory entry.
  const buffer = Buffer.alloc(1 << 20);
  for (let at = 0; ; at += buffer.length) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) return found;
    for (const name of names) if (hasEntry(buffer.subarray(0, bytesRead), name)) found.add(name);
  }
}

function hasEntry(bytes: Buffer, name: string): boolean {
  const wanted = Buffer.from(`${name}\0`, 'utf16le');
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) {
    if (at % 128 === 0 && bytes[at + 64] === wanted.length) return true;
  }
  return false;
}
