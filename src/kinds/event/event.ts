import { t } from '../../core/language.ts';
import { SELF, type Step } from '../../core/plan.ts';
import type { Value, Values } from '../../core/value.ts';
import { type CreateEvidence, recordTookEffect } from '../../records/doubts.ts';
import {
  changedValues,
  changesTo,
  createdValues,
  type ExistingRecord,
  type SameField,
  sameIn,
  sameValue,
} from '../../records/existing-record.ts';
import {
  createFreshness,
  type RecordNow,
  renewed,
  sameMoment,
  secondBefore,
} from '../../records/freshness.ts';
import { askForIds, checkIds } from '../../records/id-records.ts';
import { createKeyKeeping } from '../../records/key-keeping.ts';
import {
  externalOf,
  type KeyedMatching,
  type KnownRecords,
  keyedRows,
  missingField,
  type RowRequests,
} from '../../records/keyed-records.ts';
import { keeping } from '../../records/last-applied.ts';
import {
  doublesAmong,
  type FindDoubles,
  type LateDouble,
  type SentAgain,
} from '../../records/late-doubles.ts';
import { locateReferred, type RowTarget } from '../../records/locate.ts';
import { issueOn, type MappedRow } from '../../records/mapped-row.ts';
import { type PlannerSetup, WINDOW } from '../../records/planning.ts';
import type { RecordFinder } from '../../records/references.ts';
import {
  type EffectVerdict,
  type GuardSetup,
  type RowGuard,
  readBackById,
  type SendDoubt,
  type SentStep,
  UNGUARDED,
} from '../../records/row-guard.ts';
import { needsRecord } from '../../records/row-matching.ts';
import { createSecondLook } from '../../records/second-look.ts';
import { sharedReading } from '../../records/shared-reading.ts';
import { undoRecord } from '../../records/undo.ts';
import type { EventResource } from '../../schema/resource.ts';
import { foundByKeys, type Kind } from '../kind.ts';
import { type EventContext, eventLister, readEvent, readPeriod, readSince } from './event-reads.ts';
import { EventSource, monthsAround, periodOf, runsOf } from './event-source.ts';
import { rememberUnread, restoreMoment, withDays, withSent } from './event-times.ts';

/** Events: found by id, by ExternalID in the ledger, around their day, else on all days (interface 4.4). */
export const event: Kind<EventResource> = {
  rows(context) {
    const source = new EventSource(context);
    const matching = keyedRows(context, (setup) => matchingFor(context, setup, source));
    return { matching, summary: () => source.summary(), notes: () => source.notes() };
  },
  foundAgain: foundByKeys,
  guard: eventGuard,
  finder: eventFinder,
  compared: true,
  lister: eventLister,
  doubles: eventDoubles,
  undo: (resource, history, { restore }) =>
    undoRecord(resource, history, (_, changes) => restoreMoment(resource, changes, restore)),
};

/** Whether the event of a row is looked up: events are never deleted. */
const asksEvent = ({ action }: Row): boolean => action !== 'skip' && action !== 'delete';

function matchingFor(
  context: EventContext,
  { rules, base }: PlannerSetup,
  source: EventSource,
): KeyedMatching<EventResource> {
  const months = createMonths(context);
  const isUntouched = (row: Row, field: string, existing: ExistingRecord | null): boolean =>
    base.find(context.resource.name, `id:${existing?.id}`)?.values[field] === row.values[field];
  return {
    requests: EVENT_REQUESTS,
    window: WINDOW,
    same: (existing) => eventSame(context.resource, existing),
    asks: asksEvent,
    async open(rows, known) {
      await source.readAhead(rows.filter(asksEvent), known);
      return (row) => source.seenBy(row, known);
    },
    complete: (row, existing) => withSent(context, row, existing),
    async located(rows, found, known) {
      await rememberFound(context, rows, found, known);
      const asking = rows.map((row, at) => ({ row, existing: found[at]?.existing ?? null }));
      const ofRows = asking.filter(({ row }) => asksEvent(row) && needsRecord(row, base));
      await askForIds(context.named, ofRows, source.some(), isUntouched);
    },
    asMeant(row, existing) {
      if (asksEvent(row)) checkIds(context.named, row, existing, rules.strict);
      return withDays(row, withMeantDay(context, existing), rules.strict);
    },
    readNow: async (id, row) => await withSent(context, row, await readEvent(context, id)),
    tookEffect: (doubt) => eventTookEffect(context, doubt, months),
  };
}

/** Remembers what was found on the service, for the sheets that refer to events too. */
async function rememberFound(
  { ledger, serviceKey, resource: { name } }: EventContext,
  rows: readonly MappedRow<EventResource>[],
  found: readonly RowTarget[],
  known: KnownRecords,
): Promise<void> {
  const pairs = rows.flatMap((row, index) => {
    const external = externalOf(row);
    const { existing = null, clash = null } = found[index] ?? {};
    if (external === undefined || existing?.id == null || clash !== null) return [];
    if (existing.external !== external || known.get(external)?.id === existing.id) return [];
    return [{ external, id: existing.id }];
  });
  if (pairs.length > 0) await ledger.rememberKeys(serviceKey, name, pairs);
}

