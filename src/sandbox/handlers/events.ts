import { createHash } from 'node:crypto';
import type { Values } from '../../core/value.ts';
import { ARRANGEMENTS } from '../company.ts';
import {
  found,
  foundForWrite,
  type Handler,
  type HandlerCall,
  type Handlers,
  json,
  Refusal,
  type Reply,
  refused,
  unknownId,
} from '../handler.ts';
import type { SandboxDialect } from '../options.ts';
import { eventRecord } from '../records.ts';
import { localNow, type StoredRecord, wallTime } from '../store.ts';

/** The event status definitive; the interface gives no numbers. */
const DEFINITIVE = 3;

/** Both inputs name ExternalID (interface 4.4): `never` drops it from both, `create` from updates. */
function kept(values: Values, write: 'create' | 'update', { externalId }: SandboxDialect): Values {
  if (externalId === 'update' || externalId === write) return values;
  const { ExternalID, ...others } = values;
  return others;
}

const create: Handler = ({ body, store, dialect }) => {
  const id = store.insert('event', { StatusID: 1, ...kept(body, 'create', dialect) });
  return json({ id, success: true });
};

const update: Handler = ({ body: { PartijID, ...changes }, store, dialect }) => {
  const event = foundForWrite(store.get('event', Number(PartijID)), 'Evenement', dialect);
  store.update(event, 'event', kept(changes, 'update', dialect));
  return json({ id: event.id, success: true });
};

const get: Handler = ({ id, store, dialect }) =>
  json(eventRecord(found(store.get('event', id), 'Evenement', dialect), 'detail', dialect));

/** Refreshes the event's production; its own fields and its LMT stay. */
const refresh: Handler = ({ id, store, dialect }) => {
  const event = foundForWrite(store.get('event', id), 'Evenement', dialect);
  const values = { ...event.values, HeeftVulling: true, LaatsteProductieVerversingLMT: localNow() };
  store.insert('event', values, event);
  return json({ id, success: true });
};

/** A call for a single event is answered with a bare record; the dialect decides about lists of one. */
function list(
  { body, store, dialect }: HandlerCall,
  read: 'list' | 'definitive',
  meant: (event: StoredRecord) => boolean = () => true,
): Reply {
  const from = wallTime(`${body.DatumVan} 00:00:00`);
  const events = store.between('event', from, `${body.DatumTot} 23:59:59.999`).filter(meant);
  const records = events.map((event) => eventRecord(event, read, dialect));
  const single = (body.EnkelEvenement ?? body.EnkelEvent) === true;
  if (!single && !(dialect.listShape === 'single' && records.length === 1)) return json(records);
  return json(found(records[0], 'Evenement', dialect));
}

const allByLmt: Handler = (call) => {
  const since = wallTime(String(call.body.LMT));
  return list(call, 'list', ({ lmt }) => lmt > since);
};

const upload: Handler = async ({ body, store }) => {
  type Form = { PartijID: number; Submap: string; Document: Blob };
  const { PartijID, Submap, Document } = body as unknown as Form;
  if (store.get('event', PartijID) === undefined) return unknownId('PartijID');
  const bytes = new Uint8Array(await Document.arrayBuffer());
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const name = Document instanceof File ? Document.name : 'document';
  const document = { PartijID, Submap, Bestandsnaam: name, Grootte: bytes.length, sha256 };
  return json({ id: store.insert('document', document), success: true });
};

const linked = ({ values }: StoredRecord): boolean => values.DEL !== true;

const listLinks: Handler = ({ id, store, dialect }) => {
  found(store.get('event', id), 'Evenement', dialect);
  return json(store.byEvent('link', id).filter(linked).map(linkRecord));
};

/** Every call adds a link, also a second one of the same arrangement. */
const createLink: Handler = ({ body, store }) =>
  store.get('event', Number(body.PartijID)) === undefined
    ? unknownId('PartijID')
    : json({ id: store.insert('link', body), success: true });

/** The links that a write is about; without PartijID the arrangement must be linked to one event only. */
function meantLinks({ body: { PartijID, ArrangementID }, store }: HandlerCall): StoredRecord[] {
  const ofEvent = typeof PartijID === 'number';
  const links = (ofEvent ? store.byEvent('link', PartijID) : store.all('link')).filter(
    (link) => linked(link) && link.values.ArrangementID === ArrangementID,
  );
  if (ofEvent || new Set(links.map(({ values }) => values.PartijID)).size < 2) return links;
  const several = 'Het veld PartijID is verplicht: het arrangement hoort bij meer evenementen.';
  throw new Refusal(refused({ PartijID: [several] }));
}

const updateLinks: Handler = (call) => {
  const { PartijID, ArrangementID, ...changes } = call.body;
  const links = meantLinks(call);
  const { id } = foundForWrite(links[0], 'Arrangement', call.dialect);
  for (const link of links) call.store.update(link, 'link', changes);
  return json({ id, success: true });
};

/** DEL false changes nothing. The answer has no id (interface 4.5). */
const removeLinks: Handler = (call) => {
  const links = meantLinks(call);
  foundForWrite(links[0], 'Arrangement', call.dialect, 'succes');
  for (const link of call.body.DEL ? links : []) call.store.update(link, 'link', { DEL: true });
  return json({ succes: true });
};

const arrangementOf = (id: unknown) => ARRANGEMENTS.find(({ ArrangementID }) => ArrangementID === id);

/** A link by its own id, else the arrangement with that id. */
const getLink: Handler = ({ id, store, dialect }) => {
  const link = store.get('link', id);
  if (link !== undefined && linked(link)) return json(linkRecord(link));
  return json(found(arrangementOf(id), 'Arrangement', dialect));
};

/** An arrangement linked to an event (interface 2.8). */
function linkRecord({ values }: StoredRecord): Record<string, unknown> {
  const { DEL, OfferteOmschrijving, ...given } = values;
  const own = OfferteOmschrijving == null ? {} : { OfferteOmschrijving };
  return { ...arrangementOf(values.ArrangementID), ...given, ...own };
}

/** The eight event endpoints, and the five of the arrangements that are linked to events (interface 4.4, 4.5). */
export const eventHandlers: Handlers = {
  'events.create': create,
  'events.update': update,
  'events.get': get,
  'events.processevent': refresh,
  'events.all': (call) => list(call, 'list'),
  'events.allByLMT': allByLmt,
  'events.allkassa': (call) => list(call, 'definitive', ({ values }) => values.StatusID === DEFINITIVE),
  'events.uploaddocument': upload,
  'arrangements.list': listLinks,
  'arrangements.create': createLink,
  'arrangements.update': updateLinks,
  'arrangements.delete': removeLinks,
  'arrangements.get': getLink,
};
