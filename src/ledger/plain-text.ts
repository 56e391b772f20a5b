/** A text as PostgreSQL takes it: it keeps no NUL and no half of a character, which nobody means. */
export const plainText = (text: string): string => text.replaceAll(/[\0\p{Surrogate}]/gu, '\uFFFD');

/** How JSON has those; also, of a text with a backslash, what only looks so. */
const ESCAPED = /\\u(?:0000|d[89a-f])/;

/** JSON of which PostgreSQL takes each text: it reads all of them to tell one. */
export function plainJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!ESCAPED.test(json)) return json;
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'string' ? plainText(one) : one));
}
