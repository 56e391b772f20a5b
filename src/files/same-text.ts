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
