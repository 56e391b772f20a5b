import { type CreateEvidence, recordTookEffect } from '../../records/doubts.ts';
import type { ExistingRecord } from '../../records/existing-record.ts';
import { createFreshness, type RecordNow, renewed, sameMoment } from '../../records/freshness.ts';
import { createKeyWatch } from '../../records/key-keeping.ts';
import type { SourceSummary } from '../../records/planning.ts';
import {
  type EffectVerdict,
  type GuardSetup,
  type RowGuard,
  type SendDoubt,
  UNGUARDED,
} from '../../records/row-guard.ts';
import type { Context } from '../../run/context.ts';
import type { EventResource } from '../../schema/resource.ts';
import { monthsAround, periodOf, readEvent, readPeriod, runsOf } from './event-source.ts';
import { eventHolds } from './event-steps.ts';
import { rememberUnread } from './event-times.ts';

/** Guards events by LMT, settles lost answers by their day, remembers the times that were sent. */
export function eventGuard({ context, summary }: GuardSetup, resource: EventResource): RowGuard {
  const freshness = createFreshness(lookInLists(context, resource, summary));
  const keys = createKeyWatch(context, resource, (id) => readEvent(context, resource, id));
  return {
    ...UNGUARDED,
    check: freshness.check,
    async wrote(sent) {
      if (sent.id === null) return;
      freshness.wrote(sent.id);
      await rememberUnread(context, resource, sent.id, sent.body);
      await keys.wrote(sent);
    },
    tookEffect: (doubt) => eventTookEffect(context, resource, doubt),
    notes: keys.notes,
  };
}

/** How old the lists may be before they are read anew, ms: the window in which a change goes unseen. */
const MAX_AGE = 2_000;
/** So many events are looked at one by one, before the lists that answer for all of them are read. */
const FEW = 3;

/**
 * The lists that the plan read are read again and answer for all their rows. event/all rather than allByLMT:
 * an event that was moved to a day outside the period is missing there, and then looked at by itself.
 */
function lookInLists(
  context: Context,
  resource: EventResource,
  { periods = [] }: SourceSummary,
): (id: number, lmt: string) => Promise<RecordNow> {
  let checks = 0;
  const listed = renewed(context, MAX_AGE, async () => {
    const lists = await Promise.all(periods.map((period) => readPeriod(context, resource, period)));
    return new Map(lists.flat().map(({ id, lmt }) => [id, lmt]));
  });
  return async (id, lmt) => {
    const isListed = periods.length > 0 && ++checks > FEW;
    const seen = isListed ? ((await listed()).get(id) ?? null) : null;
    if (seen !== null && sameMoment(seen, lmt)) return 'unchanged';
    return await readEvent(context, resource, id);
  };
}

/** Whether a request took effect, told by the events themselves. */
export async function eventTookEffect(
  context: Context,
  resource: EventResource,
  doubt: SendDoubt,
): Promise<EffectVerdict> {
  const { body } = doubt;
  // An update that shows nothing a read returns is as good as not sent: it may be sent any number of times.
  const isSeen = Object.keys(body).some((name) => {
    const reads = resource.fields[name]?.reads;
    return name !== resource.id && name !== resource.external && (reads === 'both' || reads === 'detail');
  });
  return await recordTookEffect(context, resource, doubt, {
    read: (id) => readEvent(context, resource, id),
    shows: (existing) => isSeen && eventHolds(resource, existing, body, 'detail'),
    created: createEvidence(context, resource, doubt),
  });
}

/** Of a create: the events around its day; null for one that names none. */
function createEvidence(
  context: Context,
  resource: EventResource,
  { body }: SendDoubt,
): CreateEvidence | null {
  const day = body[resource.date];
  if (typeof day !== 'string') return null;
  let reading: Promise<ExistingRecord[][]> | undefined;
  const around = async (): Promise<ExistingRecord[]> => {
    const runs = runsOf(monthsAround(day, context.dialect.eventMargin));
    reading ??= Promise.all(runs.map((run) => readPeriod(context, resource, periodOf(run))));
    return (await reading).flat();
  };
  return {
    resource,
    keyed: async (key) => (await around()).find(({ external }) => external === key) ?? null,
    writtenSince: async (moment) => (await around()).filter(({ lmt }) => lmt === null || lmt >= moment),
    holds: (existing) => eventHolds(resource, existing, body, 'list'),
  };
}
