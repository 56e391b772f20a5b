import type { Value, Values } from '../../core/value.ts';
import type { Handler, Handlers, SandboxService } from '../requests/handler.ts';
import { json, refused } from '../requests/reply.ts';
import { nameOf } from '../seed/company.ts';
import { DROPDOWNS, UNITS } from '../seed/lists.ts';
import type { StoredRecord } from '../store/store.ts';

const product = (id: number, { store }: SandboxService): StoredRecord | undefined =>
  store.get('recipe', id) ?? store.get('package', id);

const unknownProduct = () => refused({ ProductID: ['Het gekozen ProductID is ongeldig.'] });

/** One product unit holds OPK units of calculation. */
const perProductUnit = (values: Values): number => Math.max(1, Number(values.OPK ?? 1));

/** To a millionth, so that sums of amounts such as 0.1 stay exact. */
const rounded = (amount: number): number => Math.round(amount * 1e6) / 1e6;

function currentStock(id: number, { store }: SandboxService): number {
  return Number(store.get('stock', id)?.values.Aantal ?? 0);
}

const amountOf = (value: Value | undefined): number => (typeof value === 'number' ? value : 0);

/** A mutation in both units counts both, such as two trays and three loose ones. */
const create: Handler = (call, service) => {
  const mutation = call.body as Values;
  const id = Number(mutation.ProductID);
  const mutated = product(id, service);
  if (mutated === undefined) return unknownProduct();
  const change =
    amountOf(mutation.AantalRekeneenheid) +
    amountOf(mutation.AantalProducteenheid) * perProductUnit(mutated.values);
  const { store } = service;
  const number = store.atomic(() => {
    store.insert('stock', { Aantal: rounded(currentStock(id, service) + change) }, { id });
    return store.insert('mutation', mutation);
  });
  return json({ id: number, success: true });
};

function totalOf(id: number, { values }: StoredRecord, service: SandboxService): Record<string, Value> {
  const amount = currentStock(id, service);
  const unit = perProductUnit(values);
  return {
    Aantal: amount,
    Aantal_Edit: amount.toFixed(2).replace('.', ','),
    RekenEenheid: nameOf(UNITS, values.RekenEenheidID) ?? '',
    ProductEenheid: nameOf(DROPDOWNS[20], values.ProductEenheidWaardeID) ?? '',
    AantalProductEenheid: rounded(amount / unit),
    Waarde: Math.round(amount * Number(values.Kostprijs ?? 0) * 100) / 100,
  };
}

/** The one GET with a body; body and path must name the same product (interface 4.2). */
const currentTotal: Handler = (call, service) => {
  const id = Number(call.body.ProductID);
  if (call.parameters.id !== String(id))
    return refused({ ProductID: ['Het ProductID is een ander dan dat in het pad.'] });
  const counted = product(id, service);
  return counted === undefined
    ? unknownProduct()
    : json({ total: [totalOf(id, counted, service)], success: true });
};

/** The two stock endpoints (interface 4.2). */
export const stockHandlers: Handlers = { 'stock.create': create, 'stock.currenttotal': currentTotal };
