import type { Finding } from './judge.ts';

/** Plays rounds, some of them at once: most of a round is waiting. */
export async function playRounds<End extends { readonly round: number }>(
  numbers: readonly number[],
  atOnce: number,
  play: (round: number) => Promise<End>,
): Promise<End[]> {
  const ends: End[] = [];
  const left = [...numbers];
  const work = async (): Promise<void> => {
    for (let round = left.shift(); round !== undefined; round = left.shift()) {
      try {
        ends.push(await play(round));
      } catch (error) {
        throw new Error(`Round ${round} broke off.`, { cause: error });
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return ends.sort((a, b) => a.round - b.round);
}

/** What went wrong, a line for each finding. */
export const findingsOf = (
  ends: readonly { readonly round: number; readonly findings: readonly Finding[] }[],
): string[] =>
  ends.flatMap(({ round, findings }) => findings.map(({ kind, about }) => `${round}: ${kind}: ${about}`));
