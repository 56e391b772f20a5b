import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { serviceOnly } from '../helpers/service-options.ts';
import { rewriteSheet, type SheetRow } from '../import/baseline/fixtures.ts';
import { type Cell, newPackages, openWorld } from '../promises/world.ts';
import { told, wordsOf } from './told.ts';

const HEADER = [
  '#action',
  'ProductID',
  'ExternalID',
  'OmschrijvingIntern',
  'ProductTypeID',
  'Verkoopprijs',
  'Volume',
];
const row = (name: string | null, price: number | null, more: readonly Cell[] = [null, null, 71_001]) => [
  ...more,
  name,
  1,
  price,
  null,
];

/** Stands for the id of a package called Bier that costs 12, with ExternalID 70. */
const HELD = '@';
const held = (price: number | null, volume: number | null = null): readonly Cell[] => [
  ...[null, HELD, null, null, null, price, volume],
];

test.each([null, 3])(
  'where a service empties what an update does not send, a later row keeps what an earlier one wrote (%s before)',
  async (Volume) => {
    const { service, sheet, machine, importWorkbook } = openWorld({ values: { updateClears: true } });
    // Nothing else that an update could empty: the first one tells nothing.
    const own = { ProductTypeID: 1, OmschrijvingIntern: 'Bier', Verkoopprijs: 12, Actief: false };
    const id = service.add.package({ ...own, Volume });
    const file = sheet([
      ['ProductID', 'Volume', 'InterneOpmerking'],
      [id, 5, null],
      [id, null, 'Koel zetten'],
    ]);
    const { rows, notes } = await importWorkbook(file, { ...machine(), as: 'packages' });
    expect(rows).toMatchObject([{ status: 'updated' }, { status: 'updated' }]);
    expect(notes?.join()).toContain('!3: an update empties the fields that it does not send (Volume)');
    expect(service.packages.get(id)).toMatchObject({ Volume: 5, InterneOpmerking: 'Koel zetten' });
  },
);

test('thousands of rows that change one record alike are planned in seconds, as one update', async () => {
  const { service, sheet, machine, importWorkbook } = openWorld();
  const id = service.add.package({ OmschrijvingIntern: 'Bier', Verkoopprijs: 12, Volume: 1 });
  const alike = ['ProductID', 'OmschrijvingIntern', 'Verkoopprijs', 'Volume', 'Gewicht', 'Offertetekst'];
  const file = sheet([alike, ...Array.from({ length: 9_000 }, () => [id, 'Wijn', 20, 3, 4, 'Een glas'])]);
  const { counts } = await importWorkbook(file, { ...machine(), as: 'packages', dryRun: true });
  expect(counts).toMatchObject({ updated: 1, skipped: 8_999 });
}, 15_000);

