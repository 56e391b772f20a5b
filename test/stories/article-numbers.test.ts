import { expect, test } from 'vitest';
import { openProgram, type Told } from './program.ts';

const SHELF = [
  '--set',
  'WerknemerID=12',
  '--set',
  'DatumTijd=2026-03-31 08:00',
  '--set',
  'MutatieReden=Telling',
];
const WHO = [...SHELF, '--set', 'MutatieCategorieID=4901'];

/** What became of the rows that are told: `3 invalid B3 record-missing 1007 1008`, with the ids that are named. */
const told = ({ rows }: Told): string[] =>
  rows.map(({ row, status, issues = [] }) => {
    const found = issues.map(({ cell, code, message }) =>
      [cell, code, ...(message.match(/\b10\d\d(?= \()|(?<=ProductID )\d+/g) ?? [])].join(' '),
    );
    return [row, status, ...found].join(' ');
  });

/** The program beside a service whose products have article numbers. */
async function openShop() {
  const program = await openProgram();
  const { add } = program.service;
  const make = (name: string, Artikelnummer: string, ArtikelnummerExtern: string | null = null) =>
    add.recipe({ OmschrijvingIntern: name, Artikelnummer, ArtikelnummerExtern, VoorraadProduct: true });
  const ids = {
    zero: make('Tomatensoep', '001001', '8712345678901'),
    plain: make('Mosterdsoep', '1002'),
    letters: make('Pompoensoep', 'SP-20/b', '8712345678902'),
    wrap: make('Wrap zalm', 'W1', 'LEV-7'),
    twin: make('Zalmwrap', 'W2', 'LEV-7'),
  };
  return { ...program, ids };
}

test('a scanner without headers counts by article number, and the same count by ProductID is no second one', async () => {
  const { service, json, write, ids } = await openShop();
  const columns = ['--as', 'stock-count', '--columns', 'Product.Artikelnummer,GeteldRekeneenheid'];
  write('scan.csv', '001001;5', '8712345678902;7', 'W1;2');
  const sent = await json('import', 'scan.csv', ...columns, ...WHO, '--yes');
  expect([sent.code, sent.document.counts]).toMatchObject([0, { read: 3, created: 3 }]);
  const stock = [ids.zero, ids.letters, ids.wrap].map((id) => service.stockTotal(id));
  expect(stock).toEqual([5, 7, 2]);
  const writes = service.journal.writes.length;
  write('numbers.csv', 'ProductID;GeteldRekeneenheid', `${ids.zero};5`);
  const again = await json('import', 'numbers.csv', '--as', 'stock-count', ...WHO, '--yes');
  expect(again.document.counts).toMatchObject({ created: 0, unchanged: 1 });
  expect(service.journal.writes).toHaveLength(writes);
  write('both.csv', 'ProductID;Product.Artikelnummer;GeteldRekeneenheid', `${ids.plain};;1`, ';1002;3');
  const both = await json('import', 'both.csv', '--as', 'stock-count', ...WHO, '--yes');
  expect(both.document.counts).toMatchObject({ created: 0, invalid: 2 });
  expect(told(both.document)).toEqual(['2 invalid A2 counted-twice', '3 invalid B3 counted-twice']);
});

test('a number of no product or of several is an issue that names the near ones, and one that says another product is refused', async () => {
  const { service, json, write, ids } = await openShop();
  write(
    'tel.csv',
    'ProductID;Product.Artikelnummer;GeteldRekeneenheid',
    ';1001;1',
    ';LEV-7;2',
    `${ids.twin};LEV-7;3`,
    `${ids.plain};001001;4`,
    ';sp-20/B;5',
    ';8,71235E+12;6',
  );
  const { document } = await json('import', 'tel.csv', '--as', 'stock-count', ...WHO, '--dry-run');
  expect(told(document)).toEqual([
    '2 invalid B2 record-missing 1007 1008',
    '3 invalid B3 reference-ambiguous 1010 1011',
    '4 create',
    '5 invalid B5 keys-differ 1007',
    '6 invalid B6 record-missing 1009',
    '7 invalid B7 record-missing',
  ]);
  expect(service.journal.writes).toEqual([]);
});

test('mutations by article number are posted once, however their product is named', async () => {
  const { json, write, ids } = await openShop();
  const sheet = async (name: string, head: string, ...rows: readonly string[]) => {
    write(name, `${head};AantalRekeneenheid`, ...rows);
    return (await json('import', name, '--as', 'stock-mutations', ...WHO, '--yes')).document.counts;
  };
  expect(await sheet('a.csv', 'Product.Artikelnummer', '001001;-2')).toMatchObject({ created: 1 });
  expect(await sheet('b.csv', 'ProductID', `${ids.zero};-2`)).toMatchObject({ created: 0, unchanged: 1 });
  expect(await sheet('c.csv', 'Product.Artikelnummer', '8712345678901;-2')).toMatchObject({ unchanged: 1 });
});

test('recipes are found by their article numbers, which are never sent', async () => {
  const { service, json, write, ids } = await openShop();
  write(
    'prijzen.csv',
    'ProductID;Artikelnummer;ArtikelnummerExtern;Verkoopprijs;#action',
    ';001001;;3,50;',
    ';;8712345678902;4,50;',
    ';;LEV-7;5,50;',
    ';1001;;6,50;',
    `${ids.plain};1001;;7,50;`,
    `;W1;;8,50;create`,
  );
  const { document } = await json('import', 'prijzen.csv', '--as', 'recipes', '--yes');
  expect(told(document)).toEqual([
    '4 invalid C4 reference-ambiguous 1010 1011',
    '5 invalid B5 record-missing 1007 1008',
    '6 updated B6 cell-not-sent',
    '7 conflict',
  ]);
  expect(service.recipes.get(ids.zero)).toMatchObject({ Artikelnummer: '001001', Verkoopprijs: 3.5 });
  expect(JSON.stringify(service.journal.writes)).not.toContain('Artikelnummer');
});

test('a header that people use is proposed for it, and nothing takes it in silence', async () => {
  const { json, write } = await openShop();
  write('lijst.csv', 'Artikelnummer;Omschrijving;GeteldRekeneenheid', '001001;Tomatensoep;5');
  const given = ['import', 'lijst.csv', '--as', 'stock-count', ...WHO, '--dry-run'];
  const { document } = await json(...given);
  expect([document.counts, document.map]).toMatchObject([
    { created: 0, invalid: 1 },
    'Artikelnummer=Product.Artikelnummer',
  ]);
  const taken = await json(...given, '--map', 'Artikelnummer=Product.Artikelnummer');
  expect(taken.document.counts).toMatchObject({ created: 1 });
});

test('what a scanner repeats is added up where all of it is of one place', async () => {
  const { service, json, write, ids } = await openShop();
  const columns = ['--as', 'stock-count', '--columns', 'Product.Artikelnummer,GeteldRekeneenheid'];
  const place = ['--set', '#plaats=Koelcel'];
  write('scan.csv', '001001;5', '1002;1', '8712345678901;7', '001001;0,5');
  const plain = await json('import', 'scan.csv', ...columns, ...WHO, '--dry-run');
  expect(told(plain.document)).toEqual([
    '2 invalid A2 counted-twice',
    '3 create',
    '4 invalid A4 counted-twice',
    '5 invalid A5 counted-twice',
  ]);
  for (const sent of [
    { created: 2, skipped: 2 },
    { created: 0, unchanged: 4 },
  ]) {
    const { document } = await json('import', 'scan.csv', ...columns, ...WHO, ...place, '--yes');
    expect(document.counts).toMatchObject(sent);
    expect([service.stockTotal(ids.zero), service.stockTotal(ids.plain)]).toEqual([12.5, 1]);
  }
  expect(service.mutations.all()).toHaveLength(2);
  // A row that can't be read lacks in the sum of its product.
  write('bad.csv', '001001;5', '001001;veel', '1002;2');
  const bad = await json(
    'import',
    'bad.csv',
    ...columns,
    ...WHO,
    ...place,
    '--set',
    'DatumTijd=2026-04-01 08:00',
    '--yes',
  );
  expect(bad.document.counts).toMatchObject({ created: 1, conflict: 1, invalid: 1 });
});

test('a count sheet of the article numbers in a file shows the Artikelnummer of each', async () => {
  const { service, run, write, read, ids } = await openShop();
  for (const id of [ids.zero, ids.letters]) service.add.stock(id, 3);
  write('plank.csv', 'Artikelnummer', '001001', '8712345678902');
  expect((await run(['export', 'stock', '--file', 'plank.csv', '--out', 'telling.csv'])).code).toBe(0);
  expect(read('telling.csv')).toMatch(
    new RegExp(`${ids.zero};Tomatensoep;001001;.*\\s+${ids.letters};Pompoensoep;SP-20/b;`),
  );
});
