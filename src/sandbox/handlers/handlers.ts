import type { Handlers } from '../requests/handler.ts';
import { arrangementHandlers } from './arrangements.ts';
import { eventHandlers } from './events.ts';
import { generalHandlers } from './general.ts';
import { lookupHandlers } from './lookups.ts';
import { productHandlers } from './products.ts';
import { stockHandlers } from './stock.ts';
import { tripHandlers } from './trips.ts';

/** One handler for each endpoint of the table, by its name. */
export const handlers: Handlers = {
  ...productHandlers,
  ...stockHandlers,
  ...eventHandlers,
  ...arrangementHandlers,
  ...tripHandlers,
  ...generalHandlers,
  ...lookupHandlers,
};
