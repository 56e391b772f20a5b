import { describe, expect, it } from 'vitest';
import { playRound } from './any-service/play-round.ts';
import { findingsOf, playRounds } from './any-service/rounds.ts';

/**
 * ROUNDS from FIRST on, AT_ONCE at a time. A finding is looked into with its round alone: ROUNDS=1 FIRST=17, with
 * WITHOUT=skew,texts or ONLY=lost to turn groups of `draws.ts` off, and JOURNAL=1 to see every request.
 */
const { ROUNDS = 2000, FIRST = 1, AT_ONCE = 6, WITHOUT = '', ONLY, JOURNAL } = process.env;
const [LAST, LANES] = [Number(FIRST) + Number(ROUNDS), Number(AT_ONCE)];
const WISHES = { without: WITHOUT.split(','), ...(ONLY !== undefined && { only: ONLY.split(',') }) };

/** Many in one test, so that a report comes now and then. */
const PER_TEST = 250;

describe('nothing twice and nothing lost, whatever the service\u2019s clock, speed and habits', () => {
  for (let first = Number(FIRST); first < LAST; first += PER_TEST) {
    const count = Math.min(PER_TEST, LAST - first);
    it(`holds in ${count} rounds from round ${first} on`, async () => {
      const numbers = Array.from({ length: count }, (_, at) => first + at);
      const ends = await playRounds(numbers, LANES, (round) => playRound(round, WISHES));
      for (const { round, groups, how, findings, drawn, journal } of ends) {
        if (findings.length === 0) continue;
        console.log(`round ${round} [${groups.join(' ')}] ${how}\n  ${JSON.stringify(drawn)}`);
        if (JOURNAL) console.log(journal.join('\n'));
      }
      const [rows, unknown] = (['rows', 'unknown'] as const).map((of) =>
        ends.reduce((sum, end) => sum + end[of], 0),
      );
      console.log(`${ends.length} rounds, ${rows} rows, ${unknown} unknown`);
      expect(findingsOf(ends)).toEqual([]);
    });
  }
});
