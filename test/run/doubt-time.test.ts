import { describe, expect, test } from 'vitest';
import { DoubtTime } from '../../src/run/doubt-time.ts';
import type { Progress } from '../../src/run/progress.ts';
import { VirtualTime } from '../helpers/virtual-time.ts';

const HOUR = 3_600_000;

/** A doubt time of so many seconds, and the moments at which it was looked, s from its start. */
function looking(doubt: number, signal?: AbortSignal) {
  const time = new VirtualTime();
  const doubts = new DoubtTime(doubt, time, { signal });
  const looks: number[] = [];
  /** What is there appears after so many seconds. */
  const look = (appears: number) => async (): Promise<boolean> => {
    looks.push(Math.round(time.steady() / 100) / 10);
    return time.steady() >= 1000 * appears;
  };
  return { time, doubts, look, looks };
}

describe('what may still appear is looked for at growing pauses', () => {
  test.each([
    ['there at once', 60, 0, [0], true],
    ['there after a second', 60, 1, [0, 0.3, 1.2], true],
    ['there after 20 seconds', 60, 20, [0, 0.3, 1.2, 3, 6, 12, 24], true],
    ['never there', 60, 1000, [0, 0.3, 1.2, 3, 6, 12, 24, 48, 60], false],
    ['never there, in a doubt time of a second', 1, 1000, [0, 0.3, 1], false],
    ['never there, without any doubt time', 0, 1000, [0], false],
  ])('%s', async (_, doubt, appears, moments, found) => {
    const { doubts, look, looks } = looking(doubt);
    expect(await doubts.look(doubts.fromNow(), look(appears), Boolean)).toBe(found);
    expect(looks).toEqual(moments);
  });

  test('and no more once the waits are ended', async () => {
    const ending = new AbortController();
    const { time, doubts, look, looks } = looking(60, ending.signal);
    void time.sleep(2000).then(() => ending.abort());
    expect(await doubts.look(doubts.fromNow(), look(1000), Boolean)).toBeUndefined();
    expect(await doubts.passed(doubts.fromNow())).toBe(false);
    expect(looks).toEqual([0, 0.3, 1.2]);
    expect(time.steady()).toBe(2000);
  });

  test('as long as before where somebody sets the clock of this machine', async () => {
    const { time, doubts, look, looks } = looking(10);
    for (const jump of [-24 * HOUR, 48 * HOUR])
      void time.sleep(2000).then(() => {
        time.jump(jump);
      });
    await doubts.look(doubts.fromNow(), look(1000), Boolean);
    expect(looks).toEqual([0, 0.3, 1.2, 3, 6, 10]);
  });
});

test.each([
  ['a minute ago', 60_000, 60],
  ['later than now, as the clock was set back', -HOUR, 60],
  ['yesterday', 24 * HOUR, 0],
])(
  'what an earlier program sent %s may appear for %s s from the start of this one',
  async (_, ago, seconds) => {
    const time = new VirtualTime();
    const doubts = new DoubtTime(60, time);
    await time.sleep(5000);
    expect(doubts.ofEarlier(new Date(time.now() - ago))).toBe(1000 * seconds);
  },
);

test.each([
  ['now', 0, 10],
  ['4 seconds ago', 4000, 7],
  ['later than now, as the clock was set back', -HOUR, 10],
])('what was done %s, to the second, may stay unseen for %s s', (_, ago, seconds) => {
  const time = new VirtualTime();
  expect(new DoubtTime(10, time).ofDone(new Date(time.now() - ago))).toBe(1000 * seconds);
});

test('while something is in doubt, what is told says how many rows are, and until when', async () => {
  const told: Progress[] = [];
  const time = new VirtualTime();
  const doubts = new DoubtTime(60, time, { onProgress: (one) => told.push(one) });
  const until = new Date(time.now() + 60_000);
  await Promise.all([doubts.passed(doubts.fromNow()), doubts.passed(doubts.fromNow() - 30_000)]);
  expect(told.map(({ doubt }) => doubt)).toEqual([
    { rows: 1, until },
    { rows: 2, until },
    { rows: 1, until },
    undefined,
  ]);
});
