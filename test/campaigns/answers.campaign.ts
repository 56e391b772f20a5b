import { expect, it } from 'vitest';
import { playAnswers, type RoundEnd } from './answers/play-answers.ts';

/**
 * ANSWERS from round FIRST on, in LANES at a time, of one KIND if that is given. A finding is looked into with
 * FIRST=17 ANSWERS=1 LANES=1.
 */
const { ANSWERS = 5000, FIRST = 1, LANES = 2, KIND } = process.env;
/** Each lane has rounds of its own. */
const APART = 1_000_000;

it(`${ANSWERS} hostile answers to every command: no crash, no hang, little memory, no row lost`, {
  timeout: 7_200_000,
}, async () => {
  const ends: RoundEnd[] = [];
  let given = 0;
  const lane = async (_: unknown, at: number): Promise<void> => {
    for await (const end of playAnswers(numbers(Number(FIRST) + at * APART), KIND)) {
      ends.push(end);
      if (end.faults.length > 0) console.log(end);
      given += end.answers.length;
      if (given >= Number(ANSWERS)) break;
    }
  };
  await Promise.all(Array.from({ length: Number(LANES) }, lane));
  const most = (of: 'ms' | 'megabytes') => Math.max(...ends.map((end) => end[of]));
  console.log(
    `${ends.length} rounds, ${given} answers, slowest ${most('ms')} ms, at most ${most('megabytes')} MB`,
  );
  expect(ends.flatMap(({ round, faults }) => faults.map((fault) => `${round}: ${fault}`))).toEqual([]);
});

function* numbers(round: number): Generator<number> {
  for (;;) yield round++;
}
