import { describe, expect, test } from 'vitest';
import type { RecognisedSheet } from '../../../src/import/map/recognise.ts';
import { recogniseSheets } from '../../../src/import/map/recognise.ts';
import type { SheetChoice } from '../../../src/import/map/sheet-choices.ts';
import { resources } from '../../../src/resources/registry.ts';
import { bookOf, type Grid, layoutOf } from './layout-of.ts';

const PRICES: Grid = [
  'ExternalID;OmschrijvingIntern;Verkoopprijs;Nieuwe prijs;Kleur',
  '600001;Lunchbuffet;12.5;13.5;rood',
  '600002;Borrelplank;9;9.5;blauw',
];

const TITLED: Grid = [
  'Prijslijst voorjaar',
  'Catering Jansen;;concept',
  null,
  null,
  'Code;Wat;Bedrag',
  '600001;Lunchbuffet;12.5',
];

/** What a sheet comes to with choices: `packages 1: A ExternalID, …`, or why it is not imported. */
async function taken(grid: Grid, choice: Omit<SheetChoice, 'sheet'>, name = 'Pakketten'): Promise<string> {
  const [entry] = await recognised(grid, [{ sheet: name, ...choice }], name);
  if (entry?.kind === 'skip') return entry.reason.en;
  if (entry?.kind === 'problem') return entry.reason.en;
  const { resource, header, columns } = await layoutOf(bookOf(grid, name), {
    choices: [{ sheet: name, ...choice }],
  });
  const fields = Object.entries(columns).map(([letters, field]) => `${letters} ${field}`);
  return `${resource} ${header}: ${fields.join(', ')}`;
}

const recognised = (
  grid: Grid,
  choices: readonly SheetChoice[],
  name = 'Pakketten',
): Promise<RecognisedSheet[]> =>
  recogniseSheets(bookOf(grid, name), { resources, only: [], set: [], choices });

describe('what is chosen overrules what is found', () => {
  test.each<[string, Grid, string, Omit<SheetChoice, 'sheet'>, string]>([
    [
      'nothing said',
      PRICES,
      'Pakketten',
      {},
      'packages 1: A ExternalID, B OmschrijvingIntern, C Verkoopprijs',
    ],
    [
      'a column in the place of the one that was found',
      PRICES,
      'Pakketten',
      { columns: [{ column: 4, field: 'Verkoopprijs' }] },
      'packages 1: A ExternalID, B OmschrijvingIntern, D Verkoopprijs',
    ],
    [
      'a column that is not used',
      PRICES,
      'Pakketten',
      { columns: [{ column: 3, field: null }] },
      'packages 1: A ExternalID, B OmschrijvingIntern',
    ],
    ['a sheet that is left out', PRICES, 'Pakketten', { as: null }, 'left out'],
    [
      'a header row below titles, with columns of the user’s own words',
      TITLED,
      'Blad1',
      {
        as: 'packages',
        headerRow: 5,
        columns: [
          { column: 1, field: 'ExternalID' },
          { column: 2, field: 'OmschrijvingIntern' },
          { column: 3, field: 'Verkoopprijs' },
        ],
      },
      'packages 5: A ExternalID, B OmschrijvingIntern, C Verkoopprijs',
    ],
    [
      'a column without a header',
      ['ExternalID;;Verkoopprijs', '600001;Lunchbuffet;12.5'],
      'Pakketten',
      { columns: [{ column: 2, field: 'OmschrijvingIntern' }] },
      'packages 1: A ExternalID, B OmschrijvingIntern, C Verkoopprijs',
    ],
  ])('%s', async (_, grid, name, choice, expected) => {
    expect(await taken(grid, choice, name)).toBe(expected);
  });

  test('the headers once more below are known by what was chosen', async () => {
    const [header, ...rows] = PRICES;
    const grid = [header ?? null, ...rows, header ?? null, '600003;Soep;4;5;groen'];
    const choices = [{ sheet: 'Pakketten', columns: [{ column: 4, field: 'Verkoopprijs' }] }];
    const { records, passedOver } = await layoutOf(bookOf(grid), { choices });
    expect(records.map(({ values, issues }) => [values.Verkoopprijs, issues.length])).toEqual([
      [13.5, 0],
      [9.5, 0],
      [5, 0],
    ]);
    expect(passedOver).toEqual({ header: [4] });
  });
});

describe('a choice that can’t be', () => {
  test.each<[string, readonly SheetChoice[], string, string]>([
    [
      'a kind of sheet that is not there',
      [{ sheet: 'Pakketten', as: 'package' }],
      'Sheet Pakketten was chosen as package, and there is no such kind of sheet.',
      'Names that look like it: packages.',
    ],
    [
      'a field that its resource lacks',
      [{ sheet: 'Pakketten', columns: [{ column: 28, field: 'Verkoopprij' }] }],
      'Column AB of sheet Pakketten was chosen as Verkoopprij, and Pakketten has no such column.',
      'Names that look like it: Verkoopprijs.',
    ],
  ])('%s stops with what is there', async (_, choices, message, next) => {
    await expect(recognised(PRICES, choices)).rejects.toMatchObject({
      exit: 2,
      message,
      next: expect.stringContaining(next),
    });
  });

  test('a sheet of which no column is used is a problem, and so is a row that holds no header', async () => {
    const grid = ['ExternalID', '600001'];
    expect(await taken(grid, { columns: [{ column: 1, field: null }] })).toBe(
      'No column of sheet Pakketten is used',
    );
    expect(await taken(PRICES, { headerRow: 3 })).toMatch(/^Row 3 of sheet Pakketten names no column/);
    expect(await taken([], { as: 'packages' })).toBe('Sheet Pakketten was chosen and is not imported: empty');
  });
});
