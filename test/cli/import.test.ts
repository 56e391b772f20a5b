import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeWorkbook, PACKAGE_HEADER, packageRows, readBack } from '../helpers/make-workbook.ts';
import { hasProgram } from '../helpers/run-cli.ts';
import { openTestService } from '../helpers/test-service.ts';

const RECIPE_HEADER = [
  'ExternalID',
  'OmschrijvingIntern',
  'ProductCategorieID',
  'ProductEenheidWaardeID',
  'Gewicht',
  'OPK',
];

test.skipIf(!hasProgram)(
  'the real program plans a workbook without a write, sends it once, gives it back with its outcomes, and then finds it unchanged',
  async () => {
    const service = await openTestService();
    await makeWorkbook(join(service.folder, 'kaart.xlsx'), {
      Pakketten: [...packageRows(2)],
      Recepten: [
        ['Receptenlijst voorjaar 2027'],
        [],
        RECIPE_HEADER,
        [500_000, 'Soep – “op maat”', 'Soepen', 201, 0.5, 4],
      ],
    });
    const run = async (...flags: string[]) => {
      const { code, document } = await service.runJson(['import', 'kaart.xlsx', ...flags], { own: true });
      expect([code, document.counts.read]).toEqual([0, 3]);
      return document.counts;
    };
    expect(await run('--dry-run', '--out', 'plan.xlsx')).toMatchObject({ created: 3 });
    const { requests } = await service.log();
    expect(requests.filter(({ method, path }) => method !== 'GET' && !path.includes('allModified'))).toEqual(
      [],
    );
    expect(await run('--yes', '--out', 'r.xlsx')).toMatchObject({ created: 3 });
    const soup = (await service.records('recipe')).find(({ ExternalID }) => ExternalID === 500_000);
    expect(soup).toMatchObject({ OmschrijvingIntern: 'Soep – “op maat”', OPK: 4 });
    const recipes = (await readBack(join(service.folder, 'r.xlsx'))).get('Recepten');
    expect([...(recipes?.get(3)?.values() ?? [])].slice(-5)).toEqual(
      '#status #id #message #changes #at'.split(' '),
    );
    expect(recipes?.get(4)?.get(7)).toBe('created');
    expect(await run('--yes')).toMatchObject({ unchanged: 3 });
  },
);

test('wrong cells are named by their addresses, warned ones stop under --strict, and --set fills what a column lacks', async () => {
  const service = await openTestService();
  const file = await makeWorkbook(join(service.folder, 'a.xlsx'), {
    Lijst: [
      [...PACKAGE_HEADER.filter((name) => name !== 'ProductTypeID'), 'ProductCategorieID'],
      [600_001, 'goed', 12.5, 'Ja', 'Salades'],
      [600_002, 'fout', 'abc', 'misschien', 'Salade'],
      [600_003, 'twijfel', '1.234', 'x', 1],
      [null, 'zonder sleutel', 3, '', null],
    ],
  });
  const given = ['import', file, '--as', 'packages', '--set', 'ProductTypeID=2'];
  const strict = await service.runJson([...given, '--dry-run', '--strict', '--out', 's.xlsx']);
  expect([strict.code, strict.document.counts]).toMatchObject([5, { created: 1, invalid: 3 }]);
  const { code, document } = await service.runJson([...given, '--yes']);
  expect([code, document.counts]).toMatchObject([5, { read: 4, created: 2, invalid: 2 }]);
  expect(document.rows.map(({ issues = [] }) => issues.map((one) => `${one.cell} ${one.code}`))).toEqual([
    [],
    ['C3 number-expected', 'D3 boolean-expected', 'E3 lookup-unknown'],
    ['C4 number-grouping'],
    ['A5 key-not-given'],
  ]);
  const good = (await service.records('package')).find(({ ExternalID }) => ExternalID === 600_001);
  expect(good).toMatchObject({ ProductTypeID: 2, ProductCategorieID: 2 });
});

/** What makes a count of a list of products. */
const REST = {
  WerknemerID: '12',
  DatumTijd: '2026-03-31 07:45',
  MutatieCategorieID: 'Telling',
  MutatieReden: 'Week',
};
const HEAD = 'ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs';
const SOUP = '0620001;Tomatensoep;1;4,10';
const TABS = `${HEAD}\r\n${SOUP}`.replaceAll(';', '\t');

