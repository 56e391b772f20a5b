import type { PlannedRow } from '../../core/plan.ts';
import type { Context } from '../../run/context.ts';
import type { EventResource } from '../../schema/resource.ts';
import type { SourceSummary } from '../kind.ts';
import { gone, type Moved, movedSince, sameMoment } from '../moved.ts';
import { readEvent, readPeriod } from './read-events.ts';

/** How old the lists may be before they are read anew, ms: the window in which a change goes unseen. */
const MAX_AGE = 2_000;
/** So many events are looked at one by one, before the lists that answer for all of them are read. */
const FEW = 3;

/** Tells whether an event changed after the plan read it. */
interface EventFreshness {
  /** Why the row may not be sent, or null. */
  check(planned: PlannedRow): Promise<Moved | null>;
  /** To be told of an event this run writes itself: its own change is no conflict. */
  wrote(id: number): void;
}

/**
 * The lists that the plan read are read again and answer for all their rows. event/all rather than allByLMT: an event
 * that was moved to a day outside the period is missing there, and then looked at by itself.
 */
export function createEventFreshness(
  context: Context,
  resource: EventResource,
  { periods = [] }: SourceSummary,
): EventFreshness {
  const own = new Set<number>();
  let checks = 0;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<Map<number, string | null>> = Promise.resolve(new Map());
  const readAll = async (): Promise<Map<number, string | null>> => {
    const lists = await Promise.all(periods.map((period) => readPeriod(context, resource, period)));
    return new Map(lists.flat().flatMap(({ id, lmt }) => (id === null ? [] : [[id, lmt]])));
  };
  const listed = async (id: number): Promise<string | null> => {
    if (periods.length === 0 || ++checks <= FEW) return null;
    const now = context.clock().getTime();
    if (now - readAt > MAX_AGE) {
      readAt = now;
      reading = readAll();
    }
    return (await reading).get(id) ?? null;
  };
  return {
    wrote: (id) => void own.add(id),
    async check({ id, lmt }) {
      if (id === null || lmt === null || own.has(id)) return null;
      const seen = await listed(id);
      if (seen !== null && sameMoment(seen, lmt)) return null;
      const now = await readEvent(context, resource, id);
      if (now?.lmt == null) return gone();
      return sameMoment(now.lmt, lmt) ? null : movedSince(lmt, now.lmt, now.values);
    },
  };
}
