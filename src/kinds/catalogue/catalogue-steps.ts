import type { Issue } from '../../core/issue.ts';
import { type RecordReference, SELF, type Step } from '../../core/plan.ts';
import type { Value, Values } from '../../core/value.ts';
import { changedValues, changesTo, type ExistingRecord } from '../../records/existing-record.ts';
import { missingField, type RowRequests, type RowSteps } from '../../records/keyed-records.ts';
import type { MappedRow, SheetColumns } from '../../records/mapped-row.ts';
import type { Dialect } from '../../schema/dialect.ts';
import type { Field } from '../../schema/field.ts';
import type { CatalogueResource } from '../../schema/resource.ts';

/** The requests of packages and recipes. */
export const CATALOGUE_REQUESTS: RowRequests<CatalogueResource> = {
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
  /** Those that a create can't do without. */
  readonly required: readonly string[];
  /** The update that stores the ExternalID, without values. */
  readonly blankKey: Body;
  /** Fields that an update can change. */
  readonly update: readonly string[];
  /** The same where an update stores the ExternalID. */
  readonly keyedUpdate: readonly string[];
  /** Fields that every update carries. */
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
): RowSteps {
  const { resource } = row.mapping;
  const { update, keyedUpdate } = sentOf(row.mapping);
  const changes = changesTo(existing, row, dialect.externalId === 'update' ? keyedUpdate : update);
  if (changes.length === 0) return { steps: [], changes, issues: [] };
  const required = requiredForUpdate(row, existing);
  const issues = Object.entries(required)
    .filter(([, value]) => value === null)
    .map(([name]) => missingField(row, name, 'update'));
  const body: Body = { [resource.id]: existing.id ?? SELF, ...required, ...changedValues(changes) };
  return { steps: [{ purpose: 'update', endpoint: resource.requests.update.name, body }], changes, issues };
}

/** The required fields, from the record where the row leaves them out; null where neither has one. */
function requiredForUpdate(
  row: MappedRow<CatalogueResource>,
  existing: ExistingRecord,
): Record<string, Value> {
  const { always } = sentOf(row.mapping);
  return Object.fromEntries(
    always.map(([name, field]) => [name, row.values[name] ?? ownValue(field, existing.values[name])]),
  );
}

/** A record's value, as far as its own type takes it. */
function ownValue(field: Field, value: Value | undefined): Value {
  return value !== undefined && field.codec.wire.safeParse(value).success ? value : null;
}
