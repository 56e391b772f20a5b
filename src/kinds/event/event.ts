import type { Value } from '../../core/value.ts';
import type { RecordReads } from '../../records/doubts.ts';
import { type ExistingRecord, type SameField, sameIn, sameValue } from '../../records/existing-record.ts';
import { askForIds, checkIds } from '../../records/id-records.ts';
import {
  externalOf,
  type KeyedMatching,
  type KnownRecords,
  keyedRows,
  locateReferred,
  type RowTarget,
} from '../../records/keyed-records.ts';
import { findDoubles } from '../../records/late-doubles.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import { needsRecord, type PlannerSetup } from '../../records/planning.ts';
import { createRecordGuard } from '../../records/record-guard.ts';
import type { RecordFinder } from '../../records/references.ts';
import { undoRecord } from '../../records/undo.ts';
import type { EventResource } from '../../schema/resource.ts';
import type { Kind } from '../kind.ts';
import { type EventContext, readEvent, readSince } from './event-reads.ts';
import { EventSource } from './event-source.ts';
import { restoreMoment, withDays } from './event-times.ts';

type Row = MappedRow<EventResource>;

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

/** Whether the event of a row is looked up: events are never deleted. */
const asksEvent = ({ action }: MappedRow): boolean => action !== 'skip' && action !== 'delete';

function matchingFor(
  context: EventContext,
  { rules, base }: PlannerSetup,
  source: EventSource,
): KeyedMatching {
  const isUntouched = (row: MappedRow, field: string, existing: ExistingRecord | null): boolean =>
    base.find(context.resource.name, `id:${existing?.id}`)?.values[field] === row.values[field];
  return {
    reads: eventReads(context),
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
    asMeant(row: Row, existing) {
      if (asksEvent(row)) checkIds(context.named, row, existing);
      return withDays(row, existing, rules.strict);
    },
  };
}

/** Remembers what was found on the service, for the sheets that refer to events too. */
async function rememberFound(
  { ledger, serviceKey, resource: { name } }: EventContext,
  rows: readonly MappedRow[],
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

/** How events are read by themselves and by the lists of what was written. */
const eventReads = (context: EventContext): RecordReads => ({
  one: (id) => readEvent(context, id),
  since: (moment) => readSince(context, moment),
  keyed: async (key, all) => (await all()).find(({ external }) => external === key) ?? null,
  same: eventSame(context.resource, null),
  few: 3,
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
