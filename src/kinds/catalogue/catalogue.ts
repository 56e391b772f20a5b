import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Issue } from '../../core/issue.ts';
import { type PlannedRow, type RecordReference, SELF, type Step } from '../../core/plan.ts';
import type { Value, Values } from '../../core/value.ts';
import { recordTookEffect, sharedReading } from '../../records/doubts.ts';
import {
  changedValues,
  changesTo,
  type ExistingRecord,
  LISTED,
  plainValues,
  readExisting,
} from '../../records/existing-record.ts';
import { createFreshness } from '../../records/freshness.ts';
import { createKeyKeeping } from '../../records/key-keeping.ts';
import {
  type KeyedMatching,
  missingField,
  planKeyedRecords,
  type RowRequests,
  type RowSteps,
} from '../../records/keyed-records.ts';
import { EPOCH } from '../../records/listing.ts';
import { createLmtLook, type ListedRecord } from '../../records/lmt-look.ts';
import { locateReferred } from '../../records/locate.ts';
import type { MappedRow, SheetColumns } from '../../records/mapped-row.ts';
import { type PlannerSetup, WINDOW } from '../../records/planning.ts';
import type { RecordFinder } from '../../records/references.ts';
import type { EffectVerdict, GuardSetup, RowGuard, SendDoubt, SentStep } from '../../records/row-guard.ts';
import { createSecondLook } from '../../records/second-look.ts';
import { type StoredValues, storedValues } from '../../records/stored-values.ts';
import type { SameField } from '../../records/three-way.ts';
import { learnNewValues, rememberNewValues, undoRecord } from '../../records/undo.ts';
import type { Dialect } from '../../schema/dialect.ts';
import type { Field } from '../../schema/field.ts';
import type { CatalogueResource } from '../../schema/resource.ts';
import { firstPage } from '../../service/pages.ts';
import { foundByKeys, type Kind } from '../kind.ts';
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
    return planKeyedRecords(context, picker.summary, (setup) => matchingFor(setup, context, picker));
  },
  foundAgain: foundByKeys,
  guard: catalogueGuard,
  finder: catalogueFinder,
  compared: true,
  lister: catalogueLister,
  undo: async (resource, history, { restore, newValues }) =>
    undoRecord(resource, history, restore, await newValues(newRecordOf(resource))),
  probe: (resource) => ({
    ...{ id: resource.id, external: resource.external },
    ...{ list: resource.requests.list, findById: resource.requests.findById },
    read: (context, id) => readDetail({ ...context, resource }, id),
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
      if (last && source === undefined) picker.settle();
      return last || source !== undefined;
    },
    async open() {
      const source = picker.settle();
      return { seenBy: () => source };
    },
    readNow: (known) => readDetail(context, known),
    tookEffect: (doubt) => catalogueTookEffect(context, doubt, listed),
  };
}

