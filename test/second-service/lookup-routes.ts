import { detail, missing, ok, shapeFor } from './answers.ts';
import { contactFields, relationFields } from './fields.ts';
import type { NamedLookup } from './lookups.ts';
import { type Call, pathId, type Route, route } from './route.ts';
import type { Answer, Values } from './types.ts';
import type { World } from './world.ts';

/** The lookups that section 2 names; the fields of their records are not shown there. */
export const lookupRoutes: readonly Route[] = [
  route('lookup.relation', 'GET', 'relation/{}', (call) =>
    one(call, call.world.lookups.relation, relationFields),
  ),
  route('lookup.contact', 'GET', 'relation/contact/{}', (call) =>
    one(call, call.world.lookups.contact, contactFields),
  ),
  route('lookup.location', 'GET', 'location/{}', (call) => one(call, call.world.lookups.location, undefined)),
  route('lookup.dropdown', 'GET', 'dropdownvalue/{}', dropdown),
  all('unit', 'unit', 'EenheidID', 'Eenheid'),
  all('department', 'department', 'AfdelingID', 'Afdeling'),
  all('productType', 'producttype', 'ProductTypeID', 'ProductType'),
  all('productCategory', 'productcategory', 'ProductCategorieID', 'ProductCategorie'),
  all('productActionCategory', 'productactiecategory', 'ProductActieCategorieID', 'ProductActieCategorie'),
];

function one(call: Call, records: Map<number, Values>, names: readonly string[] | undefined): Answer {
  const values = records.get(pathId(call));
  if (!values) return missing(call.world);
  const shape = shapeFor(call.world);
  return detail(call.world, shape.record(values, names ?? Object.keys(values), 'detail'));
}

function all(lookup: NamedLookup, path: string, idName: string, textName: string): Route {
  return route(`lookup.${lookup}`, 'GET', `${path}/all`, (call) =>
    listOf(call.world, call.world.lookups[lookup], idName, textName),
  );
}

/** A dropdown's number gives all its values; the number of a value gives that value alone. */
function dropdown(call: Call): Answer {
  const { world } = call;
  const id = pathId(call);
  const values = world.lookups.dropdown.get(id);
  if (values) return listOf(world, values, 'DropdownWaardeID', 'Waarde');
  for (const held of world.lookups.dropdown.values()) {
    const name = held.get(id);
    if (name !== undefined) return listOf(world, new Map([[id, name]]), 'DropdownWaardeID', 'Waarde');
  }
  return missing(world);
}

function listOf(world: World, values: ReadonlyMap<number, string>, idName: string, textName: string): Answer {
  const [id, name] = { own: [idName, textName], plain: ['id', 'name'], Dutch: ['ID', 'Omschrijving'] }[
    world.knobs.answers.lookupNames
  ];
  const shape = shapeFor(world);
  const records = [...values].map(([key, value]) =>
    shape.finish({ [String(id)]: shape.id(key), [String(name)]: value }),
  );
  return ok(records);
}
