import { stopsRow } from '../../core/issue.ts';
import { type ExistingRecord, LISTED, momentIn, readExisting } from '../../records/existing-record.ts';
import { externalOf, type KnownRecords } from '../../records/keyed-records.ts';
import {
  type Days,
  EPOCH,
  exportedRecord,
  inOne,
  type RecordBatches,
  type RecordList,
  type RecordLister,
  uncounted,
} from '../../records/listing.ts';
import type { Records } from '../../records/locate.ts';
import { issueOn, type MappedRow } from '../../records/mapped-row.ts';
import { createMark } from '../../records/mark.ts';
import { isOn, lastDay, monthNumber, monthsOf, OtherDays, periodRecords } from '../../records/period-list.ts';
import type { ContextOf, SourceSummary } from '../../records/planning.ts';
import { askedOnce } from '../../records/shared-reading.ts';
import type { AnswerRecord } from '../../schema/answer.ts';
import type { EventPeriod, EventResource } from '../../schema/resource.ts';
import { ALL_DAYS, AllDays, allDays } from './all-days.ts';
import { changedSince, eventsOfDays, MODIFIED, readDays, readDefinitive } from './read-days.ts';
import { readEvent } from './read-event.ts';

/** What reading events works with. */
export type EventContext = ContextOf<EventResource>;

/** Events: by their days, by LMT, or the definitive ones. */
export const eventLister: RecordLister<EventResource> = {
  ways: () => ['period', 'since', 'definitive'],
  list(context, chosen) {
    const { resource } = context;
    if (chosen.way === 'since') return eventsSince(context, chosen.moment, chosen.days);
    const definitive = chosen.way === 'definitive';
    const period = (chosen.way === 'period' || definitive ? chosen.days : null) ?? null;
    // Days that nobody named are not cut into months.
    if (period === null) return uncounted(inOne(() => readDefinitive(context, ALL_DAYS)));
    const otherDays = new OtherDays(resource);
    return uncounted(eventsOn(context, period, { definitive, otherDays }), () => otherDays.notes());
  },
  shared: ({ requests }) => [requests.all.name],
  read: (resource, record) => exportedRecord(resource, record),
};

/** The events of some days. */
export function eventsOn(
  context: EventContext,
  period: Days,
  { definitive = false, otherDays }: { readonly definitive?: boolean; readonly otherDays: OtherDays },
): RecordBatches {
  const lists = {
    ...{ context, modified: MODIFIED, otherDays },
    read: (days: Days, signal?: AbortSignal) =>
      definitive ? readDefinitive(context, days, signal) : readDays(context, days, signal),
    changedSince: (moment: string, days: Days) => changedSince(context, moment, days),
  };
  return periodRecords(lists, period);
}

/** Those modified after a moment; the list is asked to the minute, so it may hold earlier ones. */
function eventsSince(context: EventContext, moment: string, days?: Days): RecordList {
  const second = moment.slice(0, 19);
  const { date } = context.resource;
  const read = async (): Promise<AnswerRecord[]> => {
    const records = await changedSince(context, moment, days ?? ALL_DAYS);
    const isNew = (record: AnswerRecord) => (momentIn(record, MODIFIED) ?? second) >= second;
    return records.filter((record) => isNew(record) && (days === undefined || isOn(record, date, days)));
  };
  return uncounted(inOne(read));
}

/** The events that were read for a plan, and single ones. */
export type EventSource = ReturnType<typeof createEventSource>;

