import { expect, test } from 'vitest';
import { holdDisk } from '../../helpers/hold-disk.ts';
import { newPackages, openWorld } from '../../promises/world.ts';

test('no create goes out before the disk has what tells of it (13)', async () => {
  const { service, sheet, machine, importWorkbook } = openWorld();
  const made = (): number => service.journal.of('package.create').length;
  const disk = holdDisk();
  /** Time enough for all that does not wait for the disk. */
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  const sent = importWorkbook(sheet(newPackages(6)), { ...machine(), concurrency: 2 });
  await disk.asked(1);
  await turns();
  expect(made()).toBe(0);
  // The two that may be in flight, and no more: the others wait for the disk again.
  disk.release();
  await disk.asked(2);
  await turns();
  expect(made()).toBe(2);
  disk.end();
  expect((await sent).counts.created).toBe(6);
});
