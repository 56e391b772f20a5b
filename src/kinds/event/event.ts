import { t } from '../../core/language.ts';
import { SELF, type Step } from '../../core/plan.ts';
import type { Value } from '../../core/value.ts';
import { createSettling, type RecordReads, showsSent } from '../../records/doubts.ts';
import {
  changedValues,
  changesTo,
  createdValues,
  type ExistingRecord,
  holdsSent,
  type SameField,
  sameIn,
  sameValue,
} from '../../records/existing-record.ts';
import { askForIds, checkIds } from '../../records/id-records.ts';
import {
  externalOf,
  type KeyedMatching,
  type KnownRecords,
  keyedRows,
  locateReferred,
  type RowRequests,
  type RowTarget,
} from '../../records/keyed-records.ts';
import { issueOfLack, issueOn, type MappedRow } from '../../records/mapped-row.ts';
import { needsRecord, type PlannerSetup, WINDOW } from '../../records/planning.ts';
import { createRecordGuard, findDoubles } from '../../records/record-guard.ts';
import type { RecordFinder } from '../../records/references.ts';
import { undoRecord } from '../../records/undo.ts';
import type { EventResource } from '../../schema/resource.ts';
import { foundByKeys, type Kind } from '../kind.ts';
import { type EventContext, readEvent, readSince } from './event-reads.ts';
import { EventSource } from './event-source.ts';
import { restoreMoment, withDays } from './event-times.ts';

/** Events: found by id, by ExternalID in the ledger, around their day, else on all days (interface 4.4). */
export const event: Kind<EventResource> = {
  rows(context) {
    const source = new EventSource(context);
    const matching = keyedRows(context, (setup) => matchingFor(context, setup, source));
    return { matching, summary: () => source.summary() };
  },
  foundAgain: foundByKeys,
  guard: (context) => createRecordGuard(context, eventReads(context)),
  finder: eventFinder,
  doubles: (context) => findDoubles(context, eventReads(context)),
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
  const isUntouched = (row: Row, field: string, existing: ExistingRecord | null): boolean =>
    base.find(context.resource.name, `id:${existing?.id}`)?.values[field] === row.values[field];
  return {
    requests: EVENT_REQUESTS,
    window: WINDOW,
    same: (existing) => eventSame(context.resource, existing),
    async open(rows, known) {
      await source.readAhead(rows, known);
      return (row) => source.seenBy(row, known);
    },
    async located(rows, found, known) {
      await rememberFound(context, rows, found, known);
      const asking = rows.map((row, at) => ({ row, existing: found[at]?.existing ?? null }));
      const ofRows = asking.filter(({ row }) => asksEvent(row) && needsRecord(row, base));
      await askForIds(context.named, ofRows, source.some(), isUntouched);
    },
    asMeant(row, existing) {
      if (asksEvent(row)) checkIds(context.named, row, existing);
      return withDays(row, existing, rules.strict);
    },
    readNow: (id) => readEvent(context, id),
    tookEffect: createSettling(context, eventReads(context)),
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

const DAY = 86_400_000;

/** How events are read by themselves and by the lists of what was written. */
function eventReads(context: EventContext): RecordReads {
  const { resource } = context;
  const same = eventSame(resource, null);
  return {
    one: (id) => readEvent(context, id),
    since: (moment) => readSince(context, moment),
    shows: showsSent(resource, same),
    created: {
      keyed: async (key, all) => (await all()).find(({ external }) => external === key) ?? null,
      holds: (existing, body) => holdsSent(resource, existing, body, same),
      mayBe({ values }, body) {
        const [held, sent] = [values[resource.date], body[resource.date]].map((day) =>
          Date.parse(String(day)),
        );
        // A day that can't be read may be any.
        return !(Math.abs((held ?? 0) - (sent ?? 0)) > (context.dialect.eventMargin + 1) * DAY);
      },
    },
    same,
    few: 3,
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
    return { steps, changes: [], issues: lacks.map((name) => issueOfLack(row, name)) };
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
