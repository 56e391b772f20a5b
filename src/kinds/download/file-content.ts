/** How files are told to be whole, by their endings; an invoice of any other kind is not fetched. */
const KINDS: readonly (readonly [endings: RegExp, isWhole: (bytes: Buffer, top: string) => boolean])[] = [
  [/^pdf$/, (bytes, top) => /^[^<]*%PDF-/.test(top) && endOf(bytes).includes('%%EOF')],
  [/^(?:xml|ubl)$/, isWholeXml],
  [/^(?:zip|docx|xlsx|odt|ods)$/, (bytes, top) => top.startsWith('PK') && isWholeZip(bytes)],
  [/^png$/, (_, top) => top.startsWith('\x89PNG')],
  [/^jpe?g$/, (_, top) => top.startsWith('\xff\xd8\xff')],
  [/^tiff?$/, (_, top) => /^(?:II\*|MM\0)/.test(top)],
];

const kindOf = (extension: string) => KINDS.find(([endings]) => endings.test(extension.toLowerCase()));

/** Whether files with this extension can be told. */
export const isKnownKind = (extension: string): boolean => kindOf(extension) !== undefined;

/** Whether bytes are a whole file with this extension, and no page or error. */
export function isFileOf(answer: Uint8Array, extension: string): boolean {
  const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength);
  return kindOf(extension)?.[1](bytes, bytes.toString('latin1', 0, 1000)) === true;
}

/** The file that an answer is or holds, as base64, alone or in JSON (interface 4.7: not shown); else null. */
export function fileIn(answer: Uint8Array, extension: string): Uint8Array | null {
  if (isFileOf(answer, extension)) return answer;
  const text = Buffer.from(answer).toString().trim();
  const texts = [text];
  try {
    JSON.parse(text, (_, value: unknown) => {
      if (typeof value === 'string') texts.push(value);
      return value;
    });
  } catch {
    // It may be base64 as it stands.
  }
  for (const one of texts) {
    const plain = one.trim().replace(/^data:[^,]{0,100};base64,/, '');
    const bytes = Buffer.from(/^[\w+/\s-]+=*$/.test(plain) ? plain : '', 'base64');
    if (isFileOf(bytes, extension)) return bytes;
  }
  return null;
}

/** The mark of a PDF stands at its end; some servers put a little behind it. */
const endOf = (bytes: Buffer): string =>
  bytes
    .toString('latin1', bytes.length - 10_000)
    .replace(/[\0-\x20]+$/, '')
    .slice(-2048);

/** A zip ends with the record of its end, and a comment as long as that says. */
function isWholeZip(bytes: Buffer): boolean {
  const at = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  return at >= 0 && at + 22 <= bytes.length && at + 22 + bytes.readUInt16LE(at + 20) === bytes.length;
}

/** The roots of web pages and errors. */
const NO_INVOICE =
  /^(?:.*:)?(?:html|head|body|title|div|span|p|pre|form|table|center|h[1-6]|errors?|exception|fault|problem|apierror|errorresponse|error_?message)$/i;

/** Whether it is an XML document to the end tag of its root, in any encoding: the tags are ASCII. */
function isWholeXml(bytes: Buffer): boolean {
  const text = bytes.toString('latin1').replaceAll('\0', '');
  const [, root] = /^[^<]{0,4}</.test(text) ? (/<([^\s/>?!]{1,500})[\s>]/.exec(text) ?? []) : [];
  if (root === undefined || NO_INVOICE.test(root)) return false;
  const end = text.slice(text.lastIndexOf('</') + 2);
  return end.startsWith(root) && /^\s*>/.test(end.slice(root.length));
}
