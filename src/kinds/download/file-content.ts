import { soundsWrong, tellsOfError } from '../../schema/judge-answer.ts';
import { looksLikePage } from '../../service/answer-text.ts';

/** How files of a kind begin, and are told to be whole; others can be told by what they are not. */
const KINDS: readonly (readonly [kinds: RegExp, begins: RegExp, isWhole?: (bytes: Buffer) => boolean])[] = [
  [/^pdf$/, /^[\s\S]{0,1000}%PDF-/, isWholePdf],
  [/^(?:zip|docx|xlsx|pptx|odt|ods)$/, /^PK/, isWholeZip],
  [/^png$/, /^\u0089PNG/],
  [/^jpe?g$/, /^\u00ff\u00d8\u00ff/],
  [/^gif$/, /^GIF8/],
  [/^tiff?$/, /^(?:II\*|MM\0)/],
];
/** Kinds that are XML under a name of their own. */
const XML = /^(?:xml|ubl|xaf|cii|xrechnung|facturx|camt|pain)$/;
/** Kinds that are plain text, and come as such. */
const TEXT = /^(?:txt|csv|tsv|tab|asc|dat|edi|edifact|md|log)$/;
const PAGE = /^(?:text\/html|application\/xhtml\+xml)$/;

/** Whether bytes are a whole file with this extension, and no page or error; `type`: its media type. */
export function isFileOf(answer: Uint8Array, extension: string, type: string | null = null): boolean {
  const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength);
  const kind = extension.toLowerCase();
  const top = bytes.toString('latin1', 0, 1100);
  if (bytes.length === 0 || looksLikePage(top.slice(0, 200))) return false;
  const isPage = PAGE.test(type ?? '');
  const [, begins, isWhole = () => true] = KINDS.find(([kinds]) => kinds.test(kind)) ?? [];
  // A missing type is often sent as a page's: what begins as a file is one, even with that type.
  if (begins !== undefined) return begins.test(top) && !(isPage && /^\s*</.test(top)) && isWhole(bytes);
  return !isPage && isOfKind(bytes, kind, type ?? '');
}

function isOfKind(bytes: Buffer, kind: string, type: string): boolean {
  if (XML.test(kind)) return isXmlDocument(xmlText(bytes).trim());
  const json = asJson(bytes);
  if (kind === 'json') return json != null && type !== 'application/problem+json' && !tellsOfError(json);
  if (json !== undefined || /[/+]json$/.test(type)) return false;
  if (type === 'text/plain' && !TEXT.test(kind)) return false;
  const isOneLine = bytes.length < 500 && !/\n/.test(bytes.toString('latin1').trim());
  return !(isOneLine && soundsWrong(bytes.toString()));
}

/** The file that an answer is or holds, as base64, alone or in JSON (interface 4.7: not shown); else null. */
export function fileIn(answer: Uint8Array, extension: string, type: string | null = null): Uint8Array | null {
  if (isFileOf(answer, extension, type)) return answer;
  const kind = extension.toLowerCase();
  if (!XML.test(kind) && !KINDS.some(([kinds]) => kinds.test(kind))) return null;
  const json = asJson(answer);
  const texts = json === undefined ? [Buffer.from(answer).toString('latin1')] : textsIn(json);
  for (const text of texts) {
    const bytes = fromBase64(text);
    if (bytes !== null && isFileOf(bytes, extension)) return bytes;
  }
  return null;
}

function asJson(bytes: Uint8Array): unknown {
  const text = Buffer.from(bytes);
  if (!/^\s*[[{"nft]/.test(text.toString('latin1', 0, 50))) return undefined;
  try {
    return JSON.parse(text.toString('utf8')) as unknown;
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

/** Its mark stands at the end; some servers put a little behind it. */
function isWholePdf(bytes: Buffer): boolean {
  const end = bytes.toString('latin1', bytes.length - 10_000).replace(/[\0-\x20]+$/, '');
  return end.slice(-2048).includes('%%EOF');
}

/** A zip ends with the record of its end, and a comment as long as that says. */
function isWholeZip(bytes: Buffer): boolean {
  const at = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  return at >= 0 && at + 22 <= bytes.length && at + 22 + bytes.readUInt16LE(at + 20) === bytes.length;
}

const OF_A_PAGE = /^(?:html|head|body|title|div|span|p|pre|form|table|center|h[1-6])$/i;
const OF_AN_ERROR = /^(?:errors?|exception|fault|problem|apierror|errorresponse|error_?message)$/i;

/** What may stand before the root. It goes piece by piece: one pattern for all overflows on megabytes of them. */
const BEFORE_ROOT = /\s*(?:<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!doctype[^[>]*(?:\[[^\]]*\][^[>]*)?>)/iy;
const ROOT = /\s*<((?:[\p{L}_][\w.-]{0,250}:)?[\p{L}_][\p{L}\p{N}_.-]{0,250})(?=[\s/>])/uy;

/** Whether a text is an XML document to its end, and not a web page or an error. */
function isXmlDocument(text: string): boolean {
  let at = 0;
  for (BEFORE_ROOT.lastIndex = 0; BEFORE_ROOT.test(text); ) at = BEFORE_ROOT.lastIndex;
  ROOT.lastIndex = at;
  const [all = '', name = ''] = ROOT.exec(text) ?? [];
  const local = name.slice(name.indexOf(':') + 1);
  if (local === '' || OF_A_PAGE.test(local) || OF_AN_ERROR.test(local)) return false;
  const end = text.lastIndexOf('</');
  if (end > at) return text.startsWith(name, end + 2) && /^\s*>/.test(text.slice(end + 2 + name.length));
  return text.endsWith('/>') && !text.includes('<', at + all.length);
}

/** XML is UTF-8, or UTF-16 with a mark of its byte order; in any other encoding its tags are ASCII. */
function xmlText(bytes: Buffer): string {
  const mark = bytes.toString('latin1', 0, 2);
  return new TextDecoder(
    mark === '\xff\xfe' ? 'utf-16le' : mark === '\xfe\xff' ? 'utf-16be' : 'utf-8',
  ).decode(bytes);
}
