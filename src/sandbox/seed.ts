import type { Values } from '../core/value.ts';
import { CONTACTS, LOCATIONS, RELATIONS, table } from './company.ts';
import { type Store, type StoredRecord, wallText } from './store.ts';

/** A record before it is written. */
type Seeded = Pick<StoredRecord, 'id' | 'values'>;

const euros = (amount: number): number => Math.round(amount * 100) / 100;

const STYLES: readonly (readonly [style: string, factor: number])[] = [
  ['Klassiek', 1],
  ['Hollands', 0.95],
  ['Vegetarisch', 0.9],
  ['Luxe', 1.4],
  ['Royaal', 1.25],
];

/** Packages 5001 to 5030 with ExternalID 30001 to 30030: each meal in each style. */
const PACKAGES: readonly Seeded[] = table(`
  Kerstbuffet    | 10 | 34.5
  Lunchbuffet    |  4 | 18.75
  Barbecue       |  3 | 29.95
  Walking dinner |  8 | 42.5
  High tea       |  7 | 24.95
  Borrelpakket   |  9 | 14.5
`).flatMap(([meal = '', category, price], index) =>
  STYLES.map(([style, factor], turn): Seeded => {
    const number = index * STYLES.length + turn + 1;
    return {
      id: 5000 + number,
      values: {
        ExternalID: 30_000 + number,
        Actief: number % 11 !== 0,
        ProductTypeID: 1 + (index % 3),
        OmschrijvingIntern: `${meal} ${style}`,
        Artikelnummer: `P-${5000 + number}`,
        OmschrijvingExtern: `${style} ${meal.toLowerCase()}`,
        ProductCategorieID: Number(category),
        Offertetekst: turn % 2 === 0 ? 'Prijs per persoon, exclusief btw.' : null,
        InterneOpmerking: number % 7 === 0 ? 'recept nakijken' : null,
        Volume: turn === 3 ? 2.25 : null,
        Verkoopprijs: euros(Number(price) * factor),
        OpnemenInOfferte: true,
        OnderdelenInOfferte: turn === 3,
        OfferteCategorieTonen: index % 2 === 0,
      },
    };
  }),
);

/** Recipes 7001 to 7030 with ExternalID 50001 to 50030; every second one is kept in stock. */
const RECIPES: readonly Seeded[] = table(`
  Tomatensoep               |  1
  Mosterdsoep               |  1
  Pompoensoep               |  1
  Aardappelsalade           |  2
  Rundvleessalade           |  2
  Couscoussalade            |  2
  Kipsaté                   |  3
  Spareribs                 |  3
  Hamburger                 |  3
  Lasagne                   |  4
  Zuurkoolstamppot          |  4
  Boerenkoolstamppot        |  4
  Stoofvlees                |  5
  Biefstukpuntjes           |  5
  Kalkoenrollade            |  5
  Zalmfilet                 |  6
  Kabeljauw met mosterdsaus |  6
  Garnalencocktail          |  6
  Appeltaart                |  7
  Bavarois                  |  7
  Crème brûlée              |  7
  Gevuld ei                 |  8
  Wrap gerookte zalm        |  8
  Zalmwrap                  |  8
  Bitterbal                 |  9
  Bitterballen vegan        |  9
  Mini-quiche               |  9
  Kerststol                 | 10
  Verse jus d’orange        | 11
  Huiscocktail              | 12
`).map(([name = '', categories], index) => {
  const [number, category] = [index + 1, Number(categories)];
  return {
    id: 7000 + number,
    values: {
      ExternalID: 50_000 + number,
      Actief: true,
      OmschrijvingIntern: name,
      Artikelnummer: `00${1000 + number}`,
      // The two wraps of salmon share a supplier's number.
      ArtikelnummerExtern: `8712345678${900 + (name === 'Zalmwrap' ? index : number)}`,
      ProductCategorieID: category,
      ProductEenheidWaardeID: 201 + (index % 3),
      RekenEenheidID: 1 + (index % 6),
      Gewicht: [0.25, 0.5, 0.75, 1.2][index % 4] ?? 1,
      OPK: [1, 4, 10][index % 3] ?? 1,
      Verkoopprijs: euros(2.5 + index * 0.35),
      Kostprijs: euros(0.9 + index * 0.14),
      PerStukWeergeven: index % 3 === 0,
      Chargegrootte: 20,
      SubAfdelingID: category === 7 ? 3 : 1 + (index % 2),
      THTDagen: 2 + (index % 4),
      IngredientDeclaratie: `${name} (bevat: zie allergenenkaart)`,
      IngredientDeclaratieCategorie: 'Bereid gerecht',
      THTBewaaradviesGeslotenWaardeID: 301 + (index % 2),
      THTBewaaradviesGesloten: 5,
      ...(index % 2 === 0 ? { VoorraadProduct: true, MinimaalVoorraad: 2, MaximaalVoorraad: 40 } : {}),
    },
  };
});

/** Every stocked recipe has been counted once. */
const STOCK: readonly Seeded[] = RECIPES.filter(({ values }) => values.VoorraadProduct === true).map(
  ({ id }, index) => ({ id, values: { Aantal: 4 + index * 2.5 } }),
);

const OCCASIONS = table(`
  Bruiloft        | 421 | 14:00 | 23:30
  Personeelsfeest | 422 | 17:00 | 23:00
  Congres         | 423 | 09:00 | 17:30
  Uitvaart        | 424 | 11:00 | 13:30
  Jubileum        | 425 | 15:00 | 20:00
`);

