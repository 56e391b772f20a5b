import {
  createPlannedSheets,
  externalOf,
  type KeyedMatching,
  type KnownRecords,
  type PlannedSheets,
  planKeyedRecords,
} from '../../records/keyed-records.ts';
import { locateReferred, type RowTarget } from '../../records/locate.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import { WINDOW } from '../../records/plan-windows.ts';
import type { PlannerSetup } from '../../records/planning.ts';
import type { RecordFinder } from '../../records/references.ts';
import { undoRecord } from '../../records/undo.ts';
import type { Context } from '../../run/context.ts';
import type { EventResource } from '../../schema/resource.ts';
import type { Kind } from '../kind.ts';
import { eventGuard, eventTookEffect } from './event-guard.ts';
import { eventLister } from './event-list.ts';
import {
  asksEvent,
  createEventSource,
  type EventSource,
  readAhead,
  readEvent,
  recordsFor,
  requireDay,
} from './event-source.ts';
import { EVENT_REQUESTS, sameEventField } from './event-steps.ts';
import { restoreMoment, withDays, withSent } from './event-times.ts';

/** Events: found by id, by ExternalID in the ledger, else by their day (interface 4.4). */
export const event: Kind<EventResource> = {
  plan(context, resource, run) {
    const source = createEventSource(context, resource);
    const sheets = createPlannedSheets(context, run, resource);
    return {
      openSheet: (setup) => planKeyedRecords(setup, sheets, matchingFor(setup, resource, source, sheets)),
      summary: source.summary,
    };
  },
  guard: eventGuard,
  finder: eventFinder,
  compared: true,
  lister: eventLister,
  undo: (resource, history, { restore }) =>
    undoRecord(resource, history, (_, changes) => restoreMoment(resource, changes, restore)),
};

/** One list of events answers for many rows of a window. */
function matchingFor(
  { context, rules }: PlannerSetup,
  resource: EventResource,
  source: EventSource,
  { earlier }: PlannedSheets,
): KeyedMatching<EventResource> {
  return {
    resource,
    requests: EVENT_REQUESTS,
    window: WINDOW,
    same: (...field) => sameEventField(resource, ...field),
    asks: asksEvent,
    async open(rows, known) {
      await readAhead(rows, known, source, context.dialect.eventMargin);
      return {
        seenBy: (row) => recordsFor(row, source, known),
        async complete(row, existing) {
          await requireDay(row, known, earlier);
          return await withSent(context, row, existing);
        },
      };
    },
    located: (rows, found, known) => rememberFound(context, resource, rows, found, known),
    asMeant: (row, existing) => withDays(row, existing, rules.strict),
    readNow: async (id, row) => await withSent(context, row, await readEvent(context, resource, id)),
    tookEffect: (doubt) => eventTookEffect(context, resource, doubt),
  };
}

/** What was found on the service is known from here on, to the sheets that refer to events too. */
async function rememberFound(
  { ledger, serviceKey }: Context,
  { name }: EventResource,
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

/** Finds events that other sheets refer to, around a day; without a day only in the ledger. */
function eventFinder(context: Context, resource: EventResource): RecordFinder {
  const source = createEventSource(context, resource);
  const records = {
    byId: async (id: number) => source.listed(id) ?? (await source.detail(id)),
    byExternal: async (external: number) => source.withExternal(external)[0] ?? null,
  };
  return {
    async byExternal(external, { day, known }) {
      // One list answers for many events.
      if (day !== undefined) await source.cover([day], context.dialect.eventMargin);
      const id = await locateReferred(records, resource, external, known);
      if (id !== null && id !== known?.id)
        await context.ledger.rememberKeys(context.serviceKey, resource.name, [{ external, id }]);
      return id;
    },
  };
}
