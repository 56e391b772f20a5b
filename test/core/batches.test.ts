import { describe, expect, test } from 'vitest';
import { eachOf } from '../../src/core/batches.ts';

/** Yields batches, and notes when it is left. */
async function* from(batches: readonly (readonly number[])[], left: string[] = []) {
  try {
    yield* batches;
  } finally {
    left.push('left');
  }
}

describe('the items of batches', () => {
  test.each([
    ['no batches', []],
    ['one item', [[1]]],
    ['several', [[1, 2, 3], [4], [5, 6]]],
    ['empty ones between', [[], [1], [], [], [2, 3], []]],
  ])('come one by one and in order where there are %s', async (_, batches) => {
    const items: number[] = [];
    for await (const item of eachOf(from(batches))) items.push(item);
    expect(items).toEqual(batches.flat());
  });

  test('leave what makes the batches when a reader stops', async () => {
    const left: string[] = [];
    for await (const item of eachOf(from([[1, 2], [3]], left))) if (item === 1) break;
    expect(left).toEqual(['left']);
  });

  test('end with the error of what makes the batches, behind what came before it', async () => {
    const items: number[] = [];
    const broken = async function* () {
      yield [1, 2];
      throw new Error('gone');
    };
    const read = async (): Promise<void> => {
      for await (const item of eachOf(broken())) items.push(item);
    };
    await expect(read()).rejects.toThrow('gone');
    expect(items).toEqual([1, 2]);
  });
});
