import { type RecordReference, SELF, type Step } from '../../core/plan.ts';
import type { Value } from '../../core/value.ts';
import { changedValues, changesTo } from '../../records/existing-record.ts';
import {
  type KeyedMatching,
  keyedRows,
  missingField,
  newKey,
  type RowRequests,
} from '../../records/keyed-records.ts';
import { keeping } from '../../records/last-applied.ts';
import { locateReferred } from '../../records/locate.ts';
import type { SheetColumns } from '../../records/mapped-row.ts';
import { type PlannerSetup, WINDOW } from '../../records/planning.ts';
import { createSettling, findDoubles } from '../../records/record-guard.ts';
import { type RecordFinder, referenceColumn } from '../../records/references.ts';
import { undoRecord } from '../../records/undo.ts';
import type { Dialect } from '../../schema/dialect.ts';
import type { Field, NamedRecord } from '../../schema/field.ts';
import type { CatalogueResource } from '../../schema/resource.ts';
import { foundByKeys, type Kind } from '../kind.ts';
import { catalogueGuard, catalogueReads, newRecordOf } from './catalogue-guard.ts';
import { type CatalogueContext, catalogueLister } from './catalogue-list.ts';
import { CatalogueSource, readDetail } from './catalogue-source.ts';

/** Packages and recipes: found one by one or in one list, whichever takes fewer requests. */
export const catalogue: Kind<CatalogueResource> = {
  rows(context) {
    const source = new CatalogueSource(context);
    const matching = keyedRows(context, (setup) => matchingFor(setup, context, source));
    return { matching, summary: () => source.summary() };
  },
  foundAgain: foundByKeys,
  guard: catalogueGuard,
  finder: catalogueFinder,
  compared: true,
  lister: catalogueLister,
  doubles: (context) => findDoubles(context, catalogueReads(context)),
  undo: async (resource, history, { restore, newValues }) =>
    undoRecord(resource, history, restore, await newValues(newRecordOf(resource))),
  probe: ({ id, external, requests: { list, findById } }) => ({ id, external, list, findById }),
};

/** So many rows wait at most: a million without a key would fill the memory. */
const MOST_WAITING = 20_000;

/** Rows wait until it is clear which way to look them up is cheaper. */
function matchingFor(
  { mapping, rules }: PlannerSetup,
  context: CatalogueContext,
  source: CatalogueSource,
): KeyedMatching<CatalogueResource> {
  const { id, external } = context.resource;
  let keyed = 0;
  return {
    requests: requestsOf(mapping, context.resource, rules.dialect),
    window: WINDOW,
    async ready(came, waiting, last) {
      for (const { values } of came) if (values[id] !== undefined || values[external] !== undefined) keyed++;
      const isRead = await source.prepare(mapping, keyed);
      return isRead || last || waiting >= MOST_WAITING;
    },
    async open(rows, known) {
      await source.prove(rows.flatMap((row) => newKey(row, known) ?? []));
      return () => source;
    },
    readNow: (known) => readDetail(context, known),
    tookEffect: createSettling(context, catalogueReads(context)),
  };
}

/** Finds records that other sheets refer to: one by one, or in the list if that is cheaper. */
function catalogueFinder(context: CatalogueContext): RecordFinder {
  const { resource } = context;
  const source = new CatalogueSource(context);
  const wanted = new Set<number>();
  const of = labelOf(context);
  return {
    async byExternal(external, { known }) {
      wanted.add(external);
      // All that are asked for together count: how many there are tells which way is cheaper.
      await new Promise((next) => setImmediate(next));
      await source.prepare(null, wanted.size);
      const found = await locateReferred(source, resource, external, known);
      // It was read for that: the rows that refer to it show its name.
      const { id = null, values = {} } = (await source.byExternal(external)) ?? {};
      if (id !== null && of !== undefined) context.named.saw(of, id, values);
      return found;
    },
  };
}

/** What the rows of other sheets are about, where it is these records. */
function labelOf({ resources, resource }: CatalogueContext): NamedRecord | undefined {
  const about = resources.find(({ labelled, fields }) =>
    labelled === undefined
      ? false
      : referenceColumn({ fields }, labelled[0])?.refers.resources.includes(resource.name),
  );
  return about?.labelled?.[1];
}

type Body = Record<string, Value | RecordReference>;

/** The requests of a sheet's rows; which fields they take is worked out once. */
function requestsOf(
  { columnOf, set }: SheetColumns,
  { id, external, fields, requests }: CatalogueResource,
  { externalId }: Dialect,
): RowRequests<CatalogueResource> {
  const own = Object.entries(fields).filter(([name]) => name !== id);
  const namesOf = (takes: (name: string, field: Field) => boolean): string[] =>
    own.flatMap(([name, field]) => (takes(name, field) ? [name] : []));
  const isHeld = (name: string) => columnOf.has(name) || set.some(({ field }) => field === name);
  const created = namesOf((name, { create }) => {
    const isTaken =
      create === 'dialect' ? externalId === 'create' : create === 'required' || create === 'optional';
    return isTaken && isHeld(name);
  });
  const required = namesOf((_, { create }) => create === 'required');
  const always = own.filter(([, { update }]) => update === 'required');
  // What nothing stores the ledger alone remembers.
  const updated = namesOf(
    (name, { update }) =>
      update !== 'none' &&
      (update !== 'dialect' || externalId === 'update') &&
      (name !== external || externalId !== 'never'),
  );
  return {
    create(row) {
      const { values } = row;
      const body: Body = {};
      for (const name of created) {
        const value = values[name];
        if (value !== undefined && value !== null) body[name] = value;
      }
      const steps: Step[] = [{ purpose: 'create', endpoint: requests.create.name, body }];
      const key = values[external] ?? null;
      if (key !== null && externalId === 'update') {
        const stored: Body = { [id]: SELF, [external]: key };
        for (const [name] of always) stored[name] = values[name] ?? null;
        steps.push({ purpose: 'key', endpoint: requests.update.name, body: stored });
      }
      const lacks = required.filter((name) => (values[name] ?? null) === null);
      return { steps, changes: [], issues: lacks.map((name) => missingField(row, name, 'create')) };
    },
    update(row, existing) {
      const changes = changesTo(existing, row, updated);
      if (changes.length === 0) return { steps: [], changes, issues: [] };
      // From the record where the row leaves them out.
      const whole = always.map(([name, field]): [string, Value] => [
        name,
        row.values[name] ??
          ownValue(field, keeping(existing, name)) ??
          ownValue(field, existing.values[name]),
      ]);
      const lacks = whole.filter(([, value]) => value === null);
      const body: Body = {
        [id]: existing.id ?? SELF,
        ...Object.fromEntries(whole),
        ...changedValues(changes),
      };
      const issues = lacks.map(([name]) => missingField(row, name, 'update'));
      return { steps: [{ purpose: 'update', endpoint: requests.update.name, body }], changes, issues };
    },
    remove: (_, existing) => [
      { purpose: 'delete', endpoint: requests.remove.name, body: { [id]: existing.id ?? SELF } },
    ],
  };
}

/** A record's value, as far as its own type takes it. */
function ownValue(field: Field, value: Value | undefined): Value {
  return value !== undefined && field.codec.wire.safeParse(value).success ? value : null;
}
