/** The ids and names of a list. Some names occur twice or nearly so, as in real companies. */
type NamedList = readonly (readonly [id: number, name: string])[];

const named = (first: number, ...names: readonly string[]): NamedList =>
  names.map((name, index) => [first + index, name]);

/** Types of products. */
export const PRODUCT_TYPES = named(1, 'Buffet', 'Arrangement', 'Los gerecht', 'Recept').map(([id, name]) => ({
  ProductTypeID: id,
  ProductType: name,
  VerkoopCategorieID: 10 + id,
}));

const CATEGORIES = named(
  1,
  'Soepen',
  'Salades',
  'Barbecue',
  'Buffetten',
  'Vleesgerechten',
  'Visgerechten',
  'Desserts',
  'Hapjes koud',
  'Hapjes warm',
  'Feestdagen',
  'Dranken',
  'Dranken',
);

/** The group that tells the two categories of drinks apart. */
const GROUPS: Readonly<Record<number, string>> = { 11: 'Alcoholvrij', 12: 'Bar' };

/** Categories of products. */
export const PRODUCT_CATEGORIES = CATEGORIES.map(([id, name]) => ({
  ProductCategorieID: id,
  ProductCategorie: name,
  Groep: GROUPS[id] ?? 'Keuken',
}));

/** What an update of a recipe takes (interface 2.3): the same names by other ids, and two more. */
export const ACTION_CATEGORIES = named(
  101,
  ...CATEGORIES.map(([, name]) => name),
  'Snijden en voorbereiden',
  'Portioneren',
).map(([id, name]) => ({ ProductActieCategorieID: String(id), Omschrijving: name }));

/** Units of calculation. */
export const UNITS = (
  [
    ['kilogram', 'kg'],
    ['gram', 'g'],
    ['liter', 'l'],
    ['milliliter', 'ml'],
    ['stuks', 'st'],
    ['portie', 'port'],
  ] as const
).map(([RekenEenheid, Afkorting], index) => ({ RekenEenheidID: index + 1, RekenEenheid, Afkorting }));

/** Departments that prepare products. */
export const DEPARTMENTS = named(1, 'Warme keuken', 'Koude keuken', 'Patisserie', 'Magazijn', 'Bar').map(
  ([id, name]) => ({ SubAfdelingID: id, SubAfdeling: name, AfdelingID: id < 4 ? 1 : 2 }),
);

/** Dropdown lists by number. The interface gives 49, 96 and 97; the others are this company's. */
export const DROPDOWNS: Readonly<Record<number, NamedList>> = {
  20: named(201, 'stuk', 'schaal', 'bak', 'emmer'),
  30: named(
    301,
    'Gekoeld bewaren, max. 4 °C',
    'Gekoeld bewaren, max. 7 °C',
    'Diepvries, -18 °C',
    'Droog en koel bewaren',
  ),
  31: named(311, '1 dag', '2 dagen', '3 dagen', '5 dagen'),
  40: named(401, 'Inclusief btw', 'Exclusief btw', 'Btw verlegd'),
  41: named(411, 'Website', 'Telefoon', 'Beurs', 'Vaste klant'),
  42: named(421, 'Bruiloft', 'Bedrijfsfeest', 'Congres', 'Uitvaart', 'Jubileum'),
  43: named(431, 'Op locatie, binnen', 'Op locatie, tent', 'Buitenlucht'),
  49: named(4901, 'Telling', 'Derving', 'Correctie', 'Inkoop', 'Intern gebruik'),
  96: named(9601, 'Bezorgen', 'Ophalen', 'Opbouw', 'Afbouw'),
  97: named(9701, 'Bestelbus', 'Bestelbus koel', 'Bakwagen', 'Aanhanger'),
};

/** Employees have no endpoint of their own; stock mutations and account managers name them. */
export const EMPLOYEES = named(11, 'Anouk Hendriks', 'Rik Vermeulen', 'Fatima El Amrani', 'Joris de Boer');

/** The numbers of the lists that the interface does not number. */
export const SANDBOX_DROPDOWNS: Readonly<Record<string, number>> = {
  ...{ producteenheid: 20, bewaaradvies: 30, bewaaradviesdagen: 31, btwmodus: 40 },
  ...{ bron: 41, eventtype: 42, behuizingstype: 43 },
};

/** How a token begins that a sandbox of its own makes: by it the program knows whose lists it asks. */
export const SANDBOX_TOKEN = 'catersheet-sandbox-';
