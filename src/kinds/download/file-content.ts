import { soundsWrong, tellsOfError } from '../../schema/judge-answer.ts';
import { looksLikePage } from '../../service/answer-text.ts';

/** How files of a kind begin; others can be told by what they are not. */
const BEGINNINGS: Readonly<Record<string, RegExp>> = {
  pdf: /^[\s\S]{0,1000}%PDF-/,
  zip: /^PK/,
  docx: /^PK/,
  xlsx: /^PK/,
  pptx: /^PK/,
  odt: /^PK/,
  ods: /^PK/,
  png: /^\u0089PNG/,
  jpg: /^\u00ff\u00d8\u00ff/,
  jpeg: /^\u00ff\u00d8\u00ff/,
  gif: /^GIF8/,
  tif: /^(?:II\*|MM\0)/,
  tiff: /^(?:II\*|MM\0)/,
};

/** How files of a kind are told to be whole; any other is trusted to be. */
const WHOLE: Readonly<Record<string, (bytes: Uint8Array) => boolean>> = {
  pdf: isWholePdf,
  ...Object.fromEntries(['zip', 'docx', 'xlsx', 'pptx', 'odt', 'ods'].map((kind) => [kind, isWholeZip])),
};

/** Kinds that are XML under a name of their own. */
const XML = /^(?:xml|ubl|xaf|cii|xrechnung|facturx|camt|pain)$/;
/** Kinds that are plain text, and come as such. */
const TEXT = /^(?:txt|csv|tsv|tab|asc|dat|edi|edifact|md|log)$/;
const PAGE_TYPES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);

/** Whether bytes are a whole file with this extension, and no page or error; `type`: its media type. */
export function isFileOf(bytes: Uint8Array, extension: string, type: string | null = null): boolean {
  return isOfKind(bytes, extension, type) && goesToItsEnd(bytes, extension);
}

/** Whether bytes are the beginning of such a file, and no more. */
export function isCutOff(bytes: Uint8Array, extension: string, type: string | null = null): boolean {
  return isOfKind(bytes, extension, type) && !goesToItsEnd(bytes, extension);
}

const goesToItsEnd = (bytes: Uint8Array, extension: string): boolean =>
  WHOLE[extension.toLowerCase()]?.(bytes) ?? true;

function isOfKind(bytes: Uint8Array, extension: string, type: string | null): boolean {
  if (bytes.length === 0) return false;
  const kind = extension.toLowerCase();
  const top = Buffer.from(bytes.subarray(0, 1100)).toString('latin1');
  if (looksLikePage(top.slice(0, 200))) return false;
  const beginning = BEGINNINGS[kind];
  // A missing type is often sent as a page's: what begins as a file is one, even with that type.
  if (beginning !== undefined) return beginning.test(top) && (!isPage(type) || !/^\s*</.test(top));
  if (isPage(type)) return false;
  if (XML.test(kind)) return isXmlDocument(bytes);
  const json = asJson(bytes);
  if (kind === 'json') return json !== undefined && json !== null && !isRefusal(json, type);
  if (json !== undefined || isJson(type)) return false;
  if (type === 'text/plain' && !TEXT.test(kind)) return false;
  return !(isOneLine(bytes) && soundsWrong(Buffer.from(bytes).toString()));
}

const isPage = (type: string | null): boolean => type !== null && PAGE_TYPES.has(type);
const isJson = (type: string | null): boolean => type !== null && /[/+]json$/.test(type);

/** Whether JSON that was asked for is a refusal. */
const isRefusal = (json: unknown, type: string | null): boolean =>
  type === 'application/problem+json' || tellsOfError(json);

function isOneLine(bytes: Uint8Array): boolean {
  return bytes.length < 500 && !/\n/.test(Buffer.from(bytes).toString('latin1').trim());
}

/** The file that an answer is or holds, as base64, alone or in JSON (interface 4.7: not shown); else null. */
export function fileIn(answer: Uint8Array, extension: string, type: string | null = null): Uint8Array | null {
  if (isFileOf(answer, extension, type)) return answer;
  const kind = extension.toLowerCase();
  if (BEGINNINGS[kind] === undefined && !XML.test(kind)) return null;
  const json = asJson(answer);
  const texts = json === undefined ? [Buffer.from(answer).toString('latin1')] : textsIn(json);
  for (const text of texts) {
    const bytes = fromBase64(text);
    if (bytes !== null && isFileOf(bytes, extension)) return bytes;
  }
  return null;
}

