import { stopsRow } from '../../core/issue.ts';
import { askedOnce } from '../../records/asked-once.ts';
import type { EarlierRows } from '../../records/earlier-rows.ts';
import {
  DETAILED,
  type ExistingRecord,
  LISTED,
  nullIfMissing,
  readExisting,
} from '../../records/existing-record.ts';
import { externalOf, type KnownRecords } from '../../records/keyed-records.ts';
import type { Records } from '../../records/locate.ts';
import { issueOn, type MappedRow } from '../../records/mapped-row.ts';
import type { SourceSummary } from '../../records/planning.ts';
import type { Context } from '../../run/context.ts';
import type { EventPeriod, EventResource } from '../../schema/resource.ts';
import { listRecords } from '../../service/list-records.ts';

/** The events that were read for a plan: whole months at a time, each at most once, and single ones. */
export interface EventSource {
  /** Reads the months within `margin` days of these days, as far as they were not read yet. */
  cover(days: readonly string[], margin: number): Promise<void>;
  covers(day: string): boolean;
  /** Of the months that were read. */
  listed(id: number): ExistingRecord | undefined;
  /** The listed events with an ExternalID; more than one where the service has it twice. */
  withExternal(external: number): readonly ExistingRecord[];
  /** A single event, asked for at most once. */
  detail(id: number): Promise<ExistingRecord | null>;
  /** The day of an event, asked for by itself; null when there is none. */
  dayOf(id: number): Promise<string | null>;
  summary(): SourceSummary;
}

/** Reads whole months: rows that come bit by bit cost no more than one request a month. */
export function createEventSource(context: Context, resource: EventResource): EventSource {
  const reading = new Map<string, Promise<void>>();
  const byId = new Map<number, ExistingRecord>();
  const byExternal = new Map<number, Map<number, ExistingRecord>>();
  const periods: MonthsPeriod[] = [];
  let newest: string | null = null;
  const keep = (existing: ExistingRecord): void => {
    const { id, external, lmt } = existing;
    if (id === null) return;
    byId.set(id, existing);
    if (external !== null)
      byExternal.set(external, (byExternal.get(external) ?? new Map()).set(id, existing));
    if (lmt !== null && (newest === null || lmt > newest)) newest = lmt;
  };
  const read = async (period: MonthsPeriod): Promise<void> => {
    periods.push(period);
    for (const existing of await readPeriod(context, resource, period)) keep(existing);
    context.log.info({ resource: resource.name, ...period }, 'existing records are read');
  };
  const detail = askedOnce((id: number) => readEvent(context, resource, id));
  return {
    async cover(days, margin) {
      const months = [...new Set(days.flatMap((day) => monthsAround(day, margin)))];
      for (const run of runsOf(months.filter((month) => !reading.has(month)))) {
        const done = read(periodOf(run));
        for (const month of run) reading.set(month, done);
      }
      await Promise.all(months.map((month) => reading.get(month)));
    },
    covers: (day) => reading.has(day.slice(0, 7)),
    listed: (id) => byId.get(id),
    withExternal: (external) => [...(byExternal.get(external)?.values() ?? [])],
    detail,
    async dayOf(id) {
      const day = (await detail(id))?.values[resource.date];
      return typeof day === 'string' ? day.slice(0, 10) : null;
    },
    summary: () => ({ strategy: periods.length > 0 ? 'list' : 'rows', newest, periods }),
  };
}

/** The events of a period. Throws RequestError for no list: known rows would look new. */
export async function readPeriod(
  context: Context,
  resource: EventResource,
  period: MonthsPeriod,
): Promise<ExistingRecord[]> {
  const body = { EnkelEvenement: context.dialect.enkelEvenement, ...period };
  const records = await listRecords(context.service, resource.requests.all, { body, id: resource.id });
  return records.flatMap((record) => readExisting(resource, record, LISTED) ?? []);
}

/** One event by its id; null when the service has none, however it says so. */
export async function readEvent(
  context: Context,
  resource: EventResource,
  ID: number,
): Promise<ExistingRecord | null> {
  const record = await nullIfMissing(() => context.service.send(resource.requests.find, { params: { ID } }));
  return record === null ? null : readExisting(resource, record, DETAILED);
}

/** The events as one row sees them: what was listed, and single reads for what was not or says too little. */
export function recordsFor(row: MappedRow<EventResource>, source: EventSource, known: KnownRecords): Records {
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
      const [listed] = source.withExternal(external);
      if (listed?.id != null) return await byId(listed.id);
      const id = known.get(external)?.id;
      const remembered = id === undefined ? null : await byId(id);
      return remembered?.external === external ? remembered : null;
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
  const unknown = asking.filter((row) => idOf(row, known) === undefined && externalOf(row) !== undefined);
  await source.cover(
    unknown.flatMap((row) => dayOf(row) ?? []),
    margin,
  );
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

/** Puts an issue on a row that has neither a known id nor a day to look up its ExternalID by. */
export async function requireDay(row: Row, known: KnownRecords, earlier: EarlierRows): Promise<void> {
  const external = externalOf(row);
  if (!asksEvent(row) || stopsRow(row.issues) || row.action === 'create' || external === undefined) return;
  if (idOf(row, known) !== undefined || dayOf(row) !== undefined) return;
  if (earlier.renamed(external) !== undefined || (await earlier.has(`external:${external}`))) return;
  const { date, id } = row.mapping.resource;
  row.issues.push(issueOn(row, date, { code: 'day-missing', found: '', hint: `${date} / ${id}` }));
}

/**
 * Reads lists for events of which only the id is known: the month of one likely holds its neighbours. Ends
 * once lists find only a few.
 */
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

/** Days of a list, both inclusive, `YYYY-MM-DD`. */
type MonthsPeriod = Pick<EventPeriod, 'DatumVan' | 'DatumTot'>;

/** Months in one request: a quarter with its margins. */
const AT_ONCE = 6;
const DAY = 86_400_000;

const utc = (day: string): number => Date.parse(`${day.slice(0, 10)}T00:00:00Z`);
const monthOf = (moment: number): string => new Date(moment).toISOString().slice(0, 7);

/** The month after, `YYYY-MM`. */
function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return monthOf(Date.UTC(year, number, 1));
}

/** The months (`YYYY-MM`) within `margin` days of a day. */
export function monthsAround(day: string, margin: number): string[] {
  const moment = utc(day);
  // Dates at the very ends of the calendar have no days before or after them.
  if (Number.isNaN(moment)) return [];
  const last = monthOf(moment + margin * DAY);
  const months = [monthOf(moment - margin * DAY)];
  for (let month = months[0] ?? last; month < last; ) {
    month = nextMonth(month);
    months.push(month);
  }
  return months;
}

/** Months that follow one another, as the periods to ask for. */
export function runsOf(months: Iterable<string>): string[][] {
  const runs: string[][] = [];
  for (const month of [...new Set(months)].sort()) {
    const run = runs.at(-1);
    const previous = run?.at(-1);
    const follows = previous !== undefined && nextMonth(previous) === month;
    if (run !== undefined && follows && run.length < AT_ONCE) run.push(month);
    else runs.push([month]);
  }
  return runs;
}

/** From the first day of a run of months to its last. */
export function periodOf(run: readonly string[]): MonthsPeriod {
  const [first = '', last = first] = [run[0], run.at(-1)];
  const end = new Date(Date.UTC(Number(last.slice(0, 4)), Number(last.slice(5)), 0));
  return { DatumVan: `${first}-01`, DatumTot: end.toISOString().slice(0, 10) };
}
