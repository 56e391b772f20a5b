import { detail, done, missing, missingTarget, ok, refuse, shapeFor } from './answers.ts';
import { packageDetail, productLink, productList, productNested, recipeDetail } from './fields.ts';
import { write } from './keyed.ts';
import { page } from './paging.ts';
import { type Call, number, pathId, type Route, route, text, withBody } from './route.ts';
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
    return detail(call.world, shapeFor(call.world).record(values, names, 'detail'));
  };
  return [
    route(`${kind}.create!`, 'PUT', `${path}/create`, (call) =>
      withBody(call, createFields, 'ProductID', (sent) =>
        write(call, kind, sent, referencesOf(call, call.world.lookups.productCategory)),
      ),
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

function update(call: Call, kind: ProductKind, sent: Values, fields: readonly schema.Field[]): Answer {
  const { world } = call;
  const named = sent.ProductID ?? null;
  const id =
    named === null ? byExternalId(world, kind, number(sent, 'ExternalID')) : number(sent, 'ProductID');
  if (id === undefined || !world.stores[kind].get(id)) return missingTarget(world, 'ProductID');
  // An update of a recipe has a list of categories of its own (interface 2.3).
  const { productCategory, productActionCategory } = world.lookups;
  const categories = kind === 'recipe' ? productActionCategory : productCategory;
  return write(call, kind, sent, referencesOf(call, categories), { id, fields });
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

/** The record with this external id; where several have it, the service takes the first. */
function byExternalId(
  world: World,
  kind: ProductKind,
  externalId: number,
  asOf?: number,
): number | undefined {
  return world.stores[kind].entries(asOf).find(([, values]) => values.ExternalID === externalId)?.[0];
}

function referencesOf({ world: { lookups } }: Call, categories: ReadonlyMap<number, string>) {
  const { productType, unit, department } = lookups;
  return {
    ProductTypeID: productType,
    ProductCategorieID: categories,
    RekenEenheidID: unit,
    SubAfdelingID: department,
  };
}

function allModified(call: Call, kind: ProductKind, sent: Values): Answer {
  const { world, request } = call;
  const { answers } = world.knobs;
  const records = modifiedAfter(world, kind, text(sent, 'LMT'));
  if (answers.listOrder === 'id descending') records.reverse();
  if (answers.listOrder === 'LMT') records.sort((a, b) => (text(a, 'LMT') < text(b, 'LMT') ? -1 : 1));
  const shape = shapeFor(world);
  const withDeclaration = sent.exportWithDeclaration === true;
  const part = (from: number, to: number) =>
    records.slice(from, to).map((values) => listRecord(world, shape, kind, values, withDeclaration));
  const isWhole = sent.downloadResponseAsJSON === true;
  if (isWhole && answers.whole === 'refused') return refuse(world, { downloadResponseAsJSON: ['Not here.'] });
  if (!isWhole || answers.whole === 'pages') return page(world, request, records.length, part);
  const data = part(0, records.length);
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
  const isHidden = lmt !== 'present';
  if (isHidden && hiddenCompare === 'all') return records;
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
  return { ...shape.record(named, productList, 'list'), ...nested };
}
