import { detail, done, list, missing, missingTarget, ok, refuse, shapeFor } from './answers.ts';
import { linkList } from './fields.ts';
import { type Call, number, pathId, type Route, route, withBody } from './route.ts';
import * as schema from './schema.ts';
import type { Answer, Values } from './types.ts';
import type { World } from './world.ts';

/** Section 4.5. */
export const linkRoutes: readonly Route[] = [
  route('link.list', 'GET', 'event/{}/packages', readAll),
  route('link.create!', 'PUT', 'event/package', (call) =>
    withBody(call, schema.linkCreate, 'id', (sent) => create(call, sent)),
  ),
  route('link.update!', 'POST', 'event/package', (call) =>
    withBody(call, schema.linkUpdate, 'id', (sent) => update(call, sent)),
  ),
  route('link.delete!', 'POST', 'event/package/delete', (call) =>
    withBody(call, schema.linkDelete, 'id', (sent) => remove(call, sent)),
  ),
  route('link.detail', 'GET', 'event/package/{}', (call) => {
    const { world } = call;
    const values = world.stores.link.get(pathId(call), world.asOf('detail'));
    return values ? detail(world, shapeFor(world).record(values, linkList, 'list')) : missing(world);
  }),
];

function readAll(call: Call): Answer {
  const { world } = call;
  const asOf = world.asOf('list');
  const partijId = pathId(call);
  if (!world.stores.event.get(partijId, asOf)) return missing(world);
  const shape = shapeFor(world);
  const records = world.stores.link.all(asOf).filter(({ PartijID }) => PartijID === partijId);
  const written = records.map((values) => shape.record(values, linkList, 'list'));
  return list(world, written, world.knobs.answers.otherLists);
}

/** The links that an event and a package name. */
function named(world: World, sent: Values): number[] {
  return world.stores.link
    .entries()
    .filter(([, values]) => values.ArrangementID === sent.ArrangementID)
    .filter(([, values]) => (sent.PartijID ?? null) === null || values.PartijID === sent.PartijID)
    .map(([id]) => id);
}

function create(call: Call, sent: Values): Answer {
  const { world, source } = call;
  const { linkTwice, checkReferences } = world.knobs.values;
  if (!world.stores.event.get(number(sent, 'PartijID'))) return missingTarget(world, 'PartijID');
  const product = world.stores.package.get(number(sent, 'ArrangementID'));
  if (!product && checkReferences) return missingTarget(world, 'ArrangementID');
  const [first] = named(world, sent);
  if (first !== undefined && linkTwice === 'refused') {
    return refuse(world, { ArrangementID: ['The package is already linked.'] });
  }
  if (first !== undefined && linkTwice === 'overwrites') {
    world.update('link', first, sent, source);
    return answerId(world, first, sent);
  }
  const id = world.create('link', sent, source, { raw: fromPackage(product) });
  touchEvent(call, sent);
  return answerId(world, id, sent);
}

/** What a link takes over from the package it links. */
export function fromPackage(product: Readonly<Values> | undefined): Values {
  return {
    ArrangementNaam: product?.OmschrijvingIntern ?? null,
    OfferteOmschrijving: product?.OmschrijvingExtern ?? null,
    VerkoopPrijs: product?.Verkoopprijs ?? null,
  };
}

function answerId(world: World, id: number, sent: Values): Answer {
  return done(world, 'id', world.knobs.values.linkId === 'own' ? id : number(sent, 'ArrangementID'));
}

function update(call: Call, sent: Values): Answer {
  const { world, source } = call;
  const ids = named(world, sent);
  const [first] = ids;
  if (first === undefined) return missingTarget(world, 'ArrangementID');
  for (const id of ids) world.update('link', id, sent, source, schema.linkUpdate);
  touchEvent(call, world.stores.link.get(first) ?? sent);
  return answerId(world, first, sent);
}

function remove(call: Call, sent: Values): Answer {
  const { world, source } = call;
  const shape = shapeFor(world);
  // Only DEL 1 is said to delete: with 0 the service looks and leaves the link alone.
  if (sent.DEL !== true) return { ...ok({ succes: shape.success }), refused: true };
  const ids = named(world, sent);
  if (ids.length === 0) return missingTarget(world, 'ArrangementID');
  for (const id of ids) world.remove('link', id, source);
  touchEvent(call, sent);
  return ok({ succes: shape.success });
}

function touchEvent(call: Call, sent: Readonly<Values>): void {
  const { world, source } = call;
  if (world.knobs.clock.linkMovesEvent) {
    world.touch('event', number(sent, 'PartijID'), { LMT: world.clock.stamp() }, source);
  }
}
