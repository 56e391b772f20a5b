import { t } from '../../core/language.ts';
import type { RefreshResource } from '../../schema/resource.ts';
import { checkAsked } from '../about/check-asked.ts';
import { createEventOf } from '../about/event-of.ts';
import { openRowPlanner } from '../about/row-planner.ts';
import { createSameRows } from '../about/same-row.ts';
import { KEYLESS } from '../keyless.ts';
import type { Kind } from '../kind.ts';

/** Events to refresh: each once a run, and as often as is asked. */
export const refresh: Kind<RefreshResource> = {
  plan(_, resource) {
    const same = createSameRows();
    return {
      openSheet({ references }) {
        const eventOf = createEventOf(references);
        return openRowPlanner<RefreshResource, number>(
          async (row) => (checkAsked(row, resource.event) ? await eventOf(row) : null),
          (row, id) => {
            const key = `id:${id}`;
            const endpoint = resource.requests.refresh.name;
            const steps = [{ purpose: 'update', endpoint, body: {}, params: { ID: id } }] as const;
            return same.seen(key, row) ?? { action: 'update', steps, about: { key, id } };
          },
        );
      },
      summary: () => ({ strategy: 'rows', newest: null }),
    };
  },
  guard: () => ({
    check: async () => null,
    wrote: async () => {},
    // Refreshed twice is refreshed.
    tookEffect: async () => null,
    describeDoubt: async () => HARMLESS,
    keys: KEYLESS,
    notes: () => [],
  }),
};

const HARMLESS = t('refreshing once more does no harm', 'nog eens verversen kan geen kwaad');
