import { type Bilingual, t } from '../../core/language.ts';
import type { ExistingRecord } from '../../records/existing-record.ts';
import { externalOf, type KnownRecords } from '../../records/keyed-records.ts';
import type { Days } from '../../records/listing.ts';
import { ListedRecords, type Records } from '../../records/locate.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import { createMark } from '../../records/mark.ts';
import { daysOf, monthNumber, monthsOf } from '../../records/period-list.ts';
import type { SourceSummary } from '../../records/planning.ts';
import { askedOnce } from '../../records/shared-reading.ts';
import type { EventResource } from '../../schema/resource.ts';
import { RequestError } from '../../service/request-error.ts';
import { ALL_DAYS, createEventRead, type EventContext, readOn } from './event-reads.ts';

type Row = MappedRow<EventResource>;

/** Up to so many events are read one by one, more in a list. */
const FEW = 3;

/**
 * The events that were read for a plan, and single ones. Whole months are read: rows that come bit by bit
 * cost no more than one request a month.
 */
export class EventSource {
  /** One event by itself; null when there is none. */
  readonly detail: (id: number) => Promise<ExistingRecord | null>;
  private readonly months = new Map<string, Promise<void>>();
  private readonly listed = new ListedRecords();
  private isList = false;
  private readonly single = createMark();
  private all: Promise<void> | undefined;
  private failure: Bilingual | null = null;
  private readonly context: EventContext;

  constructor(context: EventContext) {
    this.context = context;
    const read = createEventRead(context);
    this.detail = askedOnce(async (id: number) => {
      const existing = await read(id);
      if (existing !== null) this.single.saw(existing);
      return existing;
    });
  }

  /** Reads the months within `margin` days of these days, as far as they were not read yet. */
  async cover(days: readonly string[], margin = this.context.dialect.eventMargin): Promise<void> {
    const months = [...new Set(days.flatMap((day) => monthsAround(day, margin)))];
    for (const run of runsOf(months.filter((month) => !this.months.has(month)))) {
      const reading = this.read(daysOf(run));
      for (const month of run) this.months.set(month, reading);
    }
    await Promise.all(months.map((month) => this.months.get(month)));
  }

  /** Looks on all days for events with ExternalIDs that no list showed. */
  async findElsewhere(externals: readonly number[]): Promise<void> {
    if (externals.every((external) => this.listed.keys.has(external))) return;
    this.all ??= this.read(ALL_DAYS).catch((error: unknown) => {
      if (!(error instanceof RequestError) || error.kind === 'unreachable') throw error;
      this.failure = error.reasons;
    });
    await this.all;
  }

  /** Reads what a window of rows needs: around the days of unknown events, and of known ones the busy months. */
  async readAhead(rows: readonly Row[], known: KnownRecords): Promise<void> {
    // Also of rows without a key: what is there already tells a lost create from it.
    const unknown = rows.filter((row) => idOf(row, known) === undefined);
    await this.cover(unknown.flatMap((row) => dayOf(row) ?? []));
    await this.findElsewhere(unknown.flatMap((row) => externalOf(row) ?? []));
    const ids = new Map(
      rows.flatMap((row) => {
        const id = idOf(row, known);
        return id === undefined || this.listed.ids.has(id) ? [] : [[id, dayOf(row)] as const];
      }),
    );
    const inMonth = new Map<string, number>();
    for (const day of ids.values()) {
      const month = day?.slice(0, 7);
      if (month !== undefined && !this.months.has(month)) inMonth.set(month, (inMonth.get(month) ?? 0) + 1);
    }
    await this.cover(
      [...inMonth].flatMap(([month, count]) => (count > FEW ? `${month}-01` : [])),
      0,
    );
    // Where many are left the month of the first is read, as neighbours are likely.
    for (let left = this.unlisted(ids.keys()); left.length > FEW; ) {
      const day = dayIn((await this.detail(left[0] ?? 0))?.values[this.context.resource.date]);
      if (day !== undefined) await this.cover([day], 0);
      const rest = this.unlisted(left);
      if (left.length - rest.length <= FEW) return;
      left = rest;
    }
  }

  /**
   * The events as a row sees them, or one of another sheet (null): what was listed, and single reads for what
   * was not or says too little.
   */
  seenBy(row: Row | null, known: KnownRecords): Records {
    const { fields } = this.context.resource;
    const needsDetail = Object.keys(row?.values ?? {}).some((name) => fields[name]?.reads === 'detail');
    const byId = async (id: number): Promise<ExistingRecord | null> => {
      const listed = this.listed.ids.get(id);
      return listed === undefined || needsDetail ? ((await this.detail(id)) ?? listed ?? null) : listed;
    };
    const keyed = async (external: number) => {
      const id = this.listed.keys.get(external)?.id ?? null;
      return id === null ? null : await byId(id);
    };
    return {
      byId,
      byExternal: async (external) => {
        const found = await keyed(external);
        const id = known.get(external)?.id;
        if (found !== null || id === undefined) return found;
        const remembered = await byId(id);
        if (remembered?.external === external) return remembered;
        if (remembered?.external === null) return null;
        // Another may have taken the number over since.
        await this.cover(row === null ? [] : [dayOf(row) ?? []].flat());
        await this.findElsewhere([external]);
        return await keyed(external);
      },
      lacks: () => false,
      twin: (external) => this.listed.twin(external),
    };
  }

  /** Any event that was listed. */
  some(): ExistingRecord | undefined {
    return this.listed.ids.values().next().value;
  }

  summary(): SourceSummary {
    if (!this.isList) return { strategy: 'rows', newest: this.single.mark().newest };
    const mark = this.listed.seen.mark();
    // What is new among all is told by all: some months say nothing of the others.
    const isAll = this.all !== undefined && this.failure === null;
    return { strategy: 'list', ...(isAll ? mark : { newest: mark.newest }) };
  }

  /** Why events may be made anew that stand on other days; none where they were looked for. */
  notes(): Bilingual[] {
    if (this.failure === null) return [];
    const { en, nl } = this.failure;
    return [
      t(
        `events were looked for around their days only, as the list of all days could not be read (${en}): one that moved further is not found by its ExternalID, and is made anew`,
        `evenementen zijn alleen rond hun dag gezocht, omdat de lijst van alle dagen niet kon worden gelezen (${nl}): een dat verder verplaatst is, wordt niet met zijn ExternalID gevonden en opnieuw aangemaakt`,
      ),
    ];
  }

  private unlisted(ids: Iterable<number>): number[] {
    return [...ids].filter((id) => !this.listed.ids.has(id));
  }

  private async read(days: Days): Promise<void> {
    for (const existing of await readOn(this.context, days)) this.listed.add(existing);
    this.isList = true;
    this.context.log.info({ resource: this.context.resource.name, ...days }, 'existing records are read');
  }
}

const dayIn = (moment: unknown): string | undefined =>
  typeof moment === 'string' ? moment.slice(0, 10) : undefined;

const dayOf = ({ mapping, values }: Row): string | undefined => dayIn(values[mapping.resource.date]);

function idOf(row: Row, known: KnownRecords): number | undefined {
  const id = row.values[row.mapping.resource.id];
  return typeof id === 'number' ? id : known.get(externalOf(row) ?? Number.NaN)?.id;
}

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