/** Finds records that other sheets refer to: one by one, or in the list if that is cheaper. */
function catalogueFinder(context: CatalogueContext): RecordFinder {
  const { resource } = context;
  const picker = createSourcePicker(context);
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

/** Guards rows by LMT, settles lost answers by the record, finds out whether keys are kept. */
function catalogueGuard(context: GuardSetup<CatalogueResource>): RowGuard {
  const { summary } = context;
  // After a whole list one list answers for all rows; after single reads each record is read once more.
  const listSome = async (from: string) => (await listSince(context, from)).filter(({ lmt }) => lmt !== null);
  const byLmt = createLmtLook(context, {
    since: listSome,
    all: () => listSince(context, EPOCH),
    one: (id) => readDetail(context, id),
  });
  const isList = summary.strategy === 'list';
  const freshness = createFreshness(context.resource, isList ? byLmt.look : (id) => readDetail(context, id));
  const keys = createKeyKeeping(context, (planned, id) => isFound(context, planned, id));
  const watchNew = createNewRecordWatch(context);
  const listed = createListing(context);
  const secondLook = createSecondLook(context, {
    listSince: (moment) => listed(moment ?? EPOCH),
    readEnds: () => readEnds(context),
    holds: (existing, body) => holds(context.resource, existing, body, storedValues(context).same),
  });
  return {
    check: async (planned) => (await secondLook(planned)) ?? (await freshness.check(planned)),
    async wrote(sent) {
      freshness.wrote(sent.id);
      if (isList) await byLmt.wrote(sent);
      await watchNew(sent);
    },
    readBack: async ({ id }) => (id === null ? null : ((await readDetail(context, id))?.values ?? null)),
    tookEffect: (doubt) => catalogueTookEffect(context, doubt, listed),
    keys,
    notes: keys.notes,
  };
}

async function listSince(
  { service, concurrency, resource }: CatalogueContext,
  LMT: string,
): Promise<ListedRecord[]> {
  const first = await firstPage(service, resource.requests.list, { LMT });
  const found: ListedRecord[] = [];
  for await (const page of first.all(concurrency))
    for (const record of page.data) {
      const existing = readExisting(resource, record, LISTED);
      if (existing?.id != null) found.push({ id: existing.id, lmt: existing.lmt, existing });
    }
  return found;
}

type Listing = (since: string) => Promise<readonly ExistingRecord[]>;

/** What was written since a moment, in readings that all doubts share. */
const createListing = (context: CatalogueContext): Listing =>
  sharedReading(async (since) => (await listSince(context, since)).flatMap(({ existing }) => existing ?? []));

/** The first page of the list and the last: what is newest is on one of them, in any order of a list. */
async function readEnds({ service, resource }: CatalogueContext) {
  const first = await firstPage(service, resource.requests.list, { LMT: EPOCH });
  const last = await first.last();
  const records = [...first.page.data, ...(last?.data ?? [])].flatMap(
    (record) => readExisting(resource, record, LISTED) ?? [],
  );
  return { records, whole: (first.page.meta.last ?? 1) <= 2 };
}

async function catalogueTookEffect(
  context: CatalogueContext,
  doubt: SendDoubt,
  listed: Listing,
): Promise<EffectVerdict> {
  const { resource } = context;
  const { body, planned } = doubt;
  const stored = storedValues(context);
  await stored.load();
  return await recordTookEffect(context, doubt, {
    read: (id) => readDetail(context, id),
    shows: (existing) => shows(resource, planned, existing, stored),
    created: {
      keyed: (external) => readDetail(context, external, 'external'),
      list: (since) => listed(since ?? EPOCH),
      holds: (existing) => holds(resource, existing, body, stored.mayBe),
    },
  });
}

/** Whether a detail read shows the changes; null where it returns none of the fields. */
function shows(
  { fields, external }: CatalogueResource,
  { changes }: PlannedRow,
  existing: ExistingRecord,
  { same }: StoredValues,
): boolean | null {
  const seen = changes.filter(({ field }) => fields[field]?.reads !== 'list' && field !== external);
  return seen.length === 0 ? null : seen.every(({ field, to }) => same(field, existing.values[field], to));
}

function holds(
  { fields, external }: CatalogueResource,
  { values }: ExistingRecord,
  body: Values,
  alike: SameField,
): boolean {
  return Object.entries(body).every(([name, value]) => {
    if (name === external || fields[name]?.reads === 'detail') return true;
    return alike(name, values[name], value);
  });
}

/** Whether any record has the key that was stored with `id`; of a new record, remembers its values. */
async function isFound(
  context: CatalogueContext,
  { external, steps: [made] }: PlannedRow,
  id: number,
): Promise<boolean> {
  const { resource } = context;
  const found = external === null ? null : await readDetail(context, external, 'external');
  if (found?.id === id && made?.purpose === 'create') {
    await rememberNewValues(context, newRecordOf(resource), unsent(resource, made.body, found));
    await storedValues(context).saw(plainValues(made.body), found.values);
  }
  return found !== null;
}

/** The fact in the ledger that tells what the service gives a new record of itself. */
const newRecordOf = ({ name }: CatalogueResource): string => `a new record of ${name}`;

function unsent({ keys }: CatalogueResource, body: Step['body'], { values }: ExistingRecord): Values {
  const isOwn = (field: string) => body[field] === undefined && !keys.includes(field) && field !== 'LMT';
  return Object.fromEntries(Object.entries(values).filter(([field]) => isOwn(field)));
}

/** Reads the first new record back, unless its key is read back anyway. */
function createNewRecordWatch(context: CatalogueContext): (sent: SentStep) => Promise<void> {
  const { resource } = context;
  let asked: Promise<void> | undefined;
  return async ({ step, planned, id, body }) => {
    if (step.purpose !== 'create' || planned.steps.length > 1 || id === null) return;
    const isKnown = (known: Values): boolean => Object.keys(known).length > 0;
    asked ??= learnNewValues(context, newRecordOf(resource), isKnown, async () => {
      const record = await readDetail(context, id);
      if (record !== null) await storedValues(context).saw(body, record.values);
      return record === null ? null : unsent(resource, body, record);
    });
    await asked;
  };
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

/** The update that makes a record what the row says; none where nothing differs. */
function updateSteps(
  row: MappedRow<CatalogueResource>,
  existing: ExistingRecord,
  dialect: Dialect,
  { same, sendable }: StoredValues,
): RowSteps {
  const { resource } = row.mapping;
  const { update, keyedUpdate, always } = sentOf(row.mapping);
  const changes = changesTo(existing, row, dialect.externalId === 'update' ? keyedUpdate : update, same);
  if (changes.length === 0) return { steps: [], changes, issues: [] };
  // From the record where the row leaves them out.
  const required: Record<string, Value> = {};
  for (const [name, field] of always) {
    const [mine, held] = [row.values[name] ?? null, ownValue(field, existing.values[name])];
    required[name] = mine === null || mine === held ? sendable(name, held) : mine;
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
