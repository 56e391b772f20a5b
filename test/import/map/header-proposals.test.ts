import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normaliseHeader } from '../../../src/core/header.ts';
import { meantFields } from '../../../src/import/map/header-meaning.ts';
import { HEADER_WORDS } from '../../../src/import/map/header-words.ts';
import { proposalsOf, proposalTexts, takenHeaders } from '../../../src/import/map/proposed-map.ts';
import { recogniseSheets } from '../../../src/import/map/recognise.ts';
import { allSheets, resources } from '../../../src/resources/registry.ts';
import type { Resource } from '../../../src/schema/resource.ts';
import { bookOf, type Grid, layoutOf } from './layout-of.ts';

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

describe('the table of words', () => {
  test.each(Object.keys(HEADER_WORDS))('names fields of %s that can be filled in, each word once', (name) => {
    const { fields } = kind(name);
    for (const [field, lists] of Object.entries(HEADER_WORDS[name] ?? {})) {
      expect(Object.keys(fields)).toContain(field);
      for (const list of lists) {
        const words = list.split(',').map(normaliseHeader);
        expect(words).not.toContain('');
        expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
      }
    }
  });
});

describe('what an unknown header is proposed for', () => {
  test.each<[string, string, string[]]>([
    ['packages', 'Productnummer', ['Productnummer = ExternalID (600001)']],
    ['packages', 'PRODUCT-NR.', ['PRODUCT-NR. = ExternalID (600001)']],
    ['packages', 'Productnumer', ['Productnumer = ExternalID (600001)']],
    ['packages', 'Kassanummer', ['Kassanummer = ExternalID (600001)']],
    ['stock-count', 'Productnr', ['Productnr = Product.ExternalID (600001)']],
    ['trips', 'Ritnummer', ['Ritnummer = RitID (600001)']],
    ['invoices', 'Factuurnummer', ['Factuurnummer = id (600001)']],
    ['invoices', 'Invoice number', ['Invoice number = id (600001)']],
    ['events', 'Pax', ['Pax = AantalGasten (600001)']],
    ['packages', 'Prijs (€, excl. btw)', ['Prijs (€, excl. btw) = Verkoopprijs (600001)']],
    ['packages', 'Verkoopprijs excl. btw', ['Verkoopprijs excl. btw = Verkoopprijs (600001)']],
    ['packages', 'Verkoop-prijs', ['Verkoop-prijs = Verkoopprijs (600001)']],
    ['packages', 'Inkoopprijs', []],
    ['packages', 'Marge %', []],
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
    ['packages', 'Omschrijving', 'Lunchbuffet', ['Omschrijving = OmschrijvingIntern (Lunchbuffet)']],
    ['packages', 'Artikel', 'Lunchbuffet', ['Artikel = OmschrijvingIntern (Lunchbuffet)']],
    ['packages', 'Categorie', 'Koud', ['Categorie = ProductCategorieID (Koud)']],
    ['packages', 'Prijs', 'op aanvraag', []],
    ['packages', 'Prijs', '34,50', ['Prijs = Verkoopprijs (34,50)']],
    ['packages', 'Beschikbaar', 'ja', ['Beschikbaar = Actief (ja)']],
    ['stock-count', 'Datum', '31-3-2027', ['Datum = DatumTijd (31-3-2027)']],
    ['stock-count', 'Datum', 'maandag', []],
    ['stock-count', 'Geteld door', 'Jan', []],
    ['events', 'Begintijd', '9:00', ['Begintijd = Starttijd (9:00)']],
    ['trips', 'Bestuurder', 'J. de Boer', ['Bestuurder = Chauffeur (J. de Boer)']],
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
      'one header that stands there twice',
      'packages',
      [
        ['ExternalID', 'Prijs', 'Prijs'],
        [7, 1.5, 'geen'],
      ],
      ['? Prijs B and Prijs C: Verkoopprijs'],
    ],
    [
      'a field that the sheet has already',
      'packages',
      [
        ['ExternalID', 'Verkoopprijs', 'Prijs'],
        [7, 1.5, 1.5],
      ],
      [],
    ],
    [
      'a word of two fields, one of which the sheet has',
      'stock-count',
      [
        ['ProductID', 'GeteldProducteenheid', 'Aantal'],
        [7, 2, 3],
      ],
      [],
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
    ['a column without a value', 'packages', [['ExternalID', 'Prijs'], [7]], []],
  ])('%s', async (_, as, grid, expected) => {
    expect(await proposed(grid, { as })).toEqual(expected);
  });
});

