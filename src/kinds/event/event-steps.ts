import type { Issue } from '../../core/issue.ts';
import { t } from '../../core/language.ts';
import { type FieldChange, SELF, type Step } from '../../core/plan.ts';
import type { Value, Values } from '../../core/value.ts';
import { changedValues, changesTo, type ExistingRecord, sameValue } from '../../records/existing-record.ts';
import { missingField, type RowRequests, type RowSteps } from '../../records/keyed-row.ts';
import { issueOn, type MappedRow } from '../../records/mapped-row.ts';
import type { Dialect } from '../../schema/dialect.ts';
import type { EventResource } from '../../schema/resource.ts';

type Row = MappedRow<EventResource>;

/** The requests that create an event: the create, then an update with what only updates take. */
function createSteps(row: Row): RowSteps {
  const { resource } = row.mapping;
  const body: Record<string, Value> = {};
  const later: Record<string, Value> = {};
  const issues: Issue[] = [];
  for (const [name, field] of Object.entries(resource.fields)) {
    const value = row.values[name] ?? null;
    if (name === resource.id) continue;
    if (value === null && field.create === 'required') issues.push(missingField(row, name, 'create'));
    else if (value !== null && field.create !== 'none') body[name] = value;
    else if (value !== null && field.update !== 'none') later[name] = value;
  }
  const { create, update } = resource.requests;
  const steps: Step[] = [{ purpose: 'create', endpoint: create.name, body }];
  if (Object.keys(later).length > 0)
    steps.push({ purpose: 'update', endpoint: update.name, body: { [resource.id]: SELF, ...later } });
  return { steps, changes: [], issues };
}

/** The request that brings an existing event to what the row says; what only a create takes is a warning. */
function updateSteps(row: Row, existing: ExistingRecord, dialect: Dialect): RowSteps {
  const { resource } = row.mapping;
  const changes: FieldChange[] = [];
  const issues: Issue[] = [];
  // Where no update stores the ExternalID, the ledger alone remembers it.
  const apart = [resource.id, ...(dialect.externalId === 'update' ? [] : [resource.external])];
  const names = Object.keys(resource.fields).filter((name) => !apart.includes(name));
  const differs = changesTo(existing, row, names, (...field) => sameEventField(resource, ...field));
  for (const change of differs) {
    const field = resource.fields[change.field];
    if (field?.update !== 'none') changes.push(change);
    else if (field.create !== 'none') issues.push(createOnly(row, change));
  }
  if (changes.length === 0) return { steps: [], changes, issues };
  const body = { [resource.id]: existing.id ?? SELF, ...changedValues(changes) };
  return { steps: [{ purpose: 'update', endpoint: resource.requests.update.name, body }], changes, issues };
}

function createOnly(row: Row, { field, from, to }: FieldChange): Issue {
  const hint = from === null ? t('none', 'geen') : String(from);
  return issueOn(row, field, { code: 'create-only', found: to === null ? '#CLEAR' : String(to), hint });
}

/** The requests of events; the service deletes none (interface 4.4). */
export const EVENT_REQUESTS: RowRequests<EventResource> = { create: createSteps, update: updateSteps };

const MIDNIGHT = '00:00:00';

/** Whether two values of a field are the same to the user; a day without a time equals that day at any time. */
export function sameEventField(
  resource: EventResource,
  name: string,
  from: Value | undefined,
  to: Value,
): boolean {
  if (name !== resource.date || typeof from !== 'string' || typeof to !== 'string')
    return sameValue(from, to);
  const daysOnly = [from, to].some((moment) => moment.slice(11) === MIDNIGHT || moment.length === 10);
  return daysOnly ? from.slice(0, 10) === to.slice(0, 10) : from === to;
}

/** Whether an event holds what a request sent, as far as this read can tell; ExternalID apart. */
export function eventHolds(
  resource: EventResource,
  existing: ExistingRecord,
  body: Values,
  read: 'list' | 'detail',
): boolean {
  return Object.entries(body).every(([name, value]) => {
    if (name === resource.external || name === resource.id) return true;
    const reads = resource.fields[name]?.reads;
    return (
      (reads !== 'both' && reads !== read) || sameEventField(resource, name, existing.values[name], value)
    );
  });
}
