/** The ids and names of a list. Some names occur twice or nearly so, as in real companies. */
type NamedList = readonly (readonly [id: number, name: string])[];

const named = (first: number, ...names: readonly string[]): NamedList =>
  names.map((name, index) => [first + index, name]);

/** The lines of a table, each with its cells between bars. */
export const table = (text: string): readonly (readonly string[])[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));

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
export const UNITS = table(`
  kilogram   | kg
  gram       | g
  liter      | l
  milliliter | ml
  stuks      | st
  portie     | port
`).map(([RekenEenheid, Afkorting], index) => ({ RekenEenheidID: index + 1, RekenEenheid, Afkorting }));

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

/** The numbers of the lists that the interface does not number. */
export const SANDBOX_DROPDOWNS: Readonly<Record<string, number>> = {
  ...{ producteenheid: 20, bewaaradvies: 30, bewaaradviesdagen: 31, btwmodus: 40 },
  ...{ bron: 41, eventtype: 42, behuizingstype: 43 },
};

/** How a token begins that a sandbox of its own makes: by it the program knows whose lists it asks. */
export const SANDBOX_TOKEN = 'catersheet-sandbox-';

/** Relations 1 to 8 (interface 2.9). */
export const RELATIONS = table(`
  Bakker BV               | Nijkerk    | 91001
  Gemeente Eikenrode      | Eikenrode  | 91002
  Familie Jansen          | Putten     |
  De Vries Advocaten      | Amersfoort | 91004
  Müller & Söhne GmbH     | Kleef      | 91005
  't Hof van Eikenrode    | Eikenrode  |
  Streekziekenhuis De Linde | Ermelo   | 91007
  Jansen Bouw BV          | Barneveld  |
`).map(([Bedrijfsnaam = '', Plaats = '', external], index) => ({
  RelatieID: index + 1,
  DebiteurNummer: String(10_001 + index),
  Bedrijfsnaam,
  Telefoon: `0341-5550${String(index + 1).padStart(2, '0')}`,
  Email: `relatie${index + 1}@example.nl`,
  TypeRelatieID: 1,
  BetalingsTermijn: 30,
  TAVStijl: 1,
  DigitaleFactuur: true,
  ExternalID: Number(external) || null,
  EersteBoekingJaar: 2019 + ((index + 1) % 6),
  EersteBoekingDagMaand: `0${1 + ((index + 1) % 9)}-15`,
  Plaats,
}));

/** Contact persons 1 to 8, one of each relation (interface 2.9). */
export const CONTACTS = table(`
  Marijke |         | Bakker
  Henk    | van den | Berg
  Sanne   |         | Jansen
  Pieter  | de      | Vries
  Jürgen  |         | Müller
  Esmée   | van 't  | Hof
  Daan    |         | Smit
  Sanne   |         | Jansen
`).map(([Voornaam = '', Tussenvoegsel, Achternaam], index) => ({
  ContactpersoonID: index + 1,
  RelatieID: index + 1,
  Voornaam,
  Tussenvoegsel,
  Achternaam,
  Mobiel: `06-5550010${index + 1}`,
  Email: `contact${index + 1}@example.nl`,
  FinancieelContact: index % 2 === 1,
  Land: 'Nederland',
  Voorletters: `${Voornaam.slice(0, 1)}.`,
  MailingOntvangen: true,
}));

/** Locations 1 to 6, where events take place; the interface shows no record of them. */
export const LOCATIONS = table(`
  Hoeve Wilgenoord         | Wilgenlaan    | 1  | 3861 AA | Nijkerk
  Kasteel Eikenrode        | Oprijlaan     | 12 | 3771 BB | Eikenrode
  De Oude Stadszaal        | Markt         | 7a | 3811 CC | Amersfoort
  Strandpaviljoen Zilt     | Strandweg     | 40 | 3841 DD | Harderwijk
  Congrescentrum De Linde  | Stationsplein | 3  | 3851 EE | Ermelo
  Op locatie van de klant  |               |    |         |
`).map(([Locatie = '', Straat = '', Huisnummer = '', Postcode = '', Plaats = ''], index) => ({
  ...{ LocatieID: index + 1, Locatie, Straat, Huisnummer, Postcode, Plaats },
  Actief: true,
}));

