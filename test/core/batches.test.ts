import { expect, test } from 'vitest';
import { eachOf } from '../../src/core/batches.ts';

test('the items of batches come one by one and in order, and a reader that stops leaves what makes them', async () => {
  const left: string[] = [];
  async function* batches() {
    try {
      yield* [[], [1], [], [2, 3]];
    } finally {
      left.push('left');
    }
  }
  const items: number[] = [];
  for await (const item of eachOf<number>(batches())) items.push(item);
  expect([items, left]).toEqual([[1, 2, 3], ['left']]);
  for await (const item of eachOf<number>(batches())) if (item === 1) break;
  expect(left).toHaveLength(2);
});
