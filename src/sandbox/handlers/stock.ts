import type { Value } from '../../core/value.ts';
import type { Handler, HandlerCall, Handlers } from '../requests/handler.ts';
import { json, Refusal, refused, unknownId } from '../requests/reply.ts';
import { DROPDOWNS, UNITS } from '../seed/lists.ts';

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
const create: Handler = (call) => {
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

/** The two stock endpoints (interface 4.2). */
export const stockHandlers: Handlers = { 'stock.create': create, 'stock.currenttotal': currentTotal };
