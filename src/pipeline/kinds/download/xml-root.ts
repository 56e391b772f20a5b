/** Elements of web pages: what begins with one is no business document. */
const OF_A_PAGE =
  /^(?:a|article|b|blockquote|body|br|center|div|font|form|h[1-6]|head|hr|html|i|iframe|img|input|li|link|main|meta|nav|ol|p|pre|script|section|span|strong|style|table|title|ul)$/i;
/** Roots of what a service says when it has no file. */
const OF_AN_ERROR = /^(?:errors?|exception|fault|problem|apierror|errorresponse|error_?message)$/i;

/** What may stand before the root: the declaration, comments, instructions and a document type. */
const PROLOGUE = /^(?:\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!doctype\b(?:[^[\]>]|\[[^\]]*\])*>)+/i;
const NAME = '[\\p{L}_][\\p{L}\\p{N}_.-]*';
/** A start tag with its attributes in quotes, as XML has them and careless pages have not. */
const START = new RegExp(
  `^<((?:${NAME}:)?${NAME})((?:\\s+(?:${NAME}:)?${NAME}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(/?)>`,
  'u',
);

/** Whether a text is an XML document from its declaration to the end of its root, and that root no page's and no error's. */
export function isXmlDocument(bytes: Uint8Array): boolean {
  const text = xmlText(bytes).trim();
  const body = text.slice(PROLOGUE.exec(text)?.[0].length ?? 0);
  const [start, name = '', , closed] = START.exec(body) ?? [];
  if (start === undefined) return false;
  const local = name.slice(name.indexOf(':') + 1);
  if (OF_A_PAGE.test(local) || OF_AN_ERROR.test(local)) return false;
  if (closed === '/') return body.length === start.length;
  const end = body.lastIndexOf('</');
  return body.startsWith(name, end + 2) && /^\s*>/.test(body.slice(end + 2 + name.length));
}

/** XML is UTF-8, or UTF-16 with a mark of its byte order; in any other encoding its tags are ASCII. */
function xmlText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder().decode(bytes);
}
