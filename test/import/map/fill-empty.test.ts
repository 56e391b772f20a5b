import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { exportRecords, importWorkbook } from '../../../src/index.ts';
import { stockCount } from '../../../src/resources/stock-count.ts';
import { serviceOnly } from '../../helpers/service-options.ts';
import { openTestService, optionsFor } from '../../helpers/test-service.ts';
import { importSheet, recipeIds, stockOf } from '../../kinds/posting/stock-fixtures.ts';
import { pack, partsOf } from '../../template/fill-in.ts';

const SET = {
  WerknemerID: '12',
  DatumTijd: '2026-10-01 08:00',
  MutatieCategorieID: '4901',
  MutatieReden: 'Weektelling',
};
const HEADER = ['ProductID', 'GeteldRekeneenheid', ...Object.keys(SET)];

it('--set fills the empty cells of our own stock export, so that a count needs no more than its amount', async () => {
  const service = await openTestService();
  const [id = 0] = await recipeIds(service, 1);
  const out = `${service.folder}/telling.xlsx`;
  const options = optionsFor(service);
  const { records } = await exportRecords(stockCount, { ...serviceOnly(options), out });
  const parts = await partsOf(readFileSync(out));
  const sheet = parts.get('xl/worksheets/sheet1.xml') ?? '';
  const row = new RegExp(`<c r="A(\\d+)"[^>]*><v>${id}</v>`).exec(sheet)?.[1];
  parts.set(
    'xl/worksheets/sheet1.xml',
    sheet.replace(new RegExp(`(<c r="E${row}"[^>]*><v>)[^<]*`), (_, cell: string) => `${cell}77`),
  );
  writeFileSync(out, await pack(parts));
  const done = await importWorkbook(out, { ...options, set: SET });
  expect(done.counts).toMatchObject({ created: 1, unchanged: records - 1, invalid: 0 });
  expect(await stockOf(service, id)).toBe(77);
  expect(done.sheets[0]?.notes).toContain(
    `empty cells that --set filled: ${Object.keys(SET)
      .map((field) => `${field} (${records})`)
      .join(', ')}`,
  );
});

it('--set leaves a cell that holds something as it is, and a row that is skipped or is no record', async () => {
  const service = await openTestService();
  const [one = 0, two = 0, three = 0] = await recipeIds(service, 3);
  const rows = [
    ['#action', ...HEADER],
    [null, one, 5, 14, '2026-10-02 09:00', null, 'Eigen reden'],
    [null, two, 6, null, null, null, null],
    ['skip', three, 7, null, null, null, null],
    [null, null, null, null, null, null, null],
  ];
  const done = await importSheet(service, 'Voorraadtelling', rows, { set: SET });
  expect(done.counts).toMatchObject({ read: 3, created: 2, skipped: 1 });
  const posted = (await service.records('mutation')).filter(({ ProductID }) =>
    [one, two].includes(Number(ProductID)),
  );
  expect(posted.find(({ ProductID }) => ProductID === one)).toMatchObject({
    ...{ WerknemerID: 14, MutatieReden: 'Eigen reden', MutatieCategorieID: 4901 },
  });
  expect(posted.find(({ ProductID }) => ProductID === two)).toMatchObject({ WerknemerID: 12 });
  expect(done.sheets[0]?.notes).toContain(
    'empty cells that --set filled: MutatieCategorieID (2), WerknemerID (1), DatumTijd (1), MutatieReden (1)',
  );
});

it('a value of --set that its field does not take is an issue of each row that it fills', async () => {
  const service = await openTestService();
  const [one = 0, two = 0] = await recipeIds(service, 2);
  const rows = [
    HEADER,
    [one, 5, 14, '2026-10-02 09:00', 4901, 'Telling'],
    [two, 6, null, '2026-10-02 09:00', 4901, 'Telling'],
  ];
  const done = await importSheet(service, 'Voorraadtelling', rows, { set: { WerknemerID: 'Jan' } });
  expect(done.rows.map(({ status }) => status)).toEqual(['created', 'invalid']);
});
