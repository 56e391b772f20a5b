import { expect, it } from 'vitest';
import { createSlots } from '../../../src/import/apply/sending.ts';

it('send slots are given in order, never more than there are, and more once more are allowed', async () => {
  let most = 2;
  const inSlot = createSlots(() => most);
  const had: number[] = [];
  const ends: (() => void)[] = [];
  for (let who = 0; who < 6; who++)
    void inSlot(async () => {
      had.push(who);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  await settled();
  expect(had).toEqual([0, 1]);
  ends[0]?.();
  await settled();
  expect(had).toEqual([0, 1, 2]);
  most = 4;
  ends[1]?.();
  await settled();
  expect(had).toEqual([0, 1, 2, 3, 4, 5]);
});

it('a slot is given back by work that fails', async () => {
  const inSlot = createSlots(() => 1);
  await expect(inSlot(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  expect(await inSlot(async () => 'next')).toBe('next');
});
