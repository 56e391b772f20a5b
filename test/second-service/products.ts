import { detail, done, missing, missingTarget, ok, refuse, shapeFor } from './answers.ts';
import { packageDetail, productLink, productList, productNested, recipeDetail } from './fields.ts';
import { forKind } from './knobs.ts';
import { page } from './paging.ts';
import { type Call, number, pathId, type Route, route, text, unknownReferences, withBody } from './route.ts';
import * as schema from './schema.ts';
import type { Shape } from './shapes.ts';
import type { Answer, Values } from './types.ts';
import type { World } from './world.ts';

type ProductKind = 'package' | 'recipe';

/** Sections 4.1 and 4.2, without the stock. */
export const productRoutes: readonly Route[] = [
  ...routesOf('package', 'product/pakket'),
  ...routesOf('recipe', 'product/recept'),
  route('product.detail', 'GET', 'product/detail/{}', anyProduct),
];

function routesOf(kind: ProductKind, path: string): Route[] {
  const [createFields, updateFields] =
    kind === 'package'
      ? [schema.packageCreate, schema.packageUpdate]
      : [schema.recipeCreate, schema.recipeUpdate];
  const read = (call: Call, id: number | undefined, how: 'detail' | 'list') => {
    const values = id === undefined ? undefined : call.world.stores[kind].get(id, call.world.asOf(how));
    if (!values) return missing(call.world);
    const names = kind === 'package' ? packageDetail : recipeDetail;
    return detail(call.world, shapeFor(call.world).record(kind, values, names, 'detail'));
  };
  return [
    route(`${kind}.create!`, 'PUT', `${path}/create`, (call) =>
      withBody(call, createFields, 'ProductID', (sent) => create(call, kind, sent)),
    ),
    route(`${kind}.update!`, 'POST', `${path}/update`, (call) =>
      withBody(call, updateFields, 'ProductID', (sent) => update(call, kind, sent, updateFields)),
    ),
    route(`${kind}.delete!`, 'DELETE', `${path}/delete`, (call) =>
      withBody(call, schema.productDelete, 'id', (sent) => remove(call, kind, number(sent, 'ProductID'))),
    ),
    route(`${kind}.detail`, 'GET', `${path}/detail/{}`, (call) => read(call, pathId(call), 'detail')),
    route(`${kind}.detailExternal`, 'GET', `${path}/detailExternal/{}`, (call) =>
      read(call, byExternalId(call.world, kind, pathId(call), call.world.asOf('list')), 'list'),
    ),
    route(`${kind}.allModified`, 'POST', `${path}/allModified`, (call) =>
      withBody(call, schema.modifiedBody, 'id', (sent) => allModified(call, kind, sent)),
    ),
  ];
}

function create(call: Call, kind: ProductKind, sent: Values): Answer {
  const { world, source } = call;
  const errors = wrongReferences(world, sent, world.lookups.productCategory);
  if (Object.keys(errors).length > 0) return refuse(world, errors, 'ProductID');
  const taken = takenExternalId(world, kind, sent, undefined);
  if (typeof taken === 'number') return update(call, kind, { ...sent, ProductID: taken }, []);
  if (taken) return taken;
  return done(world, 'ProductID', world.create(kind, sent, source));
}

function update(call: Call, kind: ProductKind, sent: Values, fields: readonly schema.Field[]): Answer {
  const { world, source } = call;
  const named = sent.ProductID ?? null;
  const id =
    named === null ? byExternalId(world, kind, number(sent, 'ExternalID')) : number(sent, 'ProductID');
  if (id === undefined || !world.stores[kind].get(id)) return missingTarget(world, 'ProductID');
  const { productCategory, productActionCategory } = world.lookups;
  const errors = wrongReferences(world, sent, kind === 'recipe' ? productActionCategory : productCategory);
  if (Object.keys(errors).length > 0) return refuse(world, errors, 'ProductID');
  const taken = takenExternalId(world, kind, sent, id);
  if (typeof taken === 'object') return taken;
  world.update(kind, id, sent, source, fields);
  return done(world, 'ProductID', id);
}

function remove(call: Call, kind: ProductKind, id: number): Answer {
  const isThere = call.world.remove(kind, id, call.source);
  return isThere ? done(call.world, 'id', id, 'succes') : missingTarget(call.world, 'ProductID');
}

function anyProduct(call: Call): Answer {
  const found = call.world.product(pathId(call), call.world.asOf('detail'));
  if (!found) return missing(call.world);
  const shape = shapeFor(call.world);
  return detail(call.world, listRecord(call.world, shape, found.kind, found.values, true));
}

