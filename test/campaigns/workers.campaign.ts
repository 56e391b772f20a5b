import { expect, it } from 'vitest';
import { startPostgres } from '../helpers/postgres.ts';
import { Random } from '../second-service/random.ts';
import { playRounds } from './any-service/rounds.ts';
import { playWorkersRound, type WorkerMishap } from './machines/play-workers-round.ts';

/** ROUNDS from FIRST on, AT_ONCE at a time, of 36 × SIZE rows; JOURNAL=1 shows the requests of a round with a finding. */
const ROUNDS = Number(process.env.ROUNDS ?? 20);
const FIRST = Number(process.env.FIRST ?? 1);
const AT_ONCE = Number(process.env.AT_ONCE ?? 1);
const SIZE = Number(process.env.SIZE ?? 56);
const WORKERS = Number(process.env.WORKERS ?? 4);

const MISHAPS: readonly [WorkerMishap, ...WorkerMishap[]] = [
  'kill',
  'kill',
  'kill',
  'stop',
  'cut',
  'database',
];

it('workers send what two people hand over once, whatever befalls them', async () => {
  const numbers = Array.from({ length: ROUNDS }, (_, at) => FIRST + at);
  const ends = await playRounds(numbers, AT_ONCE, async (round) => {
    const random = new Random(round);
    // One of its own: a restart must not befall the other rounds.
    const postgres = await startPostgres();
    const mishaps = Array.from({ length: 1 + Math.floor(random.between(0, 5)) }, () => random.pick(MISHAPS));
    try {
      const wishes = { workers: WORKERS, mishaps, size: SIZE, lost: 0.05 };
      const end = await playWorkersRound(postgres, round, wishes);
      // What a long campaign has so far counts, whatever ends it.
      const { rows, unknown, findings, journal, ms } = end;
      console.log(
        `round ${round}: ${mishaps.join(' ')}: ${rows} rows, ${unknown} unknown, ${(ms / 1000).toFixed(0)} s`,
      );
      for (const { kind, about } of findings) console.log(`round ${round}: ${kind}: ${about}`);
      if (findings.length > 0 && process.env.JOURNAL) console.log(journal.join('\n'));
      return end;
    } finally {
      await postgres.stop();
    }
  });
  expect(ends.flatMap(({ round, findings }) => findings.map(({ kind }) => `${round}: ${kind}`))).toEqual([]);
});