/** Finds events that other sheets refer to: in the ledger, around a day, else on all days. */
function eventFinder(context: EventContext): RecordFinder {
  const source = new EventSource(context);
  const records = source.seenBy(null, new Map());
  return {
    async byExternal(external, { day, known }) {
      // One list answers for many events.
      if (day !== undefined) await source.cover([day]);
      const locate = () => locateReferred(records, context.resource, external, known);
      const ids = await locate();
      if (ids.length > 0) return ids;
      await source.findElsewhere([external]);
      return await locate();
    },
  };
}

/** Guards events by LMT, settles lost answers by their day, remembers the times that were sent. */
function eventGuard(context: GuardSetup<EventResource>): RowGuard {
  const same = eventSame(context.resource, null);
  const freshness = createFreshness(context.resource, lookInLists(context), same);
  const keys = createKeyKeeping(context, (id) => readEvent(context, id));
  const months = createMonths(context);
  const secondLook = createSecondLook(context, {
    listSince: (moment) => readSince(context, context.summary.periods ?? [], moment),
    holds: (existing, body) => eventHolds(context.resource, existing, body, 'list'),
  });
  return {
    ...UNGUARDED,
    check: async (...row) => (await secondLook(row[0])) ?? (await freshness.check(...row)),
    async wrote(sent) {
      if (sent.id === null) return;
      freshness.wrote(sent.id);
      await rememberUnread(context, sent.id, sent.body);
      const external = sent.body[context.resource.external];
      if (typeof external === 'number') keys.stored(external, sent.id);
    },
    async readBack(sent) {
      await keys.learn();
      return await readWritten(context, sent);
    },
    readNow: async ({ id }) => (id === null ? null : ((await readEvent(context, id))?.values ?? null)),
    tookEffect: (doubt) => eventTookEffect(context, doubt, months),
    notes: keys.notes,
  };
}

/** So many of the events that a list lacks are read back: more of them cost an update each. */
const MOST_SINGLE = 20;

/** What a run wrote, by the list of what was written since the plan; few by themselves, or what it lacks. */
async function readWritten(context: GuardSetup<EventResource>, sent: readonly SentStep[]) {
  const ids = new Set(sent.flatMap(({ id }) => id ?? []));
  const { newest, periods = [] } = context.summary;
  const isListed = ids.size > FEW && newest !== null;
  const listed = isListed ? await readSince(context, periods, secondBefore(newest)) : [];
  for (const { id } of listed) if (id !== null) ids.delete(id);
  const single = await Promise.all([...ids].slice(0, MOST_SINGLE).map((id) => readEvent(context, id)));
  return [...listed, ...single].flatMap(readBackById);
}

/** How old the lists may be before they are read anew, ms: so long a change may go unseen. */
const MAX_AGE = 2_000;
/** Up to so many events are read one by one before the lists are. */
const FEW = 3;

/** Reads the plan's lists again, for all their rows; an event that is missing there is read by itself. */
function lookInLists(context: GuardSetup<EventResource>) {
  const { periods = [] } = context.summary;
  let checks = 0;
  const listed = renewed(context.time, MAX_AGE, async () => {
    const lists = await Promise.all(periods.map((period) => readPeriod(context, period)));
    return new Map(lists.flat().map((existing) => [existing.id, existing]));
  });
  return async (id: number, lmt: string | null, anew: boolean): Promise<RecordNow> => {
    const isListed = !anew && periods.length > 0 && ++checks > FEW;
    const seen = isListed ? ((await listed()).get(id) ?? null) : null;
    if (seen !== null && (lmt === null || (seen.lmt !== null && sameMoment(seen.lmt, lmt)))) return seen;
    return await readEvent(context, id);
  };
}

type Months = (run: string, asked?: number) => Promise<ExistingRecord[]>;

/** The events of months that follow one another, in readings that all doubts share. */
const createMonths = (context: EventContext): Months =>
  sharedReading(context.time, (run) => readPeriod(context, periodOf(run.split(' '))));

async function eventTookEffect(
  context: EventContext,
  doubt: SendDoubt,
  months: Months,
): Promise<EffectVerdict> {
  const { resource } = context;
  const { body } = doubt;
  // An update of what no read returns is as good as not sent while it may be sent once more.
  const isSeen = Object.keys(body).some((name) => {
    const reads = resource.fields[name]?.reads;
    return name !== resource.id && name !== resource.external && (reads === 'both' || reads === 'detail');
  });
  return await recordTookEffect(context, doubt, {
    read: (id) => readEvent(context, id),
    shows(existing) {
      if (!isSeen) return doubt.last === true ? null : false;
      return eventHolds(resource, existing, body, 'detail');
    },
    created: createEvidence(context, doubt, months),
  });
}