/** The record with this external id; where several have it, the service takes one. */
function byExternalId(
  world: World,
  kind: 'package' | 'recipe' | 'event',
  externalId: number,
  asOf?: number,
): number | undefined {
  const found = world.stores[kind].entries(asOf).filter(([, values]) => values.ExternalID === externalId);
  return (world.knobs.values.sharedExternalId === 'first' ? found.at(0) : found.at(-1))?.[0];
}

/** The refusal of an external id that another record has, or that record where it is to be updated. */
export function takenExternalId(
  world: World,
  kind: 'package' | 'recipe' | 'event',
  sent: Values,
  own: number | undefined,
): Answer | number | undefined {
  const { externalIdUnique, externalId } = world.knobs.values;
  if (externalIdUnique === false || forKind(externalId, kind, 'kept') === 'never') return undefined;
  const wanted = number(sent, 'ExternalID');
  const taken = world.stores[kind]
    .entries()
    .find(([id, values]) => id !== own && wanted !== 0 && values.ExternalID === wanted);
  if (!taken) return undefined;
  if (externalIdUnique === 'updates') return taken[0];
  const idName = kind === 'event' ? 'id' : 'ProductID';
  const errors = { ExternalID: ['The ExternalID has already been taken.'] };
  return refuse(world, errors, idName, externalIdUnique);
}

/** `categories`: those of the request, as an update of a recipe has a list of its own (interface 2.3). */
function wrongReferences(
  world: World,
  sent: Values,
  categories: ReadonlyMap<number, string>,
): Record<string, string[]> {
  if (!world.knobs.values.checkReferences) return {};
  const { productType, unit, department } = world.lookups;
  return unknownReferences(sent, {
    ProductTypeID: productType,
    ProductCategorieID: categories,
    RekenEenheidID: unit,
    SubAfdelingID: department,
  });
}

function allModified(call: Call, kind: ProductKind, sent: Values): Answer {
  const { world, request } = call;
  const { answers } = world.knobs;
  const records = modifiedAfter(world, kind, text(sent, 'LMT'));
  if (answers.listOrder === 'id descending') records.reverse();
  if (answers.listOrder === 'LMT') records.sort((a, b) => (text(a, 'LMT') < text(b, 'LMT') ? -1 : 1));
  const shape = shapeFor(world);
  const withDeclaration = sent.exportWithDeclaration === true;
  const write = (from: number, to: number) =>
    records.slice(from, to).map((values) => listRecord(world, shape, kind, values, withDeclaration));
  const isWhole = sent.downloadResponseAsJSON === true;
  if (isWhole && answers.whole === 'refused') return refuse(world, { downloadResponseAsJSON: ['Not here.'] });
  if (!isWhole || answers.whole === 'pages') return page(world, request, records.length, write);
  const data = write(0, records.length);
  if (answers.whole === 'records') return ok(data);
  return ok(answers.whole === 'data' ? { data } : [{ data }]);
}

/** The records a list shows as modified after a moment, in the service's own time. */
export function modifiedAfter(
  world: World,
  kind: ProductKind | 'event' | 'trip',
  moment: string,
): Readonly<Values>[] {
  const { lmt, hiddenCompare } = world.knobs.clock;
  const all = world.stores[kind].all(world.asOf('list'));
  const records = world.knobs.answers.inactiveInLists ? all : all.filter((values) => values.Actief !== false);
  const isHidden = forKind(lmt, kind, 'present') !== 'present';
  if (isHidden && hiddenCompare === 'all') return records;
  if (isHidden && hiddenCompare === 'none') return [];
  return records.filter((values) => world.clock.isAfter(text(values, 'LMT'), moment));
}

/** A record of section 2.5. */
function listRecord(
  world: World,
  shape: Shape,
  kind: 'package' | 'recipe' | 'product' | string,
  values: Readonly<Values>,
  withDeclaration: boolean,
): Record<string, unknown> {
  const named: Values = {
    ...values,
    OfferteTekst: values.Offertetekst ?? null,
    costPrice: values.Kostprijs ?? null,
    IngredientDeclaratie: withDeclaration ? (values.IngredientDeclaratie ?? null) : null,
  };
  const [id, typeId] = [number(values, 'ProductID'), number(values, 'ProductTypeID')];
  const nested: Record<string, unknown> = Object.fromEntries(productNested.map((name) => [name, null]));
  nested.productType = {
    ProductTypeID: values.ProductTypeID ?? null,
    ProductType: world.lookups.productType.get(typeId) ?? '',
    VerkoopCategorieID: 1,
  };
  nested.productStockLocation = null;
  nested.productActions = null;
  if (kind === 'recipe') nested.nutrients = null;
  const links = {
    ...Object.fromEntries(productLink.map((name) => [name, null])),
    ProductLinkID: id,
    ParentID: id,
  };
  nested.productLinks = kind === 'package' ? [links] : links;
  const own = shape.record(kind === 'recipe' ? 'recipe' : 'package', named, productList, 'list');
  return { ...own, ...nested };
}
