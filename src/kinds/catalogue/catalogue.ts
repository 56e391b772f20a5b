import type { Issue } from '../../core/issue.ts';
import { type RecordReference, SELF, type Step } from '../../core/plan.ts';
import type { Value, Values } from '../../core/value.ts';
import { changedValues, changesTo, type ExistingRecord } from '../../records/existing-record.ts';
import {
  type KeyedMatching,
  missingField,
  planKeyedRecords,
  type RowRequests,
  type RowSteps,
} from '../../records/keyed-records.ts';
import { keeping } from '../../records/last-applied.ts';
import { locateReferred } from '../../records/locate.ts';
import type { MappedRow, SheetColumns } from '../../records/mapped-row.ts';
import { type PlannerSetup, WINDOW } from '../../records/planning.ts';
import { type RecordFinder, referenceColumn } from '../../records/references.ts';
import { undoRecord } from '../../records/undo.ts';
import type { Dialect } from '../../schema/dialect.ts';
import type { Field, NamedRecord } from '../../schema/field.ts';
import type { CatalogueResource } from '../../schema/resource.ts';
import { foundByKeys, type Kind } from '../kind.ts';
import {
  catalogueDoubles,
  catalogueGuard,
  catalogueTookEffect,
  createListing,
  newRecordOf,
} from './catalogue-guard.ts';
import { catalogueLister } from './catalogue-list.ts';
import {
  type CatalogueContext,
  createSourcePicker,
  type RecordSource,
  readDetail,
  type SourcePicker,
} from './catalogue-source.ts';

/** Packages and recipes: found one by one or in one list, whichever takes fewer requests. */
export const catalogue: Kind<CatalogueResource> = {
  plan(context) {
    const picker = createSourcePicker(context);
    return planKeyedRecords(
      context,
      picker.summary,
      (setup) => matchingFor(setup, context, picker),
      catalogueDoubles(context),
    );
  },
  foundAgain: foundByKeys,
  guard: catalogueGuard,
  finder: catalogueFinder,
  compared: true,
  lister: catalogueLister,
  doubles: catalogueDoubles,
  undo: async (resource, history, { restore, newValues }) =>
    undoRecord(resource, history, restore, await newValues(newRecordOf(resource))),
  probe: (resource) => ({
    ...{ id: resource.id, external: resource.external },
    ...{ list: resource.requests.list, findById: resource.requests.findById },
  }),
};

/** Rows wait until it is clear which way to look them up is cheaper. */
function matchingFor(
  { mapping }: PlannerSetup,
  context: CatalogueContext,
  picker: SourcePicker,
): KeyedMatching<CatalogueResource> {
  const { id, external } = context.resource;
  let keyed = 0;
  const listed = createListing(context);
  return {
    requests: CATALOGUE_REQUESTS,
    window: WINDOW,
    async ready(came, waiting, last) {
      for (const { values } of came) if (values[id] !== undefined || values[external] !== undefined) keyed++;
      if (!last && waiting < WINDOW && picker.chosen() !== undefined) return false;
      const source = await picker.decide(mapping, keyed);
      // Rows that are to be looked up may still come, and then the list is read after all.
      const isFull = last || waiting >= MOST_WAITING;
      if (isFull && source === undefined) picker.settle();
      return isFull || source !== undefined;
    },
    async open() {
      const source = picker.settle();
      return { seenBy: () => source };
    },
    readNow: (known) => readDetail(context, known),
    tookEffect: (doubt) => catalogueTookEffect(context, doubt, listed),
  };
}

/** So many rows wait at most: a million without a key would fill the memory. */
const MOST_WAITING = 20_000;

