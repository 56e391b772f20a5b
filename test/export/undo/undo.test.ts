import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/core/errors.ts';
import { openLedger } from '../../../src/ledger/sqlite-ledger.ts';
import { cellsOf } from '../../helpers/cells-of.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { serviceOnly } from '../../helpers/service-options.ts';
import { newPackages, openWorld } from '../../promises/world.ts';

type Service = ReturnType<typeof openWorld>['service'];

const EVENT = 'ExternalID;RelatieID;ContactpersoonID;Datum;Starttijd;Eindtijd';
const MUTATION = 'WerknemerID;DatumTijd;MutatieCategorieID;MutatieReden';
const MORNING = '12;2026-03-31 07:45;4901;Derving';
const RECIPE = 'ExternalID;OmschrijvingIntern;ProductCategorieID;ProductEenheidWaardeID;Gewicht;OPK';
const LINK = '#action;PartijID;ArrangementID;Aantal;Datum';

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

/** A small company, and one machine that imports sheets and takes runs back. */
function open() {
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
  const at = (): string => join(folder, `${++files}.xlsx`);
  const play = async (sheets: Readonly<Record<string, readonly string[]>> | string, more: object = {}) => {
    const cells = () =>
      Object.fromEntries(Object.entries(sheets).map(([name, lines]) => [name, cellsOf(lines)]));
    const file = typeof sheets === 'string' ? sheets : await makeWorkbook(at(), cells());
    const done = await importWorkbook(file, { ...options, ...more, out: at() });
    return { ...done, statuses: done.rows.map(({ status }) => status).join(' ') };
  };
  const undo = (run: string) =>
    undoRun(run, { ...serviceOnly(machine()), ledger: options.ledger, out: at() });
  const there = { borrel, soup, flour, event, free, trip };
  return { ...world, ...there, options, play, undo };
}

