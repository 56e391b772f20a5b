import { type DayLists, inFewerDays } from '../../records/period-list.ts';
import type { ContextOf } from '../../records/planning.ts';
import type { TripResource } from '../../schema/resource.ts';
import { listRecords } from '../../service/list-records.ts';

/** What the list by days returns: less than the one by LMT, no SubtypeRitID (interface 2.9). */
export const BY_DAYS = ['both'] as const;

/** How the service lists trips; by LMT deleted ones too: whoever follows what changed hears of them. */
export const tripLists = ({
  service,
  resource: { modified, requests, id },
}: ContextOf<TripResource>): DayLists => ({
  modified,
  read: (days, signal) =>
    inFewerDays(days, ({ from, to }) => {
      const body = { DatumVan: `${from} 00:00:00`, DatumTot: `${to} 23:59:59` };
      return listRecords(service, requests.all, { body, id, ...(signal && { signal }) });
    }),
  changedSince: (LMT) => listRecords(service, requests.allByLmt, { body: { LMT }, id }),
});
