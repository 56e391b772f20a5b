import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchFolder } from '../workbook/make-workbook.ts';
import { readText, rowsText } from './csv-rows.ts';

/** The rules of RFC 4180, section 2, by their numbers, each with what it asks and, after it, what people make of it. */
const CASES: readonly (readonly [string, string, string])[] = [
  ['1: a record to a line', 'a,b\r\n1,2\r\n', '1 a·b / 2 1·2'],
  ['1: all three', 'a,b\r\n1,2\r3,4\n5,6', '1 a·b / 2 1·2 / 3 3·4 / 4 5·6'],
  ['1: blank lines keep their numbers', 'a,b\r\n\r\n\r\n1,2', '1 a·b / 4 1·2'],
  ['2: no line end after the last record', 'a,b\r\n1,2', '1 a·b / 2 1·2'],
  ['2: the end of a DOS file', 'a,b\r\n1,2\r\n\x1a', '1 a·b / 2 1·2'],
  ['3: a line end in a header', '"naam\r\nkort",prijs\r\n1,2', '1 naam\nkort·prijs / 2 1·2'],
  ['4: spaces are part of a field', ' a , b\r\n 1, 2 ', '1  a · b / 2  1· 2 '],
  ['4: empty fields', 'a,b,c\r\n,,3\r\n1,,\r\n,,', '1 a·b·c / 2 ··3 / 3 1'],
  ['4: records with fewer and more fields', 'a,b\r\n1\r\n2,3,4', '1 a·b / 2 1 / 3 2·3·4'],
  ['5: an empty quoted field', 'a,b\r\n"",""\r\n"",x', '1 a·b / 3 ·x'],
  ['5: a quote inside a plain field', 'maat,b\r\n12" pan,2', '1 maat·b / 2 12" pan·2'],
  ['5: a space before a quote', 'a,b\r\nx, "y"\r\n', '1 a·b / 2 x·y'],
  ['5: blanks before a quoted separator', 'a,b\r\n5, \t"y, z" ', '1 a·b / 2 5·y, z'],
  ['6: quotes over separators and line ends', 'a,b\r\n"x,\r\n,""y"", z",2', '1 a·b / 2 x,\n,"y", z·2'],
  ['7: doubled quotes', 'a,b\r\n"12"" pan",2', '1 a·b / 2 12" pan·2'],
  ['7: at begin and end', 'a,b\r\n"""x""","y"""', '1 a·b / 2 "x"·y"'],
  ['7: quotes not doubled', 'a,b\r\n"12" pan",2\r\n3,4', '1 a·b / 2 12" pan·2 / 3 3·4'],
  [
    '7: text after a quoted one',
    'a,b\r\n"Soep" van de dag,2\r\n3,4',
    '1 a·b / 2 "Soep" van de dag·2 / 3 3·4',
  ],
  ['7: quotes not doubled, many of them', 'a,b\r\n"8" of 9" bord",2', '1 a·b / 2 8" of 9" bord·2'],
];

describe('CSV by RFC 4180', () => {
  const folder = scratchFolder();

  test.each(CASES)('is read with %s', async (_, text, rows) => {
    expect(rowsText((await readText(join(folder, 'a.csv'), text, { delimiter: ',' })).rows)).toBe(rows);
  });

  test.each(CASES)('is read with %s, between semicolons', async (_, text, rows) => {
    const swapped = (one: string): string => one.replace(/[,;]/g, (letter) => (letter === ',' ? ';' : ','));
    const read = await readText(join(folder, 'b.csv'), swapped(text), { delimiter: ';' });
    expect(rowsText(read.rows)).toBe(swapped(rows));
  });
});
