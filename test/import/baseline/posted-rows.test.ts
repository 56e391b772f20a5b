import { expect, onTestFinished, test } from 'vitest';
import { importWorkbook, undoRun } from '../../../src/index.ts';
import { openLedger } from '../../../src/ledger/sqlite-ledger.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { otherAddress } from '../../helpers/other-address.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { serviceOnly } from '../../helpers/service-options.ts';
import { openTestService, optionsFor, type TestService } from '../../helpers/test-service.ts';
import { mutationsOf, recipeIds } from '../../kinds/posting/stock-fixtures.ts';
import { startSecondService } from '../../second-service/second-service.ts';

const HEADER = [
  '#key',
  'ProductID',
  'WerknemerID',
  'DatumTijd',
  'AantalRekeneenheid',
  'MutatieCategorieID',
  'MutatieReden',
];

const COUNTED = HEADER.map((name) => (name === 'AantalRekeneenheid' ? 'GeteldRekeneenheid' : name));

const bookOf = async (service: TestService, name = 'in.xlsx') => {
  const [product = 0] = await recipeIds(service, 1);
  const row = (amount: number, key: string | null = null) => [
    key,
    product,
    12,
    '2026-03-31 07:45',
    amount,
    4901,
    'Gevonden',
  ];
  return await makeWorkbook(`${service.folder}/${name}`, {
    Voorraadmutaties: [HEADER, row(1), row(1), row(2, 'mijn')],
  });
};

/** Another machine: the same service, a ledger of its own. */
const elsewhere = (service: TestService, name = 'elsewhere') =>
  optionsFor(service, {
    allRows: true,
    ledger: `${service.folder}/${name}.db`,
    out: `${service.folder}/${name}.xlsx`,
  });

test('the result of postings posts nothing again on another machine, also that of a second import', async () => {
  const service = await openTestService();
  const options = optionsFor(service, { allRows: true });
  const file = await bookOf(service);
  const first = await importWorkbook(file, options);
  expect(first.counts).toMatchObject({ created: 3 });
  const posted = await mutationsOf(service);
  const again = await importWorkbook(file, options);
  expect(again.counts).toMatchObject({ unchanged: 3 });
  const there = await importWorkbook(String(again.result), elsewhere(service));
  expect(there.counts).toMatchObject({ read: 3, unchanged: 3, created: 0 });
  expect(there.rows[0]?.message).toContain(first.run);
  expect(there.rows[0]?.id).toBe(first.rows[0]?.id);
  const third = await importWorkbook(String(there.result), elsewhere(service, 'third'));
  expect(third.counts).toMatchObject({ unchanged: 3 });
  expect(await mutationsOf(service)).toEqual(posted);
});

test('a posting without a known answer is unknown on another machine too', async () => {
  const service = await openTestService();
  const options = optionsFor(service, { allRows: true, retries: 0 });
  const file = await bookOf(service);
  const first = await importWorkbook(file, options);
  const ledger = openLedger(options.ledger);
  const [row] = await ledger.readRows(first.run, { after: -1, limit: 1 });
  const name = String(row?.planned.steps[0]?.fingerprint);
  const key = String((await ledger.findRun(first.run))?.service);
  const found = (await ledger.findPostings(key, 'stock-mutations', [name])).get(name);
  if (found === undefined) throw new Error('nothing was posted');
  await ledger.replacePosting(key, 'stock-mutations', { ...found, state: 'sending', id: null });
  await ledger.close();
  const again = await importWorkbook(file, options);
  expect(again.counts).toMatchObject({ unknown: 1, unchanged: 2 });
  const there = await importWorkbook(String(again.result), elsewhere(service));
  expect(there.counts).toMatchObject({ unknown: 1, unchanged: 2, created: 0 });
  expect(there.rows[0]?.message).toContain('can’t go on with this ledger');
});

test('an undo tells another machine what its run posted', async () => {
  const service = await openTestService();
  const options = optionsFor(service, { allRows: true });
  const file = await bookOf(service);
  const { run } = await importWorkbook(file, options);
  const undo = `${service.folder}/undo.xlsx`;
  await undoRun(run, { ...serviceOnly(options), out: undo });
  await importWorkbook(undo, { ...elsewhere(service), dryRun: true });
  const there = await importWorkbook(file, elsewhere(service));
  expect(there.counts).toMatchObject({ unchanged: 3, created: 0 });
});

test('a result is not imported by another name of the service, which might post it twice', async () => {
  const service = await startSecondService();
  onTestFinished(() => service.close());
  const [product = 0] = service.recipes.entries().map(([id]) => id);
  const before = service.stockTotal(product);
  const machine = () =>
    optionsFor({ folder: tempFolder(), url: service.url, token: service.token }, { allRows: true });
  const named = { ...machine(), baseUrl: await otherAddress(service.url) };
  for (const [HEADS, sheet, cells] of [
    [HEADER, 'Voorraadmutaties', [null, product, 7, '2026-01-05 10:00', -2, 4902, 'Gevallen']],
    [COUNTED, 'Voorraadtelling', [null, product, 7, '2026-01-05 10:00', before - 5, 4902, 'Geteld']],
  ] as const) {
    const own = machine();
    const file = await makeWorkbook(`${tempFolder()}/in.xlsx`, { [sheet]: [[...HEADS], [...cells]] });
    const dry = await importWorkbook(file, { ...own, dryRun: true, out: `${tempFolder()}/dry.xlsx` });
    // Nothing was posted yet: the plan's result may be tried on another service.
    await importWorkbook(String(dry.result), { ...named, dryRun: true });
    const done = await importWorkbook(file, own);
    expect(done.counts).toMatchObject({ created: 1 });
    const total = service.stockTotal(product);
    const undo = `${tempFolder()}/undo.xlsx`;
    await undoRun(done.run, { ...serviceOnly(own), out: undo });
    for (const book of [String(done.result), undo]) {
      const stopped = importWorkbook(book, named);
      await expect(stopped).rejects.toMatchObject({
        exit: 2,
        message: expect.stringContaining(service.url),
      });
      await expect(stopped).rejects.toThrow(book === undo ? /written for/ : /posted twice/);
    }
    expect(service.stockTotal(product)).toBe(total);
    const mine = await importWorkbook(String(done.result), { ...named, onConflict: 'mine', dryRun: true });
    expect(mine.counts).toMatchObject({ unknown: 0 });
    const same = { ...named, elsewhere: 'same', dryRun: true } as const;
    expect((await importWorkbook(String(done.result), same)).counts).toMatchObject({ unchanged: 1 });
  }
});
