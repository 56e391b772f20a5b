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
