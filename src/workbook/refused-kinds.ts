import type { FileHandle } from 'node:fs/promises';

/** Why a file can't be read: the rest of a sentence that begins with the file's name, and what to do. */
export interface Refusal {
  readonly sentence: string;
  readonly next: string;
}

const SAVE = 'Open it in a spreadsheet program, save it as .xlsx and use that file.';
const EXPORT = 'Ask for the data as .xlsx or .csv.';

/** How files of other kinds begin. */
const SIGNATURES: readonly (readonly [string, string])[] = [
  ['%PDF', 'is a PDF, not a workbook'],
  ['\x89PNG', 'is an image, not a workbook'],
  ['\xff\xd8\xff', 'is an image, not a workbook'],
  ['GIF8', 'is an image, not a workbook'],
  ['{\\rtf', 'is an RTF document, not a workbook'],
  ['\x1f\x8b', 'is a gzip archive, not a workbook'],
  ['Rar!', 'is a RAR archive, not a workbook'],
  ['7z\xbc\xaf', 'is a 7-Zip archive, not a workbook'],
  ['\x09\0\x04\0', 'is an Excel workbook of version 2, which this program does not read'],
  ['\x09\x02\x06\0', 'is an Excel workbook of version 3, which this program does not read'],
  ['\x09\x04\x06\0', 'is an Excel workbook of version 4, which this program does not read'],
  ['\x09\x08\x08\0', 'is an Excel workbook of version 5, which this program does not read'],
  ['\xff\xfe\0\0', 'is text in UTF-32, which spreadsheet programs do not write'],
  ['SQLite format 3', 'is a database, not a workbook'],
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
    return { sentence: 'is a web page (HTML), not a workbook', next: SAVE };
  }
  if (/^\s*<\?xml/i.test(text)) {
    const old = text.includes('urn:schemas-microsoft-com:office:spreadsheet');
    return {
      sentence: old ? 'is an XML Spreadsheet of Excel 2003' : 'is an XML or web page file, not a workbook',
      next: SAVE,
    };
  }
  if (/^MIME-Version:/i.test(text))
    return { sentence: 'is a saved web page (MHTML), not a workbook', next: SAVE };
  const utf16 = /^(\xff\xfe|\xfe\xff)/.test(start);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what tells binary from text
  if (!utf16 && /[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(start)) {
    return {
      sentence: 'is neither an Excel workbook nor text: it is damaged, or something else',
      next: EXPORT,
    };
  }
  if (!BINARY_NAMES.test(extension)) return undefined;
  return {
    sentence: `is plain text, not an Excel workbook, although its name ends in ${extension}`,
    next: 'If it is CSV, rename it to .csv; otherwise ask for the data as .xlsx.',
  };
}

/** OLE files hold old workbooks, and new ones with a password; the names of their streams, in UTF-16, tell which. */
async function oleRefusal(handle: FileHandle): Promise<Refusal> {
  const found = await findNames(handle, ['EncryptedPackage', 'Workbook', 'Book', 'WordDocument']);
  if (found.has('EncryptedPackage')) {
    return {
      sentence: 'is protected by a password',
      next: 'Open it with the password, save a copy without one and use that file.',
    };
  }
  if (found.has('Workbook') || found.has('Book')) {
    return { sentence: 'is an old Excel workbook (.xls), which this program does not read', next: SAVE };
  }
  if (found.has('WordDocument')) return { sentence: 'is a Word document, not a workbook', next: EXPORT };
  return { sentence: 'is an old Office file, not a workbook', next: EXPORT };
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
