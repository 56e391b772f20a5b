import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { readWorkbook } from '../../src/workbook/read-workbook.ts';
import { scratchFolder } from '../workbook/make-workbook.ts';

type Rows = Record<number, string[]>;

const folder = scratchFolder();

async function readRows(content: string | Buffer, options = {}, name = 'telling.csv'): Promise<Rows> {
  writeFileSync(join(folder, name), content);
  const rows: Rows = {};
  for (const sheet of await readWorkbook(join(folder, name), options)) {
    for await (const { number, cells } of sheet.rows) {
      const row: string[] = [];
      for (const { column, value } of cells) row[column - 1] = String(value);
      rows[number] = Array.from(row, (value) => value ?? '');
    }
  }
  return rows;
}

const CASES: readonly (readonly [string, string | Buffer, Rows, object?])[] = [
  ['semicolons', 'ID;Naam\n1;Soep\n', { 1: ['ID', 'Naam'], 2: ['1', 'Soep'] }],
  ['commas', 'ID,Naam\n1,Soep', { 1: ['ID', 'Naam'], 2: ['1', 'Soep'] }],
  ['tabs', 'ID\tNaam\n1\tSoep, groot', { 1: ['ID', 'Naam'], 2: ['1', 'Soep, groot'] }],
  ['pipes', 'ID|Naam\n1|Soep; groot', { 1: ['ID', 'Naam'], 2: ['1', 'Soep; groot'] }],
  [
    'semicolons with decimal commas',
    'ID;Prijs;Gewicht\n1;1,50;2,5\n2;3,75;1,5\n',
    { 1: ['ID', 'Prijs', 'Gewicht'], 2: ['1', '1,50', '2,5'], 3: ['2', '3,75', '1,5'] },
  ],
  ['one column', 'Naam\nSoep\n', { 1: ['Naam'], 2: ['Soep'] }],
  [
    'a title above the headers',
    'Telling, week 12\n\nID;Naam\n1;Soep\n2;Brood\n',
    { 1: ['Telling, week 12'], 3: ['ID', 'Naam'], 4: ['1', 'Soep'], 5: ['2', 'Brood'] },
  ],
  ['a separator that is given', 'a,b;c\n1,2;3', { 1: ['a', 'b;c'], 2: ['1', '2;3'] }, { delimiter: ',' }],
  ['a sep= line', 'sep=|\r\na,b|c\r\n1|2', { 1: ['a,b', 'c'], 2: ['1', '2'] }],
  ['CRLF', 'a;b\r\n1;2\r\n', { 1: ['a', 'b'], 2: ['1', '2'] }],
  ['CR alone', 'a;b\r1;2\r', { 1: ['a', 'b'], 2: ['1', '2'] }],
  ['mixed line ends', 'a;b\r\n1;2\n3;4\r5;6', { 1: ['a', 'b'], 2: ['1', '2'], 3: ['3', '4'], 4: ['5', '6'] }],
  [
    'quotes, doubled quotes, quoted separators',
    '"a ""x""";"b;c"\n"";"d"\n',
    { 1: ['a "x"', 'b;c'], 2: ['', 'd'] },
  ],
  [
    'quoted newlines count as one record',
    'a;b\n"x\r\ny";1\nz;2',
    { 1: ['a', 'b'], 2: ['x\ny', '1'], 3: ['z', '2'] },
  ],
  ['blank lines keep their numbers', 'a;b\n\n;\n1;2\n\n', { 1: ['a', 'b'], 4: ['1', '2'] }],
  ['ragged rows', 'a;b\n1;2;3\n4\n', { 1: ['a', 'b'], 2: ['1', '2', '3'], 3: ['4'] }],
  ['spaces are kept', ' a ;b\n 1;2 ', { 1: [' a ', 'b'], 2: [' 1', '2 '] }],
  ['a quote inside a plain field', 'maat;naam\n12" pan;x\n', { 1: ['maat', 'naam'], 2: ['12" pan', 'x'] }],
  ['a byte order mark', '\ufeffa;b\n1;é', { 1: ['a', 'b'], 2: ['1', 'é'] }],
  [
    'Windows-1252',
    Buffer.from('naam;prijs\nZo\xeb;\x80 5\x85\n', 'latin1'),
    { 1: ['naam', 'prijs'], 2: ['Zoë', '€ 5…'] },
  ],
  [
    'Windows-1252 that is given',
    Buffer.from('naam\nZo\xeb\n', 'latin1'),
    { 1: ['naam'], 2: ['Zoë'] },
    { encoding: 'Windows-1252' },
  ],
  [
    'UTF-16 little-endian',
    Buffer.from('\ufeffa\tb\r\nZoë\t2', 'utf16le'),
    { 1: ['a', 'b'], 2: ['Zoë', '2'] },
  ],
  [
    'UTF-16 big-endian',
    Buffer.from('\ufeffa;b\nZoë;2', 'utf16le').swap16(),
    { 1: ['a', 'b'], 2: ['Zoë', '2'] },
  ],
  [
    'UTF-16 without a mark, given',
    Buffer.from('a;b\nZoë;2', 'utf16le'),
    { 1: ['a', 'b'], 2: ['Zoë', '2'] },
    { encoding: 'utf-16le' },
  ],
  ['only line ends', '\n\n\n', {}],
];

