import { expect, test } from 'vitest';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { newPackages, openWorld } from '../promises/world.ts';

test.each(['xlsx', 'csv'])(
  'where a service keeps no ExternalID, a result on another ledger creates nothing, and costs its keys once (%s)',
  async (ending) => {
    const { service, machine, sheet, importWorkbook, folder } = openWorld({
      values: { externalId: 'never' },
    });
    const file = sheet(newPackages(2));
    const { out: _, ...here } = { ...machine(), as: 'packages' };
    const done = await importWorkbook(file, { ...here, out: `${folder}/first.${ending}` });
    const { length } = service.journal.ours;
    const { out: __, ...there } = { ...machine(), as: 'packages' };
    const again = await importWorkbook(String(done.result), there);
    expect(again.counts).toMatchObject({ read: 2, updated: 2 });
    for (const [at, { id }] of again.rows.entries()) expect(id).toBe(done.rows[at]?.id);
    expect(service.journal.ours.slice(length).map(({ what }) => what)).toEqual(['updated', 'updated']);
    // They are known from then on, without the result.
    const price = sheet([
      ['ExternalID', 'Verkoopprijs'],
      [900_001, 99],
      [900_002, newPackages(2)[2]?.[3] ?? null],
    ]);
    const next = await importWorkbook(price, there);
    expect(next.rows).toMatchObject([{ status: 'updated', id: done.rows[0]?.id }, { status: 'unchanged' }]);
    expect(service.journal.ours).toHaveLength(length + 3);
  },
);

test('an ExternalID that the service took without a word, and did not keep, is said to be lost, and sent no more', async () => {
  const { service, machine, sheet, importWorkbook } = openWorld({ values: { externalId: 'never' } });
  const ids = [1, 2].map((at) =>
    service.add.package({ OmschrijvingIntern: `Lunch ${at}`, Verkoopprijs: 15 }),
  );
  const file = sheet([
    ['ProductID', 'ExternalID', 'Verkoopprijs'],
    ...ids.map((id, at) => [id, 900_001 + at, at === 0 ? 15 : 16]),
  ]);
  const options = { ...machine(), as: 'packages' };
  const done = await importWorkbook(file, options);
  const issues = [{ code: 'not-kept', field: 'ExternalID' }];
  expect(done.rows).toMatchObject([
    { status: 'updated', issues },
    { status: 'updated', issues },
  ]);
  const { length } = service.journal.writes;
  expect((await importWorkbook(file, options)).counts).toMatchObject({ unchanged: 2 });
  expect(service.journal.writes).toHaveLength(length);
});

test.each(['updated', 'never'] as const)(
  'a row names a record by the ExternalID that another row of its workbook gives it (kept: %s)',
  async (externalId) => {
    const { service, machine, folder, importWorkbook } = openWorld({ values: { externalId } });
    const id = service.add.recipe({ OmschrijvingIntern: 'Soep', ProductCategorieID: 11 });
    const file = await makeWorkbook(`${folder}/week.xlsx`, {
      Recepten: [
        ['ProductID', 'ExternalID', 'OmschrijvingIntern'],
        [id, 777, 'Soep'],
      ],
      Voorraadmutaties: [
        [
          'Product.ExternalID',
          'AantalRekeneenheid',
          'DatumTijd',
          'WerknemerID',
          'MutatieCategorieID',
          'MutatieReden',
        ],
        [777, 2, '2026-10-02 08:00', 12, 4901, 'Week'],
      ],
    });
    const { counts } = await importWorkbook(file, machine());
    expect(counts).toMatchObject({ updated: 1, created: 1, invalid: 0 });
    expect(service.mutations.all()).toMatchObject([{ ProductID: id, AantalRekeneenheid: 2 }]);
  },
);
