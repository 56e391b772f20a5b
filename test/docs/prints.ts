import { distance } from 'fastest-levenshtein';

/** A run's name. */
export const RUN = /\d{8}-\d{6}-[a-z0-9]{4}/g;

/** What is another each time: moments, durations, folders and the sandbox's own name. */
const masked = (text: string): string =>
  text
    .replace(RUN, 'RUN')
    .replace(
      /\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}|\d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}|\d{2}-\d{2}-\d{4} \d{2}:\d{2}/g,
      'MOMENT',
    )
    // One more or less is read back, by the order in which rows end.
    .replace(/\d+ requests, \d+\.\d s/g, 'REQUESTS, SECONDS')
    .replace(/"requests": \d+/g, '"requests": REQUESTS')
    // Rows that are sent side by side get their numbers in any order.
    .replace(/(posted|geboekt) \(\d+\)/g, '$1 (NUMBER)')
    .replace(/, \d+\.\d s/g, ', SECONDS')
    .replace(/which takes .*\./g, 'which takes a while.')
    .replace(/"ms": \d+/g, '"ms": MS')
    .replace(/^(Log|Logboek): .*$/gm, '$1: FILE')
    .replace(/sandbox \d+-\d+/g, 'sandbox NAME');

/** The pieces of what a page shows; `…` on a line of its own stands for what it leaves out. */
const pieces = (shown: string): string[] => shown.split(/^…\n/m);

const linesOf = (text: string): string[] => text.split('\n').slice(0, -1);

/** Where the line most like another stands at or behind a place. */
function mostLike(line: string, lines: readonly string[], from: number): number {
  let best = from;
  let least = Number.POSITIVE_INFINITY;
  for (let at = from; at < lines.length; at++) {
    const apart = distance(masked(line), masked(lines[at] ?? ''));
    if (apart < least) [best, least] = [at, apart];
  }
  return best;
}

/**
 * What was printed, cut as the page cuts it: each piece from the line most like its first to the line most like its
 * last. A line that only differs in what is another each time stays as the page has it.
 */
export function closestTo(shown: string, printed: string): string {
  const lines = linesOf(printed);
  const old = new Map(linesOf(shown).map((line) => [masked(line), line]));
  const kept = (line: string): string => old.get(masked(line)) ?? line;
  const parts = pieces(shown).map(linesOf);
  if (parts.length === 1) parts[0] = ['all'];
  let from = 0;
  const now = parts.map((part, index) => {
    if (part.length === 0) return [];
    const start = index === 0 ? 0 : mostLike(part[0] ?? '', lines, from);
    const end = index === parts.length - 1 ? lines.length - 1 : mostLike(part.at(-1) ?? '', lines, start);
    from = end + 1;
    return lines.slice(start, from).map(kept);
  });
  return now.map((part) => part.map((line) => `${line}\n`).join('')).join('…\n');
}
