import type { Value } from '../../core/value.ts';
import type { HandlerCall, Handlers } from '../requests/handler.ts';
import { found, foundForWrite, json, Refusal, type Reply, refused } from '../requests/reply.ts';
import { categoriesOf } from '../seed/company.ts';
import { wallTime } from '../store/clock.ts';
import type { StoredRecord } from '../store/store.ts';
import { type ProductKind, productDetail, productRecord } from '../views/product-record.ts';

const WORDS = { package: 'Pakket', recipe: 'Recept' } as const;

const notAllowed = (field: string): Reply =>
  refused({ [field]: [`Het veld ${field} is hier niet toegestaan.`] });

/** The interface names no ExternalID on a create; one dialect takes it. */
function create(kind: ProductKind, { body, store, dialect }: HandlerCall): Reply {
  if (body.ExternalID !== undefined && dialect.externalId !== 'create') return notAllowed('ExternalID');
  checkCategory(body.ProductCategorieID, categoriesOf(kind, 'create'));
  return json({ ProductID: store.insert(kind, { Actief: true, ...body }), success: true });
}

function checkCategory(given: unknown, categories: ReadonlySet<number>): void {
  if (typeof given === 'number' && !categories.has(given))
    throw new Refusal(refused({ ProductCategorieID: ['Het gekozen ProductCategorieID is ongeldig.'] }));
}

function byExternal(
  kind: ProductKind,
  { store, dialect }: HandlerCall,
  external: Value | undefined,
): StoredRecord | undefined {
  return dialect.externalId !== 'never' && typeof external === 'number' && !Number.isNaN(external)
    ? store.byExternal(kind, external)
    : undefined;
}

/**
 * By ProductID, or by ExternalID when that is empty (interface 2.1). `update` keeps ExternalID; else a
 * package's is ignored, and `never` refuses a recipe's.
 */
function update(kind: ProductKind, call: HandlerCall): Reply {
  const { store, dialect } = call;
  const { ProductID, ExternalID, ...changes } = call.body;
  if (kind === 'recipe' && ExternalID !== undefined && dialect.externalId === 'never')
    return notAllowed('ExternalID');
  const byId = typeof ProductID === 'number';
  const named = byId ? store.get(kind, ProductID) : byExternal(kind, call, ExternalID);
  const product = foundForWrite(named, WORDS[kind], dialect);
  // What a record has already is no choice.
  if (changes.ProductCategorieID !== product.values.ProductCategorieID)
    checkCategory(changes.ProductCategorieID, categoriesOf(kind, 'update'));
  const keyed = byId && ExternalID !== undefined && dialect.externalId === 'update';
  store.update(product, kind, keyed ? { ...changes, ExternalID } : changes);
  return json({ ProductID: product.id, success: true });
}

/** The answer spells the flag `succes` (interface 4.1). */
function remove(kind: ProductKind, { body, store, dialect }: HandlerCall): Reply {
  const { id } = foundForWrite(store.get(kind, Number(body.ProductID)), WORDS[kind], dialect, 'succes');
  store.remove(kind, id);
  return json({ id, succes: true });
}

const detail = (kind: ProductKind, product: StoredRecord | undefined, { dialect }: HandlerCall): Reply =>
  json(productDetail(kind, found(product, WORDS[kind], dialect), dialect));

function handlersOf(name: string, kind: ProductKind): Handlers {
  return {
    [`${name}.create`]: (call) => create(kind, call),
    [`${name}.update`]: (call) => update(kind, call),
    [`${name}.delete`]: (call) => remove(kind, call),
    [`${name}.detail`]: (call) => detail(kind, call.store.get(kind, call.id), call),
    [`${name}.detailExternal`]: (call) => detail(kind, byExternal(kind, call, call.id), call),
    [`${name}.allModified`]: (call) => listModified(kind, call),
  };
}

/** The six endpoints of packages and the same six of recipes (interface 4.1, 4.2). */
export const productHandlers: Handlers = {
  ...handlersOf('packages', 'package'),
  ...handlersOf('recipes', 'recipe'),
};

/** The products modified after LMT, page by page or all at once (interface 4.3). */
function listModified(kind: ProductKind, call: HandlerCall): Reply {
  const { body, query, address, store, dialect, pageSize: size } = call;
  const since = wallTime(String(body.LMT));
  const present = (product: StoredRecord) =>
    productRecord(kind, product, dialect, body.exportWithDeclaration === true);
  // Read at once: a product written during the download would else be missing or there twice.
  if (body.downloadResponseAsJSON === true) {
    const data = store.modified(kind, since).map(present);
    const { length: total } = data;
    const page = { data, ...around(total, { address, current: 1, size: Math.max(1, total), total }) };
    return json({ array: data, data: { data }, page: [page] }[dialect.download]);
  }
  const asked = Number(query.get('page') ?? 1);
  const current = Number.isSafeInteger(asked) && asked > 0 ? asked : 1;
  const data = store.modified(kind, since, size, (current - 1) * size).map(present);
  const place = { address, current, size, total: store.countModified(kind, since) };
  return json([{ data, ...around(data.length, place) }]);
}

/** The links and counts around the `came` records of a page; `per_page` is text (interface 4.3). */
function around(
  came: number,
  place: Pick<HandlerCall, 'address'> & { current: number; size: number; total: number },
) {
  const { address, current, size, total } = place;
  const last = Math.max(1, Math.ceil(total / size));
  const link = (page: number): string | null =>
    page >= 1 && page <= last ? `${address}?page=${page}` : null;
  const from = came === 0 ? null : (current - 1) * size + 1;
  return {
    links: { first: link(1), last: link(last), prev: link(current - 1), next: link(current + 1) },
    meta: {
      current_page: current,
      from,
      last_page: last,
      path: address,
      per_page: String(size),
      to: from === null ? null : from + came - 1,
      total,
    },
  };
}
