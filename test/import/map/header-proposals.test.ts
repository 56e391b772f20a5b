import { describe, expect, test } from 'vitest';
import { proposalsOf } from '../../../src/import/map/proposed-map.ts';
import { recogniseSheets } from '../../../src/import/map/recognise.ts';
import { allSheets, resources } from '../../../src/resources/registry.ts';
import type { Resource } from '../../../src/schema/resource.ts';
import { bookOf, type Grid } from './layout-of.ts';

const kind = (name: string): Resource => {
  const found = allSheets.find((one) => one.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};

interface Wanted {
  readonly as?: string;
  readonly name?: string;
}

/** What is proposed for a sheet: `Prijs = Verkoopprijs (34,5)`, and `? Geteld: A or B` for what nobody chose. */
async function proposed(grid: Grid, { as, name = 'Blad1' }: Wanted = {}): Promise<string[]> {
  const options = { resources, only: [], set: [], as: as === undefined ? undefined : kind(as) };
  const found = proposalsOf(await recogniseSheets(bookOf(grid, name), options));
  return (found?.sheets ?? []).flatMap(({ resource, columns, undecided }) => [
    ...(as === undefined && name === 'Blad1' ? [resource] : []),
    ...columns.map(({ header, field, sample }) => `${header} = ${field} (${sample})`),
    ...undecided.map(
      ({ headers, fields }) =>
        `? ${headers.map(({ header, column }) => `${header} ${column}`).join(' and ')}: ${fields.join(' or ')}`,
    ),
  ]);
}

describe('what an unknown header is proposed for', () => {
  test.each<[string, string, string[]]>([
    ['packages', 'Productnummer', ['Productnummer = ExternalID (600001)']],
    ['stock-count', 'Productnr', ['Productnr = Product.ExternalID (600001)']],
    ['trips', 'Ritnummer', ['Ritnummer = RitID (600001)']],
    ['invoices', 'Factuurnummer', ['Factuurnummer = id (600001)']],
    ['events', 'Pax', ['Pax = AantalGasten (600001)']],
    ['packages', 'Prijs (€, excl. btw)', ['Prijs (€, excl. btw) = Verkoopprijs (600001)']],
    ['packages', 'Omschrijving', []],
  ])('%s: %s over whole numbers', async (as, header, expected) => {
    const keys = kind(as).keys[0] ?? '';
    const own = expected.some((text) => kind(as).keys.some((key) => text.includes(`= ${key}`)));
    const grid: Grid = own
      ? [
          [header, 'Kleur'],
          [600_001, 'rood'],
        ]
      : [
          [header, keys],
          [600_001, 7],
        ];
    expect(await proposed(grid, { as })).toEqual(expected);
  });

  test.each<[string, string, string, string[]]>([
    ['packages', 'Omschrijvng', 'Lunchbuffet', ['Omschrijvng = OmschrijvingIntern (Lunchbuffet)']],
    ['packages', 'Prijs', 'op aanvraag', []],
    ['packages', 'Prijs', '34,50', ['Prijs = Verkoopprijs (34,50)']],
    ['packages', 'Beschikbaar', 'ja', ['Beschikbaar = Actief (ja)']],
    ['stock-count', 'Datum', '31-3-2027', ['Datum = DatumTijd (31-3-2027)']],
    ['events', 'Begintijd', '9:00', ['Begintijd = Starttijd (9:00)']],
  ])('%s: %s over "%s"', async (as, header, value, expected) => {
    const grid: Grid = [
      [kind(as).keys[0] ?? '', header],
      [7, value],
    ];
    expect(await proposed(grid, { as })).toEqual(expected);
  });

  test.each<[string, string, Grid, string[]]>([
    [
      'two columns for one field',
      'packages',
      [
        ['ExternalID', 'Prijs excl', 'Prijs incl'],
        [7, 1.5, 1.64],
      ],
      ['? Prijs excl B and Prijs incl C: Verkoopprijs'],
    ],
    [
      'one word that fits two fields',
      'stock-count',
      [
        ['ProductID', 'Aantal geteld'],
        [7, 2],
      ],
      ['? Aantal geteld B: GeteldRekeneenheid or GeteldProducteenheid'],
    ],
    [
      'a number beside the one that it would stand in for',
      'stock-count',
      [
        ['ProductID', 'Productnr'],
        [7, 2],
      ],
      [],
    ],
  ])('%s', async (_, as, grid, expected) => {
    expect(await proposed(grid, { as })).toEqual(expected);
  });
});

describe('a header that names a member of the service’s record', () => {
  test.each<[string, string, string[]]>([
    // The product's own (interface 2.5), which no import takes.
    ['packages', 'Artikelnummer', []],
    // That of the product that a row of stock is about.
    ['stock-count', 'Artikelnummer', []],
    ['stock-mutations', 'External ID', ['External ID = Product.ExternalID (600001)']],
    // The current total (2.6) is no count, and an event's guests are no packages (2.7).
    ['stock-count', 'Aantal', []],
    ['stock-mutations', 'Aantal', ['? Aantal A: AantalRekeneenheid or AantalProducteenheid']],
    ['arrangements', 'Aantal gasten', []],
    ['packages', 'Uitlekgewicht', []],
  ])('%s: %s is proposed for that member alone', async (as, header, expected) => {
    const grid: Grid = [
      [header, Object.keys(kind(as).fields).at(-1) ?? ''],
      [600_001, null],
    ];
    expect(await proposed(grid, { as })).toEqual(expected);
  });

  // Numbers of suppliers and shops, which are no key either.
  const OTHERS = 'Artikelcode;Item number;SKU;Productcode;EAN-code;Streepjescode;Bestelnummer';
  test.each(OTHERS.split(';'))('and %s, a number of another kind, for none', async (header) => {
    for (const as of ['packages', 'recipes', 'stock-count', 'stock-mutations', 'arrangements', 'events']) {
      const grid: Grid = [
        [header, Object.keys(kind(as).fields).at(-1) ?? ''],
        [600_001, null],
        [8_712_345_678_906, null],
      ];
      expect(await proposed(grid, { as })).toEqual([]);
    }
  });
});
