import { soundsWrong } from '../../../schema/answer-words.ts';
import { tellsOfError } from '../../../schema/judge-answer.ts';
import { looksLikePage } from '../../../service/words.ts';
import { isWholePdf, isWholeZip } from './file-end.ts';
import { isXmlDocument } from './xml-root.ts';

/** How files of a kind begin; others can be told by what they are not. */
const BEGINNINGS: Readonly<Record<string, RegExp>> = {
  pdf: /^[\s\S]{0,1000}%PDF-/,
  zip: /^PK/,
  docx: /^PK/,
  xlsx: /^PK/,
  xlsm: /^PK/,
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
  ...Object.fromEntries(
    ['zip', 'docx', 'xlsx', 'xlsm', 'pptx', 'odt', 'ods'].map((kind) => [kind, isWholeZip]),
  ),
};

/** Kinds that are XML under a name of their own. */
const XML = /^(?:xml|ubl|xaf|cii|xrechnung|facturx|camt|pain)$/;
/** Kinds that are plain text, and come as such. */
const TEXT = /^(?:txt|csv|tsv|tab|asc|dat|edi|edifact|md|log)$/;
const PAGE = /^x?html?$/;
const PAGE_TYPES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);

/**
 * Whether bytes are a file of the kind that its ending says, from its beginning to its end: what a login page, a refusal or an
 * error never is. `type` is the media type that a service gave them; without one their content tells.
 */
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
  if (looksLikePage(top.slice(0, 200)) && !PAGE.test(kind)) return false;
  const beginning = BEGINNINGS[kind];
  // Who forgets to name a type sends a page's: a file that begins as one is believed, a page with one in it is not.
  if (beginning !== undefined) return beginning.test(top) && (!isPage(type) || !/^\s*</.test(top));
  if (isPage(type) && !PAGE.test(kind)) return false;
  if (XML.test(kind)) return isXmlDocument(bytes);
  if (PAGE.test(kind)) return /^(?:\u00ef\u00bb\u00bf)?\s*</.test(top);
  const json = asJson(bytes);
  if (kind === 'json') return json !== undefined && json !== null && !isRefusal(json, type);
  if (json !== undefined || isJson(type)) return false;
  if (type === 'text/plain' && !TEXT.test(kind)) return false;
  return !(isOneLine(bytes) && soundsWrong(Buffer.from(bytes).toString()));
}

const isPage = (type: string | null): boolean => type !== null && PAGE_TYPES.has(type);
const isJson = (type: string | null): boolean => type !== null && /[/+]json$/.test(type);

/** JSON that turns down what was asked, where JSON was asked for. */
const isRefusal = (json: unknown, type: string | null): boolean =>
  type === 'application/problem+json' || tellsOfError(json);

/** A file of records has more than one line; an error's sentence has no more. */
function isOneLine(bytes: Uint8Array): boolean {
  return bytes.length < 500 && !/\n/.test(Buffer.from(bytes).toString('latin1').trim());
}

/**
 * The file that an answer is, or holds: as it stands, or as text in base64, alone or in JSON (interface 4.7: not shown).
 * Null when it is none of these.
 */
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
