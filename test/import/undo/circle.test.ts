import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { serviceOnly } from '../../helpers/service-options.ts';
import { openWorld } from '../../promises/world.ts';

type Service = ReturnType<typeof openWorld>['service'];

const EVENT = ['RelatieID', 'ContactpersoonID', 'Datum', 'Starttijd', 'Eindtijd'];
const MUTATION = ['ProductID', 'WerknemerID', 'DatumTijd', 'MutatieCategorieID', 'MutatieReden'];

/** What can be told from one another by more than when and under which number it was written. */
function stateOf(service: Service): Record<string, unknown> {
  const all = (store: { all(): readonly Readonly<Record<string, unknown>>[] }, ...not: string[]) =>
    store
      .all()
      .map((record) =>
        Object.fromEntries(
          Object.entries(record).filter(([name, value]) => value !== null && !['LMT', ...not].includes(name)),
        ),
      );
  const stock = new Map<unknown, number>();
  for (const { ProductID, AantalRekeneenheid } of service.mutations.all())
    stock.set(ProductID, (stock.get(ProductID) ?? 0) + Number(AantalRekeneenheid));
  return {
    packages: all(service.packages),
    recipes: all(service.recipes),
    trips: all(service.trips),
    events: all(service.events),
    links: all(service.links, 'LinkID')
      .map((link) => JSON.stringify(Object.entries(link).sort()))
      .sort(),
    stock: [...stock].filter(([, amount]) => amount !== 0),
  };
}

/** A small company, a week's workbook about it, and one machine. */
async function open() {
  const world = openWorld();
  const { service, folder, machine, importWorkbook, undoRun } = world;
  const borrel = service.add.package({ OmschrijvingIntern: 'Borrel', Verkoopprijs: 15, Volume: 2.25 });
  const soup = service.add.recipe({ OmschrijvingIntern: 'Uiensoep', OPK: 4, Gewicht: 0.5 });
  const flour = service.add.product({ OmschrijvingIntern: 'Roggebloem' });
  service.add.stock(flour, 24);
  const event = service.add.event({ PartijOmschrijving: 'Ledendag', AantalGasten: 40, Datum: '2027-04-18' });
  const link = { Aantal: 25, Datum: '2027-04-18 00:00:00', OfferteOmschrijving: 'Vooraf' };
  service.add.link(event, borrel, link);
  const free = service.add.package({ OmschrijvingIntern: 'Diner', Verkoopprijs: 30 });
  const trip = service.add.trip({ Chauffeur: 'Joost' });
  const options = { ...machine(), allowDelete: true };
  let files = 0;
  const play = async (sheets: Parameters<typeof makeWorkbook>[1] | string, more: object = {}) => {
    files += 1;
    const file =
      typeof sheets === 'string' ? sheets : await makeWorkbook(join(folder, `in-${files}.xlsx`), sheets);
    return importWorkbook(file, { ...options, ...more, out: join(folder, `out-${files}.xlsx`) });
  };
  const undo = (run: string) => {
    files += 1;
    const out = join(folder, `undo-${files}.xlsx`);
    return undoRun(run, { ...serviceOnly(machine()), ledger: options.ledger, out });
  };
  return { service, play, undo, borrel, soup, flour, event, free, trip };
}

test('an undo of all kinds of sheets leaves the service as it was, once, and so does the undo of the undo', async () => {
  const { service, play, undo, borrel, soup, flour, event, free, trip } = await open();
  const before = stateOf(service);
  const done = await play({
    Pakketten: [
      ['ProductID', 'ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs', 'Volume', '#action'],
      [borrel, null, null, null, 99.5, '#CLEAR', null],
      [null, 612_001, 'Nieuw pakket', 1, 10, null, null],
      [borrel, null, null, null, 98, null, 'update'],
    ],
    Recepten: [
      ['ProductID', 'Gewicht', 'OPK'],
      [soup, 0.75, 6],
    ],
    Evenementen: [
      ['PartijID', 'AantalGasten', 'Opmerkingen'],
      [event, 321, 'gewijzigd'],
    ],
    Arrangementen: [
      ['#action', 'PartijID', 'ArrangementID', 'Aantal', 'Datum'],
      ['delete', event, borrel, null, null],
      [null, event, free, 12, '2027-04-18'],
    ],
    Ritten: [
      ['RitID', 'Chauffeur', 'RetourRit'],
      [trip, 'Iemand anders', true],
    ],
    Voorraadmutaties: [
      [...MUTATION, 'AantalRekeneenheid'],
      [flour, 12, '2026-03-31 07:45', 4901, 'Gevonden', 2.5],
    ],
    Voorraadtelling: [
      [...MUTATION, 'GeteldRekeneenheid'],
      [soup, 12, '2026-03-31 08:00', 4901, 'Weektelling', 7],
    ],
  });
  expect(done.counts).toMatchObject({ read: 10, invalid: 0, failed: 0, conflict: 0, unchanged: 0 });
  const after = stateOf(service);
  const written = await undo(done.run);
  expect(written.cannot).toEqual([]);
  const undone = await play(written.file);
  expect(undone.rows.filter(({ status }) => !/ed$/.test(status) || status === 'unchanged')).toEqual([]);
  expect(stateOf(service)).toEqual(before);
  for (const file of [written.file, (await undo(done.run)).file])
    expect(new Set((await play(file)).rows.map(({ status }) => status))).toEqual(new Set(['unchanged']));
  expect(stateOf(service)).toEqual(before);
  const redo = await undo(undone.run);
  // What was deleted has no number any more.
  expect(redo.cannot).toMatchObject([{ sheet: 'Pakketten', why: expect.stringContaining('deleted') }]);
  await play(redo.file);
  const packages = (after.packages as { ExternalID?: number }[]).filter(
    ({ ExternalID }) => ExternalID !== 612_001,
  );
  expect(stateOf(service)).toEqual({ ...after, packages });
});

