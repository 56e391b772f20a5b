import { looksLikePage } from '../../../service/words.ts';

/** How files of a kind begin; others can be told by what they are not. */
const BEGINNINGS: Readonly<Record<string, RegExp>> = {
  pdf: /^[\s\S]{0,1000}%PDF-/,
  xml: /^(?:\u00ef\u00bb\u00bf)?\s*</,
  zip: /^PK/,
  docx: /^PK/,
  xlsx: /^PK/,
  png: /^\u0089PNG/,
  jpg: /^\u00ff\u00d8\u00ff/,
  jpeg: /^\u00ff\u00d8\u00ff/,
  gif: /^GIF8/,
  tif: /^(?:II\*|MM\0)/,
  tiff: /^(?:II\*|MM\0)/,
};

/** Whether bytes are a file of the kind that its ending says: what a login page or a refusal never is. */
export function isFileOf(bytes: Uint8Array, extension: string): boolean {
  if (bytes.length === 0) return false;
  const kind = extension.toLowerCase();
  const top = Buffer.from(bytes.subarray(0, 1100)).toString('latin1');
  if (looksLikePage(top.slice(0, 200)) && !/^x?html?$/.test(kind)) return false;
  const beginning = BEGINNINGS[kind];
  if (beginning !== undefined) return beginning.test(top);
  return kind === 'json' || asJson(bytes) === undefined;
}

/**
 * The file that an answer is, or holds: as it stands, or as text in base64, alone or in JSON (interface 4.7: not shown).
 * Null when it is none of these.
 */
export function fileIn(answer: Uint8Array, extension: string): Uint8Array | null {
  if (isFileOf(answer, extension)) return answer;
  if (BEGINNINGS[extension.toLowerCase()] === undefined) return null;
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