describe('a header that names a member of the service’s record', () => {
  test.each<[string, string, string[]]>([
    // The product's own (interface 2.5), which no import takes.
    ['packages', 'Artikelnummer', []],
    ['packages', 'ArtikelnummerExtern', []],
    ['packages', 'Artikelnummer (kassa)', []],
    ['packages', 'artikel-nr.', []],
    ['packages', 'Artikelnumer', []],
    ['packages', 'Artnr', []],
    ['recipes', 'Artikelnummer', []],
    ['recipes', 'Artikelnummer extern', []],
    // That of the product that a row of stock is about.
    ['stock-count', 'Artikelnummer', []],
    ['stock-count', 'ArtikelnummerExtern', []],
    ['stock-mutations', 'Artikelnummer', []],
    ['stock-mutations', 'External ID', ['External ID = Product.ExternalID (600001)']],
    ['arrangements', 'External ID', ['External ID = Event.ExternalID (600001)']],
    // The current total (2.6) is no count, and an event's guests are no packages (2.7).
    ['stock-count', 'Aantal', []],
    ['stock-mutations', 'Aantal', ['? Aantal A: AantalRekeneenheid or AantalProducteenheid']],
    ['arrangements', 'Aantal gasten', []],
    ['packages', 'Uitlekgewicht', []],
    ['recipes', 'Uitlek gewicht', []],
    ['recipes', 'Gewicht kg', ['Gewicht kg = Gewicht (600001)']],
    ['events', 'Factuur-contactpersoon ID', ['Factuur-contactpersoon ID = FactuurContactpersoonID (600001)']],
    ['packages', 'Product Categorie ID', ['Product Categorie ID = ProductCategorieID (600001)']],
  ])('%s: %s is proposed for that member alone', async (as, header, expected) => {
    const grid: Grid = [
      [header, Object.keys(kind(as).fields).at(-1) ?? ''],
      [600_001, null],
    ];
    expect(await proposed(grid, { as })).toEqual(expected);
  });

  // Numbers of suppliers and shops, which are no key either.
  const OTHERS =
    'Artikelcode;Artikel-code;Artikelcodes;Artikel;article code;Article no.;Item number;Item no;Item;SKU;sku code;Productcode;Product code;EAN;EAN-code;EAN 13;Barcode;Bar code;Streepjescode;GTIN;Bestelnummer;Artikelcode (kassa)';
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

  test('is no word for another field in any list of words', () => {
    const words = Object.entries(HEADER_WORDS).flatMap(([name, fields]) =>
      Object.entries(fields).flatMap(([field, lists]) =>
        lists.flatMap((list) => list.split(',').map((word) => ({ name, field, word: word.trim() }))),
      ),
    );
    const others = words.filter(({ name, field, word }) => !meantFields(kind(name), word).includes(field));
    expect(others).toEqual([]);
  });
});

