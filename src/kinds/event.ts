import { DAY_END, isTimeOfDay, lessADay } from '../core/codecs/time-of-day.ts';
import type { Finding } from '../core/issue.ts';
import { t } from '../core/language.ts';
import type { FieldChange } from '../core/plan.ts';
import { shownMoment } from '../core/shown-moment.ts';
import type { Value } from '../core/value.ts';
import { createMark, findDoubles, type RecordReads } from '../records/doubts.ts';
import { type ExistingRecord, type SameField, sameIn, sameValue } from '../records/existing-record.ts';
import {
  externalOf,
  type KeyedMatching,
  keyedRows,
  locateReferred,
  type Records,
} from '../records/keyed-records.ts';
import { keeping } from '../records/last-applied.ts';
import { EPOCH } from '../records/listing.ts';
import { issueOn, type MappedRow } from '../records/mapped-row.ts';
import type { ContextOf, PlannerSetup, SourceSummary } from '../records/planning.ts';
import { createRecordGuard } from '../records/record-guard.ts';
import type { RecordFinder } from '../records/references.ts';
import { askedOnce } from '../records/shared-reading.ts';
import { type RestoredFields, type UndoTools, undoRecord } from '../records/undo.ts';
import type { EventResource } from '../schema/resource.ts';
import { DaySource } from './day-source.ts';
import { createEventRead, readOn, readSince } from './event-reads.ts';
import type { Kind } from './kind.ts';

type Row = MappedRow<EventResource>;
type EventContext = ContextOf<EventResource>;
type Known = Parameters<KeyedMatching['open']>[1];

/** Events: found by id, by ExternalID in the ledger, around their day, else on all days (interface 4.4). */
export const event: Kind<EventResource> = {
  rows(context) {
    const source = new EventSource(context);
    const matching = keyedRows(context, (setup) => matchingFor(context, setup, source));
    return { matching, summary: () => source.summary() };
  },
  guard: (context) => createRecordGuard(context, eventReads(context)),
  finder: eventFinder,
  doubles: (context) => findDoubles(context, eventReads(context)),
  undo: (resource, history, { restore }) =>
    undoRecord(resource, history, (_, changes) => restoreMoment(resource, changes, restore)),
};

function matchingFor(context: EventContext, { rules }: PlannerSetup, source: EventSource): KeyedMatching {
  return {
    reads: eventReads(context),
    same: (existing) => eventSame(context.resource, existing),
    async open(rows, known) {
      await source.readAhead(rows, known);
      return (row) => source.seenBy(row, known);
    },
    /** Remembers what was found on the service, for the sheets that refer to events too. */
    async located(rows, found, known) {
      const { ledger, serviceKey, resource } = context;
      const pairs = rows.flatMap((row, at) => {
        const external = externalOf(row);
        const { existing = null, clash = null } = found[at] ?? {};
        if (external === undefined || existing?.id == null || clash !== null) return [];
        if (existing.external !== external || known.get(external)?.id === existing.id) return [];
        return [{ external, id: existing.id }];
      });
      if (pairs.length > 0) await ledger.rememberKeys(serviceKey, resource.name, pairs);
    },
    asMeant: (row: Row, existing) => withDays(row, existing, rules.strict),
  };
}

/** Finds events that other sheets refer to: in the ledger, around a day, else on all days. */
function eventFinder(context: EventContext): RecordFinder {
  const source = new EventSource(context);
  const records = source.seenBy(null, new Map());
  return async (external, { day, known }) => {
    // One list answers for many events.
    if (day !== undefined) await source.cover([day]);
    const locate = () => locateReferred(records, context.resource, external, known);
    const ids = await locate();
    if (ids.length > 0) return ids;
    await source.findElsewhere([external]);
    return await locate();
  };
}

/** How events are read by themselves and by the lists of what was written. */
const eventReads = (context: EventContext): RecordReads => ({
  one: (id) => createEventRead(context)(id),
  since: (moment) => readSince(context, moment),
  keyed: async (key, all) => (await all()).find(({ external }) => external === key) ?? null,
  same: eventSame(context.resource, null),
});

const MIDNIGHT = '00:00:00';

/** Whether two values of a field are the same to the user; a day without a time equals any time of it. */
function sameEventField(resource: EventResource, name: string, from: Value | undefined, to: Value): boolean {
  if (name !== resource.date || typeof from !== 'string' || typeof to !== 'string')
    return sameValue(from, to);
  const daysOnly = [from, to].some((moment) => moment.slice(11) === MIDNIGHT || moment.length === 10);
  return daysOnly ? from.slice(0, 10) === to.slice(0, 10) : from === to;
}

/** The same, or what the event was sent and holds still. */
const eventSame =
  (resource: EventResource, existing: ExistingRecord | null): SameField =>
  (...field) =>
    sameEventField(resource, ...field) || sameIn(existing)(...field);

/** Up to so many events are read one by one, more in lists. */
const FEW = 3;

/** The events that were read for a plan: in lists of their days, and single ones. */
class EventSource {
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
  async readAhead(rows: readonly MappedRow[], known: Known): Promise<void> {
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
    if (unlisted().size > FEW) await this.days.cover([...unlisted().values()].flat());
    if (unlisted().size > FEW) await this.days.readAll();
  }

  /**
   * The events as a row sees them, or one of another sheet (null): what was listed, and single reads for what
   * was not or says too little.
   */
  seenBy(row: MappedRow | null, known: Known): Records {
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
    return daysIn(values[this.context.resource.date]);
  }

