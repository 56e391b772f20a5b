import { describe, expect, it } from 'vitest';
import { importWorkbook } from '../../../src/index.ts';
import { trips } from '../../../src/resources/trips.ts';
import { type Cells, openRows, resources, rowsOf, writeRows } from '../../records/keyed-rows.ts';
import type { Values } from '../../second-service/types.ts';

const CLEARS = { values: { updateClears: true } };
type Service = Awaited<ReturnType<typeof openRows>>['service'];

interface Case {
  readonly as: object;
  readonly kind: 'package' | 'recipe' | 'event' | 'link' | 'trip';
  /** Adds a record with fields that the rows do not name. */
  add(service: Service, at: number): number;
  row(service: Service, id: number, value: number): Cells;
  readonly rest: Values;
}

const CASES: Readonly<Record<string, Case>> = {
  packages: {
    as: resources.packages,
    kind: 'package',
    add: (service, at) =>
      service.add.package({ ExternalID: 70 + at, Offertetekst: 'lang', Volume: 3, Actief: true }),
    row: (_, id, value) => ({ ProductID: id, Verkoopprijs: `${value},5` }),
    rest: { Offertetekst: 'lang', Volume: 3, Actief: true },
  },
  recipes: {
    as: resources.recipes,
    kind: 'recipe',
    add: (service, at) =>
      service.add.recipe({ ExternalID: 80 + at, MinimaalVoorraad: 4, RekenEenheidID: 501 }),
    row: (_, id, value) => ({ ProductID: id, Verkoopprijs: `${value},5` }),
    rest: { MinimaalVoorraad: 4, RekenEenheidID: 501 },
  },
  events: {
    as: resources.events,
    kind: 'event',
    add: (service, at) =>
      service.add.event({ ExternalID: 90 + at, Datum: '2027-05-02', Opmerkingen: 'let op' }),
    row: (_, id, value) => ({ PartijID: id, PartijOmschrijving: `Feest ${value}` }),
    rest: { Opmerkingen: 'let op', LocatieID: 801 },
  },
  arrangements: {
    as: resources.arrangements,
    kind: 'link',
    add: (service) =>
      service.add.link(service.add.event(), service.add.package(), {
        Datum: '2027-05-02 00:00:00',
        OfferteOmschrijving: 'Lunch',
      }),
    row: (service, id, value) => {
      const { PartijID, ArrangementID } = service.links.get(id) ?? {};
      return { PartijID: Number(PartijID), ArrangementID: Number(ArrangementID), Aantal: value };
    },
    rest: { OfferteOmschrijving: 'Lunch' },
  },
  trips: {
    as: trips,
    kind: 'trip',
    add: (service) => service.add.trip({ Chauffeur: 'J. de Boer', RetourRit: true }),
    row: (_, id, value) => ({ RitID: id, TypeVoertuigID: value }),
    rest: { Chauffeur: 'J. de Boer', RetourRit: true },
  },
};

describe('a service whose update empties what it is not sent', () => {
  it.each(Object.keys(CASES))('loses nothing of %s, which is said once', async (name) => {
    const { as, kind, add, row, rest } = CASES[name] as Case;
    const { service, folder, options } = await openRows(CLEARS);
    const ids = [1, 2, 3, 4].map((at) => add(service, at));
    const held = () => ids.map((id) => service[`${kind}s`].get(id));
    const keys = held().map((record) => record?.ExternalID ?? null);
    const write = (value: number) =>
      writeRows(
        `${folder}/a.csv`,
        ids.map((id) => row(service, id, value)),
      );
    const first = await importWorkbook(write(7), { ...options, as: as as never });
    expect(first.rows.map(({ status }) => status)).toEqual(['updated', 'updated', 'updated', 'updated']);
    for (const record of held()) expect(record).toMatchObject(rest);
    expect(held().map((record) => record?.ExternalID ?? null)).toEqual(keys);
    expect(first.notes?.join()).toContain('an update empties the fields that it does not send');
    expect(first.rows[0]?.message).toContain('it was put back');
    const writes = service.journal.writes.length;
    const second = await importWorkbook(write(7), { ...options, as: as as never });
    expect([second.counts.unchanged, service.journal.writes.length - writes]).toEqual([4, 0]);
    const third = await importWorkbook(write(8), { ...options, as: as as never });
    expect([third.counts.updated, service.journal.writes.length - writes, third.notes]).toEqual([
      ...[4, 4, undefined],
    ]);
    for (const record of held()) expect(record).toMatchObject(rest);
  });

  it.each(['packages', 'recipes', 'events'] as const)(
    'keeps all fields of new %s, whatever comes after their create',
    async (name) => {
      const { service, folder, options } = await openRows(CLEARS);
      const more = {
        packages: { Offertetekst: 'lang', Volume: 3 },
        recipes: { MinimaalVoorraad: 4, RekenEenheidID: 501 },
        events: { Opmerkingen: 'let op', KeukenOpmerkingen: 'warm' },
      }[name];
      const rows = [1, 2, 3].map((at) => ({ ExternalID: 900 + at, ...rowsOf[name](at), ...more }));
      const file = writeRows(`${folder}/a.csv`, rows);
      const as = resources[name];
      const { counts } = await importWorkbook(file, { ...options, as });
      expect(counts).toMatchObject({ created: 3 });
      const held = [1, 2, 3].flatMap((at) => service[name].where({ ExternalID: 900 + at }));
      expect(held).toMatchObject([more, more, more]);
      const writes = service.journal.writes.length;
      const again = await importWorkbook(file, { ...options, as });
      expect([again.counts.unchanged, service.journal.writes.length - writes]).toEqual([3, 0]);
    },
  );

  it('stops where it takes nothing back, and says what was lost', async () => {
    const { service, folder, options } = await openRows(CLEARS);
    const { add, row } = CASES.packages as Case;
    const ids = [1, 2, 3, 4].map((at) => add(service, at));
    let updates = 0;
    const choose = ({ endpoint }: { readonly endpoint: string }) =>
      endpoint === 'package.update' && ++updates > 1
        ? ({ kind: 'status', status: 422, when: 'before' } as const)
        : undefined;
    service.set({ failures: { choose } });
    const file = writeRows(
      `${folder}/a.csv`,
      ids.map((id) => row(service, id, 7)),
    );
    const stop = importWorkbook(file, { ...options, as: resources.packages });
    await expect(stop).rejects.toThrow(
      'could not be put back: ExternalID 71, Actief Yes, Offertetekst lang, Volume 3',
    );
    expect(ids.slice(1).map((id) => service.packages.get(id)?.Volume)).toEqual([3, 3, 3]);
  });
});

