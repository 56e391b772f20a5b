import type { EventResource } from '../../../schema/resource.ts';
import type { Context } from '../../context.ts';
import type { Finder } from '../kind.ts';
import { createEventSource } from './event-source.ts';

/** Finds events that other sheets refer to, among the events around a day; without a day there is no way to look. */
export function eventFinder(context: Context, resource: EventResource): Finder {
  const source = createEventSource(context, resource);
  return {
    async byExternal(external, day) {
      if (day === undefined) return null;
      await source.cover([day], context.dialect.eventMargin);
      const id = source.withExternal(external)[0]?.id ?? null;
      if (id !== null)
        await context.ledger.rememberKeys(context.serviceKey, resource.name, [{ external, id }]);
      return id;
    },
  };
}
