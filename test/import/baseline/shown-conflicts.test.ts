import { expect, test } from 'vitest';
import type { BaselineRecord } from '../../../src/files/baseline-sheet.ts';
import { importWorkbook } from '../../../src/index.ts';
import { openTestService, optionsFor } from '../../helpers/test-service.ts';
import { changePackage, packageOf, serviceOf, withBaseline } from './fixtures.ts';

test('a value typed after a conflict was shown is its answer, and so is theirs, while nobody changes it again', async () => {
  const service = await openTestService();
  const [first] = await service.records('package');
  const id = Number(first?.id);
  await changePackage(service, id, { Verkoopprijs: 34.5 });
  const values = await packageOf(service, id);
  const records: BaselineRecord[] = [
    { resource: 'packages', key: `id:${id}`, lmt: String(values.LMT), values },
  ];
  const file = `${service.folder}/export.xlsx`;
  let message: string | undefined;
  const imported = async (price: number, more = {}) => {
    const rows = [
      ['ProductID', 'Verkoopprijs'],
      [id, price],
    ];
    await withBaseline(file, { Pakketten: rows }, serviceOf(service), records);
    const { rows: done } = await importWorkbook(file, optionsFor(service, more));
    message = done[0]?.issues?.[0]?.message;
    return [done[0]?.status, (await packageOf(service, id)).Verkoopprijs];
  };
  await changePackage(service, id, { Verkoopprijs: 40 });

  expect(await imported(50)).toEqual(['conflict', 40]);
  expect(await imported(50)).toEqual(['conflict', 40]);
  expect(message).toContain('was 34,50, is now 40,00');
  // A trial decides nothing, and what a trial shows is shown.
  expect(await imported(50, { onConflict: 'theirs', dryRun: true })).toEqual(['unchanged', 40]);
  expect(await imported(70, { dryRun: true })).toEqual(['update', 40]);
  // Someone was quicker: what was shown is not what stands there.
  await changePackage(service, id, { Verkoopprijs: 45 });
  expect(await imported(70)).toEqual(['conflict', 45]);
  expect(await imported(72)).toEqual(['updated', 72]);

  await changePackage(service, id, { Verkoopprijs: 80 });
  expect(await imported(75, { onConflict: 'theirs' })).toEqual(['unchanged', 80]);
  for (let again = 0; again < 2; again++) expect(await imported(75)).toEqual(['unchanged', 80]);
  await changePackage(service, id, { Verkoopprijs: 81 });
  expect(await imported(75)).toEqual(['conflict', 81]);
});
