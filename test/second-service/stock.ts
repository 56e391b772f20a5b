import { done, missing, missingTarget, ok, refuse, shapeFor } from './answers.ts';
import { type Call, number, pathId, type Route, route, withBody } from './route.ts';
import { mutationCreate } from './schema.ts';
import type { Answer, Source, Values } from './types.ts';
import type { World } from './world.ts';

/** Section 4.2, the stock. */
export const stockRoutes: readonly Route[] = [
  route('stock.mutation!', 'PUT', 'product/voorraadmutatie/create', (call) =>
    withBody(call, mutationCreate, 'id', (sent) => mutate(call, sent)),
  ),
  // The document names the product twice, in the path and in the body; the path is taken.
  route('stock.currentTotal', 'GET', 'product/voorraadmutatie/currenttotal/{}', currentTotal),
];

function mutate(call: Call, sent: Values): Answer {
  const { world, source } = call;
  const isGiven = (name: string) => typeof sent[name] === 'number';
  if (!isGiven('AantalRekeneenheid') && !isGiven('AantalProducteenheid')) {
    const error = 'The AantalRekeneenheid field is required when AantalProducteenheid is not present.';
    return refuse(world, { AantalRekeneenheid: [error] });
  }
  const productId = number(sent, 'ProductID');
  if (!world.product(productId)) return missingTarget(world, 'ProductID');
  const { values: habits } = world.knobs;
  const category = number(sent, 'MutatieCategorieID');
  if (habits.checkReferences && !world.lookups.dropdown.get(49)?.has(category)) {
    return refuse(world, { MutatieCategorieID: ['The selected MutatieCategorieID is invalid.'] });
  }
  const id = world.create('mutation', sent, source);
  const posted = world.stores.mutation.get(id) ?? sent;
  moveStock(world, productId, amountOf(world, productId, posted), source);
  return done(world, 'id', id);
}

/** Moves a product's stock by an amount in its calculation unit. */
export function moveStock(world: World, productId: number, amount: number, source: Source): void {
  const before = world.stores.stock.get(productId);
  // Sums of decimals drift: the service keeps six places.
  const total = Number((number(before ?? { Aantal: 0 }, 'Aantal') + amount).toFixed(6));
  if (before) world.touch('stock', productId, { Aantal: total }, source);
  else {
    const raw = { ...newStock(world, productId), Aantal: total };
    world.create('stock', {}, source, { id: productId, raw });
  }
}

/** The stock record of a product that never had one. */
export function newStock(world: World, productId: number): Values {
  const product = world.product(productId)?.values ?? {};
  const unit = world.lookups.unit.get(number(product, 'RekenEenheidID')) ?? 'stuk';
  return { RekenEenheid: unit, ProductEenheid: 'doos', Factor: number(product, 'OPK') || 1 };
}

function amountOf(world: World, productId: number, posted: Values): number {
  if (typeof posted.AantalRekeneenheid === 'number') return posted.AantalRekeneenheid;
  const stock = world.stores.stock.get(productId) ?? newStock(world, productId);
  return (number(posted, 'AantalProducteenheid') || 0) * (number(stock, 'Factor') || 1);
}

function currentTotal(call: Call): Answer {
  const { world } = call;
  const productId = pathId(call);
  const product = world.product(productId, world.asOf('list'));
  if (!product) return missing(world);
  const shape = shapeFor(world);
  const stock = world.stores.stock.get(productId, world.asOf('list'));
  const values = stock ?? { ...newStock(world, productId), Aantal: 0 };
  const amount = number(values, 'Aantal') || 0;
  const element = {
    Aantal: shape.number(amount),
    Aantal_Edit: String(amount).replace('.', ','),
    RekenEenheid: values.RekenEenheid ?? null,
    ProductEenheid: values.ProductEenheid ?? null,
    AantalProductEenheid: shape.number(amount / (number(values, 'Factor') || 1)),
    Waarde: shape.number(Number((amount * (number(product.values, 'Kostprijs') || 0)).toFixed(4))),
  };
  return ok({ total: [shape.finish(element)], success: shape.success });
}
