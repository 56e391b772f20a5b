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
    const score = contained ? 0.2 : distance(target, other) / longest;
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
