import type { Value } from '../../core/value.ts';
import { categoriesOf, DROPDOWNS, UNITS } from '../company.ts';
import {
  found,
  foundForWrite,
  type Handler,
  type HandlerCall,
  type Handlers,
  json,
  Refusal,
  type Reply,
  refused,
  unknownId,
} from '../handler.ts';
import { productDetail, productRecord } from '../records.ts';
import { type StoredRecord, wallTime } from '../store.ts';

const WORDS = { package: 'Pakket', recipe: 'Recept' } as const;
type ProductKind = keyof typeof WORDS;

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

/** To a millionth, so that sums of amounts such as 0.1 stay exact. */
const rounded = (amount: number): number => Math.round(amount * 1e6) / 1e6;

const amountOf = (value: Value | undefined): number => (typeof value === 'number' ? value : 0);

/** The product of a request and its stock; one product unit holds OPK units of calculation. */
function counted({ body, store }: HandlerCall) {
  const id = Number(body.ProductID);
  const product = store.get('recipe', id) ?? store.get('package', id);
  if (product === undefined) throw new Refusal(unknownId('ProductID'));
  const { values } = product;
  const amount = Number(store.get('stock', id)?.values.Aantal ?? 0);
  return { id, values, amount, unit: Math.max(1, Number(values.OPK ?? 1)) };
}

/** A mutation in both units counts both, such as two trays and three loose ones. */
const postMutation: Handler = (call) => {
  const { body: mutation, store } = call;
  const { id, amount, unit } = counted(call);
  const change = amountOf(mutation.AantalRekeneenheid) + amountOf(mutation.AantalProducteenheid) * unit;
  const number = store.atomic(() => {
    store.insert('stock', { Aantal: rounded(amount + change) }, { id });
    return store.insert('mutation', mutation);
  });
  return json({ id: number, success: true });
};

/** The one GET with a body; body and path must name the same product (interface 4.2). */
const currentTotal: Handler = (call) => {
  if (call.parameters.id !== String(call.body.ProductID))
    return refused({ ProductID: ['Het ProductID is een ander dan dat in het pad.'] });
  const { values, amount, unit } = counted(call);
  const total = {
    Aantal: amount,
    Aantal_Edit: amount.toFixed(2).replace('.', ','),
    RekenEenheid:
      UNITS.find(({ RekenEenheidID }) => RekenEenheidID === values.RekenEenheidID)?.RekenEenheid ?? '',
    ProductEenheid: DROPDOWNS[20]?.find(([id]) => id === values.ProductEenheidWaardeID)?.[1] ?? '',
    AantalProductEenheid: rounded(amount / unit),
    Waarde: Math.round(amount * Number(values.Kostprijs ?? 0) * 100) / 100,
  };
  return json({ total: [total], success: true });
};

const product: Handler = (call) => {
  const recipe = call.store.get('recipe', call.id);
  if (recipe !== undefined) return detail('recipe', recipe, call);
  const { store, id, dialect } = call;
  return detail('package', found(store.get('package', id), 'Product', dialect), call);
};

/** Packages, recipes (interface 4.1, 4.2), their stock, and the lookup of any of them. */
export const productHandlers: Handlers = {
  ...handlersOf('packages', 'package'),
  ...handlersOf('recipes', 'recipe'),
  'stock.create': postMutation,
  'stock.currenttotal': currentTotal,
  'lookups.product': product,
};