const FIRST_DAY = Date.UTC(2026, 9, 2);

/** Events 9001 to 9040 with ExternalID 70001 to 70040, every ninth day from 2 October 2026. */
const EVENTS: readonly Seeded[] = Array.from({ length: 40 }, (_, index) => {
  const [occasion, type, from, to] = OCCASIONS[index % OCCASIONS.length] ?? [];
  const relation = RELATIONS[(index * 3) % RELATIONS.length];
  const contact = CONTACTS.find(({ RelatieID }) => RelatieID === relation?.RelatieID);
  const day = wallText(FIRST_DAY + index * 9 * 86_400_000).slice(0, 10);
  return {
    id: 9001 + index,
    values: {
      ExternalID: 70_001 + index,
      RelatieID: relation?.RelatieID ?? null,
      ContactpersoonID: contact?.ContactpersoonID ?? null,
      FactuurRelatieID: relation?.RelatieID ?? null,
      Datum: `${day} 00:00:00`,
      Starttijd: `${day} ${from}:00`,
      Eindtijd: `${day} ${to}:00`,
      StatusID: 1 + (index % 4),
      LocatieID: 1 + (index % 6),
      AantalGasten: 20 + ((index * 37) % 280),
      AantalKinderen: index % 5 === 0 ? 8 : null,
      AantalGastenDefinitief: index % 4 === 2,
      PartijOmschrijving: `${occasion} ${relation?.Bedrijfsnaam ?? ''}`,
      TypeWaardeID: Number(type),
      BronWaardeID: 411 + (index % 4),
      BTWModusWaardeID: 402,
      AccountmanagerID: 12,
      Opmerkingen: index % 6 === 0 ? 'Parkeren achter het gebouw' : null,
      KeukenOpmerkingen: index % 7 === 0 ? '3 × glutenvrij' : null,
      CentraalProducerenWaardeID: 1 + (index % 2),
      GeenOmzet: false,
    },
  };
});

/** Of each event one record, of every second event another too; numbered from `first`. */
const oneOrTwo = (
  first: number,
  make: (event: Seeded, index: number, second: boolean) => Values,
): readonly Seeded[] =>
  EVENTS.flatMap((event, index) =>
    index % 2 === 0 ? [make(event, index, false), make(event, index, true)] : [make(event, index, false)],
  ).map((values, index) => ({ id: first + index, values }));

/** Links 60001 to 60060: one or two arrangements on each event. */
const LINKS = oneOrTwo(60_001, ({ id, values: { AantalGasten = null, Datum = null } }, index, second) => ({
  PartijID: id,
  ArrangementID: 1 + ((second ? index + 7 : index) % 20),
  Aantal: AantalGasten,
  Datum,
}));

const DRIVERS = ['J. de Boer', 'R. Vermeulen', ''];

/** Trips 8001 to 8060: there for every event, and back for every other one. */
const TRIPS = oneOrTwo(8001, ({ id, values }, index, back) => {
  const { Datum = null, RelatieID = null, ContactpersoonID = null, PartijOmschrijving } = values;
  const location = LOCATIONS.find(({ LocatieID }) => LocatieID === values.LocatieID);
  const { Locatie = '', Straat = '', Huisnummer = '', Postcode = '', Plaats = '' } = location ?? {};
  const day = String(Datum).slice(0, 10);
  return {
    PartijID: id,
    Datum,
    Van: `${day} ${back ? '22:30:00' : '09:30:00'}`,
    Tot: `${day} ${back ? '23:45:00' : '11:00:00'}`,
    Omschrijving: `${back ? 'Retour' : 'Heen'} ${PartijOmschrijving}`,
    Naar: Locatie,
    ...{ RelatieID, ContactpersoonID, Straat, Huisnummer, Postcode, Plaats },
    Land: 'Nederland',
    Culinair: !back,
    Materialen: true,
    KM: 8 + ((index * 7) % 60),
    LMTCreated: '2026-01-05 08:00:00.000',
    Chauffeur: DRIVERS[index % 3] ?? '',
    TypeVoertuigID: index % 3 === 2 ? null : 9701 + (index % 4),
    SubtypeRitID: back ? 9602 : 9601,
    RetourRit: back,
  };
});

/** Purchase orders 4501 to 4506, none of them sent. */
const ORDERS: readonly Seeded[] = [1, 2, 3, 4, 5, 6].map((number) => ({
  ...{ id: 4500 + number, values: { Leverancier: `Groothandel ${number}`, Verzonden: 0 } },
}));

const FIRST_WRITE = Date.UTC(2026, 0, 5, 8);

/** Writes the company's records into an empty store: the same ones each time. */
export function plantCompany(store: Store): void {
  let moment = FIRST_WRITE;
  const plant = (kind: Parameters<Store['insert']>[0], records: readonly Seeded[]): void => {
    for (const { id, values } of records) {
      // LMTs one second apart, long before anything that the user does.
      moment += 1000;
      store.insert(kind, values, { id, lmt: wallText(moment) });
    }
  };
  store.atomic(() => {
    plant('package', PACKAGES);
    plant('recipe', RECIPES);
    plant('stock', STOCK);
    plant('event', EVENTS);
    plant('link', LINKS);
    plant('trip', TRIPS);
    plant('order', ORDERS);
  });
}
