import type { Value, Values } from '../../core/value.ts';
import {
  type Handler,
  type HandlerCall,
  type Handlers,
  pathId,
  type SandboxService,
} from '../requests/handler.ts';
import { json, missingForWrite, missingRecord, type Reply, refused } from '../requests/reply.ts';
import type { Arrangement, Company } from '../seed/company.ts';
import type { StoredRecord } from '../store/store.ts';

const linked = ({ values }: StoredRecord): boolean => values.DEL !== true;

/** The event's links to an arrangement; more than one when it was linked again. */
function linksTo(arrangementId: number, partijId: number, { store }: SandboxService): StoredRecord[] {
  return store
    .byEvent('link', partijId)
    .filter((link) => linked(link) && link.values.ArrangementID === arrangementId);
}

const list: Handler = (call, service) => {
  const partijId = pathId(call, 'ID');
  if (service.store.get('event', partijId) === undefined)
    return missingRecord('Evenement', service.dialect());
  const links = service.store.byEvent('link', partijId).filter(linked);
  return json(links.map((link) => linkRecord(link, service.company)));
};

/** Every call adds a link, also a second one of the same arrangement. */
const create: Handler = (call, service) => {
  const values = call.body as Values;
  if (service.store.get('event', Number(values.PartijID)) === undefined) {
    return refused({ PartijID: ['Het gekozen PartijID is ongeldig.'] });
  }
  return json({ id: service.store.insert('link', values), success: true });
};

/** The links that an update is about; without PartijID the arrangement must be linked to one event only. */
function meant(body: Values, service: SandboxService): StoredRecord[] | Reply {
  const arrangementId = Number(body.ArrangementID);
  if (typeof body.PartijID === 'number') return linksTo(arrangementId, body.PartijID, service);
  const links = service.store
    .all('link')
    .filter((link) => linked(link) && link.values.ArrangementID === arrangementId);
  const events = new Set(links.map(({ values }) => values.PartijID));
  return events.size > 1
    ? refused({ PartijID: ['Het veld PartijID is verplicht: het arrangement hoort bij meer evenementen.'] })
    : links;
}

const update: Handler = (call, service) => {
  const { PartijID, ArrangementID, ...changes } = call.body as Record<string, Value>;
  const links = meant(call.body as Values, service);
  if (!Array.isArray(links)) return links;
  const [first] = links;
  if (first === undefined) return missingForWrite('Arrangement', 'success', service.dialect());
  for (const link of links) service.store.update(link, 'link', changes);
  return json({ id: first.id, success: true });
};

/** DEL false changes nothing. The answer has no id (interface 4.5). */
const remove: Handler = (call: HandlerCall, service) => {
  type Body = { PartijID: number; ArrangementID: number; DEL: boolean };
  const { PartijID, ArrangementID, DEL } = call.body as Body;
  const links = linksTo(ArrangementID, PartijID, service);
  if (links.length === 0) return missingForWrite('Arrangement', 'succes', service.dialect());
  for (const link of DEL ? links : []) service.store.update(link, 'link', { DEL: true });
  return json({ succes: true });
};

/** A link by its own id, else the arrangement with that id. */
const get: Handler = (call, service) => {
  const id = pathId(call, 'ID');
  const link = service.store.get('link', id);
  if (link !== undefined && linked(link)) return json(linkRecord(link, service.company));
  const arrangement = service.company.arrangement(id);
  return arrangement === undefined
    ? missingRecord('Arrangement', service.dialect())
    : json(arrangementRecord(arrangement));
};

/** The five event package endpoints (interface 4.5). */
export const arrangementHandlers: Handlers = {
  'arrangements.list': list,
  'arrangements.create': create,
  'arrangements.update': update,
  'arrangements.delete': remove,
  'arrangements.get': get,
};

/** An arrangement without an event (interface 2.8). */
function arrangementRecord({ id, name, description, price }: Arrangement): Record<string, unknown> {
  return {
    ArrangementID: id,
    ArrangementNaam: name,
    OfferteOmschrijving: description,
    VerkoopPrijs: price,
    Actief: true,
    PartijID: null,
    Aantal: null,
    Datum: null,
  };
}

/** An arrangement linked to an event (interface 2.8). */
function linkRecord({ values }: StoredRecord, company: Company): Record<string, unknown> {
  const arrangement = company.arrangement(Number(values.ArrangementID));
  const record = arrangement === undefined ? {} : arrangementRecord(arrangement);
  const { DEL, OfferteOmschrijving, ...given } = values;
  const own = OfferteOmschrijving == null ? {} : { OfferteOmschrijving };
  return { ...record, ...given, ...own };
}
