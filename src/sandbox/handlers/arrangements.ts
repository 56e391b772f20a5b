import { ARRANGEMENTS } from '../company.ts';
import {
  found,
  foundForWrite,
  type Handler,
  type HandlerCall,
  type Handlers,
  json,
  Refusal,
  refused,
  unknownId,
} from '../handler.ts';
import type { StoredRecord } from '../store.ts';

const linked = ({ values }: StoredRecord): boolean => values.DEL !== true;

const list: Handler = ({ id, store, dialect }) => {
  found(store.get('event', id), 'Evenement', dialect);
  return json(store.byEvent('link', id).filter(linked).map(linkRecord));
};

/** Every call adds a link, also a second one of the same arrangement. */
const create: Handler = ({ body, store }) =>
  store.get('event', Number(body.PartijID)) === undefined
    ? unknownId('PartijID')
    : json({ id: store.insert('link', body), success: true });

/** The links that a write is about; without PartijID the arrangement must be linked to one event only. */
function meant({ body: { PartijID, ArrangementID }, store }: HandlerCall): StoredRecord[] {
  const ofEvent = typeof PartijID === 'number';
  const links = (ofEvent ? store.byEvent('link', PartijID) : store.all('link')).filter(
    (link) => linked(link) && link.values.ArrangementID === ArrangementID,
  );
  if (ofEvent || new Set(links.map(({ values }) => values.PartijID)).size < 2) return links;
  const several = 'Het veld PartijID is verplicht: het arrangement hoort bij meer evenementen.';
  throw new Refusal(refused({ PartijID: [several] }));
}

const update: Handler = (call) => {
  const { PartijID, ArrangementID, ...changes } = call.body;
  const links = meant(call);
  const { id } = foundForWrite(links[0], 'Arrangement', call.dialect);
  for (const link of links) call.store.update(link, 'link', changes);
  return json({ id, success: true });
};

/** DEL false changes nothing. The answer has no id (interface 4.5). */
const remove: Handler = (call) => {
  const links = meant(call);
  foundForWrite(links[0], 'Arrangement', call.dialect, 'succes');
  for (const link of call.body.DEL ? links : []) call.store.update(link, 'link', { DEL: true });
  return json({ succes: true });
};

const arrangementOf = (id: unknown) => ARRANGEMENTS.find(({ ArrangementID }) => ArrangementID === id);

/** A link by its own id, else the arrangement with that id. */
const get: Handler = ({ id, store, dialect }) => {
  const link = store.get('link', id);
  if (link !== undefined && linked(link)) return json(linkRecord(link));
  return json(found(arrangementOf(id), 'Arrangement', dialect));
};

/** The five event package endpoints (interface 4.5). */
export const arrangementHandlers: Handlers = {
  'arrangements.list': list,
  'arrangements.create': create,
  'arrangements.update': update,
  'arrangements.delete': remove,
  'arrangements.get': get,
};

/** An arrangement linked to an event (interface 2.8). */
function linkRecord({ values }: StoredRecord): Record<string, unknown> {
  const { DEL, OfferteOmschrijving, ...given } = values;
  const own = OfferteOmschrijving == null ? {} : { OfferteOmschrijving };
  return { ...arrangementOf(values.ArrangementID), ...given, ...own };
}
