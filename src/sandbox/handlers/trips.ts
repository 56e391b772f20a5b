import { foundForWrite, type Handler, type HandlerCall, type Handlers, json } from '../handler.ts';
import { tripRecord } from '../records.ts';
import { type StoredRecord, wallTime } from '../store.ts';

const present = ({ values }: StoredRecord): boolean => values.DEL !== true;

const all: Handler = (call) => {
  const [from, to] = [wallTime(String(call.body.DatumVan)), wallTime(String(call.body.DatumTot))];
  const trips = call.store.between('trip', from, to).filter(present);
  return json(trips.map((trip) => tripRecord(trip, 'all', call)));
};

/** Lists deleted trips too, with DEL. */
const allByLmt: Handler = (call) => {
  const trips = call.store.modified('trip', wallTime(String(call.body.LMT)));
  return json(trips.map((trip) => tripRecord(trip, 'byLmt', call)));
};

function presentTrip({ store, dialect }: HandlerCall, id: number, flag: 'success' | 'succes'): StoredRecord {
  const trip = store.get('trip', id);
  return foundForWrite(trip && present(trip) ? trip : undefined, 'Rit', dialect, flag);
}

/** The answer is an empty object (interface 4.6). */
const update: Handler = (call) => {
  const { RitID, ...changes } = call.body;
  call.store.update(presentTrip(call, Number(RitID), 'success'), 'trip', changes);
  return json({});
};

const remove: Handler = (call) => {
  call.store.update(presentTrip(call, call.id, 'succes'), 'trip', { DEL: true });
  return json({ id: call.id, succes: true });
};

/** The lookup of trips. */
const listTrips: Handler = ({ store }) => {
  const trips = store.all('trip').filter(present);
  return json(
    trips.map(({ id, values: { Omschrijving = '', Datum = null } }) => ({
      RitID: id,
      Omschrijving: Omschrijving ?? '',
      Datum,
    })),
  );
};

/** The four trip endpoints (interface 4.6), and the lookup. */
export const tripHandlers: Handlers = {
  'trips.all': all,
  'trips.allByLMT': allByLmt,
  'trips.update': update,
  'trips.delete': remove,
  'lookups.ritten': listTrips,
};
