import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/core/errors.ts';
import { openLedger } from '../../../src/ledger/sqlite-ledger.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { serviceOnly } from '../../helpers/service-options.ts';
import { type Cell, newPackages, openWorld } from '../../promises/world.ts';

const STOCK = [
  'ProductID',
  'AantalRekeneenheid',
  'WerknemerID',
  'DatumTijd',
  'MutatieCategorieID',
  'MutatieReden',
];
const RECIPE = [
  'ExternalID',
  'OmschrijvingIntern',
  'ProductCategorieID',
  'ProductEenheidWaardeID',
  'Gewicht',
  'OPK',
];
const recipe = (key: number): Cell[] => [key, 'Soep van de dag', 11, 501, 1, 10];
const posting = (product: number, amount: number): Cell[] => [
  ...[product, amount, 12, '2026-03-31 07:45', 4901, 'Derving'],
];

/** A machine that imports sheets, and takes runs back. */
function open() {
  const world = openWorld();
  const options = { ...world.machine(), allowDelete: true };
  let files = 0;
  const at = (): string => join(world.folder, `${++files}.xlsx`);
  const send = (file: string) => world.importWorkbook(file, { ...options, out: at() });
  return {
    ...world,
    ...{ options, send },
    sendSheets: async (sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>) =>
      await send(await makeWorkbook(at(), sheets)),
    undo: async (run: string) => {
      const { allowDelete: _, ...own } = serviceOnly(options);
      return await world.undoRun(run, { ...own, out: at() });
    },
  };
}
const statuses = (rows: readonly { readonly status: string }[]): string =>
  rows.map(({ status }) => status).join(' ');

describe('an undo gives a workbook that takes a run back (26)', () => {
  test('a mutation once, however often its run is undone, and until that is undone', async () => {
    const { service, sendSheets, send, undo } = open();
    const product = service.add.product();
    service.add.stock(product, 24);
    const done = await sendSheets({ Voorraadmutaties: [STOCK, posting(product, 2.5), posting(product, 4)] });
    const first = await undo(done.run);
    const taken = await send(first.file);
    expect(service.stockTotal(product)).toBe(24);
    const again = await send((await undo(done.run)).file);
    expect(statuses(again.rows)).toBe('unchanged unchanged');
    expect(again.rows[0]?.message).toContain(`already taken back in run ${taken.run}`);
    // Taken back itself, the rows stand again, and it is that which is to be undone.
    const redone = await send((await undo(taken.run)).file);
    expect(service.stockTotal(product)).toBe(30.5);
    const stands = await send(first.file);
    expect(statuses(stands.rows)).toBe('conflict conflict');
    expect(stands.rows[0]?.message).toContain(`catersheet undo ${redone.run}`);
    await send((await undo(redone.run)).file);
    expect(service.stockTotal(product)).toBe(24);
  });

  test('what others refer to last, not where a row that refers to it did not get through, and before what makes it anew', async () => {
    const { service, sendSheets, send, undo } = open();
    const made = await sendSheets({
      Recepten: [RECIPE, recipe(1), recipe(2)],
      Voorraadmutaties: [['Product.ExternalID', ...STOCK.slice(1)], posting(1, 3)],
    });
    const undone = await send((await undo(made.run)).file);
    expect(undone.counts).toMatchObject({ deleted: 2, created: 1, failed: 0 });
    const [one, two] = [service.add.recipe(), service.add.recipe({ ExternalID: 9 })];
    service.failNext(
      { kind: 'answer', status: 422, when: 'before', body: { message: 'Nee.', errors: {} } },
      ({ write, path }) => write && !path.includes('recept'),
    );
    const partly = await sendSheets({
      Recepten: [
        ['#action', 'ProductID'],
        ['delete', one],
      ],
      Voorraadmutaties: [STOCK, posting(one, 1)],
    });
    expect(statuses(partly.rows)).toBe('not sent failed');
    const [, ...cells] = recipe(9);
    const anew = await sendSheets({
      Recepten: [
        ['#action', ...RECIPE],
        ['delete', 9, ...cells],
        ['create', 9, ...cells],
      ],
    });
    expect(statuses(anew.rows)).toBe('deleted created');
    expect(service.recipes.get(two)).toBeUndefined();
  });

  test.each([
    ['a package with an ExternalID', 650_000, { InterneOpmerking: 'van een ander' }],
    ['a package without one', null, { Actief: false }],
    ['a package in another field', null, { ProductCategorieID: 12 }],
  ])('but not what someone else worked on: %s', async (_, key, work) => {
    const { service, sendSheets, send, undo } = open();
    const header = ['#action', 'ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'];
    const rows = [0, 1].map((at): Cell[] => ['create', key === null ? null : key + at, `Nieuw ${at}`, 1, 10]);
    const made = await sendSheets({ Pakketten: [header, ...rows] });
    const { file } = await undo(made.run);
    service.other.change('package', made.rows[0]?.id ?? 0, work as Record<string, Cell>);
    const undone = await send(file);
    expect(statuses(undone.rows)).toBe('conflict deleted');
    expect(undone.rows[0]?.message).toContain(`${Object.keys(work)[0]}: `);
  });

  test('nor an arrangement that someone else changed', async () => {
    const { service, sendSheets, send, undo } = open();
    const event = service.add.event({ Datum: '2027-04-18' });
    const links = [service.add.package(), service.add.package()].map((id): Cell[] => [
      event,
      id,
      12,
      '2027-04-18',
    ]);
    const made = await sendSheets({
      Arrangementen: [['PartijID', 'ArrangementID', 'Aantal', 'Datum'], ...links],
    });
    const { file } = await undo(made.run);
    const [[first = 0] = []] = service.links.entries().slice(-2);
    service.other.change('link', first, { OfferteOmschrijving: 'van een ander' });
    expect(statuses((await send(file)).rows)).toBe('conflict deleted');
  });

  test('a run that was cut off as far as it went', async () => {
    const { service, options, sheet, send, undo, planImport, applyPlan } = open();
    const stop = new AbortController();
    const { run } = await planImport(sheet(newPackages(6)), options);
    service.at(4, () => stop.abort());
    const { allowDelete: _, ...own } = options;
    await expect(applyPlan(run, { ...own, concurrency: 1, signal: stop.signal })).rejects.toMatchObject({
      exit: EXIT.interrupted,
    });
    const ledger = openLedger(options.ledger);
    // As a kill leaves it.
    await ledger.setRunState(run, 'applying');
    await ledger.close();
    const made = service.journal.ours.filter(({ what }) => what === 'created').length;
    const { length } = service.journal.writes;
    const undone = await undo(run);
    expect(service.journal.writes).toHaveLength(length);
    expect(undone).toMatchObject({
      rows: made,
      cannot: [{ why: expect.stringMatching(/rows were not sent/) }],
    });
    const back = await send(undone.file);
    expect(back.counts).toMatchObject({ deleted: made, failed: 0 });
  });
});