/** What came late beside creates that were sent again, around their days. */
function eventDoubles(context: EventContext): FindDoubles {
  const { resource, dialect } = context;
  const months = createMonths(context);
  const look = async (one: SentAgain): Promise<readonly LateDouble[]> => {
    const runs = runsOf(monthsAround(String(one.body[resource.date]), dialect.eventMargin));
    const records = (await Promise.all(runs.map((run) => months(run.join(' '))))).flat();
    return await doublesAmong(context, one, records, (existing, body) =>
      eventHolds(resource, existing, body, 'list'),
    );
  };
  return async (creates) => (await Promise.all(creates.map(look))).flat();
}

/** Of a create: the events around its day; null for one that names none. */
function createEvidence(
  context: EventContext,
  { body, asked: due }: SendDoubt,
  months: Months,
): CreateEvidence | null {
  const { resource } = context;
  const day = body[resource.date];
  if (typeof day !== 'string') return null;
  const around = monthsAround(day, context.dialect.eventMargin);
  let reading: Promise<ExistingRecord[][]> | undefined;
  const list = async (asked: number | undefined): Promise<ExistingRecord[]> => {
    const read = () => Promise.all(runsOf(around).map((run) => months(run.join(' '), asked)));
    if (asked === due) reading ??= read();
    const [only = [], ...more] = await ((asked === due && reading) || read());
    // One list for all that share it: what is known of it is found again by it.
    return more.length === 0 ? only : [only, ...more].flat();
  };
  return {
    keyed: async (key) => (await list(due)).find(({ external }) => external === key) ?? null,
    list: (_, asked = due) => list(asked),
    isListed: ({ [resource.date]: other }) => around.includes(String(other).slice(0, 7)),
    holds: (existing, sent) => eventHolds(resource, existing, sent, 'list'),
  };
}

type Row = MappedRow<EventResource>;

/** The requests of events; the service deletes none (interface 4.4). */
const EVENT_REQUESTS: RowRequests<EventResource> = {
  /** The create, then an update with what only updates take. */
  create(row) {
    const { id, fields, requests } = row.mapping.resource;
    const own = Object.keys(fields).filter((name) => name !== id);
    const { body, later, lacks } = createdValues(row, own);
    const steps: Step[] = [{ purpose: 'create', endpoint: requests.create.name, body }];
    if (Object.keys(later).length > 0)
      steps.push({ purpose: 'update', endpoint: requests.update.name, body: { [id]: SELF, ...later } });
    return { steps, changes: [], issues: lacks.map((name) => missingField(row, name, 'create')) };
  },
  /** What brings an event to what the row says; what only a create takes is a warning. */
  update(row, existing, { externalId }) {
    const { resource } = row.mapping;
    const { id, external, fields, requests } = resource;
    // Where no update stores the ExternalID, the ledger alone remembers it.
    const own = Object.keys(fields).filter(
      (name) => name !== id && (name !== external || externalId === 'update'),
    );
    const differs = changesTo(existing, row, own, eventSame(resource, existing));
    const changes = differs.filter(({ field }) => fields[field]?.update !== 'none');
    const issues = differs.flatMap(({ field, from, to }) => {
      if (fields[field]?.update !== 'none' || fields[field].create === 'none') return [];
      const hint = from === null ? t('none', 'geen') : String(from);
      return issueOn(row, field, { code: 'create-only', found: to === null ? '#CLEAR' : String(to), hint });
    });
    if (changes.length === 0) return { steps: [], changes, issues };
    const body = { [id]: existing.id ?? SELF, ...changedValues(changes) };
    return { steps: [{ purpose: 'update', endpoint: requests.update.name, body }], changes, issues };
  },
};

/** An event with its day as it was sent: a service may show moments of another zone. */
function withMeantDay(context: EventContext, existing: ExistingRecord | null): ExistingRecord | null {
  const { date } = context.resource;
  const held = existing?.values[date];
  if (existing === null || held == null) return existing;
  const day = keeping(existing, date) ?? held;
  if (day === held) return existing;
  return { ...existing, values: { ...existing.values, [date]: day } };
}

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

/** Whether an event holds what a request sent, as far as this read can tell; ExternalID apart. */
function eventHolds(
  resource: EventResource,
  existing: ExistingRecord,
  body: Values,
  read: 'list' | 'detail',
): boolean {
  return Object.entries(body).every(([name, value]) => {
    if (name === resource.external || name === resource.id) return true;
    const reads = resource.fields[name]?.reads;
    return (
      (reads !== 'both' && reads !== read) || sameEventField(resource, name, existing.values[name], value)
    );
  });
}
