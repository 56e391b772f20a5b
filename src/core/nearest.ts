import { distance } from 'fastest-levenshtein';
import { type Bilingual, t } from './language.ts';

/** Up to `most` candidates that resemble `wanted`, nearest first. */
export function nearest(wanted: string, candidates: Iterable<string>, most = 3): string[] {
  const target = wanted.trim().toLowerCase();
  if (target === '') return [];
  const scored: { candidate: string; score: number }[] = [];
  for (const candidate of candidates) {
    const other = candidate.toLowerCase();
    if (other === '') continue;
    const longest = Math.max(target.length, other.length);
    const shortest = Math.min(target.length, other.length);
    const contained = shortest >= 3 && (target.includes(other) || other.includes(target));
    const score = Math.min(distance(target, other) / longest, contained ? 0.2 : 1);
    if (score <= 0.5) scored.push({ candidate, score });
  }
  scored.sort((a, b) => a.score - b.score || a.candidate.localeCompare(b.candidate));
  return scored.slice(0, most).map((entry) => entry.candidate);
}

/** Names those that resemble `wanted` as a way out; `otherwise` where none does. */
export function nearestText(wanted: string, names: Iterable<string>, otherwise: Bilingual): Bilingual {
  const near = nearest(wanted, names).join(', ');
  return near === '' ? otherwise : t(`Names that look like it: ${near}.`, `Namen die erop lijken: ${near}.`);
}

const MARKS = /\p{M}/gu;
/** Signs without width: soft hyphens, joiners, direction marks. */
const INVISIBLE = /\p{Cf}/gu;
const WORD = /[\p{L}\p{N}]+/gu;
/** Letters of a word that may be a part of another: `soep` in `tomatensoep`. */
const PART = 4;

/** Words that say nothing of which name it is, where there are others. */
const COMMON = new Set('bv nv vof cv de het een en van met the a an and of with'.split(' '));

/** A text's words, whatever their case, accents and punctuation. */
function wordsOf(text: string): readonly string[] {
  const words =
    text.normalize('NFKD').replace(MARKS, '').replace(INVISIBLE, '').toLowerCase().match(WORD) ?? [];
  const telling = words.filter((word) => !COMMON.has(word));
  return telling.length === 0 ? words : telling;
}

/** Whether two names have a word in common, or one that is a part of the other's; a name without any has. */
export function shareWord(one: string, other: string): boolean {
  const [mine, theirs] = [wordsOf(one), wordsOf(other)];
  if (mine.length === 0 || theirs.length === 0) return true;
  const isPart = (part: string, whole: string): boolean => part.length >= PART && whole.includes(part);
  return mine.some((a) => theirs.some((b) => a === b || isPart(a, b) || isPart(b, a)));
}
