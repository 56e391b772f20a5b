import { expect, it } from 'vitest';
import { playAnswers, type RoundEnd } from './answers/play-answers.ts';

/**
 * ANSWERS from round FIRST on, in LANES at a time, of one KIND if that is given. A finding is looked into with
 * FIRST=17 ROUNDS=1 LANES=1.
 */
const ANSWERS = Number(process.env.ANSWERS ?? 5000);
const ROUNDS = process.env.ROUNDS === undefined ? Number.POSITIVE_INFINITY : Number(process.env.ROUNDS);
const FIRST = Number(process.env.FIRST ?? 1);
const LANES = Number(process.env.LANES ?? 2);
/** Each lane has rounds of its own. */
const APART = 1_000_000;

it(`${ANSWERS} hostile answers to every command: no crash, no hang, little memory, no row lost`, {
  timeout: 7_200_000,
}, async () => {
  const lanes = Array.from({ length: LANES }, (_, lane) =>
    playAnswers(numbers(FIRST + lane * APART), {
      ...{ answers: ANSWERS / LANES, kind: process.env.KIND, onEnd: tell },
    }),
  );
  const ends = (await Promise.all(lanes)).flat();
  const given = ends.reduce((sum, end) => sum + end.answers.length, 0);
  const slowest = Math.max(...ends.map(({ ms }) => ms)) / 1000;
  const megabytes = Math.max(...ends.map((end) => end.megabytes));
  console.log(`${ends.length} rounds, ${given} answers, slowest ${slowest} s, at most ${megabytes} MB`);
  expect(ends.flatMap(({ round, faults }) => faults.map((fault) => `${round}: ${fault}`))).toEqual([]);
});

function* numbers(first: number): Generator<number> {
  for (let round = first; round < first + ROUNDS; round++) yield round;
}

function tell({ round, name, answers, faults, ms, code }: RoundEnd): void {
  if (process.env.VERBOSE || faults.length > 0)
    console.log(`${round} ${name}: ${answers.length} answers, exit ${code}, ${Math.round(ms)} ms`);
  for (const fault of faults) console.log(`  ${fault}`);
}
