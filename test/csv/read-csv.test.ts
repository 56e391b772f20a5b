import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readWorkbook } from '../../src/workbook/read-workbook.ts';
import { scratchFolder } from '../workbook/make-workbook.ts';
import { readText, rowsText } from './csv-rows.ts';

type Rows = Record<number, string[]>;

const folder = scratchFolder();

const readRows = async (content: string | Buffer, options = {}, name = 'telling.csv'): Promise<Rows> =>
  (await readText(join(folder, name), content, options)).rows;

const CASES: readonly (readonly [string, string | Buffer, string, object?])[] = [
  ['blank lines keep their numbers', 'a;b\n\n;\n1;2\n\n', '1 a·b / 4 1·2'],
  [
    'UTF-16 without a mark, given',
    Buffer.from('a;b\nZoë;2', 'utf16le'),
    '1 a·b / 2 Zoë·2',
    { encoding: 'utf-16le' },
  ],
  ['only line ends', '\n\n\n', ''],
];

describe('a CSV', () => {
  test.each(CASES.map(([name, content, rows, options]) => ({ name, content, rows, options })))(
    '$name',
    async (one) => {
      expect(rowsText(await readRows(one.content, one.options))).toBe(one.rows);
    },
  );

  test.each<[string, string | Buffer]>([
    ['kassa.xls', Buffer.from('\ufeffID\tNaam\r\n1\tCrème brûlée', 'utf16le')],
    ['kassa-2.XLS', 'ID\tNaam\n1\tCrème brûlée\n'],
    ['kassa.xlsm', Buffer.from('ID;Naam\r\n1;Cr\xe8me br\xfbl\xe9e\r\n', 'latin1')],
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

  test('is read with records over the edges of chunks', async () => {
    const rows = Array.from({ length: 15_000 }, (_, at) => [`é${at}`, `"${at % 7 === 0 ? 'x\r\ny' : 'z'}"`]);
    const read = await readRows(rows.map((row) => row.join(';')).join('\r\n'));
    expect(Object.keys(read)).toHaveLength(15_000);
    for (const [at, [name = '', text = '']] of rows.entries()) {
      if (read[at + 1]?.[0] !== name || read[at + 1]?.[1] !== text.slice(1, -1).replace('\r', ''))
        throw new Error(`row ${at + 1} is wrong`);
    }
  });
});
