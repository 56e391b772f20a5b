import { describe, expect, test } from 'vitest';
import { bookOf, type Grid, type Layout, layoutOf } from './layout-of.ts';
import type { CellInput } from './sheet-of.ts';

const HEADER = ['ExternalID', 'OmschrijvingIntern', 'Verkoopprijs', 'Actief'];
const SOUP: CellInput[] = [600001, 'Tomatensoep', 4.5, 'Ja'];
const STEW: CellInput[] = [600002, 'Stamppot', 8.5, 'Ja'];
const SOUP_READ = { ExternalID: 600001, OmschrijvingIntern: 'Tomatensoep', Verkoopprijs: 4.5, Actief: true };

/** What became of each row: the fields read of it, its issues, or why it is no record. */
function fates({ records, passedOver }: Layout): Record<number, string> {
  const read = records.map(({ row, values, issues }): [number, string] => [
    row,
    issues.length > 0
      ? issues
          .map(({ code, hint }) => `${code} ${typeof hint === 'object' ? hint.en : (hint ?? '')}`)
          .join(', ')
      : Object.keys(values).join(' '),
  ]);
  const none = Object.entries(passedOver).flatMap(([why, rows]) =>
    rows.map((row): [number, string] => [row, why]),
  );
  return Object.fromEntries([...read, ...none]);
}

const ALL = HEADER.join(' ');
const SWAPPED = ['ExternalID', 'Verkoopprijs', 'OmschrijvingIntern', 'Actief'];

describe('a table below another', () => {
  test.each<[string, Grid, Record<number, string>]>([
    [
      'with its columns in another order',
      [HEADER, SOUP, null, SWAPPED, [600003, 1, 'Soep', 'Ja'], ['Totaal', 1]],
      { 2: ALL, 4: 'second-header 4', 5: 'second-header 4', 6: 'second-header 4' },
    ],
    [
      'with a column more',
      [HEADER, SOUP, [...HEADER, 'Volume'], [...STEW, 3]],
      { 2: ALL, 3: 'second-header 3', 4: 'second-header 3' },
    ],
    [
      'beside the columns of the first',
      [
        HEADER,
        SOUP,
        null,
        [null, null, null, null, null, ...HEADER],
        [null, null, null, null, null, ...STEW],
      ],
      { 2: ALL, 4: 'second-header 4', 5: 'second-header 4' },
    ],
    [
      'and the first one once more',
      [HEADER, SOUP, SWAPPED, [600003, 1, 'Soep', 'Ja'], HEADER, STEW],
      { 2: ALL, 3: 'second-header 3', 4: 'second-header 3', 5: 'header', 6: ALL },
    ],
    [
      'of which no column counts',
      [HEADER, SOUP, ['Leverancier', 'Telefoon'], STEW],
      { 2: ALL, 3: expect.stringMatching(/^integer-expected fill in your own number/), 4: ALL },
    ],
    // Records that are called as columns are, or have a legend beside them.
    [
      'which is none: a record of odd texts',
      [
        [...HEADER, 'OmschrijvingExtern'],
        [600001, 'Volume', 4.5, 'Ja', 'Actief'],
      ],
      { 2: `${ALL} OmschrijvingExtern` },
    ],
    [
      'which is none: a legend beside the records',
      [HEADER, SOUP, [...STEW, null, 'Verkoopprijs', 'Volume'], SOUP],
      { 2: ALL, 3: expect.stringContaining('cell-beyond-header'), 4: ALL },
    ],
  ])('is told apart: %s', async (_, grid, expected) => {
    expect(fates(await layoutOf(bookOf(grid)))).toEqual(expected);
  });
});

describe('a table above the one with the most columns', () => {
  const MORE = [...HEADER, 'Volume'];

  test('goes first, and the rows of neither are lost', async () => {
    const layout = await layoutOf(bookOf([HEADER, SOUP, null, MORE, [...STEW, 3]]));
    expect(layout.header).toBe('1');
    expect(layout.records[0]?.values).toEqual(SOUP_READ);
    expect(fates(layout)).toEqual({ 2: ALL, 4: 'second-header 4', 5: 'second-header 4' });
  });

  test('is passed by where --header-row says so, and named', async () => {
    const layout = await layoutOf(bookOf([HEADER, SOUP, MORE, [...STEW, 3]]), { headerRow: 3 });
    expect(layout.header).toBe('3');
    expect(layout.notes).toContain(
      'row 2 above the headers in row 3 not read (--header-row names another row)',
    );
  });
});
