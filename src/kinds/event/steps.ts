import { type Issue, issueAt } from '../../core/issue.ts';
import { t } from '../../core/language.ts';
import { type FieldChange, SELF, type Step } from '../../core/plan.ts';
import type { Value } from '../../core/value.ts';
import { addressOf, type MappedRow } from '../../import/map/map-row.ts';
import type { Dialect } from '../../schema/dialect.ts';
import type { EventResource } from '../../schema/resource.ts';
import type { Existing } from '../catalogue/existing.ts';
import { missing, type RowRequests, type Steps } from '../catalogue/steps.ts';
import { sameField } from './same-event.ts';

type Row = MappedRow<EventResource>;

/** The requests that create an event: the create, then an update with what only updates take. */
function createSteps(row: Row): Steps {
  const { resource } = row.mapping;
  const body: Record<string, Value> = {};
  const later: Record<string, Value> = {};
  const issues: Issue[] = [];
  for (const [name, field] of Object.entries(resource.fields)) {
    const value = row.values[name] ?? null;
    if (name === resource.id) continue;
    if (value === null && field.create === 'required') issues.push(missing(row, name, 'create'));
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
function updateSteps(row: Row, existing: Existing, dialect: Dialect): Steps {
  const { resource } = row.mapping;
  const changes: FieldChange[] = [];
  const issues: Issue[] = [];
  for (const [name, field] of Object.entries(resource.fields)) {
    const to = row.values[name];
    if (to === undefined || name === resource.id) continue;
    const from = name === resource.external ? existing.external : (existing.values[name] ?? null);
    if (sameField(resource, name, from, to)) continue;
    // Where no update stores it, the ledger alone remembers the key.
    if (name === resource.external && dialect.externalId !== 'update') continue;
    if (field.update !== 'none') changes.push({ field: name, from, to });
    else if (field.create !== 'none') issues.push(createOnly(row, name, from, to));
  }
  if (changes.length === 0) return { steps: [], changes, issues };
  const changed = Object.fromEntries(changes.map(({ field, to }) => [field, to]));
  const body = { [resource.id]: existing.id ?? SELF, ...changed };
  return { steps: [{ purpose: 'update', endpoint: resource.requests.update.name, body }], changes, issues };
}

function createOnly(row: Row, name: string, from: Value, to: Value): Issue {
  const place = { field: name, address: addressOf(row.mapping, name, row.row) };
  const hint = from === null ? t('none', 'geen') : String(from);
  return issueAt({ code: 'create-only', found: to === null ? '#CLEAR' : String(to), hint }, place);
}

/** The requests of events; the service deletes none (interface 4.4). */
export const EVENT_REQUESTS = { create: createSteps, update: updateSteps } as RowRequests;