function asJson(bytes: Uint8Array): unknown {
  if (!/^\s*[[{"nft]/.test(Buffer.from(bytes.subarray(0, 50)).toString('latin1'))) return undefined;
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

const DEEPEST = 4;

function textsIn(json: unknown, depth = 0): string[] {
  if (typeof json === 'string') return [json];
  if (typeof json !== 'object' || json === null || depth > DEEPEST) return [];
  return Object.values(json).flatMap((member) => textsIn(member, depth + 1));
}

function fromBase64(text: string): Uint8Array | null {
  const plain = text.trim().replace(/^data:[^,]{0,100};base64,/, '');
  return plain.length >= 8 && /^[A-Za-z0-9+/_\s-]+={0,2}$/.test(plain) ? Buffer.from(plain, 'base64') : null;
}

/** The mark at the end of a PDF; some servers put a little behind it. */
const PDF_END = '%%EOF';
const BEHIND_PDF = 2048;

const DIRECTORY = Buffer.from([0x50, 0x4b, 0x01, 0x02]);
const DIRECTORY_END = Buffer.from([0x50, 0x4b, 0x05, 0x06]);
/** The length of the record without its comment. */
const RECORD = 22;
const LONGEST_COMMENT = 0xffff;
/** The length of two records that a large archive has before its end. */
const LARGE_RECORDS = 100;

function isWholePdf(bytes: Uint8Array): boolean {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] as number) <= 0x20) end--;
  return Buffer.from(bytes.subarray(Math.max(0, end - BEHIND_PDF), end)).includes(PDF_END);
}

/** Whether a zip ends with its own directory, not that of an archive inside it. */
function isWholeZip(bytes: Uint8Array): boolean {
  const from = Math.max(0, bytes.length - RECORD - LONGEST_COMMENT);
  const tail = Buffer.from(bytes.buffer, bytes.byteOffset + from, bytes.length - from);
  const at = tail.lastIndexOf(DIRECTORY_END);
  if (at < 0 || at + RECORD > tail.length) return false;
  const [size, offset] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
  if (size === 0xffffffff || offset === 0xffffffff) return true;
  const between = from + at - (offset + size);
  const directory = Buffer.from(bytes.subarray(offset, offset + DIRECTORY.length));
  return between >= 0 && between <= LARGE_RECORDS && (size === 0 || directory.equals(DIRECTORY));
}

const OF_A_PAGE =
  /^(?:a|article|b|blockquote|body|br|center|div|font|form|h[1-6]|head|hr|html|i|iframe|img|input|li|link|main|meta|nav|ol|p|pre|script|section|span|strong|style|table|title|ul)$/i;
const OF_AN_ERROR = /^(?:errors?|exception|fault|problem|apierror|errorresponse|error_?message)$/i;

/** What may stand before the root beside a document type: how it begins and ends. */
const BEFORE_ROOT = [
  ['<?', '?>'],
  ['<!--', '-->'],
] as const;
const DOCTYPE = /<!doctype\b/iy;
const NAME = '[\\p{L}_][\\p{L}\\p{N}_.-]{0,250}';
const TAG = new RegExp(`<((?:${NAME}:)?${NAME})`, 'uy');
const ATTRIBUTE = new RegExp(`\\s+(?:${NAME}:)?${NAME}\\s*=\\s*(["'])`, 'uy');
const TAG_END = /\s*(\/?)>/y;

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/**
 * Whether a text is a whole XML document, and not a web page or an error. It goes from piece to piece, as one
 * pattern for all of them overflows on a document of many megabytes.
 */
function isXmlDocument(bytes: Uint8Array): boolean {
  const text = xmlText(bytes).trim();
  const root = rootAt(text);
  const name = matchAt(TAG, text, root)?.[1];
  if (name === undefined) return false;
  const local = name.slice(name.indexOf(':') + 1);
  if (OF_A_PAGE.test(local) || OF_AN_ERROR.test(local)) return false;
  const behind = attributesEnd(text, root + 1 + name.length);
  const [tagEnd, closed] = matchAt(TAG_END, text, behind) ?? [];
  if (tagEnd === undefined) return false;
  if (closed === '/') return text.length === behind + tagEnd.length;
  const end = text.lastIndexOf('</');
  return end > root && text.startsWith(name, end + 2) && /^\s*>/.test(text.slice(end + 2 + name.length));
}

/** Where the root begins; there is none where what stands before it does not end. */
function rootAt(text: string): number {
  for (let at = 0; ; ) {
    while (/\s/.test(text[at] ?? '')) at++;
    const [begin, end] = BEFORE_ROOT.find(([mark]) => text.startsWith(mark, at)) ?? [];
    if (begin === undefined && matchAt(DOCTYPE, text, at) === null) return at;
    const stop = begin === undefined ? doctypeEnd(text, at) : text.indexOf(end, at + begin.length);
    if (stop < 0) return at;
    at = stop + (end?.length ?? 1);
  }
}

/** The `>` of a document type, behind the declarations in its brackets; -1 for none. */
function doctypeEnd(text: string, from: number): number {
  const mark = /[[\]>]/g;
  for (let at = from; at >= 0; ) {
    const found = matchAt(mark, text, at);
    if (found === null || found[0] === ']') return -1;
    if (found[0] === '>') return found.index;
    at = text.indexOf(']', found.index) + 1 || -1;
  }
  return -1;
}

/** Where attributes end that begin here; at the first that is not whole. */
function attributesEnd(text: string, from: number): number {
  for (let at = from; ; ) {
    const [attribute, quote] = matchAt(ATTRIBUTE, text, at) ?? [];
    if (attribute === undefined || quote === undefined) return at;
    const value = at + attribute.length;
    const end = text.indexOf(quote, value);
    if (end < 0 || text.slice(value, end).includes('<')) return at;
    at = end + 1;
  }
}

/** XML is UTF-8, or UTF-16 with a mark of its byte order; in any other encoding its tags are ASCII. */
function xmlText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder().decode(bytes);
}
