import {
  ACTION_CATEGORIES,
  DEPARTMENTS,
  DROPDOWNS,
  EMPLOYEES,
  type NamedList,
  PRODUCT_TYPES,
  UNITS,
} from './lists.ts';
import { CONTACTS, type Contact, LOCATIONS, type Location, RELATIONS, type Relation } from './relations.ts';

/** What can be linked to an event; `description` is its text on the quotation. */
export interface Arrangement {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly price: number;
}

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

/** Arrangements 1 to 20. */
const ARRANGEMENTS: readonly Arrangement[] = NAMES.map(([name, price], index) => ({
  id: index + 1,
  name,
  description: `${name}, prijs per persoon`,
  price,
}));

/** The name of the seeded company. */
export const COMPANY_NAME = 'Hoeve Wilgenoord Catering B.V.';

/** The event status definitive; the interface gives no numbers. */
export const DEFINITIVE = 3;

const ids = (records: readonly { readonly id: number }[]): Set<number> =>
  new Set(records.map(({ id }) => id));
const idsOf = (list: NamedList = []): Set<number> => new Set(list.map(([id]) => id));

const REFERENCE_IDS = {
  productTypes: idsOf(PRODUCT_TYPES),
  // An update of a recipe names action categories (interface 2.3), which include the product categories.
  anyCategory: idsOf(ACTION_CATEGORIES),
  productUnits: idsOf(DROPDOWNS[20]),
  units: idsOf(UNITS),
  departments: idsOf(DEPARTMENTS),
  storageAdvice: idsOf(DROPDOWNS[30]),
  storageDays: idsOf(DROPDOWNS[31]),
  relations: ids(RELATIONS),
  contacts: ids(CONTACTS),
  locations: ids(LOCATIONS),
  vatModes: idsOf(DROPDOWNS[40]),
  eventSources: idsOf(DROPDOWNS[41]),
  eventTypes: idsOf(DROPDOWNS[42]),
  housings: idsOf(DROPDOWNS[43]),
  productionModes: new Set([1, 2]),
  employees: idsOf(EMPLOYEES),
  arrangements: ids(ARRANGEMENTS),
  mutationCategories: idsOf(DROPDOWNS[49]),
  tripSubtypes: idsOf(DROPDOWNS[96]),
  vehicles: idsOf(DROPDOWNS[97]),
} as const;

/** A list that a field's id must be in. */
type ReferenceName = keyof typeof REFERENCE_IDS;

/** What no request changes: lists, customers, locations and arrangements. */
export interface Company {
  has(list: ReferenceName, id: number): boolean;
  productType(id: number): Record<string, unknown> | null;
  relation(id: number): Relation | undefined;
  contact(id: number): Contact | undefined;
  location(id: number): Location | undefined;
  arrangement(id: number): Arrangement | undefined;
}

const nameIn = (list: NamedList, id: number): string | undefined => list.find(([known]) => known === id)?.[1];

/** The name of an id in one of the lists; null when it has none. */
export function nameOf(list: NamedList | undefined, id: unknown): string | null {
  return typeof id === 'number' && list !== undefined ? (nameIn(list, id) ?? null) : null;
}

/** The seeded company. */
export const COMPANY: Company = {
  has: (list, id) => REFERENCE_IDS[list].has(id),
  productType(id) {
    const name = nameIn(PRODUCT_TYPES, id);
    return name === undefined ? null : { ProductTypeID: id, ProductType: name, VerkoopCategorieID: 10 + id };
  },
  relation: (id) => RELATIONS.find((relation) => relation.id === id),
  contact: (id) => CONTACTS.find((contact) => contact.id === id),
  location: (id) => LOCATIONS.find((location) => location.id === id),
  arrangement: (id) => ARRANGEMENTS.find((arrangement) => arrangement.id === id),
};
