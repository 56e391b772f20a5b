import { type Handler, type Handlers, pathId } from '../requests/handler.ts';
import { json, missingRecord, notFound } from '../requests/reply.ts';
import { INVOICES, invoiceFile } from '../seed/invoices.ts';

const invoice: Handler = (call, service) => {
  const found = INVOICES.find(({ id }) => id === pathId(call, 'id'));
  if (found === undefined) return missingRecord('Factuur', service.dialect());
  const file = invoiceFile(found, call.parameters.extension ?? '');
  return file === undefined
    ? notFound('Factuur in dit bestandsformaat niet gevonden.')
    : { kind: 'bytes', status: 200, ...file };
};

/** Sends the orders that were never sent. Every call is stored, so that calls can be counted. */
const sendAll: Handler = (_, { store }) => {
  const open = store.all('order').filter(({ values }) => values.Verzonden === 0);
  store.atomic(() => {
    for (const order of open) store.update(order, 'order', { Verzonden: 1 });
    store.insert('orderCall', { InkooporderID: null });
  });
  return json({ success: true, verzonden: open.length });
};

/** Sends one order, also again. */
const send: Handler = (call, service) => {
  const { store } = service;
  const order = store.get('order', pathId(call, 'ID'));
  if (order === undefined) return missingRecord('Inkooporder', service.dialect());
  store.atomic(() => {
    store.update(order, 'order', { Verzonden: Number(order.values.Verzonden) + 1 });
    store.insert('orderCall', { InkooporderID: order.id });
  });
  return json({ id: order.id, success: true });
};

/** The three general endpoints (interface 4.7). */
export const generalHandlers: Handlers = {
  'invoices.file': invoice,
  'orders.sendAll': sendAll,
  'orders.send': send,
};
