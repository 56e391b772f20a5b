import type { Values } from '../../core/value.ts';
import { type Handler, type Handlers, pathId } from '../requests/handler.ts';
import { json, missingForWrite } from '../requests/reply.ts';
import { wallTime } from '../store/clock.ts';
import type { StoredRecord } from '../store/store.ts';
import { tripRecord } from '../views/trip-record.ts';

const present = ({ values }: StoredRecord): boolean => values.DEL !== true;

const all: Handler = (call, service) => {
  const [from, to] = [wallTime(String(call.body.DatumVan)), wallTime(String(call.body.DatumTot))];
  const trips = service.store.between('trip', from, to).filter(present);
  return json(trips.map((trip) => tripRecord(trip, 'all', service)));
};

/** Lists deleted trips too, with DEL. */
const allByLmt: Handler = (call, service) => {
  const trips = service.store.modified('trip', wallTime(String(call.body.LMT)));
  return json(trips.map((trip) => tripRecord(trip, 'byLmt', service)));
};

/** The answer is an empty object (interface 4.6). */
const update: Handler = (call, service) => {
  const { RitID, ...changes } = call.body as Values;
  const trip = service.store.get('trip', Number(RitID));
  if (trip === undefined || !present(trip)) return missingForWrite('Rit', 'success', service.dialect());
  service.store.update(trip, 'trip', changes);
  return json({});
};

const remove: Handler = (call, service) => {
  const trip = service.store.get('trip', pathId(call, 'ID'));
  if (trip === undefined || !present(trip)) return missingForWrite('Rit', 'succes', service.dialect());
  service.store.update(trip, 'trip', { DEL: true });
  return json({ id: trip.id, succes: true });
};

/** The lookup of trips. */
export const listTrips: Handler = (_, { store }) =>
  json(
    store
      .all('trip')
      .filter(present)
      .map(({ id, values }) => ({
        RitID: id,
        Omschrijving: values.Omschrijving ?? '',
        Datum: values.Datum ?? null,
      })),
  );

/** The four trip endpoints (interface 4.6). */
export const tripHandlers: Handlers = {
  'trips.all': all,
  'trips.allByLMT': allByLmt,
  'trips.update': update,
  'trips.delete': remove,
};