/** Finds records that other sheets refer to: one by one, or in the list if that is cheaper. */
function catalogueFinder(context: CatalogueContext): RecordFinder {
  const { resource } = context;
  const picker = createSourcePicker(context);
  const wanted = new Set<number>();
  const of = labelOf(context);
  let decided: Promise<unknown> = Promise.resolve();
  let deciding: Promise<RecordSource> | undefined;
  const decide = async (): Promise<RecordSource> => {
    // All that are asked for together count: how many there are tells which way is cheaper.
    await new Promise((next) => setImmediate(next));
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

/** The requests of packages and recipes. */
const CATALOGUE_REQUESTS: RowRequests<CatalogueResource> = {
  create: createSteps,
  update: updateSteps,
  remove({ mapping: { resource } }, existing) {
    const body: Body = { [resource.id]: existing.id ?? SELF };
    return [{ purpose: 'delete', endpoint: resource.requests.remove.name, body }];
  },
};

type Body = Record<string, Value | RecordReference>;

/** The fields of each request, worked out once a sheet. */
interface SentFields {
  /** Fields of a create that the sheet can have a value for. */
  readonly create: readonly string[];
  /** The same where the service takes the ExternalID with the create. */
  readonly keyed: readonly string[];
  /** A body of `create` without values. */
  readonly blank: Body;
  readonly required: readonly string[];
  /** The update that stores the ExternalID, without values. */
  readonly blankKey: Body;
  readonly update: readonly string[];
  /** The same where an update stores the ExternalID. */
  readonly keyedUpdate: readonly string[];
  /** The same where nothing does, and the ledger alone remembers it. */
  readonly keylessUpdate: readonly string[];
  readonly always: readonly (readonly [name: string, field: Field])[];
}

const sentFields = new WeakMap<SheetColumns, SentFields>();

function sentOf(mapping: SheetColumns<CatalogueResource>): SentFields {
  const known = sentFields.get(mapping);
  if (known !== undefined) return known;
  const { id, external, fields } = mapping.resource;
  const own = Object.entries(fields).filter(([name]) => name !== id);
  const held = own.filter(
    ([name]) => mapping.columnOf.has(name) || mapping.set.some(({ field }) => field === name),
  );
  const namesOf = (...kinds: readonly string[]): string[] =>
    held.flatMap(([name, { create }]) => (kinds.includes(create) ? [name] : []));
  const create = namesOf('required', 'optional');
  const always = own.filter(([, { update }]) => update === 'required');
  const blankOf = (names: readonly string[]): Body => Object.fromEntries(names.map((name) => [name, null]));
  const updated = own.filter(([, { update }]) => update !== 'none');
  const sent: SentFields = {
    create,
    update: updated.flatMap(([name, { update }]) => (update === 'dialect' ? [] : [name])),
    keyedUpdate: updated.map(([name]) => name),
    keylessUpdate: updated.flatMap(([name]) => (name === external ? [] : [name])),
    keyed: namesOf('required', 'optional', 'dialect'),
    blank: blankOf(create),
    blankKey: { [id]: SELF, ...blankOf([external, ...always.map(([name]) => name)]) },
    always,
    required: own.flatMap(([name, field]) => (field.create === 'required' ? [name] : [])),
  };
  sentFields.set(mapping, sent);
  return sent;
}

/** The requests that create a row's record: the create, then the update that stores its ExternalID. */
function createSteps(row: MappedRow<CatalogueResource>, dialect: Dialect): RowSteps {
  const { resource } = row.mapping;
  const { values } = row;
  const external = values[resource.external] ?? null;
  const sent = sentOf(row.mapping);
  const body = bodyOf(values, dialect.externalId === 'create' ? sent.keyed : sent.create, sent.blank);
  const issues = lacking(row, sent.required);
  const steps: Step[] = [{ purpose: 'create', endpoint: resource.requests.create.name, body }];
  if (external !== null && dialect.externalId === 'update') {
    const key: Body = { ...sent.blankKey };
    key[resource.external] = external;
    for (const [name] of sent.always) key[name] = values[name] ?? null;
    steps.push({ purpose: 'key', endpoint: resource.requests.update.name, body: key });
  }
  return { steps, changes: NONE, issues };
}

/** One list for all rows without any: a million rows need no list of their own. */
const NONE: readonly never[] = [];

function lacking(row: MappedRow<CatalogueResource>, required: readonly string[]): readonly Issue[] {
  let issues: Issue[] | undefined;
  for (const name of required) {
    const value = row.values[name];
    if (value !== undefined && value !== null) continue;
    issues ??= [];
    issues.push(missingField(row, name, 'create'));
  }
  return issues ?? NONE;
}

function bodyOf(values: Values, names: readonly string[], blank: Body): Body {
  // All fields at once where the row has them all: one by one takes as long as the rest of planning.
  const body: Body = { ...blank };
  for (let at = 0; at < names.length; at++) {
    const name = names[at] as string;
    const value = values[name];
    if (value === undefined || value === null) return withoutEmpty(values, names);
    body[name] = value;
  }
  return body;
}

function withoutEmpty(values: Values, names: readonly string[]): Body {
  const body: Body = {};
  for (const name of names) {
    const value = values[name];
    if (value !== undefined && value !== null) body[name] = value;
  }
  return body;
}

/** What an update may change, by the request that stores the ExternalID. */
const UPDATED = { update: 'keyedUpdate', create: 'update', never: 'keylessUpdate' } as const;

/** The update that makes a record what the row says; none where nothing differs. */
function updateSteps(
  row: MappedRow<CatalogueResource>,
  existing: ExistingRecord,
  dialect: Dialect,
): RowSteps {
  const { resource } = row.mapping;
  const sent = sentOf(row.mapping);
  const { always } = sent;
  const changes = changesTo(existing, row, sent[UPDATED[dialect.externalId]]);
  if (changes.length === 0) return { steps: [], changes, issues: [] };
  // From the record where the row leaves them out.
  const required: Record<string, Value> = {};
  for (const [name, field] of always) {
    const [mine, held] = [row.values[name] ?? null, ownValue(field, existing.values[name])];
    required[name] = mine ?? ownValue(field, keeping(existing, name)) ?? held;
  }
  const lacks = Object.keys(required).filter((name) => required[name] === null);
  const issues = lacks.map((name) => missingField(row, name, 'update'));
  const body: Body = { [resource.id]: existing.id ?? SELF, ...required, ...changedValues(changes) };
  return { steps: [{ purpose: 'update', endpoint: resource.requests.update.name, body }], changes, issues };
}

/** A record's value, as far as its own type takes it. */
function ownValue(field: Field, value: Value | undefined): Value {
  return value !== undefined && field.codec.wire.safeParse(value).success ? value : null;
}
