import { setImmediate as nextTurn } from 'node:timers/promises';
import { createPlannedSheets, type KeyedMatching, planKeyedRecords } from '../../records/keyed-records.ts';
import { locateReferred } from '../../records/locate.ts';
import { WINDOW } from '../../records/plan-windows.ts';
import type { PlannerSetup } from '../../records/planning.ts';
import type { RecordFinder } from '../../records/references.ts';
import { undoRecord } from '../../records/undo.ts';
import type { Context } from '../../run/context.ts';
import type { CatalogueResource } from '../../schema/resource.ts';
import type { Kind } from '../kind.ts';
import { catalogueGuard, catalogueTookEffect, newRecordOf } from './catalogue-guard.ts';
import { catalogueLister } from './catalogue-list.ts';
import { createSourcePicker, type RecordSource, readDetail, type SourcePicker } from './catalogue-source.ts';
import { CATALOGUE_REQUESTS } from './catalogue-steps.ts';

/** Packages and recipes: found one by one or in one list, whichever takes fewer requests. */
export const catalogue: Kind<CatalogueResource> = {
  plan(context, resource, run) {
    const picker = createSourcePicker(context, resource);
    const sheets = createPlannedSheets(context, run, resource);
    return {
      openSheet: (setup) => planKeyedRecords(setup, sheets, matchingFor(setup, resource, picker)),
      summary: picker.summary,
    };
  },
  guard: catalogueGuard,
  finder: catalogueFinder,
  compared: true,
  lister: catalogueLister,
  undo: async (resource, history, { restore, newValues }) =>
    undoRecord(resource, history, restore, await newValues(newRecordOf(resource))),
  probe: (resource) => ({
    ...{ id: resource.id, external: resource.external },
    ...{ list: resource.requests.list, findById: resource.requests.findById },
    read: (context, id) => readDetail(context, resource, id),
  }),
};

/** Rows wait only until it is clear how to look them up. */
function matchingFor(
  { context, mapping }: PlannerSetup,
  resource: CatalogueResource,
  picker: SourcePicker,
): KeyedMatching<CatalogueResource> {
  const { id, external } = resource;
  let keyed = 0;
  return {
    resource,
    requests: CATALOGUE_REQUESTS,
    window: WINDOW,
    async ready(came, waiting, last) {
      for (const { values } of came) if (values[id] !== undefined || values[external] !== undefined) keyed++;
      if (!last && waiting < WINDOW && picker.chosen() !== undefined) return false;
      const source = await picker.decide(mapping, keyed);
      if (last && source === undefined) picker.settle();
      return last || source !== undefined;
    },
    async open() {
      const source = picker.settle();
      return { seenBy: () => source };
    },
    readNow: (known) => readDetail(context, resource, known),
    tookEffect: (doubt) => catalogueTookEffect(context, resource, doubt),
  };
}

/** Finds records that other sheets refer to: one by one, or in the list if that is cheaper. */
function catalogueFinder(context: Context, resource: CatalogueResource): RecordFinder {
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
      return await locateReferred(await deciding, resource, external, known);
    },
  };
}
