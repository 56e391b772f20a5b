import {
  ACTION_CATEGORIES,
  DEPARTMENTS,
  DROPDOWNS,
  EMPLOYEES,
  PRODUCT_CATEGORIES,
  PRODUCT_TYPES,
  UNITS,
} from './lists.ts';
import { CONTACTS, LOCATIONS, RELATIONS } from './relations.ts';

const NAMES: readonly (readonly [name: string, price: number])[] = [
  ['Ontvangst met koffie en gebak', 7.5],
  ['Lunchbuffet', 18.95],
  ['Lunchbuffet luxe', 24.5],
  ['Vergaderarrangement dagdeel', 29.95],
  ['Vergaderarrangement hele dag', 49.5],
  ['Borrel met hapjes', 16.25],
  ['Walking dinner', 47.5],
  ['Barbecue', 32.5],
  ['Barbecue luxe', 41],
  ['Diner drie gangen', 44.95],
  ['Diner vier gangen', 54.95],
  ['Stamppotbuffet', 22.5],
  ['High tea', 26.75],
  ['Koffietafel', 19.95],
  ['Bruiloft compleet', 119],
  ['Drankenpakket 3 uur', 21],
  ['Drankenpakket 5 uur', 31.5],
  ['Foodtruck friet', 8.75],
  ['Late snack', 6.95],
  ['Kinderfeest', 12.5],
];

/** Arrangements 1 to 20, as they are without an event (interface 2.8). */
export const ARRANGEMENTS = NAMES.map(([name, price], index) => ({
  ArrangementID: index + 1,
  ArrangementNaam: name,
  OfferteOmschrijving: `${name}, prijs per persoon`,
  VerkoopPrijs: price,
  Actief: true,
  PartijID: null,
  Aantal: null,
  Datum: null,
}));

const idsOf = <Entry>(list: readonly Entry[] = [], id: keyof Entry): ReadonlySet<number> =>
  new Set(list.map((entry) => Number(entry[id])));

const [relations, contacts] = [idsOf(RELATIONS, 'RelatieID'), idsOf(CONTACTS, 'ContactpersoonID')];
const [locations, employees] = [idsOf(LOCATIONS, 'LocatieID'), idsOf(EMPLOYEES, 0)];

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

const CATEGORIES = idsOf(PRODUCT_CATEGORIES, 'ProductCategorieID');
const UPDATED_CATEGORIES = idsOf(ACTION_CATEGORIES, 'ProductActieCategorieID');

/** The ids that a request takes for ProductCategorieID: an update of a recipe has its own (interface 2.3). */
export const categoriesOf = (kind: 'package' | 'recipe', write: 'create' | 'update'): ReadonlySet<number> =>
  kind === 'recipe' && write === 'update' ? UPDATED_CATEGORIES : CATEGORIES;