/** Reads whole months: rows that come bit by bit cost no more than one request a month. */
export function createEventSource(context: EventContext) {
  const { resource } = context;
  const reading = new Map<string, Promise<void>>();
  const byId = new Map<number, ExistingRecord>();
  const byExternal = new Map<number, Map<number, ExistingRecord>>();
  const periods: MonthsPeriod[] = [];
  const [seen, single] = [createMark(), createMark()];
  const keep = (existing: ExistingRecord): void => {
    const { id, external } = existing;
    if (id === null) return;
    seen.saw(existing);
    byId.set(id, existing);
    if (external !== null)
      byExternal.set(external, (byExternal.get(external) ?? new Map()).set(id, existing));
  };
  const read = async (period: MonthsPeriod): Promise<void> => {
    periods.push(period);
    const records = await readPeriod(context, period);
    for (const existing of records) keep(existing);
    context.log.info({ resource: resource.name, ...period }, 'existing records are read');
  };
  const elsewhere = new AllDays(context, {
    all: (period) => readPeriod(context, period),
    since: (moment) => readSince(context, [], moment),
  });
  const detail = askedOnce(async (id: number) => {
    const existing = await readEvent(context, id);
    if (existing !== null) single.saw(existing);
    return existing;
  });
  return {
    /** Reads the months within `margin` days of these days, as far as they were not read yet. */
    async cover(days: readonly string[], margin: number): Promise<void> {
      const months = [...new Set(days.flatMap((day) => monthsAround(day, margin)))];
      for (const run of runsOf(months.filter((month) => !reading.has(month)))) {
        const done = read(periodOf(run));
        for (const month of run) reading.set(month, done);
      }
      await Promise.all(months.map((month) => reading.get(month)));
    },
    /** Looks on all days for events with ExternalIDs that no list showed. */
    async findElsewhere(externals: readonly number[]): Promise<void> {
      const sought = externals.filter((external) => !byExternal.has(external));
      if (sought.length > 0) for (const existing of await elsewhere.find(sought)) keep(existing);
    },
    notes: () => elsewhere.notes(),
    /** Whether an event that was not found may be on other days than were read. */
    mayBeElsewhere: () => elsewhere.failed,
    covers: (day: string) => reading.has(day.slice(0, 7)),
    listed: (id: number) => byId.get(id),
    /** Any event that was listed. */
    some: (): ExistingRecord | undefined => byId.values().next().value,
    /** The listed events with an ExternalID; more than one where the service has it twice. */
    withExternal: (external: number) => [...(byExternal.get(external)?.values() ?? [])],
    detail,
    /** The day of an event, asked for by itself; null when there is none. */
    async dayOf(id: number): Promise<string | null> {
      const day = (await detail(id))?.values[resource.date];
      return typeof day === 'string' ? day.slice(0, 10) : null;
    },
    summary: (): SourceSummary =>
      periods.length > 0
        ? { strategy: 'list', ...seen.mark(), periods }
        : { strategy: 'rows', newest: single.mark().newest, periods },
  };
}

/** The events of a period. Throws RequestError for no list: known rows would look new. */
export async function readPeriod(context: EventContext, period: MonthsPeriod): Promise<ExistingRecord[]> {
  return await readListed(
    context,
    await eventsOfDays(context, { from: period.DatumVan, to: period.DatumTot }),
  );
}

async function readListed(
  context: EventContext,
  records: readonly AnswerRecord[],
): Promise<ExistingRecord[]> {
  return records.flatMap((record) => readExisting(context.resource, record, LISTED) ?? []);
}

/** The events of a plan's periods that were written since a moment, all of them for null. */
export async function readSince(
  context: EventContext,
  periods: readonly MonthsPeriod[],
  moment: string | null,
): Promise<ExistingRecord[]> {
  if (moment === null && periods.length > 0)
    return (await Promise.all(periods.map((period) => readPeriod(context, period)))).flat();
  return await readListed(context, await changedSince(context, moment ?? EPOCH, allDays(periods)));
}

/** The events as one row sees them: what was listed, and single reads for what was not or says too little. */
export function recordsFor(
  row: Row,
  { source, known, margin }: { source: EventSource; known: KnownRecords; margin: number },
): Records {
  const { fields } = row.mapping.resource;
  const needsDetail = Object.keys(row.values).some((name) => fields[name]?.reads === 'detail');
  const byId = async (id: number): Promise<ExistingRecord | null> => {
    const listed = source.listed(id);
    if (listed === undefined) return await source.detail(id);
    return needsDetail ? ((await source.detail(id)) ?? listed) : listed;
  };
  return {
    byId,
    async byExternal(external) {
      const listed = async () => {
        const [first] = source.withExternal(external);
        return first?.id == null ? null : await byId(first.id);
      };
      const found = await listed();
      const id = known.get(external)?.id;
      if (found !== null || id === undefined) return found;
      const remembered = await byId(id);
      if (remembered?.external === external) return remembered;
      if (remembered?.external === null) return null;
      // Another may have taken the number over since.
      await source.cover([dayOf(row) ?? []].flat(), margin);
      await source.findElsewhere([external]);
      return await listed();
    },
    lacks: () => false,
    twin: (external) => source.withExternal(external)[1]?.id ?? null,
  };
}

type Row = MappedRow<EventResource>;

/** Up to so many events are read one by one, more in a list. */
const FEW = 3;

