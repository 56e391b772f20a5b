import { expect, test } from 'vitest';
import { readMap } from '../../../src/import/map/header-names.ts';
import { proposalTexts } from '../../../src/import/map/header-proposals.ts';
import { proposalsOf, recogniseSheets } from '../../../src/import/map/recognise.ts';
import { allSheets, resources } from '../../../src/resources/registry.ts';
import { bookOf, type Grid } from './layout-of.ts';

/** What is proposed for a sheet: `Prijs = Verkoopprijs (34,5)`, and `? Geteld: A or B` for what nobody chose. */
async function proposed(as: string, grid: Grid): Promise<string> {
  const options = { resources, only: [], set: [], as: allSheets.find(({ name }) => name === as) };
  const found = proposalsOf(await recogniseSheets(bookOf(grid, 'Blad1'), options));
  return (found?.sheets ?? [])
    .flatMap(({ columns }) =>
      columns.map(({ header, column, fields, isOpen, sample }) =>
        isOpen ? `? ${header} ${column}: ${fields.join(' or ')}` : `${header} = ${fields} (${sample})`,
      ),
    )
    .join();
}

test.each([
  ['packages', 'Productnummer;Kleur', '600001;rood', 'Productnummer = ExternalID (600001)'],
  ['stock-count', 'Productnr;Kleur', '600001;rood', 'Productnr = Product.ExternalID (600001)'],
  ['trips', 'Ritnummer;Kleur', '600001;rood', 'Ritnummer = RitID (600001)'],
  ['invoices', 'Factuurnummer;Kleur', '600001;rood', 'Factuurnummer = id (600001)'],
  ['events', 'ExternalID;Pax', '7;60', 'Pax = AantalGasten (60)'],
  ['packages', 'ExternalID;Prijs (€, excl. btw)', '7;6', 'Prijs (€, excl. btw) = Verkoopprijs (6)'],
  ['packages', 'ExternalID;Omschrijving', '7;600001', ''],
  ['packages', 'ExternalID;Omschrijvng', '7;Lunchbuffet', ''],
  ['recipes', 'ExternalID;Gewicht (g)', '7;250', '? Gewicht (g) B: Gewicht'],
  ['recipes', 'ExternalID;Gewicht (per stuk)', '7;250', 'Gewicht (per stuk) = Gewicht (250)'],
  ['packages', 'ExternalID;Prijs', '7;op aanvraag', ''],
  ['packages', 'ExternalID;Prijs', '7;34,50', 'Prijs = Verkoopprijs (34,50)'],
  ['packages', 'ExternalID;Beschikbaar', '7;ja', 'Beschikbaar = Actief (ja)'],
  ['stock-count', 'ProductID;Datum', '7;31-3-2027', 'Datum = DatumTijd (31-3-2027)'],
  ['events', 'ExternalID;Begintijd', '7;9:00', 'Begintijd = Starttijd (9:00)'],
  // Two columns for one field, one word that fits two, and a number beside the one that it would stand in for.
  [
    'packages',
    'ExternalID;Prijs excl;Prijs incl',
    '7;1.5;1.64',
    '? Prijs excl B: Verkoopprijs,? Prijs incl C: Verkoopprijs',
  ],
  [
    'stock-count',
    'ProductID;Aantal geteld',
    '7;2',
    '? Aantal geteld B: GeteldRekeneenheid or GeteldProducteenheid',
  ],
  ['stock-count', 'ProductID;Productnr', '7;2', ''],
  // Of a member of the service's record only that: the current total (2.6) is no count, and an event's guests are no
  // packages (2.7). By an article number (2.5) a product is found where nothing else names it.
  ['packages', 'Artikelnummer;LMT', '600001', ''],
  ['packages', 'Artikelnr;LMT', '600001', 'Artikelnr = Artikelnummer (600001)'],
  ['packages', 'ExternalID;Artikelnr', '7;600001', ''],
  ['recipes', 'Barcode;LMT', '8712345678906', '? Barcode A: Artikelnummer or ArtikelnummerExtern'],
  ['recipes', 'Code;LMT', '7', '? Code A: ExternalID or Artikelnummer'],
  ['stock-count', 'Artikelnummer;MutatieReden', 'A7', 'Artikelnummer = Product.Artikelnummer (A7)'],
  ['stock-count', 'ProductID;EAN', '7;8712345678906', ''],
  ['stock-mutations', 'External ID;MutatieReden', '600001', 'External ID = Product.ExternalID (600001)'],
  ['stock-count', 'Aantal;MutatieReden', '600001', ''],
  [
    'stock-mutations',
    'Aantal;MutatieReden',
    '600001',
    '? Aantal A: AantalRekeneenheid or AantalProducteenheid',
  ],
  ['arrangements', 'Aantal gasten;Datum', '600001', ''],
  ['packages', 'Uitlekgewicht;LMT', '600001', ''],
])('of %s, %s over %s is proposed for what it is: %s', async (as, header, values, expected) => {
  expect(await proposed(as, [header, values])).toBe(expected);
});

