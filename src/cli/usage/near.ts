import { distance } from 'fastest-levenshtein';
import { nearest } from '../../core/nearest.ts';

/** How much of a name may be other letters for it to be meant. */
const CLOSE = 0.4;

const plain = (name: string): string => name.toLowerCase().replace(/[-_]/g, '');

/** The one name that somebody must have meant by a word; undefined where none is close, or two are. */
export function meant(word: string, names: readonly string[]): string | undefined {
  const wanted = plain(word);
  const scored = [...new Set(names)]
    .map((name) => ({ name, score: scoreOf(wanted, plain(name)) }))
    .filter(({ score }) => score <= CLOSE)
    .sort((a, b) => a.score - b.score);
  const [first, second] = scored;
  return first !== undefined && first.score !== second?.score ? first.name : undefined;
}

function scoreOf(wanted: string, name: string): number {
  const begun =
    Math.min(wanted.length, name.length) >= 3 && (name.startsWith(wanted) || wanted.startsWith(name));
  const share = distance(wanted, name) / Math.max(wanted.length, name.length);
  return begun ? Math.min(share, CLOSE) : share;
}

/** Names that resemble a word, nearest first. */
export const resembling = (word: string, names: readonly string[]): string[] =>
  nearest(word.replaceAll('_', '-'), new Set(names));