/** Arrangements 1 to 20, as they are without an event (interface 2.8). */
export const ARRANGEMENTS = table(`
  Ontvangst met koffie en gebak |   7.5
  Lunchbuffet                   |  18.95
  Lunchbuffet luxe              |  24.5
  Vergaderarrangement dagdeel   |  29.95
  Vergaderarrangement hele dag  |  49.5
  Borrel met hapjes             |  16.25
  Walking dinner                |  47.5
  Barbecue                      |  32.5
  Barbecue luxe                 |  41
  Diner drie gangen             |  44.95
  Diner vier gangen             |  54.95
  Stamppotbuffet                |  22.5
  High tea                      |  26.75
  Koffietafel                   |  19.95
  Bruiloft compleet             | 119
  Drankenpakket 3 uur           |  21
  Drankenpakket 5 uur           |  31.5
  Foodtruck friet               |   8.75
  Late snack                    |   6.95
  Kinderfeest                   |  12.5
`).map(([name, price], index) => ({
  ArrangementID: index + 1,
  ArrangementNaam: name,
  OfferteOmschrijving: `${name}, prijs per persoon`,
  VerkoopPrijs: Number(price),
  Actief: true,
  PartijID: null,
  Aantal: null,
  Datum: null,
}));

const idsOf = <Entry>(list: readonly Entry[] = [], id: keyof Entry): ReadonlySet<number> =>
  new Set(list.map((entry) => Number(entry[id])));

const [relations, contacts] = [idsOf(RELATIONS, 'RelatieID'), idsOf(CONTACTS, 'ContactpersoonID')];
const locations = idsOf(LOCATIONS, 'LocatieID');
/** Anouk Hendriks, Rik Vermeulen, Fatima El Amrani and Joris de Boer: employees have no endpoint. */
const employees = new Set([11, 12, 13, 14]);

/** The ids that a field can have; records that come and go are looked up by their handlers. */
export const REFERENCES: Readonly<Record<string, ReadonlySet<number>>> = {
  ProductTypeID: idsOf(PRODUCT_TYPES, 'ProductTypeID'),
  ProductEenheidWaardeID: idsOf(DROPDOWNS[20], 0),
  RekenEenheidID: idsOf(UNITS, 'RekenEenheidID'),
  SubAfdelingID: idsOf(DEPARTMENTS, 'SubAfdelingID'),
  THTBewaaradviesGeslotenWaardeID: idsOf(DROPDOWNS[30], 0),
  THTBewaaradviesGeopendWaardeID: idsOf(DROPDOWNS[30], 0),
  THTBewaaradviesGeopendDagWaardeID: idsOf(DROPDOWNS[31], 0),
  RelatieID: relations,
  FactuurRelatieID: relations,
  ContactpersoonID: contacts,
  FactuurContactpersoonID: contacts,
  LocatieID: locations,
  CentraleProductieLocatieID: locations,
  BTWModusWaardeID: idsOf(DROPDOWNS[40], 0),
  BronWaardeID: idsOf(DROPDOWNS[41], 0),
  TypeWaardeID: idsOf(DROPDOWNS[42], 0),
  BehuizingstypeWaardeID: idsOf(DROPDOWNS[43], 0),
  CentraalProducerenWaardeID: new Set([1, 2]),
  AccountmanagerID: employees,
  WerknemerID: employees,
  ArrangementID: idsOf(ARRANGEMENTS, 'ArrangementID'),
  MutatieCategorieID: idsOf(DROPDOWNS[49], 0),
  SubtypeRitID: idsOf(DROPDOWNS[96], 0),
  TypeVoertuigID: idsOf(DROPDOWNS[97], 0),
};

const CATEGORY_IDS = idsOf(PRODUCT_CATEGORIES, 'ProductCategorieID');
const UPDATED_CATEGORIES = idsOf(ACTION_CATEGORIES, 'ProductActieCategorieID');

/** The ids that a request takes for ProductCategorieID: an update of a recipe has its own (interface 2.3). */
export const categoriesOf = (kind: 'package' | 'recipe', write: 'create' | 'update'): ReadonlySet<number> =>
  kind === 'recipe' && write === 'update' ? UPDATED_CATEGORIES : CATEGORY_IDS;
