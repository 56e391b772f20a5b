import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importWorkbook } from '../../../src/index.ts';
import { makeWorkbook, packageRows } from '../../helpers/make-workbook.ts';
import { openGatedService, optionsFor } from '../../helpers/test-service.ts';

test.each([8, 64, 256])('%i creates are in flight while nothing is answered, and no more', async (most) => {
  const service = await openGatedService();
  const rows = most + 40;
  const file = await makeWorkbook(join(service.folder, 'a.xlsx'), { Pakketten: packageRows(rows) });
  const creates = async (): Promise<number> =>
    (await service.log()).requests.filter(({ method }) => method === 'PUT').length;
  const held = service.gate.shut(0, { held: 'answers' });
  const sent = importWorkbook(file, { ...optionsFor(service), baseUrl: service.gate.url, concurrency: most });
  await held;
  await expect.poll(creates).toBe(most);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await creates()).toBe(most);
  service.gate.open();
  expect((await sent).counts).toMatchObject({ created: rows });
  expect(await creates()).toBe(rows);
});
