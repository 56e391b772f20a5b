import type { Dialect } from '../../../schema/dialect.ts';
import type { Field } from '../../../schema/field.ts';
import { type Issue, issueAt } from '../../../schema/issue.ts';
import { nearest } from '../../../schema/nearest.ts';
import { type Change, type Reference, SELF, type Step } from '../../../schema/plan.ts';
import type { CatalogueResource } from '../../../schema/resource.ts';
import type { Value } from '../../../schema/value.ts';
import { addressOf, type MappedRow } from '../../map/map-row.ts';
import type { KeyedResource } from '../keyed-resource.ts';
import { type Existing, sameValue } from './existing.ts';

/** The requests of a row, what they change, and why they can't be made. */
export interface Steps {
  readonly steps: Step[];
  readonly changes: Change[];
  readonly issues: Issue[];
}

/** What a kind of record makes of a row, by what is to become of it. */
export interface RowRequests<R extends KeyedResource = KeyedResource> {
  create(row: MappedRow<R>, dialect: Dialect): Steps;
  update(row: MappedRow<R>, existing: Existing, dialect: Dialect): Steps;
  /** Absent where the service deletes none. */
  remove?(row: MappedRow<R>, existing: Existing): Step[];
}

/** The requests of packages and recipes. */
export const CATALOGUE_REQUESTS: RowRequests<CatalogueResource> = {
  create: createSteps,
  update: updateSteps,
  remove: deleteSteps,
};

type Body = Record<string, Value | Reference>;

/** What is sent of a resource by which request: worked out once a resource, as a row has many fields and a file many rows. */
interface SentFields {
  readonly create: readonly SentField[];
  /** Those of them that every service takes, and a body of theirs without values. */
  readonly plain: readonly SentField[];
  readonly blank: Body;
  /** Fields that every update carries. */
  readonly always: readonly SentField[];
}

type SentField = readonly [name: string, field: Field];

const sentFields = new WeakMap<CatalogueResource, SentFields>();

function sentOf(resource: CatalogueResource): SentFields {
  const known = sentFields.get(resource);
  if (known !== undefined) return known;
  const own = Object.entries(resource.fields).filter(([name]) => name !== resource.id);
  const create = own.filter(([, field]) => field.create !== 'none' && field.create !== 'unsent');
  const plain = create.filter(([, field]) => field.create !== 'dialect');
  const sent = {
    create,
    plain,
    blank: Object.fromEntries(plain.map(([name]) => [name, null])),
    always: own.filter(([, field]) => field.update === 'required'),
  };
  sentFields.set(resource, sent);
  return sent;
}

/** The requests that create a row's record: the create, then the update that stores its ExternalID. */
function createSteps(row: MappedRow<CatalogueResource>, dialect: Dialect): Steps {
  const { resource } = row.mapping;
  const external = row.values[resource.external] ?? null;
  const { create, plain, blank } = sentOf(resource);
  // All fields at once, where the row has them all: a name after another costs as much as the rest of planning.
  const whole = plain.every(([name]) => row.values[name] != null);
  const body: Body = whole ? { ...blank } : {};
  const issues: Issue[] = [];
  for (let at = 0; at < create.length; at++) {
    const [name, field] = create[at] as SentField;
    const value = row.values[name];
    if (field.create === 'dialect' && dialect.externalId !== 'create') continue;
    if (value !== undefined && value !== null) body[name] = value;
    else if (field.create === 'required') issues.push(missing(row, name, 'create'));
  }
  const steps: Step[] = [{ purpose: 'create', endpoint: resource.requests.create.name, body }];
  if (external !== null && dialect.externalId === 'update') {
    const key: Body = { [resource.id]: SELF, [resource.external]: external };
    for (const [name] of sentOf(resource).always) key[name] = row.values[name] ?? null;
    steps.push({ purpose: 'key', endpoint: resource.requests.update.name, body: key });
  }
  return { steps, changes: [], issues };
}

/** The request that brings an existing record to what the row says; none when it is so already. */
function updateSteps(row: MappedRow<CatalogueResource>, existing: Existing, dialect: Dialect): Steps {
  const { resource } = row.mapping;
  const changes: Change[] = [];
  for (const [name, field] of Object.entries(resource.fields)) {
    const value = row.values[name];
    if (value === undefined || name === resource.id || !sendable(field, dialect)) continue;
    const from = name === resource.external ? existing.external : (existing.values[name] ?? null);
    if (!sameValue(from, value)) changes.push({ field: name, from, to: value });
  }
  if (changes.length === 0) return { steps: [], changes, issues: [] };
  const required = requiredForUpdate(row, existing);
  const issues = Object.entries(required)
    .filter(([, value]) => value === null)
    .map(([name]) => missing(row, name, 'update'));
  const changed = Object.fromEntries(changes.map(({ field, to }) => [field, to]));
  const body: Body = { [resource.id]: existing.id ?? SELF, ...required, ...changed };
  return { steps: [{ purpose: 'update', endpoint: resource.requests.update.name, body }], changes, issues };
}

/** The request that deletes an existing record. */
function deleteSteps(row: MappedRow<CatalogueResource>, existing: Existing): Step[] {
  const { resource } = row.mapping;
  const body: Body = { [resource.id]: existing.id ?? SELF };
  return [{ purpose: 'delete', endpoint: resource.requests.remove.name, body }];
}

function sendable(field: Field, dialect: Dialect): boolean {
  return field.update === 'dialect' ? dialect.externalId === 'update' : field.update !== 'none';
}

/** Required fields are always sent, taken from the record when the sheet leaves them empty; null when neither has one. */
function requiredForUpdate(row: MappedRow<CatalogueResource>, existing: Existing): Record<string, Value> {
  const { always } = sentOf(row.mapping.resource);
  return Object.fromEntries(
    always.map(([name, field]) => [name, row.values[name] ?? ownValue(field, existing.values[name])]),
  );
}

/** A record's value that its own type does not understand cannot be sent back. */
function ownValue(field: Field, value: Value | undefined): Value {
  return value !== undefined && field.codec.wire.safeParse(value).success ? value : null;
}

/** The issue that a field which the request needs has no value. */
export function missing(row: MappedRow<KeyedResource>, name: string, kind: 'create' | 'update'): Issue {
  const { mapping } = row;
  const address = addressOf(mapping, name, row.row);
  const place = { field: name, address };
  if (address !== null) {
    const hint = {
      en: kind === 'create' ? 'required to create' : 'required, and the record has none',
      nl: kind === 'create' ? 'verplicht om aan te maken' : 'verplicht, en het record heeft er geen',
    };
    return issueAt({ code: 'required-missing', found: '', hint }, place);
  }
  const near = nearest(name, mapping.unknown);
  const [en, nl] =
    near.length > 0
      ? [`nearest headers: ${near.join(', ')}`, `koppen die erop lijken: ${near.join(', ')}`]
      : ['add the column', 'voeg de kolom toe'];
  return issueAt({ code: 'column-missing', found: '', hint: { en, nl } }, place);
}
