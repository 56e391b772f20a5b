import { expect, test } from 'vitest';
import { newPackages, openWorld } from '../promises/world.ts';

const KEPT_HERE =
  /^sent before, as .+ says, and the record shows no ExternalID: this program's ledger remembers 90000\d/;

test.each(['xlsx', 'csv'])(
  'where a service keeps no ExternalID, a result on another ledger tells it, and nothing is sent (%s)',
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
    expect(again.counts).toMatchObject({ read: 2, unchanged: 2 });
    for (const [at, { id, message, changes }] of again.rows.entries()) {
      expect(message).toMatch(KEPT_HERE);
      expect([id, changes]).toEqual([done.rows[at]?.id, undefined]);
    }
    // It is known from then on, without the result.
    const price = sheet([
      ['ExternalID', 'Verkoopprijs'],
      [900_001, 99],
    ]);
    const next = await importWorkbook(price, there);
    expect(next.rows).toMatchObject([{ status: 'updated', id: done.rows[0]?.id }]);
    expect(service.journal.ours).toHaveLength(length + 1);
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

test('an ExternalID that its user puts into a result is said where it is not sent, and sent once #status is empty', async () => {
  const { service, machine, sheet, importWorkbook } = openWorld();
  const id = service.add.package({ OmschrijvingIntern: 'Lunch', Verkoopprijs: 15 });
  const row = (status: string) =>
    sheet([
      ['OmschrijvingIntern', 'Verkoopprijs', 'ExternalID', '#status', '#id'],
      ['Lunch', 15, 900_001, status, id],
    ]);
  const options = { ...machine(), as: 'packages' };
  const said = await importWorkbook(row('created'), options);
  expect(said.rows).toMatchObject([{ status: 'unchanged', message: expect.stringMatching(KEPT_HERE) }]);
  const sent = await importWorkbook(row(''), options);
  expect(sent.rows).toMatchObject([{ status: 'updated', id }]);
});
