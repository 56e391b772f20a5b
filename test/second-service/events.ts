import { detail, done, list, missing, missingTarget, refuse, shapeFor } from './answers.ts';
import { isObject } from './check.ts';
import { eventDetail, eventKassa, eventList } from './fields.ts';
import { write } from './keyed.ts';
import { modifiedAfter } from './products.ts';
import { type Call, number, pathId, type Route, route, text, withBody } from './route.ts';
import * as schema from './schema.ts';
import type { Answer, Values } from './types.ts';
import { uploadedFields } from './upload.ts';
import type { World } from './world.ts';

/** Section 4.4. */
export const eventRoutes: readonly Route[] = [
  route('event.process!', 'GET', 'event/{}/processevent', refresh),
  route('event.allByLMT', 'POST', 'event/allByLMT', (call) =>
    withBody(call, schema.eventByLmtBody, 'id', (sent) => {
      const modified = modifiedAfter(call.world, 'event', text(sent, 'LMT'));
      return events(call, modified, sent, eventList);
    }),
  ),
  route('event.all', 'POST', 'event/all', (call) =>
    withBody(call, schema.eventAllBody, 'id', (sent) => events(call, shown(call.world), sent, eventList)),
  ),
  route('event.allkassa', 'POST', 'event/allkassa', (call) =>
    withBody(call, schema.eventKassaBody, 'id', (sent) => {
      // Which status is the definitive one the document does not say.
      const records = shown(call.world).filter(({ StatusID }) => StatusID === 3);
      return events(call, records, sent, eventKassa);
    }),
  ),
  route('event.upload!', 'POST', 'event/uploaddocument', upload),
  route('event.detail', 'GET', 'event/{}', read),
  route('event.create!', 'PUT', 'event', (call) =>
    withBody(call, schema.eventCreate, 'id', (sent) => write(call, 'event', sent, referencesOf(call))),
  ),
  route('event.update!', 'POST', 'event', (call) =>
    withBody(call, schema.eventUpdate, 'id', (sent) => update(call, sent)),
  ),
];

function shown(world: World): Readonly<Values>[] {
  return world.stores.event.all(world.asOf('list'));
}

function events(
  call: Call,
  records: readonly Readonly<Values>[],
  sent: Values,
  names: readonly string[],
): Answer {
  const { world } = call;
  const [from, to] = [text(sent, 'DatumVan'), text(sent, 'DatumTot')];
  const within = records.filter((values) => {
    const day = text(values, 'Datum').slice(0, 10);
    return day >= from && day <= to;
  });
  const shape = shapeFor(world);
  const written = within.map((values) => shape.record(values, names, 'list'));
  return list(world, written, world.knobs.answers.lists);
}

function read(call: Call): Answer {
  const { world } = call;
  const values = world.stores.event.get(pathId(call), world.asOf('detail'));
  if (!values) return missing(world);
  return detail(world, shapeFor(world).record(values, eventDetail, 'detail'));
}

function update(call: Call, sent: Values): Answer {
  const id = number(sent, 'PartijID');
  if (!call.world.stores.event.get(id)) return missingTarget(call.world, 'PartijID');
  return write(call, 'event', sent, referencesOf(call), { id, fields: schema.eventUpdate });
}

function referencesOf({ world: { lookups } }: Call) {
  const { relation, contact, location } = lookups;
  return {
    RelatieID: relation,
    FactuurRelatieID: relation,
    ContactpersoonID: contact,
    FactuurContactpersoonID: contact,
    LocatieID: location,
  };
}

/** A refresh changes nothing a client wrote, but it is a write all the same. */
function refresh(call: Call): Answer {
  const { world, source } = call;
  const id = pathId(call);
  const before = world.stores.event.get(id);
  if (!before) return missingTarget(world, 'PartijID');
  const LMT = world.clock.stamp();
  world.touch('event', id, { LaatsteProductieVerversingLMT: LMT }, source);
  return done(world, 'id', id);
}

function upload(call: Call): Answer {
  const { world, request, source } = call;
  const given = isObject(request.body) ? request.body : uploadedFields(request);
  const body = { ...request, body: given };
  return withBody({ ...call, request: body }, schema.documentUpload, 'id', (sent) => {
    if (given.Document === undefined) return refuse(world, { Document: ['The Document field is required.'] });
    const id = number(sent, 'PartijID');
    if (!world.stores.event.get(id)) return missingTarget(world, 'PartijID');
    world.create('document', { ...sent, Document: String(given.Document) }, source);
    return done(world, 'id', id);
  });
}
