const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-.';
const FACTOR = 0x9e_37_79_b1;
/** The letters of a signature that stand for the whole row. */
const WHOLE = 4;

/** The length of the signature of a row of so many cells. */
export const signatureLength = (cells: number): number => WHOLE + cells;

/** A few letters for a whole row, and one for each of its cells, which tells those that were changed. */
export function signatureOf(texts: readonly string[]): string {
  let [whole, cells, letters] = [0, '', ''];
  for (const text of texts) {
    const own = hashOf(plainText(text));
    whole = Math.imul(((whole << 5) | (whole >>> 27)) ^ own, FACTOR);
    cells += LETTERS[Math.imul(own, FACTOR) >>> 26];
  }
  for (let at = 0; at < WHOLE; at++) letters += LETTERS[(whole >>> (8 + at * 6)) & 63];
  return letters + cells;
}

/** The places of the cells in which two rows differ; all of them where only the whole rows tell. */
export function differingCells(one: string, other: string): number[] {
  const places = Array.from({ length: one.length - WHOLE }, (_, at) => at);
  const found = places.filter((at) => one[WHOLE + at] !== other[WHOLE + at]);
  return found.length === 0 ? places : found;
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93);
  return hash;
}

/** Numbers up to this long are written alike by all programs, which keep 15 digits. */
const SHORT = 12;
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const ODD = /\s|[^\u0020-\u007e]|T\d\d:/;

/**
 * A cell's text as all programs keep it: they may break lines in their own way. A moment is told to the
 * second, and midnight as its day.
 */
function plainText(text: string): string {
  if (text.length > SHORT && NUMBER.test(text)) return String(Number(Number(text).toPrecision(SHORT)));
  if (!ODD.test(text)) return text;
  return text
    .normalize()
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)?$/, '$1 $2')
    .replace(/^(\d{4}-\d\d-\d\d) 00:00:00$/, '$1');
}

/** Whether two texts of a cell are the same for all programs, which keep 15 digits of a number. */
export function isSameText(was: string, is: string): boolean {
  if (was === is || plainText(was) === plainText(is)) return true;
  const [a, b] = [was, is].map((text) => (text.trim() === '' ? Number.NaN : Number(text)));
  return Math.abs((a ?? 0) - (b ?? 0)) <= 1e-12 * Math.abs(a ?? 0);
}
