import { describe, expect, test } from 'vitest';
import { type Cell, openWorld } from '../promises/world.ts';
import type { Failure, KnobChanges } from '../second-service/knobs.ts';
import type { Received } from '../second-service/types.ts';

/** What tells of a change, or doesn't: the promise is the same. */
const CLOCKS: readonly (readonly [string, KnobChanges])[] = [
  ['is 11 minutes behind', { clock: { skewMs: -660_000 } }],
  ['is not shown', { clock: { lmt: 'absent' } }],
  ['never moves what was there', { clock: { moves: 'never' } }],
];

/** Rows to create, and the field in which a colleague's record differs. */
const CREATED = {
  packages: {
    kind: 'package',
    header: ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'],
    row: (at: number): Cell[] => [900_000 + at, `Lunch ${at}`, 1, 20 + at],
    field: 'Verkoopprijs',
    theirs: 99,
  },
  recipes: {
    kind: 'recipe',
    header: [
      'ExternalID',
      'OmschrijvingIntern',
      'ProductCategorieID',
      'ProductEenheidWaardeID',
      'Gewicht',
      'OPK',
    ],
    row: (at: number): Cell[] => [910_000 + at, `Soep ${at}`, 11, 501, 1, at],
    field: 'OPK',
    theirs: 99,
  },
  events: {
    kind: 'event',
    header: ['ExternalID', 'RelatieID', 'ContactpersoonID', 'LocatieID', 'Datum', 'Starttijd', 'Eindtijd'],
    row: (at: number): Cell[] => {
      const day = `2027-05-0${at}`;
      return [920_000 + at, 4001, 6001, 801, day, `${day} 12:00`, `${day} 17:00`];
    },
    field: 'LocatieID',
    theirs: 802,
  },
} as const;

const valuesOf = (header: readonly string[], row: readonly Cell[]): Record<string, Cell> =>
  Object.fromEntries(header.map((name, at) => [name, row[at] ?? null]));

describe.each(CLOCKS)('where the clock of the service %s', (_, knobs) => {
  test.each(Object.keys(CREATED) as (keyof typeof CREATED)[])(
    'what somebody else created since the plan is not created again, and a difference is a conflict: %s',
    async (as) => {
      const { service, sheet, machine, planImport, applyPlan } = openWorld(knobs);
      const { kind, header, row, field, theirs } = CREATED[as];
      const options = machine();
      const { run } = await planImport(sheet([header, ...[1, 2, 3].map(row)]), { ...options, as });
      const id = service.other.create(kind, { ...valuesOf(header, row(1)), [field]: theirs });
      const done = await applyPlan(run, options);
      expect(done.rows.map(({ status }) => status)).toEqual(['conflict', 'created', 'created']);
      expect(done.rows[0]?.message).toContain(`it was created as ${id}`);
      const ours = valuesOf(header, row(1))[field];
      const issues = done.rows[0]?.issues?.map(({ code, field, found, message }) => [
        code,
        field,
        found,
        message,
      ]);
      expect(issues).toEqual([
        [
          'changed-meanwhile',
          field,
          expect.stringContaining(`${ours}`),
          expect.stringContaining(`is now ${theirs}`),
        ],
      ]);
      expect(service[as].get(id)?.[field]).toBe(theirs);
      expect(service[as].where({ ExternalID: row(1)[0] as number })).toHaveLength(1);
      expect(service.faults).toEqual([]);
    },
  );

  test.each(['packages', 'recipes', 'events', 'arrangements', 'trips'] as const)(
    'what somebody else changed since the plan is not overwritten: %s',
    async (as) => {
      const { service, sheet, machine, planImport, applyPlan } = openWorld(knobs);
      const { kind, field, add } = HELD[as];
      const own = as === 'trips' ? ['Anouk', 'Bram', 'Joris'] : [41, 42, 43];
      const records = own.map(() => add(service));
      const rows = records.map(({ names }, at): Cell[] => [...Object.values(names), own[at] ?? null]);
      const header = [...Object.keys(records[0]?.names ?? {}), field];
      const options = machine();
      const { run } = await planImport(sheet([header, ...rows]), { ...options, as });
      const [, theirs] = records;
      const value = as === 'trips' ? 'Een ander' : 77;
      service.other.change(kind, theirs?.id ?? 0, { [field]: value });
      const done = await applyPlan(run, options);
      expect(done.rows.map(({ status }) => status)).toEqual(['updated', 'conflict', 'updated']);
      expect(done.rows[1]?.message).toContain(String(value));
      const store = as === 'arrangements' ? service.links : service[as];
      expect(records.map(({ id }) => store.get(id)?.[field])).toEqual([own[0], value, own[2]]);
    },
  );
});

