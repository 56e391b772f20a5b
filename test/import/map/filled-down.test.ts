import { describe, expect, test } from 'vitest';
import type { Row } from '../../../src/core/cell.ts';
import { makeSheet } from '../../../src/files/sheet.ts';
import { bookOf, type Grid, layoutOf } from './layout-of.ts';
import { type CellInput, toCells } from './sheet-of.ts';

const HEADER = ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs', 'Actief'];
const SOUP: CellInput[] = [600001, 'Tomatensoep', 'Buffet', 4.5, false];
const STEW: CellInput[] = [600002, 'Stamppot', 'Buffet', 9, true];
const NA = { error: '#N/A' };
const down = (row: CellInput[], count: number): Grid => Array.from({ length: count }, () => row);
const COUNT = ['ProductID', 'GeteldRekeneenheid', 'MutatieReden'];

describe('rows that hold nothing but what was filled down', () => {
  test.each<[string, Grid, number[]]>([
    ['checkboxes', [HEADER, SOUP, ...down([null, null, null, null, false], 998)], [2]],
    ['checkboxes below one that is ticked', [HEADER, STEW, ...down([null, null, null, null, false], 3)], [2]],
    ['one checkbox at the end', [HEADER, SOUP, [null, null, null, null, false]], [2]],
    ['a word', [HEADER, SOUP, ...down([null, null, null, null, 'Nee'], 4)], [2]],
    ['zeros of formulas, in the key too', [HEADER, SOUP, ...down([0, null, null, 0, null], 4)], [2]],
    ['errors of formulas, in key and name too', [HEADER, SOUP, ...down([NA, NA, NA, null, null], 4)], [2]],
    ['as a CSV has them', [HEADER, SOUP, ...down(['0', '#N/A', null, '0,00', 'ONWAAR'], 4)], [2]],
    ['values of all rows', [HEADER, SOUP, ...down([null, null, 'Buffet', null, 'Ja'], 4)], [2]],
    [
      'before records and between them',
      [
        HEADER,
        ...down([null, null, null, 0, false], 2),
        SOUP,
        ...down([null, null, null, 0, false], 2),
        STEW,
      ],
      [4, 7],
    ],
    [
      'above a total',
      [HEADER, SOUP, STEW, ...down([null, null, null, null, false], 3), ['Totaal', null, null, 13.5]],
      [2, 3],
    ],
    ['in a count', [COUNT, [7001, 3, 'telling'], ...down([null, 0, 'telling'], 5)], [2]],
  ])('are blank: %s', async (_, grid, records) => {
    const layout = await layoutOf(bookOf(grid, grid[0] === COUNT ? 'Voorraadtelling' : 'Pakketten'));
    expect(layout.records.map(({ row }) => row)).toEqual(records);
    expect(layout.notes.join()).toMatch(/taken as blank/);
  });

  test.each<[string, Grid, number]>([
    [
      'a name',
      [HEADER, SOUP, [null, 'Uiensoep', null, null, false], [null, 'Uiensoep', null, null, false]],
      3,
    ],
    ['a key', [HEADER, SOUP, [600003, null, null, null, false], [600003, null, null, null, false]], 3],
    ['a value of its own', [HEADER, SOUP, [null, null, 'Buffet', 12, false], STEW], 3],
    ['the values of one row beside it alone', [HEADER, SOUP, [null, null, 'Buffet', 4.5, false], STEW], 3],
    ['no row beside it', [HEADER, [null, null, null, null, true]], 1],
    [
      'an amount, and no product',
      [COUNT, [7001, 5, 'telling'], [null, 5, 'telling'], [null, 5, 'telling']],
      3,
    ],
    [
      'an action of its own below',
      [
        ['#action', ...HEADER],
        [null, null, null, 'Buffet', null, false],
        ['create', null, null, 'Buffet', null, false],
      ],
      2,
    ],
    ['an error alone', [HEADER, SOUP, [NA, null, null, null, null], STEW], 3],
  ])('are records still with %s', async (_, grid, count) => {
    const layout = await layoutOf(bookOf(grid, grid[0] === COUNT ? 'Voorraadtelling' : 'Pakketten'));
    expect(layout.records).toHaveLength(count);
    expect(layout.notes).toEqual([]);
  });

  test('are told with their number, and known from one batch of rows to the next', async () => {
    const rows = [HEADER, SOUP, ...down([null, null, null, null, false], 3), STEW].map(
      (cells, at): Row => ({ number: at + 1, cells: toCells(cells ?? []) }),
    );
    const sheet = makeSheet('Pakketten', false, async function* () {
      for (const row of rows) yield [row];
    });
    const sheets = [sheet];
    const layout = await layoutOf({
      ...{ file: 'week12.xlsx', format: 'xlsx', sheets },
      [Symbol.iterator]: () => sheets.values(),
    });
    expect(layout.records.map(({ row }) => row)).toEqual([2, 6]);
    expect(layout.notes).toEqual([
      '3 rows from 3 to 5 are taken as blank: they hold only what was filled down, without a key or a name',
    ]);
  });
});
