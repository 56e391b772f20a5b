import type { ExportedResource, Lister } from '../listing/lister.ts';
import type { Resource } from '../schema/resource.ts';
import { catalogueLister } from './catalogue/catalogue-lister.ts';
import { countLister } from './count/count-lister.ts';
import { eventLister } from './event/event-lister.ts';
import { linkLister } from './link/link-lister.ts';
import { tripLister } from './trip/trip-lister.ts';

const LISTERS: {
  readonly [K in ExportedResource['kind']]: Lister<Extract<ExportedResource, { kind: K }>>;
} = {
  catalogue: catalogueLister,
  event: eventLister,
  link: linkLister,
  trip: tripLister,
  count: countLister,
};

/** How the records of a resource are listed for an export. */
export function listerOf<R extends ExportedResource>(resource: R): Lister<R> {
  return LISTERS[resource.kind] as unknown as Lister<R>;
}

/** Whether the service gives a list of a resource's records. */
export function isExported(resource: Resource): resource is ExportedResource {
  return Object.hasOwn(LISTERS, resource.kind);
}
