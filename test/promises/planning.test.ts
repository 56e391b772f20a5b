import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Value } from '../second-service/types.ts';
import { type Cell, onEachLedger, openWorld } from './world.ts';

const HEADER = ['ProductID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs', 'Actief'];

describe('a dry run sends nothing but reads, and shows every change that the import would make (6)', () => {
  test('of packages, recipes and events: old and new are what the service held and holds', async () => {
    const { service, sheet, machine, importWorkbook } = openWorld();
    const borrel = service.add.package({ OmschrijvingIntern: 'Borrel klassiek', Verkoopprijs: 15 });
    const soup = service.add.recipe({ OmschrijvingIntern: 'Uiensoep', OPK: 4 });
    const event = service.add.event({ PartijOmschrijving: 'Ledendag', AantalGasten: 40 });
    const files: [string, readonly (readonly (string | number)[])[]][] = [
      [
        'packages',
        [
          ['ProductID', 'Verkoopprijs'],
          [borrel, '21,5'],
        ],
      ],
      [
        'recipes',
        [
          ['ProductID', 'OmschrijvingIntern', 'OPK'],
          [soup, 'Uiensoep met kaas', 6],
        ],
      ],
      [
        'events',
        [
          ['PartijID', 'AantalGasten'],
          [event, 61],
        ],
      ],
    ];
    for (const [as, rows] of files) {
      const file = sheet(rows);
      const options = { ...machine(), as };
      const planned = await importWorkbook(file, { ...options, dryRun: true });
      expect(service.journal.writes).toEqual([]);
      const before = service.journal.ours.length;
      await importWorkbook(file, options);
      const [commit] = service.journal.ours.slice(before);
      const fields = Object.keys(commit?.after ?? {}).filter(
        (name) => name !== 'LMT' && commit?.before?.[name] !== commit?.after?.[name],
      );
      expect(planned.rows[0]?.changes).toEqual(
        fields.map((field) => ({ field, from: commit?.before?.[field], to: commit?.after?.[field] })),
      );
      expect(fields.length).toBeGreaterThan(0);
      service.journal.requests.length = 0;
    }
  });
});

const MOMENTS = ['Datum', 'Starttijd', 'Eindtijd'];
type Makes = (name: string, value: Value) => Value;
const text =
  (make: (value: string) => Value): Makes =>
  (name, value) =>
    typeof value === 'string' && !MOMENTS.includes(name) ? make(value) : value;
const number =
  (of: string, make: (value: number) => Value): Makes =>
  (name, value) =>
    typeof value === 'number' && name === of ? make(value) : value;
const price = (make: (value: number) => Value): Makes => number('Verkoopprijs', make);
const times =
  (make: (value: string) => Value): Makes =>
  (name, value) =>
    typeof value === 'string' && (name === 'Starttijd' || name === 'Eindtijd') ? make(value) : value;

const SHEETS = {
  packages: {
    changed: 'Verkoopprijs',
    rows: [
      ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs', 'OmschrijvingExtern'],
      [900_001, 'Kaas & ham', 1, '12,375', 'Crème brûlée na'],
      [900_002, 'Borrel luxe', 1, '31', 'met <b>bubbels</b>'],
    ],
  },
  events: {
    changed: 'AantalGasten',
    rows: [
      [
        ...['ExternalID', 'RelatieID', 'ContactpersoonID', 'Datum', 'Starttijd', 'Eindtijd'],
        ...['PartijOmschrijving', 'AantalGasten'],
      ],
      [
        ...[920_001, 4001, 6001, '2027-03-04', '2027-03-04 12:10', '2027-03-04 17:40'],
        ...['Crème brûlée & meer', 83],
      ],
    ],
  },
} satisfies Record<string, { changed: string; rows: Cell[][] }>;

