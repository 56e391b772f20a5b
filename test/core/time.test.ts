import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { systemTime } from '../../src/core/time.ts';
import { VirtualTime } from '../helpers/virtual-time.ts';

test('virtual time goes to the end of the shortest wait, once everything waits', async () => {
  const time = new VirtualTime({ now: 0 });
  const order: string[] = [];
  const sleeper = async (name: string, ms: number): Promise<void> => {
    await time.sleep(ms);
    order.push(`${name} ${time.steady()}`);
  };
  const reader = async (): Promise<void> => {
    await time.sleep(1000);
    await readFile('package.json');
    await time.sleep(500);
    order.push(`reader ${time.steady()}`);
  };
  await Promise.all([
    sleeper('hour', 3_600_000),
    sleeper('minute', 60_000),
    reader(),
    sleeper('second', 1000),
  ]);
  expect(order).toEqual(['second 1000', 'reader 1500', 'minute 60000', 'hour 3600000']);
  expect(time.now()).toBe(3_600_000);
});

test.each([
  ['virtual', new VirtualTime()],
  ['system', systemTime],
])('%s time ends a wait at its signal', async (_, time) => {
  const ending = new AbortController();
  const waiting = time.sleep(60_000, ending.signal);
  ending.abort();
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  await expect(time.sleep(1, ending.signal)).rejects.toMatchObject({ name: 'AbortError' });
});