it('a first try of an update that empties its record after that was put back is found when all is sent', async () => {
  const { service, folder, options } = await openRows(CLEARS);
  const { add, row, rest } = CASES.packages as Case;
  const ids = [1, 2].map((at) => add(service, at));
  const isUpdate = ({ endpoint }: { readonly endpoint: string }) => endpoint === 'package.update';
  service.failNext({ kind: 'late', giveUp: 504, commitAfterMs: 900 }, isUpdate);
  const rows = ids.map((id) => row(service, id, 7));
  const file = writeRows(`${folder}/a.csv`, rows);
  const { counts, notes } = await importWorkbook(file, { ...options, as: resources.packages, doubt: 1.2 });
  await service.settled();
  expect(ids.map((id) => service.packages.get(id))).toMatchObject([rest, rest]);
  expect(counts).toMatchObject({ updated: 2 });
  expect(notes?.join()).toMatch(/a 2: the first try of its update came late: .* put back: .*Volume 3/);
});

it('finding out what an update leaves alone takes one read', async () => {
  const { service, folder, options } = await openRows();
  const { add, row } = CASES.packages as Case;
  const ids = [1, 2, 3].map((at) => add(service, at));
  const write = (value: number) =>
    writeRows(
      `${folder}/a.csv`,
      ids.map((id) => row(service, id, value)),
    );
  await importWorkbook(write(7), { ...options, as: resources.packages });
  const before = service.journal.requests.length;
  await importWorkbook(write(8), { ...options, as: resources.packages });
  const reads = service.journal.requests.slice(before).filter(({ endpoint }) => endpoint === 'package.get');
  expect(reads.length).toBeLessThanOrEqual(2 * ids.length + 1);
});

it('an update that empties what it is not sent is found out also where reads lag a second behind', async () => {
  const { service, folder, options } = await openRows({ ...CLEARS, speed: { detailLags: true } });
  const { add, row } = CASES.packages as Case;
  const ids = [1, 2, 3].map((at) => add(service, at));
  service.set({ speed: { lagMs: 1000 } });
  const file = writeRows(
    `${folder}/a.csv`,
    ids.map((id) => row(service, id, 20)),
  );
  const done = await importWorkbook(file, { ...options, as: resources.packages, doubt: 4 });
  expect(done.counts).toMatchObject({ updated: 3 });
  expect(ids.map((id) => service.packages.get(id)?.Offertetekst)).toEqual(['lang', 'lang', 'lang']);
});

it.each([
  ['trips of which the list by days tells not all', trips, 'trip', 'Chauffeur'],
  ['packages that hold nothing else', resources.packages, 'package', 'Verkoopprijs'],
] as const)('an update of many %s asks for a few of them alone', async (_, as, kind, field) => {
  const { service, folder, options } = await openRows();
  const ids = Array.from({ length: 20 }, () =>
    kind === 'trip' ? service.add.trip({ Datum: '2027-03-01' }) : service.add.package({}),
  );
  const own = kind === 'trip' ? { Datum: '2027-03-01' } : {};
  const id = kind === 'trip' ? 'RitID' : 'ProductID';
  const rows = ids.map((one, at) => ({ [id]: one, ...own, [field]: kind === 'trip' ? `T ${at}` : 30 + at }));
  const done = await importWorkbook(writeRows(`${folder}/a.csv`, rows), { ...options, as });
  expect(done.counts).toMatchObject({ updated: 20 });
  const reads = service.journal.requests.filter(({ write }) => !write);
  expect(reads.length).toBeLessThanOrEqual(9);
});