type Service = ReturnType<typeof openWorld>['service'];
/** A record of a kind that has always been there, what names it in a row, and a field to change. */
const HELD = {
  packages: {
    kind: 'package',
    field: 'Verkoopprijs',
    add: (service: Service) => named('ProductID', service.add.package({ OmschrijvingIntern: 'Borrel' })),
  },
  recipes: {
    kind: 'recipe',
    field: 'OPK',
    add: (service: Service) => named('ProductID', service.add.recipe({ OmschrijvingIntern: 'Soep' })),
  },
  events: {
    kind: 'event',
    field: 'AantalGasten',
    add: (service: Service) => named('PartijID', service.add.event({ AantalGasten: 30 })),
  },
  arrangements: {
    kind: 'link',
    field: 'Aantal',
    add: (service: Service) => {
      const names = { PartijID: service.add.event({}), ArrangementID: service.add.package({}) };
      return { id: service.add.link(names.PartijID, names.ArrangementID, { Aantal: 30 }), names };
    },
  },
  trips: {
    kind: 'trip',
    field: 'Chauffeur',
    add: (service: Service) => named('RitID', service.add.trip({ Chauffeur: 'Joost' })),
  },
} as const;

const named = (column: string, id: number) => ({ id, names: { [column]: id } });

const LINK = ['PartijID', 'ArrangementID', 'Aantal', 'Datum'];

test('a link that somebody else made since the plan is not made again: the same is done, another amount a conflict', async () => {
  const { service, sheet, machine, planImport, applyPlan } = openWorld();
  const [one, two] = [service.add.event({}), service.add.event({})];
  const child = service.add.package({});
  const options = machine();
  const rows = [one, two].map((party): Cell[] => [party, child, 10, '2027-01-08']);
  const { run } = await planImport(sheet([LINK, ...rows]), { ...options, as: 'arrangements' });
  for (const [PartijID, Aantal] of [
    [one, 10],
    [two, 7],
  ] as const)
    service.other.create('link', { PartijID, ArrangementID: child, Aantal, Datum: '2027-01-08 00:00:00' });
  const done = await applyPlan(run, options);
  expect(done.rows.map(({ status }) => status)).toEqual(['unchanged', 'conflict']);
  expect(service.links.where({ ArrangementID: child }).map(({ Aantal }) => Aantal)).toEqual([10, 7]);
});

test('a lost link that was not made is not taken for the one that somebody else made meanwhile', async () => {
  const { service, sheet, machine, importWorkbook } = openWorld();
  const [PartijID, ArrangementID] = [service.add.event({}), service.add.package({})];
  service.failNext({ kind: 'reset', when: 'before' }, ({ endpoint }) => {
    if (endpoint !== 'link.create') return false;
    service.other.create('link', { PartijID, ArrangementID, Aantal: 7, Datum: '2027-01-08 00:00:00' });
    return true;
  });
  const file = sheet([LINK, [PartijID, ArrangementID, 10, '2027-01-08']]);
  const { rows } = await importWorkbook(file, { ...machine(), as: 'arrangements' });
  expect(rows.map(({ status }) => status)).toEqual(['unknown']);
  expect(service.links.where({ ArrangementID }).map(({ Aantal }) => Aantal)).toEqual([7]);
});