  private idOf(row: MappedRow, known: Known): number | undefined {
    const id = row.values[this.context.resource.id];
    return typeof id === 'number' ? id : known.get(externalOf(row) ?? Number.NaN)?.id;
  }

  summary(): SourceSummary {
    const { listed, periods, whole } = this.days;
    const mark = listed.seen.mark();
    if (periods.length === 0 && !whole) return { strategy: 'rows', newest: this.single.mark().newest };
    // What is new among all is told by all: some months say nothing of the others.
    return { strategy: 'list', ...(whole ? mark : { newest: mark.newest }) };
  }
}

const daysIn = (moment: unknown): readonly string[] =>
  typeof moment === 'string' ? [moment.slice(0, 10)] : [];

/** The fields that are sent and that no read returns: the beginning and the end. */
function unreadFields(resource: EventResource): string[] {
  return Object.keys(resource.fields).filter((name) => resource.fields[name]?.reads === 'none');
}

/** How long after its begin an end without a day may be on the next one: a party from 20:00 to 02:00 is. */
const NIGHT = 43_200_000;
const DAY = 86_400_000;

const NO_DAY = t('the day is not known', 'de dag is niet bekend');

/**
 * The row with its bare times on its day, else its record's; an end of the night after the begin is on the next
 * day. That is a warning, as is a begin on another day; an end before the begin is an error.
 */
function withDays(row: Row, existing: ExistingRecord | null, strict: boolean): Row {
  const { resource } = row.mapping;
  const { date } = resource;
  const [begin = '', end = ''] = unreadFields(resource);
  // As it was sent: a service may show moments of another zone.
  const dayHeld = existing && keeping(existing, date);
  if ([begin, end].every((name) => typeof row.values[name] !== 'string')) return row;
  const say = (name: string, finding: Finding): unknown =>
    row.issues.push(issueOn(row, name, finding, strict));
  const values = { ...row.values };
  const isUnread = values[date] === undefined && row.issues.some(({ field }) => field === date);
  const day = isUnread ? null : dayIn(values[date] ?? dayHeld ?? undefined);
  for (const name of [begin, end]) {
    const value = values[name];
    if (!isTimeOfDay(value)) continue;
    delete values[name];
    if (day === null) {
      // A day that can't be read has its issue already.
      if (!isUnread) say(name, { code: 'time-expected', found: value, hint: NO_DAY });
      continue;
    }
    const isLate = value >= DAY_END;
    const time = isLate ? lessADay(value) : value;
    const from = name === end ? momentOf(values[begin] ?? existing?.values[begin]) : null;
    const apart = from?.startsWith(day) === true ? clock(`${day} ${time}`) - clock(from) : 0;
    const isNext = isLate || (apart < 0 && apart + DAY <= NIGHT);
    const moment = `${isNext ? dayAfter(day) : day} ${time}`;
    if (isNext && value !== DAY_END) say(name, { code: 'next-day', found: value, hint: shownMoment(moment) });
    values[name] = moment;
  }
  // An event that moves may take its times along.
  const isMoved = values[date] !== undefined && dayIn(dayHeld ?? undefined) !== dayIn(values[date]);
  const held = isMoved ? {} : existing?.values;
  const [from, until] = [begin, end].map((name) => momentOf(values[name] ?? held?.[name]));
  if (from != null && until != null && clock(until) < clock(from)) {
    const [begins, ends] = [shownMoment(from), shownMoment(until)];
    const code = 'end-before-begin';
    if (values[end] == null)
      say(begin, { code, found: from, hint: t(`it ends on ${ends.en}`, `het eindigt op ${ends.nl}`) });
    else say(end, { code, found: until, hint: t(`it begins on ${begins.en}`, `het begint op ${begins.nl}`) });
  }
  const own = momentOf(values[begin]);
  if (own !== null && day !== null && !own.startsWith(day))
    say(begin, { code: 'time-other-day', found: own, hint: shownMoment(day) });
  return { ...row, values };
}

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + DAY).toISOString().slice(0, 10);
}

const dayIn = (value: Value | undefined): string | null =>
  typeof value === 'string' && value.length >= 10 ? value.slice(0, 10) : null;

const momentOf = (value: unknown): string | null =>
  typeof value === 'string' && value.length > 10 ? value : null;

const clock = (moment: string): number => Date.parse(`${moment.replace(' ', 'T')}Z`);

const GO_TOGETHER = t(
  'the day and the times of an event are left as they are: they go together, and one of them can’t come back',
  'de dag en de tijden van een evenement blijven zoals ze zijn: ze horen bij elkaar, en een ervan kan niet terug',
);

/** The day and times of an event go back together: else the event would be on two days. */
function restoreMoment(
  resource: EventResource,
  changes: readonly FieldChange[],
  restore: UndoTools['restore'],
): RestoredFields {
  const moment = [resource.date, ...unreadFields(resource)];
  const restored = restore(resource, changes);
  const [ofMoment, others] = [true, false].map((is) =>
    changes.filter(({ field }) => moment.includes(field) === is),
  ) as [FieldChange[], FieldChange[]];
  const back = ofMoment.filter(({ field }) => field in restored.cells);
  if (back.length === 0 || back.length === ofMoment.length) return restored;
  const rest = restore(resource, others);
  return { ...rest, left: [...rest.left, GO_TOGETHER] };
}