describe('of two rows on one record that say otherwise neither is sent, and each names the other’s cell (10)', () => {
  test.each<[string, readonly (readonly Cell[])[], readonly string[]]>([
    [
      'made in two ways, beside another record',
      [row('Soep', 10), row('Brood', 11, [null, null, 71_002]), row('Salade', 12)],
      ['invalid, C2 created-twice', 'created', 'invalid, C4 created-twice'],
    ],
    [
      'made in two ways, and once more as the first',
      [row('Soep', 10), row('Salade', 10), row('Soep', 10)],
      ['invalid, C2 created-twice', 'invalid, C3 created-twice', 'invalid, C4 created-twice'],
    ],
    [
      'made twice alike, which is once',
      [row('Soep', 10), row('Soep', 10)],
      ['created', 'skipped, C3 record-twice'],
    ],
    [
      'made and changed in one file: it is not there to be changed',
      [row('Soep', 10), row('Salade', 12, ['update', null, 71_001])],
      ['created', 'invalid, C3 record-missing'],
    ],
    [
      'given an ExternalID that another row makes a record with',
      [row(null, null, [null, HELD, 71_009]), row('Soep', 10, [null, null, 71_009])],
      ['invalid, B2 created-twice', 'invalid, C3 created-twice'],
    ],
    [
      'deleted and changed',
      [row(null, null, ['delete', HELD, null]), held(13)],
      ['invalid, B2 created-twice', 'invalid, B3 created-twice'],
    ],
    [
      'changed in two ways, one of which is what it holds',
      [held(12), held(13)],
      ['invalid, F2 value-twice', 'invalid, F3 value-twice'],
    ],
    ['changed in two fields', [held(null, 3), held(17)], ['updated', 'updated, B3 record-twice']],
    [
      'named by id and by ExternalID',
      [held(16), row(null, 17, [null, null, 70])],
      ['invalid, F2 value-twice', 'invalid, F3 value-twice'],
    ],
    [
      'saying the same as one that is not sent',
      [
        row('Bouillon', 14, [null, null, 70]),
        row(null, 14, [null, null, 70]),
        row('Salade', null, [null, null, 70]),
      ],
      ['invalid, D2 value-twice', 'updated', 'invalid, D4 value-twice'],
    ],
  ])('%s', async (_, rows, expected) => {
    const { service, sheet, machine, importWorkbook } = openWorld();
    const id = service.add.package({ OmschrijvingIntern: 'Bier', Verkoopprijs: 12, ExternalID: 70 });
    const cells = rows.map((one) => one.map((cell) => (cell === HELD ? id : cell)));
    const done = await importWorkbook(sheet([HEADER, ...cells]), {
      ...machine(),
      as: 'packages',
      allowDelete: true,
    });
    expect(told(done.rows)).toEqual(expected);
    const refused = done.rows.filter(({ status }) => status === 'invalid');
    for (const { row: own } of refused) {
      const others = refused.filter((one) => one.row !== own);
      expect(wordsOf([done.rows[own - 2] ?? expect.fail('no row')])).toMatch(
        new RegExp(others.map((one) => `\\b${one.row}\\b.*`).join('|')),
      );
    }
    // A new record may well have an ExternalID.
    expect(wordsOf(done.rows)).not.toContain('new record');
    const writes = done.counts.created * 2 + done.counts.updated;
    expect(service.journal.ours.length).toBeLessThanOrEqual(writes);
  });

  test('also where they stand many rows apart, and where an arrangement is linked twice', async () => {
    const { service, sheet, machine, importWorkbook } = openWorld();
    const rows = [...newPackages(1300), [900_004, 'Ander', 1, '1']];
    const done = await importWorkbook(sheet(rows), { ...machine(), dryRun: true });
    expect(done.counts).toMatchObject({ created: 1299, invalid: 2 });
    const event = service.add.event();
    const product = service.add.package();
    const header = ['PartijID', 'ArrangementID', 'Aantal', 'Datum'];
    const links = [40, 41].map((amount) => [event, product, amount, '2027-03-05']);
    const linked = await importWorkbook(sheet([header, ...links]), { ...machine(), as: 'arrangements' });
    expect(told(linked.rows)).toEqual(['invalid, B2 created-twice', 'invalid, B3 created-twice']);
    expect(service.journal.writes).toEqual([]);
  });
});

test('a row that was copied in an export and still names its record is an error, and a new record where its keys are empty', async () => {
  const { service, folder, machine, exportRecords, importWorkbook } = openWorld();
  const out = join(folder, 'uit.xlsx');
  await exportRecords('packages', { ...serviceOnly(machine()), out });
  const other = (one: SheetRow = {}): SheetRow => ({
    ...one,
    OmschrijvingIntern: 'Deluxe',
    Verkoopprijs: 60,
  });
  await rewriteSheet(out, 'Pakketten', ([a = {}, b = {}, c = {}]) => [
    ...[a, other(b), b, other(a), { ...a, ProductID: null, Verkoopprijs: 1 }],
    ...[
      { ...c, Verkoopprijs: 61 },
      { ...c, Verkoopprijs: 61 },
    ],
    { ...other(a), ProductID: null, ExternalID: null, '#action': 'create' },
  ]);
  const { rows } = await importWorkbook(out, { ...machine(), out: join(folder, 'r.xlsx') });
  expect(
    rows.map(({ status, issues = [] }) => [status, ...issues.map(({ code }) => code)].join(' ')),
  ).toEqual([
    ...['unchanged', 'invalid price-leaps created-twice', 'unchanged'],
    ...['invalid price-leaps created-twice', 'invalid price-leaps created-twice'],
    ...['updated', 'skipped record-twice', 'created cell-not-sent'],
  ]);
  expect(service.journal.ours.filter(({ what }) => what === 'created')).toHaveLength(1);
  expect(wordsOf(rows)).toContain('Delete one of the two, or correct its key');
});
