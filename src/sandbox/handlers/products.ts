import type { Value, Values } from '../../core/value.ts';
import { type HandlerCall, type Handlers, pathId, type SandboxService } from '../requests/handler.ts';
import { json, missingForWrite, missingRecord, type Reply, refused } from '../requests/reply.ts';
import { wallTime } from '../store/clock.ts';
import type { StoredRecord } from '../store/store.ts';

import { type ProductKind, productDetail, productRecord } from '../views/product-record.ts';

const WORDS = { package: 'Pakket', recipe: 'Recept' } as const;

const notAllowed = (field: string): Reply =>
  refused({ [field]: [`Het veld ${field} is hier niet toegestaan.`] });

/** The interface names no ExternalID on a create; one dialect takes it. */
function create(kind: ProductKind, call: HandlerCall, service: SandboxService): Reply {
  const values = call.body as Values;
  if (values.ExternalID !== undefined && service.dialect().externalId !== 'create')
    return notAllowed('ExternalID');
  return json({ ProductID: service.store.insert(kind, { Actief: true, ...values }), success: true });
}

/** By ProductID, or by ExternalID when that is empty (interface 2.1). */
function identified(kind: ProductKind, body: Values, service: SandboxService): StoredRecord | undefined {
  const { ProductID, ExternalID } = body;
  if (typeof ProductID === 'number') return service.store.get(kind, ProductID);
  const keeps = service.dialect().externalId !== 'never';
  return keeps && typeof ExternalID === 'number' ? service.store.byExternal(kind, ExternalID) : undefined;
}

/** `update` keeps ExternalID; else a package's is ignored, and `never` refuses a recipe's. */
function update(kind: ProductKind, call: HandlerCall, service: SandboxService): Reply {
  const { externalId } = service.dialect();
  const { ProductID, ExternalID, ...changes } = call.body as Record<string, Value>;
  const body = call.body as Values;
  if (kind === 'recipe' && ExternalID !== undefined && externalId === 'never')
    return notAllowed('ExternalID');
  const product = identified(kind, body, service);
  if (product === undefined) return missingForWrite(WORDS[kind], 'success', service.dialect());
  const keyed = ProductID != null && ExternalID !== undefined && externalId === 'update';
  service.store.update(product, kind, keyed ? { ...changes, ExternalID } : changes);
  return json({ ProductID: product.id, success: true });
}

/** The answer spells the flag `succes` (interface 4.1). */
function remove(kind: ProductKind, call: HandlerCall, service: SandboxService): Reply {
  const id = Number(call.body.ProductID);
  if (service.store.get(kind, id) === undefined)
    return missingForWrite(WORDS[kind], 'succes', service.dialect());
  service.store.remove(kind, id);
  return json({ id, succes: true });
}

function detail(kind: ProductKind, product: StoredRecord | undefined, service: SandboxService): Reply {
  const dialect = service.dialect();
  return product === undefined
    ? missingRecord(WORDS[kind], dialect)
    : json(productDetail(kind, product, dialect));
}

function detailExternal(kind: ProductKind, call: HandlerCall, service: SandboxService): Reply {
  const externalId = pathId(call, 'ID');
  const keeps = service.dialect().externalId !== 'never' && !Number.isNaN(externalId);
  return detail(kind, keeps ? service.store.byExternal(kind, externalId) : undefined, service);
}

function handlersOf(name: string, kind: ProductKind): Handlers {
  return {
    [`${name}.create`]: (call, service) => create(kind, call, service),
    [`${name}.update`]: (call, service) => update(kind, call, service),
    [`${name}.delete`]: (call, service) => remove(kind, call, service),
    [`${name}.detail`]: (call, service) => detail(kind, service.store.get(kind, pathId(call, 'ID')), service),
    [`${name}.detailExternal`]: (call, service) => detailExternal(kind, call, service),
    [`${name}.allModified`]: (call, service) => listModified(kind, call, service),
  };
}

/** The six endpoints of packages and the same six of recipes (interface 4.1, 4.2). */
export const productHandlers: Handlers = {
  ...handlersOf('packages', 'package'),
  ...handlersOf('recipes', 'recipe'),
};

/** Products turned into text at a time, so that other requests are served during a whole download. */
const PIECE = 500;

type Present = (product: StoredRecord) => Record<string, unknown>;

interface Query {
  readonly kind: ProductKind;
  readonly since: string;
  readonly present: Present;
}

function* joined(products: readonly StoredRecord[], present: Present): Generator<string> {
  for (let start = 0; start < products.length; start += PIECE) {
    const piece = products.slice(start, start + PIECE).map((product) => JSON.stringify(present(product)));
    yield `${start > 0 ? ',' : ''}${piece.join(',')}`;
  }
}

function* whole(query: Query, address: string, service: SandboxService): Generator<string> {
  // Read at once: a product written during the download would else be missing or there twice.
  const products = service.store.modified(query.kind, query.since);
  const { download } = service.dialect();
  const total = products.length;
  const { links, meta } = pageOf(products, { address, current: 1, size: Math.max(1, total), total });
  const tail = `],"links":${JSON.stringify(links)},"meta":${JSON.stringify(meta)}}]`;
  yield { array: '[', data: '{"data":[', page: '[{"data":[' }[download];
  yield* joined(products, query.present);
  yield { array: ']', data: ']}', page: tail }[download];
}

function page(query: Query, call: HandlerCall, service: SandboxService): Reply {
  const { store, pageSize: size } = service;
  const current = pageNumber(call.query);
  const products = store.modified(query.kind, query.since, size, (current - 1) * size);
  const total = store.countModified(query.kind, query.since);
  const place = { address: call.address, current, size, total };
  return json([pageOf(products.map(query.present), place)]);
}

/** The products modified after LMT, page by page or all at once (interface 4.3). */
function listModified(kind: ProductKind, call: HandlerCall, service: SandboxService): Reply {
  const { company } = service;
  const view = { company, dialect: service.dialect(), declaration: call.body.exportWithDeclaration === true };
  const present: Present = (product) => productRecord(kind, product, view);
  const query = { kind, since: wallTime(String(call.body.LMT)), present };
  return call.body.downloadResponseAsJSON === true
    ? { kind: 'stream', status: 200, chunks: whole(query, call.address, service) }
    : page(query, call, service);
}

/** The page asked for; 1 when that is no page. */
function pageNumber(query: URLSearchParams): number {
  const asked = Number(query.get('page') ?? 1);
  return Number.isSafeInteger(asked) && asked > 0 ? asked : 1;
}

/** One page with its links and counts; `per_page` is text (interface 4.3). */
function pageOf(
  data: readonly unknown[],
  place: {
    readonly address: string;
    readonly current: number;
    readonly size: number;
    readonly total: number;
  },
) {
  const { address, current, size, total } = place;
  const last = Math.max(1, Math.ceil(total / size));
  const link = (page: number): string | null =>
    page >= 1 && page <= last ? `${address}?page=${page}` : null;
  const from = data.length === 0 ? null : (current - 1) * size + 1;
  return {
    data,
    links: { first: link(1), last: link(last), prev: link(current - 1), next: link(current + 1) },
    meta: {
      current_page: current,
      from,
      last_page: last,
      path: address,
      per_page: String(size),
      to: from === null ? null : from + data.length - 1,
      total,
    },
  };
}