/** A text, its flags, what came of its rows, and what is said of how it was read. */
const TEXTS: readonly (readonly [string, string | Buffer, readonly string[], object, RegExp?])[] = [
  [
    'kassa.csv',
    [
      HEAD,
      SOUP,
      '610002;"Bord 12" diep;1;8,20',
      '610003;"Brood;wit;1;9,20',
      '610004;"Ui; met ""kaas""";1;3',
    ].join('\r\n'),
    ['--as', 'packages'],
    { read: 4, created: 3, invalid: 1 },
  ],
  [
    'kassa.csv',
    `"${HEAD}\r\n${SOUP}`,
    ['--as', 'packages'],
    { created: 1 },
    /a stray quote stands among the headers/,
  ],
  [
    'kassa.csv',
    Buffer.from(`${HEAD}\r\n620001;Cr\x8ame br\x96l\x82e;1;4,10\r\n`, 'latin1'),
    ['--as', 'packages'],
    { created: 1 },
    /Read as cp850, as in "Crème", separated by ; \(--encoding and --delimiter overrule\)/,
  ],
  [
    'kassa.csv',
    Buffer.from(
      'Prijslijst|a|b|c\r\n\r\nNr|OmschrijvingIntern|ProductTypeID|ExternalID|Verkoopprijs\r\n1|Cr\xe8me; fris|1|600001|4,10',
      'latin1',
    ),
    '--as packages --header-row 3 --encoding windows-1252 --delimiter |'.split(' '),
    { read: 1, created: 1 },
    /the headers are in row 3.*columns not used: Nr/,
  ],
  ['kassa.csv', `"${HEAD}"\r\n"${SOUP}"`, ['--as', 'packages'], { created: 1 }, /between quotes/],
  [
    'kassa.xls',
    Buffer.from(`\ufeff${TABS}`, 'utf16le'),
    ['--as', 'packages'],
    { created: 1 },
    /separated by tabs, not a w/,
  ],
  [
    'kassa.txt',
    `-----\n|${HEAD}|\n|${SOUP}|\n-----`.replaceAll(';', '|'),
    ['--as', 'packages'],
    { created: 1 },
  ],
  [
    'koelcel.csv',
    'PRODUCT;8712345;41,5\r\n',
    ['--columns', 'ProductID,-,geteldrekeneenheid'],
    { read: 1, created: 1 },
    /those of --columns/,
  ],
  ['koelcel.csv', 'ProductID;GeteldRekeneenheid\r\nPRODUCT;41,5\r\n', [], { read: 1, created: 1 }],
];

test.each(
  TEXTS.map(([name, text, flags, counts, said = /^$/]) => [name, text, flags, counts, said] as const),
)(
  '%s is read as it is meant, which is said, and its result repeats nothing (%#)',
  async (name, text, flags, counts, said) => {
    const { folder, records, runJson } = await openTestService();
    const product = String((await records('recipe'))[0]?.id);
    const isCount = name === 'koelcel.csv';
    writeFileSync(join(folder, name), typeof text === 'string' ? text.replace('PRODUCT', product) : text);
    const set = isCount
      ? Object.entries(REST).flatMap(([field, value]) => ['--set', `${field}=${value}`])
      : [];
    const { document } = await runJson(['import', name, '--yes', ...flags, ...set]);
    expect(document.counts).toMatchObject(counts);
    const notes = [...(document.notes ?? []), ...document.sheets.flatMap((sheet) => sheet.notes ?? [])];
    expect(notes.join('; ')).toMatch(said);
    const more = isCount ? set : ['--as', 'packages'];
    const again = await runJson(['import', document.result, '--yes', ...more]);
    expect(again.document.counts).toMatchObject({ created: 0, updated: 0, read: document.counts.read });
  },
);

test.each([
  ['--columns ProductID,Geteldrekeneenheit --as stock-count', /look like it: GeteldRekeneenheid/],
  ['--columns ProductID --as stock-count', /Name each column in order/],
  ['--columns ProductID,-,GeteldRekeneenheid --as stock-count', /--delimiter/],
  ['--columns ProductID,GeteldRekeneenheid --header-row 1', /Leave one of the two out/],
  ['--header-row 9 --as packages', /row/],
  ['--map Prijs=Verkoop --as packages', /"Prijs" is to stand for Verkoop/],
  ['--encoding ebcdic', /ebcdic/],
])('of a text without headers %s ends with 2 and a way out, and sends nothing', async (flags, said) => {
  const { folder, run, log } = await openTestService();
  writeFileSync(join(folder, 'scan.csv'), '1;2\r\n3;4\r\n');
  const { code, stderr } = await run(['import', 'scan.csv', '--yes', ...flags.split(' ')]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(said)]);
  expect((await log()).requests).toEqual([]);
});
