import { listedRecords } from '../kinds/catalogue.ts';
import { ALL_DAYS, eventLists, readDefinitive } from '../kinds/event-reads.ts';
import { BY_DAYS, tripLists } from '../kinds/trip.ts';
import {
  EPOCH,
  type ExportedResource,
  exportedRecord,
  inOne,
  isDeleted,
  listDays,
  type RecordLister,
  uncounted,
} from '../records/listing.ts';
import type { CatalogueResource, EventResource, Resource, TripResource } from '../schema/resource.ts';
import { countLister } from './count-list.ts';
import { linkLister } from './link-list.ts';

/** Packages and recipes: the pages of their list by LMT (interface 4.3). */
const catalogue: RecordLister<CatalogueResource> = {
  ways: () => ['all', 'since'],
  declaration: true,
  list(context, chosen, { declaration }) {
    const LMT = chosen.way === 'since' ? chosen.moment : EPOCH;
    return listedRecords(context, { LMT, ...(declaration ? { exportWithDeclaration: true } : {}) });
  },
  // What is returned where the declaration is asked for.
  others: ({ fields }) => {
    const told = ['IngredientDeclaratie', 'IngredientDeclaratieCategorie'].filter((name) => name in fields);
    return told.length === 0 ? [] : [{ option: '--declaration', fields: told }];
  },
  read: (resource, record) => exportedRecord(resource, record),
};

/** Events: by their days, by LMT, or the definitive ones. */
const event: RecordLister<EventResource> = {
  ways: () => ['period', 'since', 'definitive'],
  list(context, chosen) {
    // Days that nobody named are not cut into months.
    return chosen.way === 'definitive' && chosen.days === null
      ? uncounted(inOne(() => readDefinitive(context, ALL_DAYS)))
      : listDays(context, eventLists(context, chosen.way === 'definitive'), chosen);
  },
  read: (resource, record) => exportedRecord(resource, record),
};

/** Trips: by their days, or by LMT. */
const trip: RecordLister<TripResource> = {
  modified: ({ modified }) => modified,
  ways: () => ['period', 'since'],
  list: (context, chosen) => listDays(context, tripLists(context), chosen),
  others: ({ fields }) => [
    { option: '--since', fields: Object.keys(fields).filter((name) => fields[name]?.reads === 'list') },
  ],
  read: (resource, record) =>
    isDeleted(record) ? null : exportedRecord(resource, record, resource.modified, BY_DAYS),
};

const LISTERS: { readonly [K in ExportedResource['kind']]: RecordLister<Extract<Resource, { kind: K }>> } = {
  ...{ catalogue, event, trip },
  link: linkLister,
  count: countLister,
};

/** How the records of a resource are listed. */
export function listerOf<R extends ExportedResource>(resource: R): RecordLister<R> {
  return LISTERS[resource.kind] as unknown as RecordLister<R>;
}

/** Whether the service gives a list of a resource's records. */
export const isExported = (resource: Resource): resource is ExportedResource => resource.kind in LISTERS;
