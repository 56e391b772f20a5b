import { join } from 'node:path';
import exceljs from 'exceljs';
import { describe, expect, it } from 'vitest';
import type { ImportDocument, RowDocument } from '../../src/index.ts';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { serviceOnly } from '../helpers/service-options.ts';
import type { Commit } from '../second-service/journal.ts';
import type { Failure } from '../second-service/knobs.ts';
import type { SecondService } from '../second-service/second-service.ts';
import type { Received, Values } from '../second-service/types.ts';
import { onEachLedger, openWorld } from './world.ts';

type Cell = string | number | boolean | null;
type Cells = readonly (readonly Cell[])[];

const STOCK = ['WerknemerID', 'DatumTijd', 'MutatieCategorieID', 'MutatieReden'] as const;
const stock = [12, '2026-03-31 08:00', 4901, 'Week 13'] as const;
const event = [4001, 6001, '2027-03-05', '2027-03-05 12:00', '2027-03-05 15:00'] as const;
const EVENT = ['RelatieID', 'ContactpersoonID', 'Datum', 'Starttijd', 'Eindtijd'] as const;

/** What each sheet holds: rows with a key, rows without one, rows about what is there; a header first. */
function sheetsOf(there: There): Readonly<Record<string, { readonly sheet: string; readonly cells: Cells }>> {
  return {
    'packages by ExternalID': {
      sheet: 'Pakketten',
      cells: [
        ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs', 'OmschrijvingExtern'],
        [101, 'Borrel luxe', 1, 19.25, 'Met bubbels'],
        [900_001, 'Lunch in het bos', 1, 12.5, null],
        [900_002, 'Brunch', 1, 31, 'Zondag'],
      ],
    },
    'packages without a key': {
      sheet: 'Pakketten',
      cells: [
        ['#action', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'],
        ['create', 'Borrel aan zee', 1, 12.5],
        ['create', 'Borrel op het dak', 1, 14.75],
      ],
    },
    'recipes by ExternalID': {
      sheet: 'Recepten',
      cells: [
        [
          'ExternalID',
          'OmschrijvingIntern',
          'ProductCategorieID',
          'ProductEenheidWaardeID',
          'Gewicht',
          'OPK',
        ],
        [910_001, 'Linzensoep', 11, 501, 0.25, 4],
        [910_002, 'Bietensalade', 12, 502, 1.125, 6],
      ],
    },
    'recipes without a key': {
      sheet: 'Recepten',
      cells: [
        ['#action', 'OmschrijvingIntern', 'ProductCategorieID', 'ProductEenheidWaardeID', 'Gewicht', 'OPK'],
        ['create', 'Uiensoep', 11, 501, 0.25, 4],
      ],
    },
    'stock mutations by #key': {
      sheet: 'Voorraadmutaties',
      cells: [
        ['#key', 'ProductID', ...STOCK, 'AantalRekeneenheid'],
        ['m1', there.soup, ...stock, -3],
        ['m2', there.flour, ...stock, 2.5],
      ],
    },
    'stock mutations without a key': {
      sheet: 'Voorraadmutaties',
      cells: [
        ['ProductID', ...STOCK, 'AantalRekeneenheid'],
        [there.soup, ...stock, -2],
        [there.flour, ...stock, 1.5],
      ],
    },
    'stock counts': {
      sheet: 'Voorraadtelling',
      cells: [
        ['ProductID', ...STOCK, 'GeteldRekeneenheid'],
        [there.lentils, ...stock, 20],
        [there.sugar, ...stock, 75.5],
      ],
    },
    'events by ExternalID': {
      sheet: 'Evenementen',
      cells: [
        ['ExternalID', ...EVENT, 'PartijOmschrijving', 'AantalGasten'],
        [7001, null, null, null, null, null, 'Nieuwjaarsborrel in de tuin', 60],
        [920_001, ...event, 'Bruiloft', 80],
        [920_002, ...event, 'Receptie', 120],
      ],
    },
    'events without a key': {
      sheet: 'Evenementen',
      cells: [
        ['#action', ...EVENT, 'PartijOmschrijving', 'AantalGasten'],
        ['create', ...event, 'Personeelsfeest', 45],
      ],
    },
    arrangements: {
      sheet: 'Arrangementen',
      cells: [
        ['Event.ExternalID', 'PartijID', 'ArrangementID', 'Aantal', 'Datum'],
        [7001, null, there.borrel, 55, '2027-01-08'],
        [null, there.meeting, there.borrel, 30, '2027-02-12'],
      ],
    },
    trips: {
      sheet: 'Ritten',
      cells: [
        ['RitID', 'Chauffeur', 'TypeVoertuigID', 'RetourRit'],
        [there.trip, 'Anouk', 9702, true],
      ],
    },
  };
}

interface There {
  readonly soup: number;
  readonly flour: number;
  readonly lentils: number;
  readonly sugar: number;
  readonly borrel: number;
  readonly meeting: number;
  readonly link: number;
  readonly trip: number;
}

type Exported = 'packages' | 'recipes' | 'events' | 'arrangements' | 'trips';

/** All sheets, each in one of two workbooks: those whose rows name their record, and those whose rows have no key. */
const BOOKS: Readonly<Record<string, readonly string[]>> = {
  'rows of all sheets that name their record': [
    'packages by ExternalID',
    'recipes by ExternalID',
    'stock mutations by #key',
    'stock counts',
    'events by ExternalID',
    'arrangements',
    'trips',
  ],
  'rows without a key': [
    'packages without a key',
    'recipes without a key',
    'stock mutations without a key',
    'events without a key',
  ],
};

/** The small caterer, sheets about it, and ledgers of machines that know nothing of one another. */
async function open(...names: readonly string[]) {
  const world = openWorld();
  const { service, folder } = world;
  const id = (found: readonly Readonly<Record<string, unknown>>[], key: string) => Number(found[0]?.[key]);
  const there = {
    soup: id(service.recipes.where({ OmschrijvingIntern: 'Pompoensoep' }), 'ProductID'),
    flour: service.add.product({ OmschrijvingIntern: 'Roggebloem' }),
    lentils: service.add.product({ OmschrijvingIntern: 'Linzen' }),
    sugar: service.add.product({ OmschrijvingIntern: 'Suiker' }),
    borrel: service.add.package({ OmschrijvingIntern: 'Borrel klassiek', Verkoopprijs: 15 }),
    meeting: id(service.events.where({ PartijOmschrijving: 'Ledendag' }), 'PartijID'),
    link: Number(service.links.where({ Aantal: 25 })[0]?.LinkID),
    trip: id(service.trips.where({ Chauffeur: 'Joost' }), 'RitID'),
  };
  for (const [product, amount] of [
    [there.flour, 75.5],
    [there.lentils, 14],
    [there.sugar, 75.5],
  ] as const)
    service.add.stock(product, amount);
  const all = sheetsOf(there);
  const sheets = names.map((name) => all[name] ?? expect.fail(`no sheet ${name}`));
  const cells = Object.fromEntries(sheets.map((one) => [one.sheet, one.cells]));
  const file = await makeWorkbook(join(folder, 'week.xlsx'), cells);
  return { ...world, there, file, sheets };
}

/** A field of each sheet that two rows, or two people, can say differently; the kind where it can be updated. */
const FIELDS: Readonly<Record<string, Field>> = {
  'packages by ExternalID': {
    column: 'Verkoopprijs',
    what: 'packages',
    was: 15,
    kind: 'package',
    mine: 21.5,
    theirs: 23.75,
  },
  'recipes by ExternalID': { column: 'OPK', what: 'recipes', was: 1, kind: 'recipe', mine: 8, theirs: 9 },
  'stock mutations by #key': { column: 'AantalRekeneenheid', mine: 3, theirs: 5 },
  'stock counts': { column: 'GeteldRekeneenheid', mine: 3, theirs: 5 },
  'events by ExternalID': {
    column: 'AantalGasten',
    what: 'events',
    was: 40,
    kind: 'event',
    mine: 61,
    theirs: 75,
  },
  arrangements: { column: 'Aantal', what: 'arrangements', was: 25, kind: 'link', mine: 61, theirs: 75 },
  trips: { column: 'Chauffeur', what: 'trips', was: 'Joost', kind: 'trip', mine: 'Bram', theirs: 'Joris' },
};

interface Field {
  readonly column: string;
  readonly what?: Exported;
  readonly was?: Cell;
  readonly kind?: 'package' | 'recipe' | 'event' | 'link' | 'trip';
  readonly mine: Cell;
  readonly theirs: Cell;
}

/** What becomes of a first answer, where rounds draw nothing of the kind; in a database one of them is tried. */
const FAILURES: readonly (readonly [string, Failure])[] = [
  ['a redirect that was done', { kind: 'redirect', when: 'after', status: 307 }],
  ['a redirect that was not done', { kind: 'redirect', when: 'before', status: 308 }],
  ['a success of another shape', { kind: 'answer', when: 'before', status: 200, body: { data: 'ok' } }],
];

const shown = (rows: readonly RowDocument[]) =>
  rows.map(({ sheet, row, status, changes, issues }) => ({ sheet, row, status, changes, issues }));

const sums = ({ counts }: ImportDocument) => {
  const { read, created, updated, unchanged, deleted, skipped, conflict, invalid, failed, unknown, notSent } =
    counts;
  return (
    read -
    (created + updated + unchanged + deleted + skipped + conflict + invalid + failed + unknown + notSent)
  );
};

onEachLedger((inDatabase) => {
  describe.each(Object.entries(BOOKS))('%s', (_, names) => {
    it('mean the same whatever was planned before and from which machine (4)', async () => {
      const { planImport, file, machine, service } = await open(...names);
      const [a, b] = [machine(), machine()];
      const planned = async (options: typeof a) => shown((await planImport(file, options)).rows);
      const first = await planned(a);
      expect(await planned(a)).toEqual(first);
      expect(await planned(b)).toEqual(first);
      expect(first.filter(({ status }) => ['invalid', 'conflict'].includes(status))).toEqual([]);
      expect(service.journal.writes).toEqual([]);
    });

    it('are sent as the plan showed (7)', async () => {
      const { planImport, applyPlan, file, machine, folder } = await open(...names);
      const a = machine();
      const plan = await planImport(file, a);
      const before = shown(plan.rows);
      const done = await applyPlan(plan.run, {
        ...serviceOnly(a),
        allRows: true,
        out: join(folder, 'r.xlsx'),
      });
      const past: Record<string, string> = { create: 'created', update: 'updated', delete: 'deleted' };
      expect(shown(done.rows)).toEqual(
        before.map((row) => ({ ...row, status: past[row.status] ?? row.status })),
      );
      expect(sums(done)).toBe(0);
    });

    it('are sent once: again, and their result on this machine and another, send nothing (13, 15, 16, 17)', async () => {
      const { importWorkbook, file, machine, folder, service } = await open(...names);
      const [a, b] = [machine(), machine()];
      const out = join(folder, 'week.result.xlsx');
      await importWorkbook(file, { ...a, out });
      const writes = service.journal.writes.length;
      const again = await importWorkbook(file, { ...a, out: join(folder, 'again.xlsx') });
      expect(shown(again.rows).map(({ status }) => status)).not.toContain('created');
      const travelled = await importWorkbook(out, { ...b, out: join(folder, 'b.xlsx') });
      const chained = await importWorkbook(join(folder, 'again.xlsx'), {
        ...machine(),
        out: join(folder, 'c.xlsx'),
      });
      const back = await importWorkbook(join(folder, 'b.xlsx'), {
        ...machine(),
        out: join(folder, 'd.xlsx'),
      });
      for (const one of [again, travelled, chained, back])
        expect([one.exit, one.counts.unchanged]).toEqual([0, one.counts.read]);
      expect(service.journal.writes.slice(writes).map(({ endpoint, body }) => ({ endpoint, body }))).toEqual(
        [],
      );
      expect(service.journal.doubled()).toEqual([]);
    });

    it.each(inDatabase ? FAILURES.slice(0, 1) : FAILURES)(
      'take effect once and claim nothing when the first answer is %s (13, 14, 21)',
      async (_, failure) => {
        const { importWorkbook, file, machine, folder, service, there } = await open(...names);
        const failed = new Set<string>();
        // The first write of each sheet. What a trip's update answers is not shown: any success will do.
        const choose = ({ endpoint, write, body }: Received) => {
          const isCount = (body as Values | undefined)?.ProductID === there.lentils;
          const of = isCount ? 'count' : (endpoint.split('.')[0] ?? '');
          if (!write || failed.has(of) || (of === 'trip' && failure.kind === 'answer')) return undefined;
          failed.add(of);
          return failure;
        };
        service.set({ failures: { choose } });
        const a = { ...machine(), concurrency: 1 };
        const out = join(folder, 'r.xlsx');
        const before = service.journal.ours.length;
        const done = await importWorkbook(file, { ...a, out });
        await service.settled();
        const commits = service.journal.ours.slice(before);
        expect(failed.size).toBeGreaterThan(2);
        expect(service.journal.doubled()).toEqual([]);
        expect(sums(done)).toBe(0);
        // What is said to be done is there, and what is said to have failed is not.
        for (const [kind, sheets] of Object.entries(KINDS)) {
          const rows = done.rows.filter(({ sheet }) => sheets.includes(sheet));
          const ids = new Set(
            commits.flatMap((one) => (one.kind === kind && isOwn(service, one) ? [one.id] : [])),
          );
          for (const { status, id } of rows)
            if (status === 'created' && id !== undefined) expect([kind, ...ids]).toContain(id);
          const claimed = rows.filter(({ status }) =>
            ['created', 'updated', 'deleted'].includes(status),
          ).length;
          const unknown = rows.filter(({ status }) => status === 'unknown').length;
          expect([kind, ids.size]).toEqual([
            kind,
            expect.toSatisfy((size) => size >= claimed && size <= claimed + unknown),
          ]);
        }
        // The next import of the file, and of the result elsewhere, double nothing either.
        await importWorkbook(file, { ...a, out: join(folder, 's.xlsx') });
        await importWorkbook(out, { ...machine(), out: join(folder, 't.xlsx') });
        await service.settled();
        expect(service.journal.doubled()).toEqual([]);
      },
    );
  });
});

describe.each(Object.entries(FIELDS))('%s', (name, field) => {
  it('contradict each other: all of them are invalid, and none is sent (10)', async () => {
    const { importWorkbook, sheets: all, machine, folder, service } = await open(name);
    const { sheet, cells } = all[0] ?? expect.fail('no sheet');
    const [header = [], first = []] = cells;
    const other = first.map((cell, at) => (header[at] === field.column ? field.theirs : cell));
    const twice = await makeWorkbook(join(folder, 'twice.xlsx'), { [sheet]: [header, first, other] });
    const parts = { [sheet]: [header, first], [`${sheet} 2`]: [header, other] };
    const apart = await makeWorkbook(join(folder, 'apart.xlsx'), parts);
    for (const [file, sheets] of [
      [twice, [sheet]],
      // Two sheets of counts are two places, which are added up.
      ...(name === 'stock counts' ? [] : [[apart, Object.keys(parts)] as const]),
    ] as const) {
      const { rows } = await importWorkbook(file, { ...machine(), as: undefined, sheets });
      expect([file, rows.map(({ status }) => status)]).toEqual([file, ['invalid', 'invalid']]);
    }
    expect(service.journal.writes).toEqual([]);
  });

  it('changed by someone else since they were exported are a conflict that shows all three values (9)', async () => {
    const { importWorkbook, exportRecords, machine, folder, service, there } = await open(name);
    if (field.kind === undefined) return;
    const { kind, column, mine, theirs } = field;
    const id = {
      package: there.borrel,
      recipe: there.soup,
      event: there.meeting,
      link: there.link,
      trip: there.trip,
    }[kind];
    const exported = join(folder, 'export.xlsx');
    const period = { from: '2027-02-12', to: '2027-02-12' };
    const what = field.what === 'trips' ? { from: '2027-01-08', to: '2027-01-08' } : period;
    const dated = ['packages', 'recipes'].includes(field.what ?? '') ? {} : what;
    await exportRecords(field.what ?? '', {
      ...serviceOnly(machine()),
      ...dated,
      out: exported,
    });
    service.other.change(kind, id, { [column]: theirs });
    const row = await editRow(
      exported,
      join(folder, 'edited.xlsx'),
      column,
      mine,
      kind === 'link' ? there.meeting : id,
    );
    const options = { ...machine(), out: join(folder, 's.xlsx') };
    const { rows } = await importWorkbook(join(folder, 'edited.xlsx'), options);
    expect(rows.find((one) => one.row === row)).toMatchObject({
      status: 'conflict',
      conflict: [{ field: column, was: field.was, now: theirs, mine }],
    });
    expect(service.journal.writes).toEqual([]);
  });
});

/** What the rows of sheets make or change. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  package: ['Pakketten'],
  recipe: ['Recepten'],
  mutation: ['Voorraadmutaties', 'Voorraadtelling'],
  event: ['Evenementen'],
  link: ['Arrangementen'],
  trip: ['Ritten'],
};

/** Whether a record was changed by a request about it: a link changes its event too. */
const isOwn = ({ journal }: SecondService, { kind, by }: Commit): boolean =>
  kind !== 'event' || !journal.requests[Number(by) - 1]?.endpoint.startsWith('link');

/** Writes another value into a column of the row of a record, as Excel would; answers the row's number. */
async function editRow(from: string, to: string, column: string, value: Cell, id: number): Promise<number> {
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.readFile(from);
  const sheet = workbook.worksheets[0] ?? expect.fail('no sheet');
  const header = (sheet.getRow(1).values as unknown[]).indexOf(column);
  let found = 0;
  sheet.eachRow((row, number) => {
    if (found === 0 && (row.values as unknown[]).includes(id)) found = number;
  });
  sheet.getRow(found).getCell(header).value = value;
  await workbook.xlsx.writeFile(to);
  return found;
}
