import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { atLeisure } from '../../src/queue/look.ts';

/** A look that takes so long, ms, asked for as often as can be while `during` lasts. */
async function looksOf(takes: number, least: number, during: number): Promise<number> {
  let looks = 0;
  const look = atLeisure(least, async () => {
    looks++;
    const until = performance.now() + takes;
    while (performance.now() < until) await sleep(1);
  });
  const end = performance.now() + during;
  while (performance.now() < end) {
    await look();
    await sleep(1);
  }
  return looks;
}

test('a look that takes long is made seldom, and a quick one as often as it may be', async () => {
  // At most one, and another after twenty times as long.
  expect(await looksOf(50, 0, 900)).toBe(1);
  expect(await looksOf(0, 100_000, 200)).toBe(1);
});

test('a look that has to be made is made at once', async () => {
  let looks = 0;
  const look = atLeisure(100_000, async () => void looks++);
  await look();
  await look();
  expect(looks).toBe(1);
  await look(true);
  expect(looks).toBe(2);
});
