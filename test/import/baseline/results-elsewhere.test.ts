import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT } from '../../../src/core/errors.ts';
import { cellsOf } from '../../helpers/cells-of.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { openWorld } from '../../promises/world.ts';
import { told, wordsOf } from '../../records/told.ts';

const STOCK = 'ProductID;AantalRekeneenheid;WerknemerID;DatumTijd;MutatieCategorieID;MutatieReden';
const stock = (product: number): string => `${product};2;7;2026-01-05 10:00;4902;Gevonden`;
const PACKAGES = [
  '#action;ProductTypeID;OmschrijvingIntern;Verkoopprijs',
  ...[1, 2, 3, 4].map((at) => `create;1;Lunch ${at};${at}`),
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

test.each([true, false])(
  'a row of a result that was edited is an update of its record, one that was posted a conflict, one that was cleared is sent anew, and a copy invalid, on its own ledger: %s',
  async (own) => {
    const { service, folder, sheet, machine, importWorkbook } = openWorld();
    const [product = 0] = service.recipes.entries().map(([id]) => id);
    let copied = '';
    const edits: [string, readonly string[], (row: Cells, at: number) => Cells, string, RegExp][] = [
      [
        'packages',
        PACKAGES,
        (row, at) => {
          if (at === 2) copied = row['#id'] ?? '';
          if (at === 3) return { '#id': copied };
          return at === 0 ? { Verkoopprijs: '7' } : {};
        },
        // Elsewhere nothing tells which record the copied number stands for.
        own ? 'update unchanged invalid invalid' : 'update unchanged unchanged conflict',
        own ? /of the same record/ : /#id/,
      ],
      [
        'stock-mutations',
        [STOCK, stock(product), stock(product), stock(product)],
        (_, at) =>
          [{ AantalRekeneenheid: '5' }, { AantalRekeneenheid: '5', '#status': '', '#id': '' }, {}][at] ?? {},
        // A CSV does not tell another ledger what was posted.
        own ? 'conflict create unchanged' : 'unchanged create unchanged',
        own ? /clear (both|#status and #id)/ : /^/,
      ],
    ];
    for (const [as, lines, change, expected, words] of edits) {
      const options = { ...machine(), as };
      const out = join(folder, `${as}.csv`);
      const done = await importWorkbook(sheet(cellsOf(lines)), { ...options, out });
      expect(done.counts.created).toBe(lines.length - 1);
      edit(out, change);
      const there = own ? options : { ...machine(), as };
      const { rows } = await importWorkbook(out, { ...there, dryRun: true, out: join(folder, 's.csv') });
      expect(rows.map(({ status }) => status).join(' ')).toBe(expected);
      expect(wordsOf(rows)).toMatch(words);
    }
  },
);

test('a row with an outcome that says nothing of its service is about the record of its number and name, or not sent unasked', async () => {
  const { service, sheet, machine, importWorkbook } = openWorld();
  const there = (name: string, ExternalID: number | null = null) =>
    service.add.package({ OmschrijvingIntern: name, ProductTypeID: 1, Verkoopprijs: 18.75, ExternalID });
  /** Rows behind `create;` and the keys: name, type, price, status and id; and what becomes of each. */
  const rows: readonly (readonly [row: string, became: string, words?: RegExp])[] = [
    [`create;;;Borrel;1;18,75;created;${there('Borrel')}`, 'unchanged'],
    [`create;;;Brunch;1;19;created;${there('Brunch')}`, 'update'],
    [`create;;;Feest;1;19;created;${there('Diner')}`, 'conflict', /"Diner"/],
    // Its number is gone, its answer was lost, it was not sent, it was a dry run.
    ['create;;;Soep;1;1;created;', 'unchanged'],
    ['create;;;Brood;1;1;unknown;', 'unknown'],
    ['create;;;Kaas;1;1;not sent;', 'create'],
    ['create;;;Melk;1;1;create;', 'create'],
    [`;${there('Taart')};;Taart;1;1;updated;${there('Thee')}`, 'invalid'],
    [`;;199;Ontbijt;1;1;created;${there('Ontbijt', 104)}`, 'conflict', /ExternalID 104/],
    [
      'create;;;Hapje;1;1;created;4711',
      'invalid',
      /it is no longer there: delete the row, or clear #status and #id/,
    ],
  ];
  const header = '#action;ProductID;ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs;#status;#id';
  const imported = (lines: readonly string[]) =>
    importWorkbook(sheet(cellsOf([header, ...lines])), { ...machine(), as: 'packages', dryRun: true });
  const done = await imported(rows.map(([row]) => row));
  expect(done.rows.map(({ status }) => status)).toEqual(rows.map(([, became]) => became));
  for (const [at, [, , words = /^/]] of rows.entries())
    expect(wordsOf(done.rows.slice(at, at + 1))).toMatch(words);
  // Where #status and #id are the user's own.
  expect(told((await imported(['create;;;Boter;1;1;besteld;7'])).rows)).toEqual(['create']);
});

test('a result is not imported by another name of the service, which might post it twice, unless that is said', async () => {
  const { service, folder, machine, importWorkbook } = openWorld();
  const [product = 0] = service.recipes.entries().map(([id]) => id);
  const file = await makeWorkbook(join(folder, 'in.xlsx'), {
    Voorraadmutaties: cellsOf([STOCK, stock(product)]),
  });
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

test('a file with the result of a run beside it that is not known here is not imported, and that result repeats nothing (16)', async () => {
  const { service, folder, sheet, machine, importWorkbook } = openWorld();
  const [product = 0] = service.recipes.entries().map(([id]) => id);
  for (const [as, rows] of [
    ['packages', PACKAGES],
    ['stock-mutations', [STOCK, stock(product)]],
  ] as const) {
    const file = join(folder, `${as}.csv`);
    renameSync(sheet(cellsOf(rows)), file);
    const [{ out: _, ...here }, { out: __, ...there }] = [machine(), machine()];
    // What a dry run says was not sent.
    await importWorkbook(file, { ...here, as, dryRun: true });
    expect((await importWorkbook(file, { ...there, as, dryRun: true })).exit).toBe(EXIT.ok);
    const { result } = await importWorkbook(file, { ...here, as });
    const { length } = service.journal.writes;
    await expect(importWorkbook(file, { ...there, as })).rejects.toMatchObject({
      exit: EXIT.usage,
      next: expect.stringContaining('Import that result'),
    });
    const again = await importWorkbook(String(result), { ...there, as });
    expect(again.counts).toMatchObject({ created: 0, unchanged: rows.length - 1 });
    expect(service.journal.writes).toHaveLength(length);
  }
});
