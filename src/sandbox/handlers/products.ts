import type { Value, Values } from '../../schema/value.ts';
import { json, missing, missingForWrite, type Reply, refused } from '../reply.ts';
import { type Call, type Handlers, idIn, type Service } from '../service.ts';
import type { Stored } from '../store.ts';
import { type ProductKind, productDetail } from '../views/product-detail.ts';
import { listModified } from './modified-products.ts';

const WORDS = { package: 'Pakket', recipe: 'Recept' } as const;

const notAllowed = (field: string): Reply =>
  refused({ [field]: [`Het veld ${field} is hier niet toegestaan.`] });

/** No table of the interface names ExternalID on a create; the service takes it there in one dialect only. */
function create(kind: ProductKind, call: Call, service: Service): Reply {
  const values = call.body as Values;
  if (values.ExternalID !== undefined && service.dialect().externalId !== 'create')
    return notAllowed('ExternalID');
  return json({ ProductID: service.store.insert(kind, { Actief: true, ...values }), success: true });
}

/** By ProductID, or by ExternalID when that is empty (interface 2.1). */
function identified(kind: ProductKind, body: Values, service: Service): Stored | undefined {
  const { ProductID, ExternalID } = body;
  if (typeof ProductID === 'number') return service.store.get(kind, ProductID);
  const keeps = service.dialect().externalId !== 'never';
  return keeps && typeof ExternalID === 'number' ? service.store.byExternal(kind, ExternalID) : undefined;
}

/** ExternalID is kept from an update in one dialect; elsewhere a package's is ignored and a recipe's may be refused. */
function update(kind: ProductKind, call: Call, service: Service): Reply {
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
function remove(kind: ProductKind, call: Call, service: Service): Reply {
  const id = Number(call.body.ProductID);
  if (service.store.get(kind, id) === undefined)
    return missingForWrite(WORDS[kind], 'succes', service.dialect());
  service.store.remove(kind, id);
  return json({ id, succes: true });
}

function detail(kind: ProductKind, product: Stored | undefined, service: Service): Reply {
  const dialect = service.dialect();
  return product === undefined ? missing(WORDS[kind], dialect) : json(productDetail(kind, product, dialect));
}

function detailExternal(kind: ProductKind, call: Call, service: Service): Reply {
  const externalId = idIn(call, 'ID');
  const keeps = service.dialect().externalId !== 'never' && !Number.isNaN(externalId);
  return detail(kind, keeps ? service.store.byExternal(kind, externalId) : undefined, service);
}

function handlersOf(name: string, kind: ProductKind): Handlers {
  return {
    [`${name}.create`]: (call, service) => create(kind, call, service),
    [`${name}.update`]: (call, service) => update(kind, call, service),
    [`${name}.delete`]: (call, service) => remove(kind, call, service),
    [`${name}.detail`]: (call, service) => detail(kind, service.store.get(kind, idIn(call, 'ID')), service),
    [`${name}.detailExternal`]: (call, service) => detailExternal(kind, call, service),
    [`${name}.allModified`]: (call, service) => listModified(kind, call, service),
  };
}

/** The six endpoints of packages and the same six of recipes (interface 4.1, 4.2). */
export const productHandlers: Handlers = {
  ...handlersOf('packages', 'package'),
  ...handlersOf('recipes', 'recipe'),
};
