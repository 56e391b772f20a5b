import { expect, it, onTestFinished, vi } from 'vitest';
import { importWorkbook } from '../../../src/index.ts';
import { stockMutations } from '../../../src/resources/stock-mutations.ts';
import { openRows, resources, rowsOf, writeRows } from '../../records/keyed-rows.ts';

it('a record that the service answers for another ExternalID is not written on', async () => {
  const { service, folder, options } = await openRows({ answers: { whole: 'refused', pageSize: 10 } });
  const stranger = service.add.package({ ExternalID: 2_147_483_647, OmschrijvingIntern: 'Een ander' });
  for (let at = 0; at < 60; at++) service.add.package({ ExternalID: 5_000 + at });
  const body = service.packages.get(stranger);
  service.set({
    failures: {
      choose: ({ endpoint }) =>
        /external/i.test(endpoint) ? { kind: 'answer', when: 'before', status: 200, body } : undefined,
    },
  });
  const file = writeRows(`${folder}/a.csv`, [{ ExternalID: 8_712_345_678_901, ...rowsOf.packages(1) }]);
  await importWorkbook(file, { ...options, as: resources.packages });
  expect(service.packages.get(stranger)).toEqual(body);
});

it.each(['packages', 'recipes', 'events'] as const)(
  '%s whose ExternalIDs the service keeps as smaller numbers are created once',
  async (as) => {
    const { service, folder, options } = await openRows({ values: { integers: '32 bits' } });
    const before = service[as].size;
    const rows = [1, 2, 3].map((at) => ({ ExternalID: 8_712_345_678_900 + at, ...rowsOf[as](at) }));
    const file = writeRows(`${folder}/a.csv`, rows);
    expect((await importWorkbook(file, { ...options, as: resources[as] })).counts).toMatchObject({
      created: 3,
    });
    const again = await importWorkbook(file, { ...options, as: resources[as] });
    expect(again.counts).toMatchObject({ created: 0, updated: 0, unchanged: 3 });
    expect(service[as].size - before).toBe(3);
  },
);

it.each(['packages', 'recipes', 'events'] as const)(
  'a lost create of %s is found by its content where the service keeps a smaller number for its ExternalID',
  async (as) => {
    const { service, folder, options } = await openRows({
      values: { integers: '32 bits', externalId: 'created' },
    });
    const before = service[as].size;
    const rows = [1, 2, 3].map((at) => ({ ExternalID: 8_712_345_678_900 + at, ...rowsOf[as](at) }));
    service.failNext({ kind: 'late', giveUp: 504, commitAfterMs: 100 }, ({ method }) => method === 'PUT');
    const wishes = { ...options, as: resources[as], doubt: 0.4, dialect: { externalId: 'create' } } as const;
    const done = await importWorkbook(writeRows(`${folder}/a.csv`, rows), wishes);
    expect(done.counts).toMatchObject({ created: 3 });
    await service.settled();
    expect(service[as].size - before).toBe(3);
  },
);

it.each([444, 460, 499])(
  'a mutation that a proxy closed with %i is in doubt, and is not posted twice',
  async (status) => {
    const { service, folder, options } = await openRows();
    const product = service.add.product();
    service.add.stock(product, 24);
    const what = { ProductID: product, WerknemerID: 12, DatumTijd: '2026-10-01 08:00:00' };
    const row = { ...what, AantalRekeneenheid: -2, MutatieCategorieID: 4901, MutatieReden: 'Bederf' };
    const file = writeRows(`${folder}/a.csv`, [row]);
    service.failNext({ kind: 'status', status, when: 'after' }, ({ method }) => method === 'PUT');
    for (const _ of [1, 2])
      expect((await importWorkbook(file, { ...options, as: stockMutations })).counts).toMatchObject({
        unknown: 1,
      });
    expect(service.mutations.size).toBe(1);
  },
);

it('a slow service is not given changes that somebody made long after their row was looked at', async () => {
  const { service, folder, options } = await openRows({ speed: { afterMs: 700 } });
  const ids = [1, 2, 3, 4, 5, 6, 7, 8].map((at) => service.add.package({ OmschrijvingIntern: `P ${at}` }));
  const rows = ids.map((id, at) => ({
    ...{ ProductID: id, OmschrijvingIntern: `P ${at + 1}`, ProductTypeID: 1, Verkoopprijs: `${50 + at},5` },
  }));
  service.at(2, () => {
    for (const id of ids.slice(2)) service.other.change('package', id, { Verkoopprijs: 1 });
  });
  const file = writeRows(`${folder}/a.csv`, rows);
  const { counts } = await importWorkbook(file, { ...options, as: resources.packages, concurrency: 1 });
  expect(counts.conflict).toBeGreaterThanOrEqual(3);
});

it.each([
  ['leave out what is not in use', { answers: { inactiveInLists: false } }],
  ['answer nothing where no LMT is kept', { clock: { lmt: 'absent', hiddenCompare: 'none' } }],
] as const)('records that are there are not created again where lists %s', async (_, knobs) => {
  const { service, folder, options } = await openRows(knobs);
  for (const at of [1, 2, 3, 4, 5])
    service.add.package({ ExternalID: 9_900 + at, Actief: false, OmschrijvingIntern: `Oud ${at}` });
  const before = service.packages.size;
  const rows = [1, 2, 3, 4, 5, 6].map((at) => ({ ExternalID: 9_900 + at, ...rowsOf.packages(at) }));
  const file = writeRows(`${folder}/a.csv`, rows);
  const { counts } = await importWorkbook(file, { ...options, as: resources.packages });
  expect(counts).toMatchObject({ created: 1, updated: 5 });
  expect(service.packages.size - before).toBe(1);
});

it('a service that hangs over the whole list in one request is asked for it once a day, and that is said', async () => {
  const { service, folder, options } = await openRows({ answers: { pageSize: 5 } });
  for (let at = 0; at < 30; at++) service.add.package();
  service.set({
    failures: {
      choose: ({ endpoint, body }) =>
        endpoint === 'package.allModified' && JSON.stringify(body).includes('AsJSON":true')
          ? { kind: 'hang', when: 'before' }
          : undefined,
    },
  });
  const asked = () =>
    service.journal.requests.filter(({ body }) => JSON.stringify(body ?? '').includes('AsJSON":true')).length;
  const file = writeRows(`${folder}/a.csv`, [{ ExternalID: 901, ...rowsOf.packages(1) }]);
  const own = { ...options, as: resources.packages, timeout: 1500, dryRun: true };
  const first = await importWorkbook(file, own);
  expect([first.counts.created, asked()]).toEqual([1, 1]);
  expect(first.notes?.filter((note) => note.includes('took longer than 1.5 s'))).toHaveLength(1);
  const again = await importWorkbook(file, own);
  expect([again.counts.created, asked(), again.notes?.join() ?? '']).toEqual([1, 1, '']);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
  onTestFinished(() => void vi.useRealTimers());
  await importWorkbook(file, own);
  expect(asked()).toBe(2);
});