test('somebody else’s price is a conflict where one’s own update did not arrive', async () => {
  const { service, sheet, machine, importWorkbook } = openWorld();
  const id = service.add.package({ OmschrijvingIntern: 'Borrel', Verkoopprijs: 12.5 });
  service.failNext({ kind: 'empty 200', when: 'before' }, ({ endpoint }) => {
    if (endpoint !== 'package.update') return false;
    service.other.change('package', id, { Verkoopprijs: 40 });
    return true;
  });
  const file = sheet([
    ['ProductID', 'Verkoopprijs'],
    [id, 31],
  ]);
  const { counts } = await importWorkbook(file, { ...machine(), as: 'packages' });
  expect(counts).toMatchObject({ conflict: 1, updated: 0 });
  expect(service.packages.get(id)?.Verkoopprijs).toBe(40);
});

describe('what somebody changes while a row of a run waits is not overwritten:', () => {
  const open = (count: number) => {
    const world = openWorld();
    const { service, time } = world;
    const own = { OmschrijvingIntern: 'Borrel', Verkoopprijs: 10, Volume: 3 };
    const ids = Array.from({ length: count }, () => service.add.package(own));
    /** Befalls the first write of the run, and changes the last record so long after it, ms. */
    const atFirst = (ms: number, theirs: { [field: string]: number }, failure?: Failure): void => {
      let writes = 0;
      const choose = ({ write }: Received): Failure | undefined => {
        if (!write || writes++ > 0) return undefined;
        void time.sleep(ms).then(() => service.other.change('package', ids.at(-1) ?? 0, theirs));
        return failure;
      };
      service.set({ failures: { choose } });
    };
    return { ...world, ids, atFirst };
  };

  test('for the first update, which goes alone', async () => {
    const { service, sheet, machine, importWorkbook, ids, atFirst } = open(3);
    atFirst(5000, { Verkoopprijs: 77 }, { kind: 'hang', when: 'before' });
    const file = sheet([['ProductID', 'Verkoopprijs'], ...ids.map((id, at): Cell[] => [id, 20 + at])]);
    const { rows } = await importWorkbook(file, { ...machine(), as: 'packages', timeout: 10_000 });
    expect(rows.map(({ status }) => status)).toEqual(['updated', 'updated', 'conflict']);
    expect(ids.map((id) => service.packages.get(id)?.Verkoopprijs)).toEqual([20, 21, 77]);
  });

  test('for the pace, after an earlier row on the same record', async () => {
    const { service, sheet, machine, importWorkbook, ids, atFirst } = open(1);
    const [id = 0] = ids;
    atFirst(100, { Volume: 9 });
    const file = sheet([
      ['ProductID', 'Verkoopprijs', 'Volume'],
      [id, 20, null],
      [id, null, 4],
    ]);
    const { rows } = await importWorkbook(file, { ...machine(), as: 'packages', rate: 0.2 });
    expect(rows.map(({ status }) => status)).toEqual(['updated', 'conflict']);
    expect(service.packages.get(id)).toMatchObject({ Verkoopprijs: 20, Volume: 9 });
  });
});

test('what somebody else created since the plan, and lists leave out as it is not in use, is not created again', async () => {
  const world = openWorld({ answers: { inactiveInLists: false } });
  const { service, sheet, machine, planImport, applyPlan } = world;
  const header = [...CREATED.packages.header, 'Actief'];
  const options = machine();
  const file = sheet([header, [...CREATED.packages.row(1), 'Nee']]);
  const { run } = await planImport(file, { ...options, as: 'packages' });
  service.other.create('package', { ...valuesOf(header, CREATED.packages.row(1)), Actief: false });
  const done = await applyPlan(run, options);
  expect(done.rows.map(({ status }) => status)).toEqual(['unchanged']);
  expect(service.packages.where({ ExternalID: 900_001 })).toHaveLength(1);
});
