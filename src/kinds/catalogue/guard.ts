import { t } from '../../core/language.ts';
import type { Bilingual } from '../../core/value.ts';
import type { CatalogueResource } from '../../schema/resource.ts';
import type { RowGuard, SenderSetup } from '../kind.ts';
import { createFreshWatch } from './fresh-record.ts';
import { createFreshness } from './freshness.ts';
import { createKeyKeeping } from './key-keeping.ts';
import { tookEffect } from './settle.ts';

/** Guards catalogue rows by LMT, settles lost answers by the record itself, and finds out whether keys are kept. */
export function catalogueGuard({ context, summary }: SenderSetup, resource: CatalogueResource): RowGuard {
  const freshness = createFreshness(context, resource, summary);
  const keys = createKeyKeeping(context, resource);
  const watchFresh = createFreshWatch(context, resource);
  return {
    check: freshness.check,
    wrote: async (done) => {
      if (done.id !== null) freshness.wrote(done.id);
      await watchFresh(done);
    },
    tookEffect: (doubt) => tookEffect(context, resource, doubt),
    keys,
    notes: () => (keys.kept() ? [] : [notKept(resource, keys.reason())]),
  };
}

function notKept(resource: CatalogueResource, reason: string | null): Bilingual {
  return t(
    `The service does not keep ${resource.external} for ${resource.name} (${reason}); this program's ledger remembers which is which.`,
    `De dienst bewaart ${resource.external} niet voor ${resource.sheet} (${reason}); het grootboek van dit programma onthoudt welke welke is.`,
  );
}