describe('a row that asks for what is there sends nothing, in whatever way the service stores it, and its undo is no conflict (8, 26)', () => {
  test.each<['packages' | 'events', string, Makes]>([
    ['packages', 'all is as it was sent', (_, value) => value],
    ['events', 'times stand on a day of 1899', times((value) => `1899-12-30${value.slice(10)}`)],
    ['events', 'times are cut to the hour', times((value) => `${value.slice(0, 14)}00${value.slice(16)}`)],
    ['events', 'times lose their day', times((value) => value.slice(11))],
    ['events', 'times are late', times((value) => `${value.slice(0, 11)}23${value.slice(13)}`)],
    ['packages', 'prices are texts with a comma', price((value) => value.toFixed(4).replace('.', ','))],
    ['packages', 'prices are texts with a point', price((value) => value.toFixed(4))],
    ['packages', 'prices are rounded up to a half', price((value) => Math.ceil(value * 2) / 2)],
    ['packages', 'prices have tax taken off', price((value) => Math.round((value / 1.09) * 1e4) / 1e4)],
    ['packages', 'prices are cents', price((value) => Math.round(value * 100))],
    ['packages', 'prices below 15 are 15', price((value) => Math.max(value, 15))],
    ['packages', 'texts are in capitals', text((value) => value.toUpperCase())],
    ['packages', 'texts end in a point', text((value) => `${value}.`)],
    ['packages', 'texts have a code before them', text((value) => `[KL] ${value}`)],
    ['packages', 'blanks are underscores', text((value) => value.replaceAll(' ', '_'))],
    ['events', 'accents are gone', text((value) => value.normalize('NFD').replace(/\p{M}/gu, ''))],
    ['packages', 'an ampersand is an entity', text((value) => value.replaceAll('&', '&amp;'))],
    ['packages', 'texts are cut to eight signs', text((value) => value.slice(0, 8))],
    ['packages', 'tags are taken out', text((value) => value.replace(/<[^>]*>/g, ''))],
    ['events', 'a word is struck out', text((value) => value.replace(/brûlée/i, '***'))],
    ['events', 'guests come in tens', number('AantalGasten', (value) => Math.ceil(value / 10) * 10)],
  ])('%s where %s', async (as, _, makes) => {
    const { service, sheet, machine, folder, importWorkbook, planImport, undoRun } = openWorld({
      values: { externalId: 'kept', makes },
      speed: { afterMs: 20 },
    });
    const options = { ...machine(), as };
    const { rows, changed } = SHEETS[as];
    const [header = [], ...records] = rows;
    const file = sheet(rows);
    expect((await importWorkbook(file, options)).counts.created).toBe(records.length);
    const { length } = service.journal.writes;
    const again = await importWorkbook(file, options);
    expect([again.counts.unchanged, service.journal.writes.length]).toEqual([records.length, length]);
    const others = records.map((row) => row.map((cell, at) => (header[at] === changed ? 95 : cell)));
    const { run } = await importWorkbook(sheet([header, ...others]), options);
    const out = join(folder, 'undo.xlsx');
    await undoRun(run, { ...options, out });
    const { rows: undone } = await planImport(out, { ...options, as: undefined });
    expect(undone.map(({ status }) => status)).toEqual(records.map(() => 'update'));
  });
});

onEachLedger(() => {
  describe('what someone else changed after the plan was made is a conflict with all three values, and stays (7, 9)', () => {
    test.each([
      ['packages', 'package', 'ProductID', 'Verkoopprijs', 15, 21.5, 18.25],
      ['recipes', 'recipe', 'ProductID', 'OPK', 4, 6, 5],
      ['events', 'event', 'PartijID', 'AantalGasten', 40, 61, 55],
    ] as const)('of %s', async (as, kind, id, field, was, mine, theirs) => {
      const { service, sheet, machine, planImport, applyPlan } = openWorld();
      const record = service.add[kind]({ [field]: was });
      const { allRows: _, ...options } = machine();
      const { run } = await planImport(
        sheet([
          [id, field],
          [record, String(mine).replace('.', ',')],
        ]),
        { ...options, as },
      );
      service.other.change(kind, record, { [field]: theirs });
      const { rows } = await applyPlan(run, { ...options, allRows: true });
      expect(rows[0]?.status).toBe('conflict');
      const [issue] = rows[0]?.issues ?? [];
      const told = `${issue?.message}`.replaceAll(',', '.');
      for (const value of [was, mine, theirs]) expect(told).toContain(String(value));
      expect(service.journal.writes).toEqual([]);
    });
  });
});

