import { describe, expect, it } from 'vitest';
import { playRound, type RoundEnd } from './any-service/play-round.ts';
import { byKind, fewestOf, playRounds, smallest, tableOf } from './any-service/rounds.ts';

/**
 * ROUNDS from FIRST on, AT_ONCE at a time. A finding is looked into with its round alone: ROUNDS=1 FIRST=17, with
 * WITHOUT=skew,texts or ONLY=lost to turn groups of `draws.ts` off, JOURNAL=1 to see every request, and SHRINK=1
 * to be told the fewest groups that bring each kind of finding.
 */
const ROUNDS = Number(process.env.ROUNDS ?? 2000);
const FIRST = Number(process.env.FIRST ?? 1);
const AT_ONCE = Number(process.env.AT_ONCE ?? 6);
const list = (text: string | undefined) => text?.split(',').filter((name) => name !== '');

/** Many in one test, so that a report comes now and then. */
const PER_TEST = 250;

describe('nothing twice and nothing lost, whatever the service\u2019s clock, speed and habits', () => {
  for (let first = FIRST; first < FIRST + ROUNDS; first += PER_TEST) {
    const count = Math.min(PER_TEST, FIRST + ROUNDS - first);
    it(`holds in ${count} rounds from round ${first} on`, async () => {
      const wishes = { without: list(process.env.WITHOUT) ?? [], ...only(list(process.env.ONLY)) };
      const numbers = Array.from({ length: count }, (_, at) => first + at);
      const ends = await playRounds(numbers, AT_ONCE, (round) => playRound(round, wishes));
      tell(ends);
      if (process.env.SHRINK) await tellSmallest(ends);
      expect(ends.flatMap(({ round, findings }) => findings.map(({ kind }) => `${round}: ${kind}`))).toEqual(
        [],
      );
    });
  }
});

const only = (groups: readonly string[] | undefined) => (groups ? { only: groups } : {});

function tell(ends: readonly RoundEnd[]): void {
  for (const { round, groups, how, findings, drawn, journal } of ends) {
    if (findings.length === 0) continue;
    console.log(`round ${round} [${groups.join(' ')}] ${how}\n  ${JSON.stringify(drawn)}`);
    for (const { kind, about } of findings) console.log(`  ${kind}: ${about}`);
    if (process.env.JOURNAL) console.log(journal.join('\n'));
  }
  const rows = ends.reduce((sum, end) => sum + end.rows, 0);
  const unknown = ends.reduce((sum, end) => sum + end.unknown, 0);
  console.log(`${ends.length} rounds, ${rows} rows, ${unknown} unknown\n${tableOf(ends)}`);
}

/** For each kind of finding one round with as little out of the ordinary as still brings it. */
async function tellSmallest(ends: readonly RoundEnd[]): Promise<void> {
  for (const [kind, rounds] of byKind(ends)) {
    const { round = 0, groups = [] } = fewestOf(rounds) ?? {};
    const needed = await smallest(kind, groups, (only) => playRound(round, { only }));
    console.log(`smallest: ${kind}: FIRST=${round} ROUNDS=1 ONLY=${needed.join(',')}`);
  }
}
