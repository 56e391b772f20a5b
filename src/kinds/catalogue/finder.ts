import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../../run/context.ts';
import type { CatalogueResource } from '../../schema/resource.ts';
import { isStill } from '../is-still.ts';
import type { Finder } from '../kind.ts';
import type { RecordSource } from './record-source.ts';
import { createSourcePicker } from './source-picker.ts';

/** Finds records that other sheets refer to: one by one, or in the whole list when that takes fewer requests. */
export function createFinder(context: Context, resource: CatalogueResource): Finder {
  const picker = createSourcePicker(context, resource);
  const wanted = new Set<number>();
  let decided: Promise<unknown> = Promise.resolve();
  let deciding: Promise<RecordSource> | undefined;
  const decide = async (): Promise<RecordSource> => {
    // All that are asked for together count: how many there are tells which way is cheaper.
    await nextTurn();
    await decided;
    deciding = undefined;
    const source = (async () => (await picker.decide(null, wanted.size)) ?? picker.settle())();
    decided = source.catch(() => {});
    return await source;
  };
  return {
    async byExternal(external, { known }) {
      wanted.add(external);
      deciding ??= decide();
      const source = await deciding;
      const existing = await source.byExternal(external);
      if (existing !== null || known === undefined) return existing?.id ?? null;
      const remembered = await source.byId(known.id);
      return remembered !== null && isStill(remembered, external, known, resource.label) ? known.id : null;
    },
  };
}
