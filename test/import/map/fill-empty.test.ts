import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { exportRecords, importWorkbook } from '../../../src/index.ts';
import { stockCount } from '../../../src/resources/stock-count.ts';
import { serviceOnly } from '../../helpers/service-options.ts';
import { openTestService, optionsFor } from '../../helpers/test-service.ts';
import { csvOf, importSheet, recipeIds, stockOf } from '../../kinds/posting/stock-fixtures.ts';
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

const FULL = ['5001', 'Soep', '1', '3,50', 'Ja'];
const REFUSED: readonly [value: Record<string, string>, says: RegExp][] = [
  [
    { Verkoopprijs: '*1.03' },
    /--set Verkoopprijs=\*1\.03: it is one value for all rows.*do that in the file/,
  ],
  [{ Verkoopprijs: '+3%' }, /one value for all rows/],
  [{ Verkoopprijs: 'veel' }, /--set Verkoopprijs=veel: .*expected a number/],
  [{ ProductTypeID: 'Bestaat niet' }, /--set ProductTypeID=Bestaat niet: .*found "Bestaat niet"/],
  [{ Actief: 'misschien' }, /--set Actief=misschien: .*found "misschien"/],
  [{ LMT: '2026-01-01' }, /--set LMT=2026-01-01: only the service fills it in/],
];

it.each(REFUSED)('--set %j is refused, also where no cell needs it', async (set, says) => {
  const service = await openTestService();
  const header = ['ProductID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs', 'Actief'];
  const file = csvOf(service, [header, FULL]);
  const stop = await importWorkbook(file, optionsFor(service, { as: 'packages', set })).catch(
    (error) => error,
  );
  expect(stop).toMatchObject({ exit: 2, message: expect.stringMatching(says) });
});

it.each(['now', 'nu', 'vandaag 06:00', 'yesterday'])(
  '--set DatumTijd=%s is a moment, as in the question',
  async (text) => {
    const service = await openTestService();
    const [one = 0] = await recipeIds(service, 1);
    const rows = [
      ['ProductID', 'GeteldRekeneenheid'],
      [one, 5],
    ];
    const done = await importSheet(service, 'Voorraadtelling', rows, { set: { ...SET, DatumTijd: text } });
    expect(done.counts).toMatchObject({ created: 1 });
    const [posted] = (await service.records('mutation')).slice(-1);
    expect(posted?.DatumTijd).toMatch(/^20\d\d-\d\d-\d\d \d\d:\d\d:00$/);
  },
);