test('an undo of all kinds of sheets leaves the service as it was, once, and so does the undo of the undo (26)', async () => {
  const { service, play, undo, borrel, soup, flour, event, free, trip } = open();
  const before = stateOf(service);
  const done = await play({
    Pakketten: [
      'ProductID;ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs;Volume;#action',
      `${borrel};;;;99.5;#CLEAR`,
      ';612001;Nieuw pakket;1;10',
    ],
    Recepten: ['ProductID;Gewicht;OPK', `${soup};0.75;6`],
    Evenementen: ['PartijID;AantalGasten;Opmerkingen', `${event};321;gewijzigd`],
    Arrangementen: [LINK, `delete;${event};${borrel}`, `;${event};${free};12;2027-04-18`],
    Ritten: ['RitID;Chauffeur;RetourRit', `${trip};Iemand anders;Ja`],
    Voorraadmutaties: [`ProductID;AantalRekeneenheid;${MUTATION}`, `${flour};2.5;${MORNING}`],
    Voorraadtelling: [`ProductID;GeteldRekeneenheid;${MUTATION}`, `${soup};7;${MORNING}`],
  });
  expect(done.counts).toMatchObject({ read: 9, invalid: 0, failed: 0, conflict: 0, unchanged: 0 });
  const after = stateOf(service);
  const written = await undo(done.run);
  expect(written.cannot).toEqual([]);
  const undone = await play(written.file);
  expect(undone.statuses).not.toMatch(/unchanged|conflict|invalid|failed|unknown/);
  expect(stateOf(service)).toEqual(before);
  expect((await play((await undo(done.run)).file)).statuses).toMatch(/^(unchanged ?)+$/);
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

describe('an undo takes back (26)', () => {
  test('the day and the times of an event, of which no read tells the times', async () => {
    const { service, play, undo } = open();
    const on = (times: string) => ({ Evenementen: [EVENT, `812001;4001;6001;${times}`] });
    const first = on('2027-04-18;2027-04-18 12:00;2027-04-18 17:30');
    await play(first);
    const before = stateOf(service);
    const moved = await play(on('2027-05-02;2027-05-02 18:15;2027-05-03 01:00'));
    expect(moved.counts).toMatchObject({ updated: 1 });
    await play((await undo(moved.run)).file);
    expect(stateOf(service)).toEqual(before);
    expect((await play(first)).statuses).toBe('unchanged');
  });

  test('a mutation once, however often its run is undone, and until that is undone', async () => {
    const { service, play, undo, flour } = open();
    const lines = [2.5, 4].map((amount) => `${flour};${amount};${MORNING}`);
    const done = await play({ Voorraadmutaties: [`ProductID;AantalRekeneenheid;${MUTATION}`, ...lines] });
    const first = await undo(done.run);
    const taken = await play(first.file);
    expect(service.stockTotal(flour)).toBe(24);
    const again = await play((await undo(done.run)).file);
    expect(again.statuses).toBe('unchanged unchanged');
    expect(again.rows[0]?.message).toContain(`imported before, in run ${taken.run}`);
    // Taken back itself, the rows stand again, and it is that which is to be undone.
    const redone = await play((await undo(taken.run)).file);
    expect(service.stockTotal(flour)).toBe(30.5);
    const stands = await play(first.file);
    expect(stands.statuses).toBe('conflict conflict');
    expect(stands.rows[0]?.message).toContain(`catersheet undo ${redone.run}`);
    await play((await undo(redone.run)).file);
    expect(service.stockTotal(flour)).toBe(24);
  });

  test('what others refer to last, not where a row that refers to it did not get through', async () => {
    const { service, play, undo } = open();
    const soup = (key: number) => `${key};Soep van de dag;11;501;1;10`;
    const made = await play({
      Recepten: [RECIPE, soup(1), soup(2)],
      Voorraadmutaties: [`Product.ExternalID;AantalRekeneenheid;${MUTATION}`, `1;3;${MORNING}`],
    });
    const undone = await play((await undo(made.run)).file);
    expect(undone.counts).toMatchObject({ deleted: 2, created: 1, failed: 0 });
    const one = service.add.recipe();
    service.failNext(
      { kind: 'answer', status: 422, when: 'before', body: { message: 'Nee.', errors: {} } },
      ({ write, path }) => write && !path.includes('recept'),
    );
    const partly = await play({
      Recepten: ['#action;ProductID', `delete;${one}`],
      Voorraadmutaties: [`ProductID;AantalRekeneenheid;${MUTATION}`, `${one};1;${MORNING}`],
    });
    expect(partly.statuses).toBe('not sent failed');
  });

  test('a run that was cut off as far as it went', async () => {
    const { service, options, sheet, play, undo, planImport, applyPlan } = open();
    const stop = new AbortController();
    const { run } = await planImport(sheet(newPackages(6)), options);
    service.at(4, () => stop.abort());
    const { allowDelete: _, ...own } = options;
    await expect(applyPlan(run, { ...own, concurrency: 1, signal: stop.signal })).rejects.toMatchObject({
      exit: EXIT.interrupted,
    });
    const ledger = openLedger(options.ledger);
    // As a kill leaves it.
    await ledger.updateRun(run, { state: 'applying' });
    await ledger.close();
    const rows = service.journal.ours.filter(({ what }) => what === 'created').length;
    const { length } = service.journal.writes;
    const undone = await undo(run);
    expect(service.journal.writes).toHaveLength(length);
    expect(undone).toMatchObject({ rows, cannot: [] });
    expect((await play(undone.file)).counts).toMatchObject({ deleted: rows, failed: 0 });
  });

  test('but what it can not, or may not know, is named with the reason, and the rest goes back', async () => {
    const { service, play, undo, borrel, flour, event, trip } = open();
    service.failNext({ kind: 'status', status: 504, when: 'after' }, ({ endpoint }) =>
      endpoint.startsWith('stock.mutation'),
    );
    const done = await play({
      Pakketten: ['ProductID;Verkoopprijs', `${borrel};99.5`],
      Evenementen: [EVENT, '812001;4001;6001;2027-04-18;2027-04-18 12:00;2027-04-18 17:00'],
      Ritten: ['#action;RitID', `delete;${trip}`],
      Voorraadmutaties: [`ProductID;AantalRekeneenheid;${MUTATION}`, `${flour};5.5;${MORNING}`],
    });
    expect(done.counts).toMatchObject({ updated: 1, created: 1, deleted: 1, unknown: 1 });
    const { cannot, file } = await undo(done.run);
    expect(cannot.map(({ sheet }) => sheet)).toEqual(['Voorraadmutaties', 'Evenementen', 'Ritten']);
    expect(cannot[0]?.why).toContain('may be there');
    expect((await play(file)).counts).toMatchObject({ read: 1, updated: 1 });
    expect(service.packages.get(borrel)?.Verkoopprijs).toBe(15);
    expect(service.events.where({ PartijID: event })).toHaveLength(1);
  });
});

test('what others did since, in any field, is a conflict of the undo and stays, until somebody says whose value holds', async () => {
  const { service, play, undo, borrel, event, free } = open();
  const added = service.add.package();
  const done = await play({
    Pakketten: [
      'ProductID;ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs;#action',
      `${borrel};;;;99.5`,
      ';612001;Nieuw pakket;1;10',
      ...[1, 2, 3].map((at) => `;${at === 3 ? 650_000 : ''};Nieuw ${at};1;10;create`),
      ';;Van niemand;1;10;create',
    ],
    Arrangementen: [
      LINK,
      `delete;${event};${borrel}`,
      `;${event};${free};12;2027-04-18`,
      `;${event};${added};12;2027-04-18`,
    ],
  });
  const { file } = await undo(done.run);
  const their = (name: string, changes: object) => {
    const [found] = service.packages.where({ OmschrijvingIntern: name });
    service.other.change('package', Number(found?.ProductID), changes as Record<string, number>);
  };
  their('Borrel', { Verkoopprijs: 100 });
  their('Nieuw pakket', { Verkoopprijs: 11 });
  their('Nieuw 1', { Actief: false });
  their('Nieuw 2', { ProductCategorieID: 12 });
  their('Nieuw 3', { InterneOpmerking: 'van een ander' });
  service.other.create('link', {
    ...{ PartijID: event, Datum: '2027-04-19 00:00:00', ArrangementID: borrel, Aantal: 1 },
  });
  const linked = (ArrangementID: number) => Number(service.links.where({ ArrangementID })[0]?.LinkID);
  service.other.change('link', linked(free), { Aantal: 13 });
  service.other.change('link', linked(added), { OfferteOmschrijving: 'van een ander' });
  const { length } = service.journal.writes;
  const undone = await play(file);
  expect(undone.statuses).toBe(`${'conflict '.repeat(5)}deleted conflict conflict conflict`);
  const told = undone.rows.map(({ message }) => message).join();
  for (const field of ['Actief', 'ProductCategorieID', 'InterneOpmerking', 'OfferteOmschrijving'])
    expect(told).toContain(`(${field})`);
  expect(service.journal.writes).toHaveLength(length + 1);
  expect((await play(file, { onConflict: 'mine' })).statuses).toMatch(/^updated deleted/);
  expect(service.packages.get(borrel)?.Verkoopprijs).toBe(15);
});

test('what a service puts in new links of itself is no change of somebody else, however many events they are on (26)', async () => {
  const { service, play, undo } = open();
  const links = ['Ontbijt', 'Lunch', 'Borrel', 'Diner'].map((OmschrijvingExtern) => {
    const ends = [service.add.event(), service.add.package({ OmschrijvingExtern })];
    return `;${ends.join(';')};12;2027-04-18`;
  });
  const done = await play({ Arrangementen: [LINK, ...links] });
  const { file } = await undo(done.run);
  expect((await play(file)).statuses).toBe('deleted deleted deleted deleted');
});

test('an undo of nothing is exit 3; one of an unknown run or to a file that is there is exit 2', async () => {
  const { play, undo, trip } = open();
  const gone = await play({ Ritten: ['#action;RitID', `delete;${trip}`] });
  await expect(undo(gone.run)).rejects.toMatchObject({ exit: 3 });
  await expect(undo('20270331-074512-k3vq')).rejects.toMatchObject({ exit: 2 });
});
