import { describe, expect, test } from 'vitest';
import { bookOf, type Grid, layoutOf } from './layout-of.ts';
import type { CellInput } from './sheet-of.ts';

const HEADER = ['ExternalID', 'OmschrijvingIntern', 'Verkoopprijs', 'Actief', 'Inkoop'];
const SOUP: CellInput[] = [600001, 'Tomatensoep', 4.1, 'Ja', 1.05];
const STEW: CellInput[] = [600002, 'Stamppot', 8.2, 'Nee', 2.1];
const ERROR = { error: '#UNCACHED' };

/** What became of a row between two records and below them: the reason it is no record, or its issues. */
async function fateOf(row: CellInput[], after: Grid = []): Promise<string> {
  const layout = await layoutOf(bookOf([HEADER, SOUP, STEW, row, ...after]));
  const [why] = Object.entries(layout.passedOver).find(([, rows]) => rows.includes(4)) ?? [];
  const record = layout.records.find((one) => one.row === 4);
  expect(why === undefined).toBe(record !== undefined);
  return why ?? ['record', ...(record?.issues ?? []).map(({ code }) => code)].join(' ');
}

describe('rows below the records that are none', () => {
  test.each<[string, CellInput[]]>([
    ['total', ['Totaal', null, 12.3]],
    ['total', [null, 'Sub-totaal:', 12.3]],
    ['total', [null, 'Eindtotaal', ERROR]],
    ['total', [null, 'Totaal: 2', 12.3]],
    ['total', [null, null, 12.3, null, null, 'Totaal incl. btw']],
    ['total', [null, null, 'Totaal', null, 3.15]],
    ['sums', [null, null, 12.3, null, 3.15]],
    ['header', HEADER],
    ['remark', ['Prijzen onder voorbehoud']],
    ['remark', [null, null, 'Hoofdgerechten']],
  ])('are passed over as %s: %j', async (why, row) => {
    expect(await fateOf(row)).toBe(why);
  });

  test.each<[string, CellInput[]]>([
    // A record, whatever it is called.
    ['record', [600003, 'Totaalpakket', 12.3]],
    ['record', [600003, 'Feest', 12.3, 'Ja', 'Totaal']],
    // Not plainly a total: the planner asks for a key.
    ['record', [null, 'Totaalpakket', 12.3]],
    ['record', [null, null, 12.4]],
    ['record', [null, 'Hoofdgerechten']],
    ['record integer-expected', ['A-100', null, 12.3]],
    ['record error-cell', ['#VALUE!']],
    // Labels of Excel's own, without a key: one hint in the place of all issues.
    ['record total-or-record', [null, 'Totaal', 12.3, null, 'per stuk']],
    ['record total-or-record', [null, 'Soepen Totaal', 12.3]],
    ['record total-or-record', [null, 'Som van Verkoopprijs', 12.4]],
    ['record total-or-record', [150, 'Totaal', 12.3]],
  ])('are not passed over but %s: %j', async (fate, row) => {
    expect(await fateOf(row)).toBe(fate);
  });

  test('a row that says what to do is a record', async () => {
    const asked = [...HEADER, '#action', '#key'];
    const rows = [
      ['Totaal', null, 12.3, null, null, 'create'],
      [150, 'Totaal', 12.3, null, null, 'update'],
      ['Totaal', null, 12.3, null, null, null, 'k1'],
    ];
    const layout = await layoutOf(bookOf([asked, SOUP, STEW, ...rows]));
    expect(layout.passedOver).toEqual({});
    expect(layout.records.map(({ issues }) => issues.map(({ code }) => code))).toEqual([
      [],
      [],
      ['integer-expected'],
      [],
      ['integer-expected'],
    ]);
  });

  test('subtotals are the sums of their own part, and the last one of all', async () => {
    const grid = [
      HEADER,
      SOUP,
      STEW,
      [null, null, 12.3],
      SOUP,
      STEW,
      STEW,
      [null, null, 20.5],
      [null, null, 32.8],
    ];
    const layout = await layoutOf(bookOf(grid));
    expect(layout.passedOver).toEqual({ sums: [4, 8, 9] });
    expect(layout.notes).toEqual(['rows 4, 8, 9 passed over: the sums of the rows above, no record']);
  });
});

describe('rows between the headers and the records', () => {
  test.each<[number[], Grid]>([
    [[2], [['uw nummer', 'naam in de keuken', '€', 'ja/nee']]],
    [[2], [[null, null, '€']]],
    // Not plainly an explanation.
    [[], [['uw nummer', 'naam in de keuken']]],
    [[], [['A-100', 'Erwtensoep', 5]]],
  ])('%j of %j explain the columns', async (rows, below) => {
    const layout = await layoutOf(bookOf([HEADER, ...below, SOUP, STEW]));
    expect(layout.passedOver).toEqual(rows.length === 0 ? {} : { explanation: rows });
    expect(layout.records).toHaveLength(2 + below.length - rows.length);
  });
});

test('what an earlier result says of a row changes nothing', async () => {
  const header = [...HEADER, '#status', '#id', '#message', '#changes', '#at'];
  const said = ['skipped', null, 'no record'];
  const grid = [
    header,
    [null, null, '€', null, null, ...said],
    [...SOUP, 'created', 5001],
    [...STEW, 'created', 5002],
    [...HEADER, ...said],
    ['Totaal', null, 12.3, null, null, ...said],
    [null, null, 12.3, null, null, 'skipped', 77],
    ['Prijzen onder voorbehoud', null, null, null, null, ...said],
  ];
  const { passedOver } = await layoutOf(bookOf(grid));
  expect(passedOver).toEqual({ explanation: [2], header: [5], total: [6], sums: [7], remark: [8] });
});

test('blank rows between are nothing, hidden ones are records like any other and counted', async () => {
  const book = bookOf([HEADER, null, SOUP, null, [null, ' '], STEW, SOUP], 'Pakketten', (number) =>
    number === 3 || number === 6 ? { hidden: true } : {},
  );
  const layout = await layoutOf(book);
  expect(layout.records.map(({ row }) => row)).toEqual([3, 6, 7]);
  expect(layout.notes).toEqual(['2 hidden rows are imported too']);
});
