import { describe, expect, test } from 'vitest';
import { bookOf, type Grid, layoutOf } from './layout-of.ts';
import type { CellInput } from './sheet-of.ts';

const HEADER = ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs', 'Actief'];
const SOUP: CellInput[] = [600001, 'Tomatensoep', 'Buffet', 4.5, false];
const STEW: CellInput[] = [600002, 'Stamppot', 'Buffet', 9, true];
const NA = { error: '#N/A' };
const down = (row: CellInput[], count: number): Grid => Array.from({ length: count }, () => row);
const COUNT = ['ProductID', 'GeteldRekeneenheid', 'MutatieReden'];

describe('rows that hold nothing but what was filled down', () => {
  test.each<[string, Grid, number[]]>([
    ['checkboxes', [HEADER, SOUP, ...down([null, null, null, null, false], 998)], [2]],
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
  ])('are records still with %s', async (_, grid, count) => {
    const layout = await layoutOf(bookOf(grid, grid[0] === COUNT ? 'Voorraadtelling' : 'Pakketten'));
    expect(layout.records).toHaveLength(count);
    expect(layout.notes).toEqual([]);
  });
});
