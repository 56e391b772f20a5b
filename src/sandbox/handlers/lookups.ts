import {
  type Handler,
  type HandlerCall,
  type Handlers,
  pathId,
  type SandboxService,
} from '../requests/handler.ts';
import { json, missingRecord } from '../requests/reply.ts';
import {
  ACTION_CATEGORIES,
  CATEGORY_GROUPS,
  DEPARTMENTS,
  DROPDOWNS,
  type NamedList,
  PRODUCT_CATEGORIES,
  PRODUCT_TYPES,
  UNIT_SYMBOLS,
  UNITS,
} from '../seed/lists.ts';
import { productDetail } from '../views/product-record.ts';
import { contactRecord, locationRecord, relationRecord } from '../views/relation-records.ts';
import { listTrips } from './trips.ts';

const list =
  (entries: NamedList, record: (id: number, name: string) => Record<string, unknown>): Handler =>
  () =>
    json(entries.map(([id, name]) => record(id, name)));

const dropdown: Handler = (call, service) => {
  const number = pathId(call, 'id');
  const values = DROPDOWNS[number];
  if (values === undefined) return missingRecord('Keuzelijst', service.dialect());
  return json(
    values.map(([WaardeID, Waarde], index) => ({
      WaardeID,
      DropdownID: number,
      Waarde,
      Volgorde: String(index + 1),
      Actief: '1',
    })),
  );
};

/** A record of the company, by the id in the path. */
const one =
  <Found>(
    what: string,
    find: (id: number, service: SandboxService) => Found | undefined,
    record: (found: Found) => unknown,
  ): Handler =>
  (call: HandlerCall, service: SandboxService) => {
    const found = find(pathId(call, 'id'), service);
    return found === undefined ? missingRecord(what, service.dialect()) : json(record(found));
  };

const product: Handler = (call, service) => {
  const id = pathId(call, 'id');
  for (const kind of ['package', 'recipe'] as const) {
    const found = service.store.get(kind, id);
    if (found !== undefined) return json(productDetail(kind, found, service.dialect()));
  }
  return missingRecord('Product', service.dialect());
};

/** The eleven lookups of interface section 2; it shows no records of them, so each has another shape. */
export const lookupHandlers: Handlers = {
  'lookups.producttype': list(PRODUCT_TYPES, (id, name) => ({
    ProductTypeID: id,
    ProductType: name,
    VerkoopCategorieID: 10 + id,
  })),
  'lookups.productcategory': list(PRODUCT_CATEGORIES, (id, name) => ({
    ProductCategorieID: id,
    ProductCategorie: name,
    Groep: CATEGORY_GROUPS[id] ?? 'Keuken',
  })),
  'lookups.productactiecategory': list(ACTION_CATEGORIES, (id, name) => ({
    ProductActieCategorieID: String(id),
    Omschrijving: name,
  })),
  'lookups.unit': () =>
    json({
      data: UNITS.map(([id, name]) => ({
        RekenEenheidID: id,
        RekenEenheid: name,
        Afkorting: UNIT_SYMBOLS[id] ?? null,
      })),
    }),
  'lookups.department': list(DEPARTMENTS, (id, name) => ({
    SubAfdelingID: id,
    SubAfdeling: name,
    AfdelingID: id < 4 ? 1 : 2,
  })),
  'lookups.dropdownvalue': dropdown,
  'lookups.relation': one('Relatie', (id, { company }) => company.relation(id), relationRecord),
  'lookups.contact': one('Contactpersoon', (id, { company }) => company.contact(id), contactRecord),
  'lookups.location': one('Locatie', (id, { company }) => company.location(id), locationRecord),
  'lookups.product': product,
  'lookups.ritten': listTrips,
};