describe('what someone else changed after a CSV was exported is not overwritten unasked (9)', () => {
  const KINDS = [
    ['packages', 'package', 'Verkoopprijs', 15, '21,5', '22,5', 18.25],
    ['recipes', 'recipe', 'OPK', 4, '6', '7', 5],
    ['events', 'event', 'AantalGasten', 40, '61', '62', 55],
    ['trips', 'trip', 'Chauffeur', 'Jan', 'Piet', 'Klaas', 'Bea'],
  ] as const;

  const openExport = async (as: (typeof KINDS)[number][0], field: string) => {
    const { machine, exportRecords, folder, ...world } = openWorld({ company: 'lookups' });
    const { service } = world;
    const options = { ...machine(), as };
    const file = join(folder, 'lijst.csv');
    const export_ = async () => {
      const period = as === 'events' || as === 'trips' ? { from: '2020-01-01', to: '2040-01-01' } : {};
      await exportRecords(as, { ...options, ...period, out: file });
    };
    /** Puts another value in a column of the only row. */
    const edit = (column: string, value: string) => {
      const [header = '', row = ''] = readFileSync(file, 'utf8').split(/\r?\n/);
      const at = header
        .replace(/^\uFEFF/, '')
        .split(';')
        .indexOf(column);
      writeFileSync(file, [header, row.split(';').with(at, value).join(';')].join('\r\n'));
    };
    return { ...world, service, options, file, export_, edit, mine: (value: string) => edit(field, value) };
  };

  test.each(KINDS)(
    'of %s: a conflict that shows both values',
    async (as, kind, field, was, value, _, theirs) => {
      const { service, options, file, export_, mine, importWorkbook, time } = await openExport(as, field);
      const id = service.add[kind]({ [field]: was, Datum: '2027-05-01 00:00:00' });
      await export_();
      await time.sleep(5_000);
      service.other.change(kind, id, { [field]: theirs });
      mine(value);
      const left = await importWorkbook(file, options);
      expect(left.rows.map(({ status }) => status)).toEqual(['conflict']);
      expect(left.rows[0]?.conflict).toEqual([
        { field, now: theirs, mine: as === 'trips' ? value : Number(value.replace(',', '.')) },
      ]);
      expect(service.journal.writes).toEqual([]);
      const theirOwn = await importWorkbook(file, { ...options, onConflict: 'theirs' });
      expect(theirOwn.counts).toMatchObject({ skipped: 1, updated: 0 });
      const sent = await importWorkbook(file, { ...options, onConflict: 'mine' });
      expect(sent.counts).toMatchObject({ updated: 1 });
    },
  );

  test.each(KINDS)(
    'of %s: what the file itself sent is nobody else’s change, and stands in no one’s way',
    async (as, kind, field, was, value, next, theirs) => {
      const { service, options, file, export_, mine, importWorkbook, time } = await openExport(as, field);
      const id = service.add[kind]({ [field]: was, Datum: '2027-05-01 00:00:00' });
      await export_();
      for (const one of [value, next]) {
        await time.sleep(5_000);
        mine(one);
        expect((await importWorkbook(file, options)).counts).toMatchObject({ updated: 1 });
      }
      await time.sleep(5_000);
      service.other.change(kind, id, { [field]: theirs });
      const { rows } = await importWorkbook(file, options);
      expect(rows.map(({ status }) => status)).toEqual(['conflict']);
    },
  );
});

describe('deleting needs #action delete and --allow-delete (11)', () => {
  test.each([
    ['neither', null, false, 'unchanged'],
    ['#action alone', 'delete', false, 'invalid'],
    ['--allow-delete alone', null, true, 'unchanged'],
    ['both', 'delete', true, 'deleted'],
  ] as const)('%s', async (_, action, allowDelete, status) => {
    const { service, sheet, machine, importWorkbook } = openWorld();
    const id = service.add.package({ OmschrijvingIntern: 'Borrel', Verkoopprijs: 15, ProductTypeID: 1 });
    const file = sheet([
      ['#action', ...HEADER],
      [action, id, 'Borrel', 1, '15', null],
    ]);
    const { rows } = await importWorkbook(file, { ...machine(), as: 'packages', allowDelete });
    expect(rows.map((row) => row.status)).toEqual([status]);
    expect(service.journal.ours.filter(({ what }) => what === 'deleted')).toHaveLength(
      status === 'deleted' ? 1 : 0,
    );
  });
});

test('a name is resolved to exactly one id, or is an issue with the nearest names (12)', async () => {
  const { service, sheet, machine, importWorkbook } = openWorld();
  const [type, name] = [3, 'Ingrediënt'];
  const file = sheet([
    ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'],
    [900_001, 'Lunch', name.toUpperCase(), '12,5'],
    [900_002, 'Brunch', `${name}x`, '12,5'],
  ]);
  const { rows } = await importWorkbook(file, machine());
  expect(rows.map(({ status }) => status)).toEqual(['created', 'invalid']);
  expect(rows[1]?.issues?.[0]?.message).toContain(name);
  expect(service.journal.of('package.create').map(({ body }) => body)).toMatchObject([
    { ProductTypeID: type },
  ]);
});