describe('a sheet without known headers', () => {
  const LIST: Grid = [
    ['Prijslijst voorjaar'],
    null,
    ['Productnr', 'Naam', 'Prijs', 'Soort'],
    [600_001, 'Lunchbuffet', '34,50', 'Buffet'],
  ];
  const COLUMNS = [
    'Productnr = ExternalID (600001)',
    'Naam = OmschrijvingIntern (Lunchbuffet)',
    'Prijs = Verkoopprijs (34,50)',
  ];

  test('is told by its words where they are those of one kind', async () => {
    expect(await proposed(LIST)).toEqual(['packages', ...COLUMNS, 'Soort = ProductTypeID (Buffet)']);
  });

  test('is of the kind that its name tells, where the words fit several', async () => {
    const grid = LIST.map((row) => row?.slice(0, 3) ?? null);
    expect(await proposed(grid)).toEqual([]);
    expect(await proposed(grid, { name: 'Recepten 2027' })).toEqual(COLUMNS);
    expect(await proposed(grid, { name: 'Recepten' })).toEqual(COLUMNS);
  });
});

test('the map to copy names each header, and says in both languages what nobody chose', async () => {
  const grid: Grid = [
    ['Productnr', 'Naam\n(keuken)', 'Prijs excl', 'Prijs incl', 'Op; "vrij"', 'Soort'],
    [600_001, 'Soep', 1, 2, 'x', 'Soep'],
  ];
  const found = proposalsOf(await recogniseSheets(bookOf(grid), { resources, only: [], set: [] }));
  expect(found?.map).toBe('Productnr=ExternalID;Naam (keuken)=OmschrijvingIntern;Soort=ProductTypeID');
  const texts = found === undefined ? [] : proposalTexts(found);
  expect(texts.map(({ en }) => en)).toEqual([
    'Pakketten: Prijs excl (C) and Prijs incl (D) may be Verkoopprijs: not chosen, --map "Prijs excl=Verkoopprijs" says which is meant',
    `To use these headers, add --map "${found?.map}"`,
  ]);
  expect(texts[0]?.nl).toContain('Prijs excl (C) en Prijs incl (D) kunnen Verkoopprijs zijn');
});

describe('a proposal changes nothing until it is taken', () => {
  const { fields } = kind('recipes');
  const words = Object.values(HEADER_WORDS.recipes ?? {}).flatMap((lists) =>
    lists.flatMap((list) => list.split(',')),
  );
  const headers = fc.array(
    fc.oneof(
      fc.constantFrom(...Object.keys(fields)),
      fc.constantFrom(...words.map((word) => word.trim())),
      fc.constantFrom('#action', 'Marge', 'Kleur', ''),
    ),
    { minLength: 1, maxLength: 9 },
  );
  const values = fc.array(fc.constantFrom(12, '7', '3,5', 'Soep', 'ja', '31-3-2027', ''), {
    minLength: 9,
    maxLength: 9,
  });

  test('a sheet with headers of any words is read by its exact headers alone, and once taken by those too', async () => {
    await fc.assert(
      fc.asyncProperty(headers, values, async (named, row) => {
        const book = bookOf(
          [
            ['ExternalID', ...named],
            [50_001, ...row],
            [50_002, ...row],
          ],
          'Recepten',
        );
        const wishes = { resources, only: [], set: [] };
        const before = await layoutOf(book);
        const exact = [
          'ExternalID',
          ...named.map((header) =>
            [...Object.keys(fields), '#action'].find(
              (one) => normaliseHeader(one) === normaliseHeader(header),
            ),
          ),
        ];
        expect(Object.values(before.columns)).toEqual(exact.filter((field) => field !== undefined));
        let proposals: readonly string[] = [];
        const names = await takenHeaders(book, wishes, async ({ sheets }) => {
          proposals = sheets.flatMap(({ columns }) =>
            columns.map(({ column, field }) => `${column} ${field}`),
          );
          return true;
        });
        const after = await layoutOf(book, { names });
        const added = Object.entries(after.columns).filter(([letters]) => !(letters in before.columns));
        expect(added.map(([letters, field]) => `${letters} ${field}`).toSorted()).toEqual(
          proposals.toSorted(),
        );
        expect(after.columns).toMatchObject(before.columns);
        expect(await takenHeaders(book, wishes, async () => false)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});
