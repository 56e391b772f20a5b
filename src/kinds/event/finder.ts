import type { Context } from '../../run/context.ts';
import type { EventResource } from '../../schema/resource.ts';
import { isStill } from '../is-still.ts';
import type { Finder } from '../kind.ts';
import { createEventSource } from './event-source.ts';

/** Finds events that other sheets refer to, among the events around a day; without a day there is no way to look. */
export function eventFinder(context: Context, resource: EventResource): Finder {
  const source = createEventSource(context, resource);
  return {
    async byExternal(external, { day, known }) {
      // One list answers for many events.
      if (day !== undefined) await source.cover([day], context.dialect.eventMargin);
      const id = source.withExternal(external)[0]?.id ?? null;
      if (id !== null) {
        if (id !== known?.id)
          await context.ledger.rememberKeys(context.serviceKey, resource.name, [{ external, id }]);
        return id;
      }
      if (known === undefined) return null;
      const remembered = source.listed(known.id) ?? (await source.detail(known.id));
      return remembered !== null && isStill(remembered, external, known, resource.label) ? known.id : null;
    },
  };
}