// What shops, suppliers and shelves call it.
const ARTICLES =
  'Artikelnr.;Art.nr.;Art. nr;EAN;EAN-code;Barcode;Streepjescode;Artikelcode;SKU;Productcode;Leverancierscode;Item number';
test.each(ARTICLES.split(';'))('%s is proposed for the article number of a count', async (header) => {
  expect(await proposed('stock-count', [header, 'SP-20'])).toBe(`${header} = Product.Artikelnummer (SP-20)`);
});

test.each([
  ['packages', 'Nr;Omschrijving;Prijs (incl. btw);In gebruik', '600001;Lunch;12,50;ja'],
  ['packages', 'Naam;Soort;Groep;Prijs;In gebruik', 'Lunch;Buffet;Warm;12,50;ja'],
  // Day, times and description are columns of trips too, which no row without a RitID is of.
  ['events', 'Klant;Datum;Van;Tot;Gasten;Omschrijving', 'Bakker;3-3-2027;18:00;23:00;80;Feest'],
])('with the map that is proposed a sheet of %s is imported: %s', async (as, header, values) => {
  const book = { ...bookOf([header, values], 'Blad1'), format: 'csv' as const, delimiter: ';' };
  const options = { resources, known: allSheets, only: [], set: [] };
  const found = proposalsOf(await recogniseSheets(book, options));
  const names = readMap(found?.map ?? '', resources);
  const read = await recogniseSheets(book, { ...options, names });
  expect(read).toMatchObject([{ kind: 'import', mapping: { resource: { name: as } } }]);
});

// The words alone fit a recipe best: taken so, each count would be a product's new name.
test.each([
  ['Telling', 'Product;Code;Geteld;Eenheid', 'Aardappel;7005;12;kg', 'stock-count'],
  ['Pakketten 2027', 'Naam;Nummer;Prijs;Groep', 'Lunch;30001;12,50;Feest', 'packages'],
  ['Blad1', 'Naam;Nummer;Eenheid;Groep', 'Soep;30001;kg;Feest', 'recipes'],
])('a sheet named %s with %s may be what its name says', async (name, header, values, expected) => {
  const found = await recogniseSheets(bookOf([header, values], name), { resources, only: [], set: [] });
  expect(
    found.flatMap((one) => (one.kind === 'skip' ? (one.resource ?? one.mayBe ?? []) : [])),
  ).toMatchObject([{ name: expected }]);
});

test('of a CSV without headers is said how to say them', async () => {
  const options = { resources, only: [], set: [], as: allSheets.find(({ name }) => name === 'packages') };
  const told = async (grid: Grid) => {
    const book = { ...bookOf(grid, 'Blad1'), format: 'csv' as const, delimiter: ';' };
    return (await recogniseSheets(book, options)).map((entry) => entry.kind === 'problem' && entry.reason.nl);
  };
  const record = ['600001', 'Lunch', '12,50'];
  expect(await told([record])).toMatchObject([
    expect.stringContaining('geen koppen: noem de kolommen (--columns)'),
  ]);
  expect(await told(['Kop;Een;Twee', record])).toMatchObject([expect.stringContaining('(--map)')]);
});

test('of a header with a unit is said why it is not proposed: 250 g would be 250 of the field’s own', async () => {
  const options = { resources, only: [], set: [] };
  const found = proposalsOf(
    await recogniseSheets(bookOf(['ExternalID;Gewicht (g)', '7;250'], 'Recepten'), options),
  );
  expect(found && proposalTexts(found).map(({ nl }) => nl)).toEqual([
    'Recepten: Gewicht (g) (B) kan Gewicht zijn, waarvan de eenheid niet wordt omgerekend: zeg welke je bedoelt (--map "Gewicht (g)=Gewicht")',
  ]);
});
