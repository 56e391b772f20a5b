import { expect, it } from 'vitest';
import { startPostgres } from '../helpers/postgres.ts';
import { Random } from '../second-service/random.ts';
import { findingsOf, playRounds } from './any-service/rounds.ts';
import { playWorkersRound } from './machines/play-workers-round.ts';

/** ROUNDS from FIRST on, AT_ONCE at a time, of 36 × SIZE rows; JOURNAL=1 shows the requests of a round with a finding. */
const { ROUNDS = 20, FIRST = 1, AT_ONCE = 1, SIZE = 56, WORKERS = 4, JOURNAL } = process.env;

// A round takes a minute, and several of it on a busy machine.
const timeout = Number(ROUNDS) * 600_000;

it('workers send what two people hand over once, whatever befalls them', { timeout }, async () => {
  const numbers = Array.from({ length: Number(ROUNDS) }, (_, at) => Number(FIRST) + at);
  const ends = await playRounds(numbers, Number(AT_ONCE), async (round) => {
    const random = new Random(round);
    // One of its own: a restart must not befall the other rounds.
    const postgres = await startPostgres();
    const mishaps = Array.from({ length: 1 + random.below(5) }, () =>
      random.pick(['kill', 'kill', 'kill', 'stop', 'cut', 'database']),
    );
    try {
      const wishes = { workers: Number(WORKERS), mishaps, size: Number(SIZE), lost: 0.05 };
      const end = await playWorkersRound(postgres, round, wishes);
      // What a long campaign has so far counts, whatever ends it.
      console.log(`round ${round}: ${mishaps}: ${end.rows} rows, ${end.unknown} unknown`, findingsOf([end]));
      if (end.findings.length > 0 && JOURNAL) console.log(end.journal.join('\n'));
      return end;
    } finally {
      await postgres.stop();
    }
  });
  expect(findingsOf(ends)).toEqual([]);
});
