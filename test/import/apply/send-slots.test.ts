import { expect, it } from 'vitest';
import { createSendSlots } from '../../../src/import/apply/sending.ts';

it('send slots are given in order, never more than there are, and more once more are allowed', async () => {
  let most = 2;
  const slots = createSendSlots(() => most);
  const had: number[] = [];
  const backs: (() => void)[] = [];
  for (let who = 0; who < 6; who++)
    void slots.take().then((back) => {
      had.push(who);
      backs.push(back);
    });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  await settled();
  expect(had).toEqual([0, 1]);
  backs[0]?.();
  // Given back twice counts once.
  backs[0]?.();
  await settled();
  expect(had).toEqual([0, 1, 2]);
  most = 4;
  backs[1]?.();
  await settled();
  expect(had).toEqual([0, 1, 2, 3, 4, 5]);
});
