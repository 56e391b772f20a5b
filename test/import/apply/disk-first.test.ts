import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { importWorkbook } from '../../../src/index.ts';
import { holdDisk } from '../../helpers/hold-disk.ts';
import { makeWorkbook, packageRows } from '../../helpers/make-workbook.ts';
import { openTestService, optionsFor } from '../../helpers/test-service.ts';

test('no create goes out before the disk has what tells of it', async () => {
  const service = await openTestService();
  const file = await makeWorkbook(join(service.folder, 'a.xlsx'), { Pakketten: packageRows(6) });
  const made = async (): Promise<number> =>
    (await service.log()).requests.filter(({ method }) => method === 'PUT').length;
  const disk = holdDisk();
  const sent = importWorkbook(file, { ...optionsFor(service), concurrency: 2 });
  await disk.asked(1);
  await sleep(300);
  expect(await made()).toBe(0);
  // The two that may be in flight, and no more: the others wait for the disk again.
  disk.release();
  await disk.asked(2);
  await sleep(300);
  expect(await made()).toBeGreaterThan(0);
  expect(await made()).toBeLessThan(6);
  disk.end();
  expect((await sent).counts).toMatchObject({ created: 6 });
  expect(await made()).toBe(6);
});
