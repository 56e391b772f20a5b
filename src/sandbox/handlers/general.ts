import type { Handler, Handlers } from '../requests/handler.ts';
import { found, json, notFound } from '../requests/reply.ts';
import { INVOICES, invoiceFile } from '../seed/invoices.ts';

const invoice: Handler = ({ id, parameters, dialect }) => {
  const asked = found(
    INVOICES.find((one) => one.id === id),
    'Factuur',
    dialect,
  );
  const file = invoiceFile(asked, parameters.extension ?? '');
  return file === undefined
    ? notFound('Factuur in dit bestandsformaat niet gevonden.')
    : { kind: 'bytes', status: 200, ...file };
};

/** Sends the orders that were never sent. Every call is stored, so that calls can be counted. */
const sendAll: Handler = ({ store }) => {
  const open = store.all('order').filter(({ values }) => values.Verzonden === 0);
  store.atomic(() => {
    for (const order of open) store.update(order, 'order', { Verzonden: 1 });
    store.insert('orderCall', { InkooporderID: null });
  });
  return json({ success: true, verzonden: open.length });
};

/** Sends one order, also again. */
const send: Handler = ({ id, store, dialect }) => {
  const order = found(store.get('order', id), 'Inkooporder', dialect);
  store.atomic(() => {
    store.update(order, 'order', { Verzonden: Number(order.values.Verzonden) + 1 });
    store.insert('orderCall', { InkooporderID: id });
  });
  return json({ id, success: true });
};

/** The three general endpoints (interface 4.7). */
export const generalHandlers: Handlers = {
  'invoices.file': invoice,
  'orders.sendAll': sendAll,
  'orders.send': send,
};
