import { expect, it, onTestFinished } from 'vitest';
import { startPostgres } from '../helpers/postgres.ts';
import { Random } from '../second-service/random.ts';
import { playRounds } from './any-service/rounds.ts';
import { type Mishap, playMachinesRound } from './machines/play-machines-round.ts';
import { tellEnds } from './machines/tell-ends.ts';

/** ROUNDS from FIRST on, AT_ONCE at a time, of 25 × SIZE rows; JOURNAL=1 shows the requests of a round with a finding. */
const ROUNDS = Number(process.env.ROUNDS ?? 20);
const FIRST = Number(process.env.FIRST ?? 1);
const AT_ONCE = Number(process.env.AT_ONCE ?? 3);
const SIZE = Number(process.env.SIZE ?? 4);

const MISHAPS: readonly [Mishap, ...Mishap[]] = ['kill', 'kill', 'kill', 'stop', 'database'];

it('people at machines of their own with one ledger send each row once, whatever befalls them', async () => {
  const numbers = Array.from({ length: ROUNDS }, (_, at) => FIRST + at);
  const ends = await playRounds(numbers, AT_ONCE, async (round) => {
    const random = new Random(round);
    // One of its own: a restart must not befall the other rounds.
    const postgres = await startPostgres();
    onTestFinished(() => postgres.stop());
    const mishaps = Array.from({ length: 1 + Math.floor(random.between(0, 4)) }, () => random.pick(MISHAPS));
    const machines = 2 + Math.floor(random.between(0, 3));
    return await playMachinesRound(postgres, round, { machines, mishaps, size: SIZE, lost: 0.05 });
  });
  tellEnds(ends);
  expect(ends.flatMap(({ round, findings }) => findings.map(({ kind }) => `${round}: ${kind}`))).toEqual([]);
});
