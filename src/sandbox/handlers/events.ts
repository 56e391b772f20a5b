import { createHash } from 'node:crypto';
import type { Values } from '../../core/value.ts';
import {
  found,
  foundForWrite,
  type Handler,
  type HandlerCall,
  type Handlers,
  json,
  type Reply,
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

/** The eight event endpoints (interface 4.4). */
export const eventHandlers: Handlers = {
  'events.create': create,
  'events.update': update,
  'events.get': get,
  'events.processevent': refresh,
  'events.all': (call) => list(call, 'list'),
  'events.allByLMT': allByLmt,
  'events.allkassa': (call) => list(call, 'definitive', ({ values }) => values.StatusID === DEFINITIVE),
  'events.uploaddocument': upload,
};
