import type { Context } from '../../run/context.ts';
import type { EventResource } from '../../schema/resource.ts';
import type { Existing } from '../catalogue/existing.ts';
import type { SourceSummary } from '../kind.ts';
import { monthsAround, type Period, periodOf, runsOf } from './months.ts';
import { readEvent, readPeriod } from './read-events.ts';

/** The events that were read for a plan: whole months at a time, each at most once, and single ones. */
export interface EventSource {
  /** Reads the months within `margin` days of these days, as far as they were not read yet. */
  cover(days: readonly string[], margin: number): Promise<void>;
  covers(day: string): boolean;
  /** Of the months that were read. */
  listed(id: number): Existing | undefined;
  /** The listed events with an ExternalID; more than one where the service has it twice. */
  withExternal(external: number): readonly Existing[];
  /** A single event, asked for at most once. */
  detail(id: number): Promise<Existing | null>;
  /** The day of an event, asked for by itself; null when there is none. */
  dayOf(id: number): Promise<string | null>;
  summary(): SourceSummary;
}

/** Whole months, so that rows which come bit by bit, each around its own day, cost no more than one request a month. */
export function createEventSource(context: Context, resource: EventResource): EventSource {
  const reading = new Map<string, Promise<void>>();
  const byId = new Map<number, Existing>();
  const byExternal = new Map<number, Map<number, Existing>>();
  const details = new Map<number, Promise<Existing | null>>();
  const periods: Period[] = [];
  let newest: string | null = null;
  const keep = (existing: Existing): void => {
    const { id, external, lmt } = existing;
    if (id === null) return;
    byId.set(id, existing);
    if (external !== null)
      byExternal.set(external, (byExternal.get(external) ?? new Map()).set(id, existing));
    if (lmt !== null && (newest === null || lmt > newest)) newest = lmt;
  };
  const read = async (period: Period): Promise<void> => {
    periods.push(period);
    for (const existing of await readPeriod(context, resource, period)) keep(existing);
    context.log.info({ resource: resource.name, ...period }, 'existing records are read');
  };
  const detail = (id: number): Promise<Existing | null> => {
    const found = details.get(id) ?? readEvent(context, resource, id);
    details.set(id, found);
    return found;
  };
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
