import { createHash } from 'node:crypto';
import type { Values } from '../../core/value.ts';
import {
  type Handler,
  type HandlerCall,
  type Handlers,
  pathId,
  type SandboxService,
} from '../requests/handler.ts';
import { json, missingForWrite, missingRecord, type Reply, refused } from '../requests/reply.ts';
import { DEFINITIVE } from '../seed/company.ts';
import { localNow, wallTime } from '../store/clock.ts';
import type { StoredRecord } from '../store/store.ts';
import { type EventRead, eventRecord } from '../views/event-record.ts';

const find = (id: number, { store }: SandboxService): StoredRecord | undefined => store.get('event', id);

/** Both inputs name ExternalID (interface 4.4): `never` drops it from both, `create` from updates. */
function kept(values: Values, write: 'create' | 'update', service: SandboxService): Values {
  const { externalId } = service.dialect();
  const drop = externalId === 'never' || (externalId === 'create' && write === 'update');
  if (!drop) return values;
  const { ExternalID, ...others } = values;
  return others;
}

const create: Handler = (call, service) => {
  const values = kept(call.body as Values, 'create', service);
  const id = service.store.insert('event', { StatusID: 1, ...values });
  return json({ id, success: true });
};

const update: Handler = (call, service) => {
  const { PartijID, ...changes } = call.body as Values;
  const event = find(Number(PartijID), service);
  if (event === undefined) return missingForWrite('Evenement', 'success', service.dialect());
  service.store.update(event, 'event', kept(changes, 'update', service));
  return json({ id: event.id, success: true });
};

const get: Handler = (call, service) => {
  const event = find(pathId(call, 'ID'), service);
  const dialect = service.dialect();
  return event === undefined
    ? missingRecord('Evenement', dialect)
    : json(eventRecord(event, 'detail', service.company, dialect));
};

/** Refreshes the event's production; its own fields and its LMT stay. */
const refresh: Handler = (call, service) => {
  const event = find(pathId(call, 'ID'), service);
  if (event === undefined) return missingForWrite('Evenement', 'success', service.dialect());
  const values = { ...event.values, HeeftVulling: true, LaatsteProductieVerversingLMT: localNow() };
  service.store.insert('event', values, event);
  return json({ id: event.id, success: true });
};

function period(call: HandlerCall): [from: string, to: string] {
  return [wallTime(`${call.body.DatumVan} 00:00:00`), `${call.body.DatumTot} 23:59:59.999`];
}

/** A call for a single event is answered with a bare record; the dialect decides about lists of one. */
function list(
  events: readonly StoredRecord[],
  single: unknown,
  read: EventRead,
  service: SandboxService,
): Reply {
  const dialect = service.dialect();
  const records = events.map((event) => eventRecord(event, read, service.company, dialect));
  if (single !== true && !(dialect.listShape === 'single' && records.length === 1)) return json(records);
  return records[0] === undefined ? missingRecord('Evenement', dialect) : json(records[0]);
}

const all: Handler = (call, service) =>
  list(service.store.between('event', ...period(call)), call.body.EnkelEvenement, 'list', service);

const allByLmt: Handler = (call, service) => {
  const since = wallTime(String(call.body.LMT));
  const events = service.store.between('event', ...period(call)).filter(({ lmt }) => lmt > since);
  return list(events, call.body.EnkelEvenement, 'list', service);
};

const allDefinitive: Handler = (call, service) => {
  const events = service.store
    .between('event', ...period(call))
    .filter(({ values }) => values.StatusID === DEFINITIVE);
  return list(events, call.body.EnkelEvent, 'definitive', service);
};

const upload: Handler = async (call, service) => {
  const { PartijID, Submap, Document } = call.body as { PartijID: number; Submap: string; Document: Blob };
  if (find(PartijID, service) === undefined)
    return refused({ PartijID: ['Het gekozen PartijID is ongeldig.'] });
  const bytes = new Uint8Array(await Document.arrayBuffer());
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const name = Document instanceof File ? Document.name : 'document';
  const document = { PartijID, Submap, Bestandsnaam: name, Grootte: bytes.length, sha256 };
  const id = service.store.insert('document', document);
  return json({ id, success: true });
};

/** The eight event endpoints (interface 4.4). */
export const eventHandlers: Handlers = {
  'events.create': create,
  'events.update': update,
  'events.get': get,
  'events.processevent': refresh,
  'events.all': all,
  'events.allByLMT': allByLmt,
  'events.allkassa': allDefinitive,
  'events.uploaddocument': upload,
};
