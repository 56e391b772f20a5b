import { list, missing, missingTarget, ok, shapeFor } from './answers.ts';
import * as names from './fields.ts';
import { modifiedAfter } from './products.ts';
import { type Call, number, pathId, type Route, route, text, withBody } from './route.ts';
import * as schema from './schema.ts';
import type { Answer, Values } from './types.ts';
import type { World } from './world.ts';

/** Section 4.6, and the list of all trips that it names for looking up a RitID. */
export const tripRoutes: readonly Route[] = [
  route('trip.all', 'POST', 'ritten/all', (call) =>
    withBody(call, schema.tripAllBody, 'id', (sent) => {
      const [from, to] = [text(sent, 'DatumVan'), lastMoment(call, sent)];
      const within = shown(call.world).filter(
        (trip) => text(trip, 'Datum') >= from && text(trip, 'Datum') <= to,
      );
      return trips(call.world, within, names.tripList);
    }),
  ),
  route('trip.allByLMT', 'POST', 'ritten/allByLMT', (call) =>
    withBody(call, schema.tripByLmtBody, 'id', (sent) =>
      trips(call.world, modifiedAfter(call.world, 'trip', text(sent, 'LMT')), names.tripByLmt),
    ),
  ),
  route('trip.lookup', 'GET', 'core/ritten/all', (call) =>
    trips(call.world, shown(call.world), names.tripList),
  ),
  route('trip.update!', 'POST', 'ritten', (call) =>
    withBody(call, schema.tripUpdate, 'id', (sent) => {
      const id = number(sent, 'RitID');
      const isThere = call.world.update('trip', id, sent, call.source, schema.tripUpdate);
      return isThere ? ok({}) : missingTarget(call.world, 'RitID');
    }),
  ),
  route('trip.delete!', 'DELETE', 'ritten/{}', remove),
];

function shown(world: World): Readonly<Values>[] {
  return world.stores.trip.all(world.asOf('list'));
}

/** A day without a time means the whole day. */
function lastMoment(call: Call, sent: Values): string {
  const given = (call.request.body as Record<string, unknown>).DatumTot;
  const full = text(sent, 'DatumTot');
  return String(given).length <= 10 ? `${full.slice(0, 10)} 23:59:59.999` : full;
}

function trips(world: World, records: readonly Readonly<Values>[], fields: readonly string[]): Answer {
  const shape = shapeFor(world);
  const { inactiveInLists } = world.knobs.answers;
  const visible = inactiveInLists ? records : records.filter((values) => values.DEL !== true);
  const written = visible.map((values) => ({
    ...shape.record(values, fields, 'list'),
    ...nested(world, values),
  }));
  return list(world, written, world.knobs.answers.otherLists);
}

/** The nested records keep their own types, whatever the knobs say: section 2.9 says booleans and numbers. */
function nested(world: World, values: Readonly<Values>): Record<string, unknown> {
  const { contact, relation, demand } = world.lookups;
  const event = world.stores.event.get(number(values, 'PartijID'), world.asOf('list'));
  const asked = demand.get(number(values, 'RitID'));
  return {
    contact: picked(contact.get(number(values, 'ContactpersoonID')), names.contactFields),
    relation: picked(relation.get(number(values, 'RelatieID')), names.relationFields),
    event: picked(event, names.eventInTrip),
    demand: asked && {
      ...picked(asked.values, names.demandFields),
      planning: asked.planning.map((element) => picked(element, names.planningFields)),
    },
  };
}

function picked(values: Readonly<Values> | undefined, fields: readonly string[]): Values | null {
  if (!values) return null;
  return Object.fromEntries(fields.map((name) => [name, values[name] ?? null]));
}

function remove(call: Call): Answer {
  const { world, source } = call;
  const id = pathId(call);
  if (!world.remove('trip', id, source)) return missing(world);
  return ok({});
}
