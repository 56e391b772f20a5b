import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/core/errors.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { type Cell, openWorld } from '../../promises/world.ts';
import { wordsOf } from '../../records/told.ts';

const STOCK = [
  'ProductID',
  'AantalRekeneenheid',
  'WerknemerID',
  'DatumTijd',
  'MutatieCategorieID',
  'MutatieReden',
];
const stock = (product: number): Cell[] => [product, 2, 7, '2026-01-05 10:00', 4902, 'Gevonden'];
const PACKAGES: readonly (readonly Cell[])[] = [
  ['#action', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'],
  ['create', 1, 'Lunch 1', 1],
  ['create', 1, 'Lunch 2', 2],
];

type Cells = Readonly<Record<string, string>>;

/** Edits the columns of a result before `#message`, whose rows are one line each. */
function edit(file: string, change: (row: Cells, at: number) => Cells): string {
  const [head = '', ...lines] = readFileSync(file, 'utf8').replace('\ufeff', '').trim().split('\r\n');
  const header = head.split(';');
  const edited = lines.map((line, at) => {
    const cells = line.split(';');
    const row = Object.fromEntries(header.map((name, column) => [name, cells[column] ?? '']));
    for (const [name, value] of Object.entries(change(row, at))) cells[header.indexOf(name)] = value;
    return cells.join(';');
  });
  writeFileSync(file, [head, ...edited].join('\r\n'));
  return file;
}

describe.each([true, false])('a row of a result that was edited, on its own ledger: %s', (own) => {
  let first: Cells = {};
  test.each<[string, string, (row: Cells, at: number) => Cells, string, RegExp]>([
    [
      'is an update of the record with its #id, also without a key',
      'packages',
      (_, at) => (at === 0 ? { Verkoopprijs: '7' } : {}),
      'update unchanged',
      /^/,
    ],
    [
      'is a conflict where it was posted, as that can’t be changed',
      'stock-mutations',
      (_, at) => (at === 0 ? { AantalRekeneenheid: '5' } : {}),
      'conflict unchanged',
      /clear (both|#status and #id)/,
    ],
    [
      'is sent anew once #status and #id are cleared',
      'stock-mutations',
      (_, at) => (at === 0 ? { AantalRekeneenheid: '5', '#status': '', '#id': '' } : {}),
      'create unchanged',
      /^/,
    ],
    [
      'is invalid with the row that it was copied from',
      'packages',
      (row, at) => {
        if (at === 0) first = row;
        return at === 0 ? {} : { '#id': first['#id'] ?? '' };
      },
      'invalid invalid',
      /one row for each record/,
    ],
  ])('%s', async (_, as, change, expected, words) => {
    const { service, folder, sheet, machine, importWorkbook } = openWorld();
    const [product = 0] = service.recipes.entries().map(([id]) => id);
    const rows = as === 'packages' ? PACKAGES : [STOCK, stock(product), stock(product)];
    const options = { ...machine(), as };
    const out = join(folder, 'r.csv');
    expect((await importWorkbook(sheet(rows), { ...options, out })).counts.created).toBe(2);
    edit(out, change);
    const there = own ? options : { ...machine(), as };
    const done = await importWorkbook(out, { ...there, dryRun: true, out: join(folder, 's.csv') });
    const statuses = done.rows.map(({ status }) => status).join(' ');
    // A CSV does not tell another ledger what was posted.
    expect(statuses).toBe(own ? expected : expected.replace('conflict', 'unchanged'));
    expect(wordsOf(done.rows)).toMatch(words);
  });
});

describe('a file with outcomes that says nothing of its service', () => {
  const HEADER = [
    '#action',
    'ProductID',
    'ExternalID',
    'OmschrijvingIntern',
    'ProductTypeID',
    'Verkoopprijs',
    '#status',
    '#id',
  ];
  const row = (price: string | number, status: string, id: Cell, name = 'Borrel luxe'): Cell[] => [
    ...['create', null, null, name, 1, price, status, id],
  ];
  test.each<[string, Cell[], string, RegExp?]>([
    ['is about the record of its number and name', row('18,75', 'created', 1001), 'unchanged'],
    ['also with another price', row(19, 'created', 1001), 'update'],
    ['not about a record with another name', row(19, 'created', 1001, 'Feest'), 'conflict', /"Borrel luxe"/],
    ['claims nothing anew where its number is gone', row(1, 'created', null), 'unchanged'],
    ['stays in doubt where its answer was lost', row(1, 'unknown', null), 'unknown'],
    ['is sent where it was not', row(1, 'not sent', null), 'create'],
    ['is sent after a dry run', row(1, 'create', null), 'create'],
    ['is sent where #status and #id are the user’s own', row(1, 'besteld', 7), 'create'],
    ['is about one record, not two', [null, 1002, null, 'Borrel luxe', 1, 1, 'updated', 1001], 'invalid'],
    [
      'not about the record of another ExternalID',
      [null, null, 199, 'Borrel luxe', 1, 1, 'created', 1001],
      'conflict',
      /ExternalID 101/,
    ],
    [
      'is not made again where its record was deleted',
      row(1, 'created', 4711),
      'invalid',
      /it is no longer there: delete the row, or clear #status and #id/,
    ],
  ])('%s', async (_, cells, status, words = /^/) => {
    const { sheet, machine, importWorkbook } = openWorld();
    const { rows } = await importWorkbook(sheet([HEADER, cells]), {
      ...machine(),
      as: 'packages',
      dryRun: true,
    });
    expect(rows.map((one) => one.status)).toEqual([status]);
    expect(wordsOf(rows)).toMatch(words);
  });
});

test('a result is not imported by another name of the service, which might post it twice, unless that is said', async () => {
  const { service, folder, machine, importWorkbook } = openWorld();
  const [product = 0] = service.recipes.entries().map(([id]) => id);
  const file = await makeWorkbook(join(folder, 'in.xlsx'), { Voorraadmutaties: [STOCK, stock(product)] });
  const done = await importWorkbook(file, { ...machine(), out: join(folder, 'r.xlsx') });
  const named = {
    ...machine(),
    baseUrl: 'http://127.0.0.1:3',
    dryRun: true,
    out: join(folder, 's.xlsx'),
  } as const;
  const stopped = importWorkbook(String(done.result), named);
  await expect(stopped).rejects.toMatchObject({
    exit: EXIT.usage,
    message: expect.stringContaining(service.url),
  });
  await expect(stopped).rejects.toThrow(/posted twice/);
  const same = await importWorkbook(String(done.result), { ...named, elsewhere: 'same' });
  expect(same.counts.unchanged).toBe(1);
});

test('a file with its result beside it sends nothing of it again on another ledger, and says so (15)', async () => {
  const { service, folder, sheet, machine, importWorkbook } = openWorld();
  const [product = 0] = service.recipes.entries().map(([id]) => id);
  for (const [as, rows] of [
    ['packages', PACKAGES],
    ['stock-mutations', [STOCK, stock(product)]],
  ] as const) {
    const file = join(folder, `${as}.csv`);
    renameSync(sheet(rows), file);
    const [{ out: _, ...here }, { out: __, ...there }] = [machine(), machine()];
    await importWorkbook(file, { ...here, as });
    const { length } = service.journal.writes;
    const again = await importWorkbook(file, { ...there, as });
    expect(again.counts).toMatchObject({ created: 0, unchanged: rows.length - 1 });
    expect(again.notes?.join()).toContain('beside this file, is of a run that is not known here');
    expect(service.journal.writes).toHaveLength(length);
  }
});
