import { expect, onTestFinished, test, vi } from 'vitest';
import { atLeisure } from '../../src/queue/work.ts';

test('a look that takes long is made seldom, a quick one as often as it may be, and one that has to be at once', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => void vi.restoreAllMocks());
  const looksOf = async (takes: number, least: number) => {
    let looks = 0;
    const look = atLeisure(least, async () => {
      looks++;
      now += takes;
    });
    for (let times = 0; times < 90; times++) {
      await look();
      now += 10;
    }
    const before = looks;
    await look(true);
    expect(looks).toBe(before + 1);
    return before;
  };
  // At most one, and another after twenty times as long.
  expect(await looksOf(50, 0)).toBe(1);
  expect(await looksOf(0, 100_000)).toBe(1);
  expect(await looksOf(0, 100)).toBeGreaterThan(5);
});