test('an undo takes the day and the times of an event back, of which no read tells the times', async () => {
  const { service, play, undo } = await open();
  const on = (...times: string[]) => ({
    Evenementen: [
      ['ExternalID', ...EVENT],
      [812_001, 4001, 6001, ...times],
    ],
  });
  const first = on('2027-04-18', '2027-04-18 12:00', '2027-04-18 17:30');
  await play(first);
  const before = stateOf(service);
  const moved = await play(on('2027-05-02', '2027-05-02 18:15', '2027-05-03 01:00'));
  expect(moved.counts).toMatchObject({ updated: 1 });
  await play((await undo(moved.run)).file);
  expect(stateOf(service)).toEqual(before);
  expect((await play(first)).counts).toMatchObject({ unchanged: 1 });
});

test('what others did since is a conflict of the undo and stays, until somebody says whose value holds', async () => {
  const { service, play, undo, borrel, event, free } = await open();
  const done = await play({
    Pakketten: [
      ['ProductID', 'ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'],
      [borrel, null, null, null, 99.5],
      [null, 612_001, 'Nieuw pakket', 1, 10],
    ],
    Arrangementen: [
      ['#action', 'PartijID', 'ArrangementID', 'Aantal', 'Datum'],
      ['delete', event, borrel, null, null],
      [null, event, free, 12, '2027-04-18'],
    ],
  });
  const { file } = await undo(done.run);
  const id = (key: object, from: { where(key: object): readonly object[] }, name: string): number =>
    Number((from.where(key)[0] as Record<string, unknown> | undefined)?.[name]);
  service.other.change('package', borrel, { Verkoopprijs: 100 });
  service.other.change('package', id({ ExternalID: 612_001 }, service.packages, 'ProductID'), {
    Verkoopprijs: 11,
  });
  const link = { PartijID: event, Datum: '2027-04-19 00:00:00' };
  service.other.create('link', { ...link, ArrangementID: borrel, Aantal: 1 });
  service.other.change('link', id({ ArrangementID: free }, service.links, 'LinkID'), { Aantal: 13 });
  const state = stateOf(service);
  const statuses = async (more: object = {}) => (await play(file, more)).rows.map(({ status }) => status);
  expect(await statuses()).toEqual(['conflict', 'conflict', 'conflict', 'conflict']);
  expect(stateOf(service)).toEqual(state);
  expect((await statuses({ onConflict: 'mine' })).slice(0, 2)).toEqual(['updated', 'deleted']);
  expect(service.packages.get(borrel)?.Verkoopprijs).toBe(15);
});

test('what an undo can not take back, or may not know, is named with the reason, and the rest goes back', async () => {
  const { service, play, undo, borrel, flour, event, trip } = await open();
  service.failNext({ kind: 'status', status: 504, when: 'after' }, ({ endpoint }) =>
    endpoint.startsWith('stock.mutation'),
  );
  const done = await play({
    Pakketten: [
      ['ProductID', 'Verkoopprijs', 'ProductTypeID'],
      [borrel, 99.5, null],
    ],
    Evenementen: [
      ['ExternalID', ...EVENT],
      [812_001, 4001, 6001, '2027-04-18', '2027-04-18 12:00', '2027-04-18 17:00'],
    ],
    Ritten: [
      ['#action', 'RitID'],
      ['delete', trip],
    ],
    Voorraadmutaties: [
      [...MUTATION, 'AantalRekeneenheid'],
      [flour, 12, '2026-03-31 07:45', 4901, 'Zoek', 5.5],
    ],
  });
  expect(done.counts).toMatchObject({ updated: 1, created: 1, deleted: 1, unknown: 1 });
  const { cannot, file } = await undo(done.run);
  expect(cannot.map(({ sheet }) => sheet)).toEqual(['Voorraadmutaties', 'Evenementen', 'Ritten']);
  expect(cannot[0]?.why).toContain('may be there');
  expect((await play(file)).counts).toMatchObject({ read: 1, updated: 1 });
  expect(service.packages.get(borrel)?.Verkoopprijs).toBe(15);
  expect(service.events.where({ PartijID: event })).toHaveLength(1);
});

test('an undo of nothing is exit 3; one of an unknown run or to a file that is there is exit 2', async () => {
  const { play, undo, trip } = await open();
  const gone = await play({
    Ritten: [
      ['#action', 'RitID'],
      ['delete', trip],
    ],
  });
  await expect(undo(gone.run)).rejects.toMatchObject({ exit: 3 });
  await expect(undo('20270331-074512-k3vq')).rejects.toMatchObject({ exit: 2 });
});
