import { expect, test } from 'vitest';
import { openDesk } from './open-desk.ts';

test('a page that heard nothing yet is answered at once, also where nothing has happened yet', async () => {
  const desk = await openDesk();
  const asked = performance.now();
  const { at } = await desk.ask('news', { since: 0 });
  // The page takes 5 s without an answer for a program that is gone.
  expect(performance.now() - asked).toBeLessThan(5000);
  expect(at).toBeGreaterThan(0);
});