function dayOf({ mapping, values }: Row): string | undefined {
  const date = values[mapping.resource.date];
  return typeof date === 'string' ? date.slice(0, 10) : undefined;
}

function idOf(row: Row, known: KnownRecords): number | undefined {
  const id = row.values[row.mapping.resource.id];
  return typeof id === 'number' ? id : known.get(externalOf(row) ?? Number.NaN)?.id;
}

/** Whether the event of a row is looked up: events are never deleted. */
export const asksEvent = ({ action }: Row): boolean => action !== 'skip' && action !== 'delete';

/**
 * Reads the lists that a window of rows needs: around the days of rows without a known id, and of months with
 * so many rows that a list is the cheaper read.
 */
export async function readAhead(
  rows: readonly Row[],
  known: KnownRecords,
  source: EventSource,
  margin: number,
): Promise<void> {
  const asking = rows.filter(asksEvent);
  // Also of rows without a key: what is there already tells a lost create from it.
  const unknown = asking.filter((row) => idOf(row, known) === undefined);
  await source.cover(
    unknown.flatMap((row) => dayOf(row) ?? []),
    margin,
  );
  await source.findElsewhere(unknown.flatMap((row) => externalOf(row) ?? []));
  const byMonth = new Map<string, number>();
  for (const row of asking) {
    const [id, day] = [idOf(row, known), dayOf(row)];
    if (id === undefined || day === undefined || source.listed(id) !== undefined) continue;
    const month = day.slice(0, 7);
    if (!source.covers(day)) byMonth.set(month, (byMonth.get(month) ?? 0) + 1);
  }
  const busy = [...byMonth].filter(([, count]) => count > FEW);
  await source.cover(
    busy.map(([month]) => `${month}-01`),
    0,
  );
  const ids = asking.flatMap((row) => idOf(row, known) ?? []);
  await readNeighbours(new Set(ids), source);
}

/** Puts an issue on a row without a day whose event was not found, where not all days could be looked at. */
export function requireDay(row: Row, source: EventSource): void {
  const external = externalOf(row);
  if (!asksEvent(row) || stopsRow(row.issues) || row.action === 'create' || external === undefined) return;
  if (dayOf(row) !== undefined || !source.mayBeElsewhere()) return;
  const { date, id } = row.mapping.resource;
  row.issues.push(issueOn(row, date, { code: 'day-missing', found: '', hint: `${date} / ${id}` }));
}

/** Reads the months of events of which only the id is known, as neighbours are likely; ends at a few. */
async function readNeighbours(ids: ReadonlySet<number>, source: EventSource): Promise<void> {
  let left = [...ids].filter((id) => source.listed(id) === undefined);
  for (let misses = 0; left.length > FEW && misses < FEW; ) {
    const [first = 0, ...others] = left;
    const day = await source.dayOf(first);
    if (day !== null && !source.covers(day)) {
      await source.cover([day], 0);
      const rest = others.filter((id) => source.listed(id) === undefined);
      if (others.length - rest.length <= FEW) return;
      left = rest;
    } else {
      left = others;
      misses++;
    }
  }
}

type MonthsPeriod = Pick<EventPeriod, 'DatumVan' | 'DatumTot'>;

/** Months in one request: a quarter with its margins. */
const AT_ONCE = 6;
const DAY = 86_400_000;
/** Behind it years have five digits. */
const LAST_DAY = Date.UTC(9999, 11, 31);

/** The months (`YYYY-MM`) within `margin` days of a day. */
export function monthsAround(day: string, margin: number): string[] {
  const moment = Date.parse(`${day.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(moment)) return [];
  const dayAt = (time: number): string => new Date(Math.min(time, LAST_DAY)).toISOString();
  return monthsOf({ from: dayAt(moment - margin * DAY), to: dayAt(moment + margin * DAY) });
}

/** Months that follow one another, as the periods to ask for. */
export function runsOf(months: Iterable<string>): string[][] {
  const runs: string[][] = [];
  for (const month of [...new Set(months)].sort()) {
    const run = runs.at(-1);
    const follows = run !== undefined && monthNumber(run.at(-1) ?? '') + 1 === monthNumber(month);
    if (follows && run.length < AT_ONCE) run.push(month);
    else runs.push([month]);
  }
  return runs;
}

/** From the first day of a run of months to its last. */
export function periodOf(run: readonly string[]): MonthsPeriod {
  const [first = '', last = first] = [run[0], run.at(-1)];
  return { DatumVan: `${first}-01`, DatumTot: lastDay(monthNumber(last)) };
}
