import { t } from '../core/language.ts';
import type { RefreshResource } from '../schema/resource.ts';
import { checkAsked, createEventOf, createSameRows, planCommandRows } from './command-rows.ts';
import { foundBy, type Kind } from './kind.ts';

/** Events to refresh: each once a run, and as often as is asked. */
export const refresh: Kind<RefreshResource> = {
  plan({ resource }) {
    const same = createSameRows();
    return {
      openSheet({ references }) {
        const eventOf = createEventOf(resource, references);
        return planCommandRows<number>(
          async (row) => (checkAsked(row, resource.event) ? await eventOf(row) : null),
          (row, id) => {
            const key = `id:${id}`;
            const endpoint = resource.requests.refresh.name;
            const steps = [{ purpose: 'update', endpoint, body: {}, params: { ID: id } }] as const;
            return same(key, row) ?? { action: 'update', steps, key, id };
          },
        );
      },
    };
  },
  foundAgain: ({ event }) => foundBy(event),
  guard: () => ({
    // Refreshed twice is refreshed.
    describeDoubt: () => HARMLESS,
  }),
};

const HARMLESS = t('refreshing once more does no harm', 'nog eens verversen kan geen kwaad');
