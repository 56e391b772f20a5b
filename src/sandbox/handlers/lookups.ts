import type { Handler, Handlers } from '../requests/handler.ts';
import { found, json } from '../requests/reply.ts';
import {
  ACTION_CATEGORIES,
  DEPARTMENTS,
  DROPDOWNS,
  PRODUCT_CATEGORIES,
  PRODUCT_TYPES,
  UNITS,
} from '../seed/lists.ts';
import { CONTACTS, LOCATIONS, RELATIONS } from '../seed/relations.ts';
import { productDetail } from '../views/product-record.ts';
import { listTrips } from './trips.ts';

const list =
  (records: unknown): Handler =>
  () =>
    json(records);

const dropdown: Handler = ({ id: DropdownID, dialect }) => {
  const records = found(DROPDOWNS[DropdownID], 'Keuzelijst', dialect).map(([WaardeID, Waarde], index) => ({
    ...{ WaardeID, DropdownID, Waarde },
    Volgorde: String(index + 1),
    Actief: '1',
  }));
  return json(records);
};

/** A record of the company, by the id in the path. */
const one =
  <Found>(name: string, records: readonly Found[], key: keyof Found): Handler =>
  ({ id, dialect }) => {
    const asked = records.find((record) => record[key] === id);
    return json(found(asked, name, dialect));
  };

const product: Handler = ({ id, store, dialect }) => {
  const recipe = store.get('recipe', id);
  if (recipe !== undefined) return json(productDetail('recipe', recipe, dialect));
  return json(productDetail('package', found(store.get('package', id), 'Product', dialect), dialect));
};

/** The eleven lookups of interface section 2; it shows no records of them, so each has another shape. */
export const lookupHandlers: Handlers = {
  'lookups.producttype': list(PRODUCT_TYPES),
  'lookups.productcategory': list(PRODUCT_CATEGORIES),
  'lookups.productactiecategory': list(ACTION_CATEGORIES),
  'lookups.unit': list({ data: UNITS }),
  'lookups.department': list(DEPARTMENTS),
  'lookups.dropdownvalue': dropdown,
  'lookups.relation': one('Relatie', RELATIONS, 'RelatieID'),
  'lookups.contact': one('Contactpersoon', CONTACTS, 'ContactpersoonID'),
  'lookups.location': one('Locatie', LOCATIONS, 'LocatieID'),
  'lookups.product': product,
  'lookups.ritten': listTrips,
};
