import { GROUP_NAMES } from './draws.ts';
import type { RoundEnd } from './play-round.ts';

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

/** The rounds in which each kind of finding came. */
export function byKind(ends: readonly RoundEnd[]): Map<string, RoundEnd[]> {
  const kinds = new Map<string, RoundEnd[]>();
  for (const end of ends)
    for (const kind of new Set(end.findings.map((finding) => finding.kind)))
      kinds.set(kind, [...(kinds.get(kind) ?? []), end]);
  return kinds;
}

/** What went wrong, by kind: in how many rounds, the smallest of them, and what those rounds have in common. */
export function tableOf(ends: readonly RoundEnd[]): string {
  const lines = [...byKind(ends)].map(([kind, rounds]) => {
    const fewest = fewestOf(rounds);
    return `${rounds.length} rounds: ${kind}; round ${fewest?.round} [${fewest?.groups.join(' ')}]; ${oftener(rounds, ends)}`;
  });
  return lines.sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10)).join('\n');
}

/** The round with the fewest groups. */
export function fewestOf(rounds: readonly RoundEnd[]): RoundEnd | undefined {
  return [...rounds].sort((a, b) => a.groups.length - b.groups.length)[0];
}

/** The groups that these rounds have clearly more often than all rounds. */
function oftener(rounds: readonly RoundEnd[], all: readonly RoundEnd[]): string {
  const share = (ends: readonly RoundEnd[], name: string) =>
    ends.filter(({ groups }) => groups.includes(name)).length / Math.max(1, ends.length);
  return GROUP_NAMES.map((name) => ({ name, lift: share(rounds, name) - share(all, name) }))
    .filter(({ lift }) => lift > 0.2)
    .sort((a, b) => b.lift - a.lift)
    .map(({ name, lift }) => `${name} +${Math.round(lift * 100)} %`)
    .join(', ');
}

/** The groups without which a kind of finding no longer comes, found by leaving out one after the other. */
export async function smallest(
  kind: string,
  groups: readonly string[],
  play: (only: readonly string[]) => Promise<RoundEnd>,
): Promise<readonly string[]> {
  let needed = groups;
  for (const group of groups) {
    const fewer = needed.filter((one) => one !== group);
    const { findings } = await play(fewer);
    if (findings.some((finding) => finding.kind === kind)) needed = fewer;
  }
  return needed;
}