describe('a CSV', () => {
  test.each(CASES.map(([name, content, rows, options]) => ({ name, content, rows, options })))(
    '$name',
    async (one) => {
      expect(await readRows(one.content, one.options)).toEqual(one.rows);
    },
  );

  test.each<[string, string | Buffer]>([
    ['kassa.xls', Buffer.from('\ufeffID\tNaam\r\n1\tCrème brûlée', 'utf16le')],
    ['kassa.xlsx', Buffer.from('ID\tNaam\r\n1\tCreme brulee', 'utf16le')],
    ['kassa-2.XLS', 'ID\tNaam\n1\tCrème brûlée\n'],
    ['kassa.xlsm', Buffer.from('ID;Naam\r\n1;Cr\xe8me br\xfbl\xe9e\r\n', 'latin1')],
    ['kassa.ods', 'ID|Naam\n1|Crème brûlée\n'],
  ])('is read as what it is under the name of a workbook: %s', async (name, content) => {
    const rows = await readRows(content, {}, name);
    expect(rows[1]).toEqual(['ID', 'Naam']);
    expect(rows[2]?.join(' ')).toMatch(/^1 Cr[eè]me br[uû]l[eé]e$/);
  });

  test('is a sheet named after the file, and tells its separator', async () => {
    writeFileSync(join(folder, 'telling week 12.txt'), 'a|b\n1|2\n');
    const workbook = await readWorkbook(join(folder, 'telling week 12.txt'));
    expect(workbook).toMatchObject({ format: 'csv', delimiter: '|' });
    expect(workbook.sheets.map(({ name, hidden }) => [name, hidden])).toEqual([['telling week 12', false]]);
  });

  test('is read as papaparse wrote it', async () => {
    const field = fc.string({
      unit: fc.constantFrom('a', 'é', '"', ';', ',', '\n', ' ', '😀'),
      maxLength: 6,
    });
    const table = fc.array(fc.tuple(fc.constant('x'), field, field, fc.constant('z')), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const read = await readRows(Papa.unparse(rows, { delimiter: ';' }), { delimiter: ';' });
        expect(Object.values(read)).toEqual(rows.map((row) => [...row]));
      }),
    );
  });

  test('is read with records over the edges of chunks', async () => {
    const rows = Array.from({ length: 40_000 }, (_, at) => [`é${at}`, `"${at % 7 === 0 ? 'x\r\ny' : 'z'}"`]);
    const read = await readRows(rows.map((row) => row.join(';')).join('\r\n'));
    expect(Object.keys(read)).toHaveLength(40_000);
    for (const [at, [name = '', text = '']] of rows.entries()) {
      if (read[at + 1]?.[0] !== name || read[at + 1]?.[1] !== text.slice(1, -1).replace('\r', ''))
        throw new Error(`row ${at + 1} is wrong`);
    }
  });
});
