import type { EventResource } from '../../schema/resource.ts';
import { KEYLESS } from '../keyless.ts';
import type { RowGuard, SenderSetup } from '../kind.ts';
import { createEventFreshness } from './freshness.ts';
import { createKeyWatch } from './keeps-keys.ts';
import { tookEffect } from './settle.ts';
import { rememberUnread } from './times.ts';

/** Guards events by LMT, settles lost answers by the events around the day, and remembers the times that were sent. */
export function eventGuard({ context, summary }: SenderSetup, resource: EventResource): RowGuard {
  const freshness = createEventFreshness(context, resource, summary);
  const keys = createKeyWatch(context, resource);
  return {
    check: freshness.check,
    async wrote(done) {
      if (done.id === null) return;
      freshness.wrote(done.id);
      await rememberUnread(context, resource, done.id, done.body);
      await keys.wrote(done);
    },
    tookEffect: (doubt) => tookEffect(context, resource, doubt),
    // The create takes the ExternalID itself.
    keys: KEYLESS,
    notes: keys.notes,
  };
}
