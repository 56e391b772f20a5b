import { type Bilingual, t } from '../../core/language.ts';
import {
  type Days,
  exportedRecord,
  inOne,
  isDeleted,
  newestOf,
  type RecordLister,
} from '../../records/listing.ts';
import { OtherDays, ofPeriod, periodRecords } from '../../records/period-list.ts';
import type { Context } from '../../run/context.ts';
import type { AnswerRecord } from '../../schema/answer.ts';
import { type DailyResource, isDaily, type TripResource } from '../../schema/resource.ts';
import { BY_DAYS, EPOCH, listByDays, listByLmt } from './trip-source.ts';

/** Trips: by their days, or by LMT; the like without days: all, or by LMT. */
export const tripLister: RecordLister<TripResource> = {
  modified: ({ modified }) => modified,
  ways: (resource) => (isDaily(resource) ? ['period', 'since'] : ['all', 'since']),
  list(context, resource, chosen) {
    if (chosen.way === 'since') return inOne(() => newestSince(context, resource, chosen.moment));
    if (chosen.way === 'all') return inOne(() => newestSince(context, resource, EPOCH));
    if (chosen.way !== 'period' || !isDaily(resource))
      throw new TypeError(`trips can't be listed by ${chosen.way}`);
    const otherDays = new OtherDays(resource);
    return ofPeriod(tripsOn(context, resource, chosen.days, otherDays), otherDays, listLacks(resource));
  },
  read: (resource, record) =>
    isDeleted(record) ? null : exportedRecord(resource, record, resource.modified, BY_DAYS),
};

/** The trips of some days; those of others that come with them are told to `otherDays`. */
export function tripsOn(
  context: Context,
  resource: DailyResource,
  period: Days,
  otherDays: OtherDays,
): AsyncGenerator<readonly AnswerRecord[]> {
  const { id, modified } = resource;
  const lists = {
    ...{ context, resource, modified, otherDays },
    read: async (days: Days, signal?: AbortSignal) =>
      newestOf(await listByDays(context, resource, days, signal), id, modified),
    changedSince: (lmt: string) => newestSince(context, resource, lmt),
  };
  return periodRecords(lists, period);
}

/** What only the list by LMT returns (interface 2.9) is not known here. */
function listLacks({ fields }: TripResource): Bilingual[] {
  const lacking = Object.keys(fields).filter((name) => fields[name]?.reads === 'list');
  if (lacking.length === 0) return [];
  const names = lacking.join(', ');
  const note = t(
    `${names}: the list by days does not return it; its cells are empty, which an import leaves alone (--since gives it)`,
    `${names}: de lijst op dag geeft dit niet; de cellen zijn leeg, en dat laat een import met rust (--since geeft het wel)`,
  );
  return [note];
}

/** Deleted ones are among them: whoever follows the changes hears of them. */
const newestSince = async (context: Context, resource: TripResource, lmt: string): Promise<AnswerRecord[]> =>
  newestOf(await listByLmt(context, resource, lmt), resource.id, resource.modified);
