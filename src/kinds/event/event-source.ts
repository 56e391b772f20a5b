import type { ExistingRecord } from '../../records/existing-record.ts';
import { externalOf, type KnownRecords, type Records } from '../../records/keyed-records.ts';
import { EPOCH } from '../../records/listing.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import { createMark } from '../../records/mark.ts';
import type { SourceSummary } from '../../records/planning.ts';
import { askedOnce } from '../../records/shared-reading.ts';
import { DaySource } from '../day-source.ts';
import { createEventRead, type EventContext, readOn, readSince } from './event-reads.ts';

/** Up to so many events are read one by one, more in lists. */
const FEW = 3;

/** The events that were read for a plan: in lists of their days, and single ones. */
export class EventSource {
  /** One event by itself; null when there is none. */
  readonly detail: (id: number) => Promise<ExistingRecord | null>;
  private readonly days: DaySource;
  private readonly single = createMark();
  private readonly context: EventContext;

  constructor(context: EventContext) {
    this.context = context;
    this.days = new DaySource({
      onDays: (days) => readOn(context, days),
      all: () => readSince(context, EPOCH),
    });
    const read = createEventRead(context);
    this.detail = askedOnce(async (id: number) => {
      const existing = await read(id);
      if (existing !== null) this.single.saw(existing);
      return existing;
    });
  }

  /** Reads the events around these days. */
  cover(days: readonly string[]): Promise<void> {
    return this.days.cover(days, this.context.dialect.eventMargin);
  }

  /** Looks on all days for events with ExternalIDs that no list showed. */
  async findElsewhere(externals: readonly number[]): Promise<void> {
    if (externals.every((external) => this.days.listed.keys.has(external))) return;
    await this.days.readAll();
  }

  /** Reads what a window of rows needs: around the days of unknown events, and of known ones where they are many. */
  async readAhead(rows: readonly MappedRow[], known: KnownRecords): Promise<void> {
    // Also of rows without a key: what is there already tells a lost create from it.
    const unknown = rows.filter((row) => this.idOf(row, known) === undefined);
    await this.cover(unknown.flatMap((row) => this.dayOf(row)));
    await this.findElsewhere(unknown.flatMap((row) => externalOf(row) ?? []));
    const unlisted = (): Map<number, readonly string[]> =>
      new Map(
        rows.flatMap((row) => {
          const id = this.idOf(row, known);
          return id === undefined || this.days.listed.ids.has(id) ? [] : [[id, this.dayOf(row)]];
        }),
      );
    let left = unlisted();
    if (left.size > FEW) await this.days.cover([...left.values()].flat());
    // Where many are left the month of the first is read, as neighbours are likely.
    for (left = unlisted(); left.size > FEW; ) {
      const [first = 0] = left.keys();
      await this.days.cover(dayIn((await this.detail(first))?.values[this.context.resource.date]));
      const rest = unlisted();
      if (left.size - rest.size <= FEW) return;
      left = rest;
    }
  }

  /**
   * The events as a row sees them, or one of another sheet (null): what was listed, and single reads for what
   * was not or says too little.
   */
  seenBy(row: MappedRow | null, known: KnownRecords): Records {
    const { fields } = this.context.resource;
    const needsDetail = Object.keys(row?.values ?? {}).some((name) => fields[name]?.reads === 'detail');
    const byId = async (id: number): Promise<ExistingRecord | null> => {
      const listed = this.days.listed.ids.get(id);
      return listed === undefined || needsDetail ? ((await this.detail(id)) ?? listed ?? null) : listed;
    };
    const keyed = async (external: number) => {
      const id = this.days.listed.keys.get(external)?.id ?? null;
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
        await this.cover(row === null ? [] : this.dayOf(row));
        await this.findElsewhere([external]);
        return await keyed(external);
      },
      twin: (external) => this.days.listed.twin(external),
    };
  }

  private dayOf({ values }: MappedRow): readonly string[] {
    return dayIn(values[this.context.resource.date]);
  }

  private idOf(row: MappedRow, known: KnownRecords): number | undefined {
    const id = row.values[this.context.resource.id];
    return typeof id === 'number' ? id : known.get(externalOf(row) ?? Number.NaN)?.id;
  }

  /** Any event that was listed. */
  some(): ExistingRecord | undefined {
    return this.days.listed.ids.values().next().value;
  }

  summary(): SourceSummary {
    const { listed, periods, whole } = this.days;
    const mark = listed.seen.mark();
    if (periods.length === 0 && !whole) return { strategy: 'rows', newest: this.single.mark().newest };
    // What is new among all is told by all: some months say nothing of the others.
    return { strategy: 'list', ...(whole ? mark : { newest: mark.newest }) };
  }
}

const dayIn = (moment: unknown): readonly string[] =>
  typeof moment === 'string' ? [moment.slice(0, 10)] : [];
