import { LISTED, momentIn, numberIn, readValues, sameValue } from '../../records/existing-record.ts';
import { secondBefore } from '../../records/fresh.ts';
import { type Days, EPOCH, exportedRecord, isDeleted, type RecordLister } from '../../records/listing.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import { createMark } from '../../records/mark.ts';
import { type DayLists, inFewerDays, listDays } from '../../records/period-list.ts';
import type { Baseline, ContextOf, SourceSummary } from '../../records/planning.ts';
import type { ListedRecord, RecordReads } from '../../records/record-guard.ts';
import { type FoundRecord, type FoundWindow, needsRecord } from '../../records/row-matching.ts';
import { sharedReading } from '../../records/shared-reading.ts';
import type { ReadAgain } from '../../records/stale-reads.ts';
import type { AnswerRecord } from '../../schema/answer.ts';
import type { TripResource } from '../../schema/resource.ts';
import { listRecords } from '../../service/list-records.ts';

type TripContext = ContextOf<TripResource>;
type Row = MappedRow<TripResource>;

/** What the list by days returns: less than the one by LMT, no SubtypeRitID (interface 2.9). */
const BY_DAYS = ['both'] as const;

/** How the service lists trips; by LMT deleted ones too: whoever follows what changed hears of them. */
export const tripLists = ({ service, resource: { modified, requests, id } }: TripContext): DayLists => ({
  modified,
  read: (days, signal) =>
    inFewerDays(days, ({ from, to }) => {
      const body = { DatumVan: `${from} 00:00:00`, DatumTot: `${to} 23:59:59` };
      return listRecords(service, requests.all, { body, id, ...(signal && { signal }) });
    }),
  changedSince: (LMT) => listRecords(service, requests.allByLmt, { body: { LMT }, id }),
});

/** Trips: by their days, or by LMT. */
export const tripLister: RecordLister<TripResource> = {
  modified: ({ modified }) => modified,
  ways: () => ['period', 'since'],
  list: (context, chosen) => listDays(context, tripLists(context), chosen),
  others: ({ fields }) => [
    { option: '--since', fields: Object.keys(fields).filter((name) => fields[name]?.reads === 'list') },
  ],
  read: (resource, record) =>
    isDeleted(record) ? null : exportedRecord(resource, record, resource.modified, BY_DAYS),
};

function toTrips(
  { resource }: TripContext,
  records: readonly AnswerRecord[],
  returned = LISTED,
): ListedRecord[] {
  return records.flatMap((record): ListedRecord[] => {
    const id = numberIn(record, resource.id);
    if (id === null) return [];
    const [lmt, values] = [momentIn(record, resource.modified), readValues(resource, record, returned)];
    return [{ id, external: null, lmt, values, ...(isDeleted(record) && { gone: true }) }];
  });
}

const onDays = async (context: TripContext, days: Days): Promise<ListedRecord[]> =>
  toTrips(context, await tripLists(context).read(days), BY_DAYS);

const writtenSince = async (context: TripContext, lmt: string): Promise<ListedRecord[]> =>
  toTrips(context, await tripLists(context).changedSince(lmt));

/** In place of a moment: the days of the plan. */
const BY_DAY = 'by day';

/** How trips are read: in lists that all who ask share, as there is no reading one. */
export function tripReads(context: TripContext, { periods = [] }: Partial<SourceSummary> = {}): RecordReads {
  const listed = sharedReading(context.time, async (lmt: string) => {
    if (lmt !== BY_DAY) return await writtenSince(context, lmt);
    return (await Promise.all(periods.map((period) => onDays(context, toDays(period))))).flat();
  });
  return {
    async one(id, lmt, asked) {
      // A clock may have jumped back, and a trip without LMT stand in no list by LMT.
      for (const list of [...(lmt === null ? [] : [secondBefore(lmt)]), EPOCH, BY_DAY]) {
        const trip = (await listed(list, asked)).find((one) => one.id === id);
        if (trip !== undefined) return trip.gone ? null : trip;
      }
      return null;
    },
    since: (moment) => writtenSince(context, moment),
    shows: ({ values }, { planned }) =>
      planned.changes.every(({ field, to }) => sameValue(values[field], to)),
    few: 0,
  };
}

type Period = NonNullable<SourceSummary['periods']>[number];

const toDays = ({ DatumVan: from, DatumTot: to }: Period): Days => ({ from, to });

/** The trip that a row names. */
export function tripOf({ values, mapping }: Row): number | null {
  const id = values[mapping.resource.id];
  return typeof id === 'number' ? id : null;
}

export const tripKey = (id: number | null): string | null => (id === null ? null : `id:${id}`);

/** A few lists serve all rows of all sheets of trips in a run. */
export class TripSource {
  private readonly known = new Map<number, ListedRecord>();
  private readonly seen = createMark();
  /** Only the list by LMT returns all that rows ask for. */
  private byLmt = false;
  private all = false;
  private periods: SourceSummary['periods'];
  private readonly context: TripContext;

  constructor(context: TripContext) {
    this.context = context;
  }

  /** The trips that rows name. */
  async find(rows: readonly Row[], base: Baseline): Promise<FoundWindow<TripResource, FoundRecord>> {
    const ids = rows.map((row) => (needsRecord(row, base) ? tripOf(row) : null));
    await this.load(rows.filter((_, at) => ids[at] !== null));
    const found = ids.map((id) => {
      const trip = this.known.get(id ?? 0);
      return { existing: trip === undefined || trip.gone ? null : trip };
    });
    const { one } = tripReads(this.context);
    const again: ReadAgain<FoundRecord> = {
      keyOf: (at) => tripKey(ids[at] ?? null),
      read: async (at) => ({ existing: await one(ids[at] ?? 0, found[at]?.existing?.lmt ?? null) }),
    };
    return { found, again };
  }

  /** Reads what the rows still need: by their days or LMTs, and the whole list if some are missing. */
  private async load(rows: readonly Row[]): Promise<void> {
    if (this.all) return;
    const { fields, modified, date } = this.context.resource;
    const isListed = (name: string): boolean => fields[name]?.reads === 'list';
    if (!this.byLmt && rows.some(({ values }) => Object.keys(values).some(isListed))) {
      this.byLmt = true;
      this.known.clear();
    }
    const lacks = (row: Row): boolean => !this.known.has(tripOf(row) ?? 0);
    const wanted = rows.filter(lacks);
    if (wanted.length === 0) return;
    const [since] = shownIn(wanted, modified);
    const days = shownIn(wanted, date).map((day) => day.slice(0, 10));
    const [from, to] = [days[0], days.at(-1)];
    if (!this.byLmt && from !== undefined && to !== undefined) {
      this.periods = [{ DatumVan: from, DatumTot: to }];
      this.keep(await onDays(this.context, { from, to }));
    } else if (since !== undefined) this.keep(await writtenSince(this.context, secondBefore(since)));
    if (!wanted.some(lacks)) return;
    this.all = true;
    this.keep(await writtenSince(this.context, EPOCH));
  }

  summary(): SourceSummary {
    const { newest } = this.seen.mark();
    return { strategy: 'list', newest, ...(this.periods && { periods: this.periods }) };
  }

  private keep(trips: readonly ListedRecord[]): void {
    for (const trip of trips) {
      this.seen.saw(trip);
      if (trip.id !== null) this.known.set(trip.id, trip);
    }
  }
}

function shownIn(rows: readonly Row[], field: string): string[] {
  const texts = rows.map(({ shown }) => shown[field]);
  return texts.filter((text) => typeof text === 'string').sort();
}
