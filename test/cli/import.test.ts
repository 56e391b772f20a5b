import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeWorkbook, PACKAGE_HEADER, readBack } from '../helpers/make-workbook.ts';
import { hasProgram } from '../helpers/run-cli.ts';
import { openTestService } from '../helpers/test-service.ts';

test.skipIf(!hasProgram)(
  'the real program plans a workbook without a write, sends it once, gives it back with its outcomes, and then finds it unchanged',
  async () => {
    const service = await openTestService();
    const rows = [[...PACKAGE_HEADER], [600_000, 'Soep – “op maat”', 1, 4.1, true]];
    await makeWorkbook(join(service.folder, 'kaart.xlsx'), {
      Pakketten: [['Lijst voorjaar 2027'], [], ...rows],
    });
    const run = async (...flags: string[]) => {
      const { code, document } = await service.runJson(['import', 'kaart.xlsx', ...flags], { own: true });
      expect([code, document.counts.read]).toEqual([0, 1]);
      return document.counts;
    };
    expect(await run('--dry-run', '--out', 'plan.xlsx')).toMatchObject({ created: 1 });
    const { requests } = await service.log();
    expect(requests.map(({ endpoint }) => endpoint)).not.toContain('packages.create');
    expect(await run('--yes', '--out', 'r.xlsx')).toMatchObject({ created: 1 });
    const soup = (await service.records('package')).find(({ ExternalID }) => ExternalID === 600_000);
    expect(soup).toMatchObject({ OmschrijvingIntern: 'Soep – “op maat”', Verkoopprijs: 4.1 });
    const result = (await readBack(join(service.folder, 'r.xlsx'))).get('Pakketten');
    expect([...(result?.get(3)?.values() ?? [])].slice(-5)).toEqual(
      '#status #id #message #changes #at'.split(' '),
    );
    expect(result?.get(4)?.get(6)).toBe('created');
    expect(await run('--yes')).toMatchObject({ unchanged: 1 });
  },
);

test('wrong cells are named by their addresses, warned ones stop under --strict, and --set fills what a column lacks', async () => {
  const { folder, records, runJson } = await openTestService();
  const lines = [
    `${PACKAGE_HEADER.filter((name) => name !== 'ProductTypeID').join(';')};ProductCategorieID`,
    '600001;goed;12,5;Ja;Salades',
    '600002;fout;abc;misschien;Salade',
    '600003;twijfel;1.234;x;1',
    ';zonder sleutel;3;;',
  ];
  writeFileSync(join(folder, 'a.csv'), lines.join('\n'));
  const given = ['import', 'a.csv', '--as', 'packages', '--set', 'ProductTypeID=2'];
  const strict = await runJson([...given, '--dry-run', '--strict']);
  expect([strict.code, strict.document.counts]).toMatchObject([5, { created: 1, invalid: 3 }]);
  const { code, document } = await runJson([...given, '--yes']);
  expect([code, document.counts]).toMatchObject([5, { read: 4, created: 2, invalid: 2 }]);
  expect(document.rows.map(({ issues = [] }) => issues.map((one) => `${one.cell} ${one.code}`))).toEqual([
    [],
    ['C3 number-expected', 'D3 boolean-expected', 'E3 lookup-unknown'],
    ['C4 number-grouping'],
    ['A5 key-not-given'],
  ]);
  const good = (await records('package')).find(({ ExternalID }) => ExternalID === 600_001);
  expect(good).toMatchObject({ ProductTypeID: 2, ProductCategorieID: 2 });
});

const HEAD = 'ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs';
const SOUP = '0620001;Tomatensoep;1;4,10';

test('a text is read as it is meant, or as its flags say, and how is said', async () => {
  const { folder, runJson } = await openTestService();
  const read = async (name: string, text: string | Buffer, flags: string, counts: object, said = /^$/) => {
    writeFileSync(join(folder, name), text);
    const { document } = await runJson(['import', name, '--dry-run', ...flags.split(' ')]);
    expect(document.counts).toMatchObject(counts);
    const notes = [...(document.notes ?? []), ...document.sheets.flatMap((sheet) => sheet.notes ?? [])];
    expect(notes.join('; ')).toMatch(said);
  };
  const [quoted, stray] = ['610002;"Bord 12" diep;1;8,20', '610003;"Brood;wit;1;9,20'];
  const text = [HEAD, SOUP, quoted, stray, '610004;"Ui; met ""kaas""";1;3'].join('\r\n');
  await read('kassa.csv', text, '--as packages', { read: 4, created: 3, invalid: 1 });
  const old = Buffer.from(`${HEAD}\r\n620001;Cr\x8ame br\x96l\x82e;1;4,10\r\n`, 'latin1');
  const overrule = /Read as cp850, as in "Crème", separated by ; \(--encoding, --delimiter\)/;
  await read('kassa.csv', old, '--as packages', { created: 1 }, overrule);
  await read(
    'kassa.csv',
    Buffer.from(
      `Prijslijst|a|b|c\r\n\r\nNr|${HEAD.replaceAll(';', '|')}\r\n1|6|Cr\xe8me; fris|1|4,10`,
      'latin1',
    ),
    '--as packages --header-row 3 --encoding windows-1252 --delimiter |',
    { read: 1, created: 1 },
    /the headers are in row 3.*columns not used: Nr/,
  );
  const tabs = Buffer.from(`\ufeff${HEAD}\r\n${SOUP}`.replaceAll(';', '\t'), 'utf16le');
  await read('kassa.xls', tabs, '--as packages', { created: 1 }, /separated by tabs, not a w/);
  const columns = '--as packages --columns ExternalID,-,omschrijvingintern,ProductTypeID,Verkoopprijs';
  await read(
    'kassa.csv',
    SOUP.replace(';', ';8712345;'),
    columns,
    { read: 1, created: 1 },
    /those that were given/,
  );
});

test('of a text without headers flags that can’t be meant so end with 2 and a way out, and send nothing', async () => {
  const { folder, run, log } = await openTestService();
  writeFileSync(join(folder, 'scan.csv'), '1;2\r\n3;4\r\n');
  for (const [flags, said] of [
    ['--columns ProductID,Geteldrekeneenheit --as stock-count', /look like it: GeteldRekeneenheid/],
    ['--columns ProductID --as stock-count', /Name each column in order/],
    ['--columns ProductID,-,GeteldRekeneenheid --as stock-count', /--delimiter/],
    ['--columns ProductID,GeteldRekeneenheid --header-row 1', /Leave one of the two out/],
    ['--header-row 9 --as packages', /row/],
    ['--map Prijs=Verkoop --as packages', /"Prijs" is to stand for Verkoop/],
    ['--encoding ebcdic', /ebcdic/],
  ] as const) {
    const { code, stderr } = await run(['import', 'scan.csv', '--yes', ...flags.split(' ')]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(said)]);
  }
  expect((await log()).requests).toEqual([]);
});
