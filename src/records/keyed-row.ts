import { heldTo, type Issue, stopsRow } from '../core/issue.ts';
import type { IssueCode } from '../core/issue-catalogue.ts';
import { type Bilingual, t } from '../core/language.ts';
import type { FieldChange, Step } from '../core/plan.ts';
import type { Dialect } from '../schema/dialect.ts';
import type { ExistingRecord, KeyedResource } from './existing-record.ts';
import type { KeyClash, RowTarget } from './locate.ts';
import { issueOfLack, issueOn, type MappedRow } from './mapped-row.ts';
import type { PlanRules, UnplacedRow } from './planning.ts';
import {
  ALREADY_GONE,
  INVALID,
  type RowDecision,
  refuseAction,
  refuseField,
  SKIPPED,
} from './row-decision.ts';

/** The requests of a row, what they change, and why they can't be made. */
export interface RowSteps {
  readonly steps: Step[];
  readonly changes: readonly FieldChange[];
  readonly issues: readonly Issue[];
}

/** What a kind of record makes of a row, by what is to become of it. */
export interface RowRequests<R extends KeyedResource> {
  create(row: MappedRow<R>, dialect: Dialect): RowSteps;
  update(row: MappedRow<R>, existing: ExistingRecord, dialect: Dialect): RowSteps;
  /** Absent where the service deletes none. */
  remove?(row: MappedRow<R>, existing: ExistingRecord): Step[];
}

const NO_DELETE: Bilingual = t(
  'the service cannot delete these records',
  'de dienst kan deze records niet verwijderen',
);

/** The key under which rows on one record are kept in order; null when no other row can be about it. */
export function recordKey(row: MappedRow<KeyedResource>, existing: ExistingRecord | null): string | null {
  const { id, external } = row.mapping.resource;
  const known = existing?.id ?? row.values[id];
  if (typeof known === 'number') return `id:${known}`;
  const key = existing?.external ?? row.values[external];
  return typeof key === 'number' ? `external:${key}` : null;
}

/** Shared by all rows that have none: a list of their own would be a million of them. */
const NONE: readonly never[] = [];

/** Decides one row: a pure function of the row, of what the service holds and of the rules. */
export function planKeyedRow<R extends KeyedResource>(
  row: MappedRow<R>,
  target: RowTarget,
  rules: PlanRules,
  key: string | null,
  requests: RowRequests<R>,
): UnplacedRow {
  const { resource, sheet } = row.mapping;
  const { existing } = target;
  const decision: RowDecision = stopsRow(row.issues) ? INVALID : decide(row, target, rules, requests);
  const external = row.values[resource.external] ?? existing?.external;
  return {
    // Its place is put there later: a member that comes after costs an object more, a row.
    seq: -1,
    sheet,
    row: row.row,
    resource: resource.name,
    key,
    id: existing?.id ?? null,
    external: typeof external === 'number' ? external : null,
    lmt: existing?.lmt ?? null,
    action: decision.action,
    changes: decision.changes ?? NONE,
    steps: decision.steps ?? NONE,
    needs: NONE,
    message: decision.message ?? null,
    issues: row.issues,
  };
}

function decide<R extends KeyedResource>(
  row: MappedRow<R>,
  target: RowTarget,
  rules: PlanRules,
  requests: RowRequests<R>,
): RowDecision {
  const { existing, clash } = target;
  if (row.action === 'skip') return SKIPPED;
  if (clash !== null && existing !== null)
    return { action: 'conflict', message: clashText(row, existing, clash) };
  if (row.action === 'delete') return decideDelete(row, existing, rules, requests);
  if (existing === null) return decideCreate(row, rules, requests);
  if (row.action === 'create') return { action: 'conflict', message: existsText(row, existing) };
  return settle(row, requests.update(row, existing, rules.dialect), 'update', rules);
}

function decideDelete<R extends KeyedResource>(
  row: MappedRow<R>,
  existing: ExistingRecord | null,
  rules: PlanRules,
  { remove }: RowRequests<R>,
): RowDecision {
  if (remove === undefined) return refuseAction(row, 'action-not-possible', NO_DELETE);
  if (!rules.allowDelete) {
    row.issues.push(issueOn(row, '#action', { code: 'delete-not-allowed', found: 'delete' }));
    return INVALID;
  }
  if (existing === null && !hasKey(row)) return refuse(row, 'key-missing', row.mapping.resource.id);
  if (existing === null) return ALREADY_GONE;
  return { action: 'delete', steps: remove(row, existing) };
}

function decideCreate<R extends KeyedResource>(
  row: MappedRow<R>,
  rules: PlanRules,
  requests: RowRequests<R>,
): RowDecision {
  const { resource } = row.mapping;
  if (row.values[resource.id] !== undefined) return refuse(row, 'record-missing', resource.id);
  if (row.action === 'update')
    return refuse(row, hasKey(row) ? 'record-missing' : 'key-missing', resource.external);
  if (!hasKey(row) && row.action !== 'create') return refuse(row, 'key-missing', resource.external);
  return settle(row, requests.create(row, rules.dialect), 'create', rules);
}

function settle(
  row: MappedRow<KeyedResource>,
  made: RowSteps,
  action: 'create' | 'update',
  { strict }: PlanRules,
): RowDecision {
  if (made.issues.length > 0) row.issues.push(...heldTo(strict, made.issues));
  if (stopsRow(row.issues)) return INVALID;
  return made.steps.length === 0
    ? { action: 'unchanged' }
    : { action, changes: made.changes, steps: made.steps };
}

function hasKey(row: MappedRow<KeyedResource>): boolean {
  const { id, external } = row.mapping.resource;
  return row.values[id] !== undefined || row.values[external] !== undefined;
}

function refuse(row: MappedRow<KeyedResource>, code: IssueCode, field: string): RowDecision {
  const { resource } = row.mapping;
  return refuseField(row, field, code, code === 'key-missing' ? keyHint(resource) : resource.name);
}

function keyHint({ external, id }: KeyedResource): Bilingual {
  return t(`${external} / ${id}, or put create in #action`, `${external} / ${id}, of zet create in #action`);
}

function existsText(row: MappedRow<KeyedResource>, existing: ExistingRecord): Bilingual {
  const { id } = row.mapping.resource;
  return t(
    `#action says create, but the record exists already${existing.id === null ? '' : ` as ${id} ${existing.id}`}`,
    `#action zegt create, maar het record bestaat al${existing.id === null ? '' : ` als ${id} ${existing.id}`}`,
  );
}

function clashText(row: MappedRow<KeyedResource>, existing: ExistingRecord, clash: KeyClash): Bilingual {
  const { id, external } = row.mapping.resource;
  const key = row.values[external];
  if (clash.why === 'twins') {
    const ids = clash.ids.join(', ');
    return t(
      `more than one record has ${external} ${key} (${id} ${ids}); name the one you mean by its ${id}`,
      `meer dan één record heeft ${external} ${key} (${id} ${ids}); noem het bedoelde met zijn ${id}`,
    );
  }
  if (clash.why === 'two records') {
    return t(
      `${external} ${key} belongs to ${id} ${clash.owner}, not to ${id} ${existing.id}`,
      `${external} ${key} hoort bij ${id} ${clash.owner}, niet bij ${id} ${existing.id}`,
    );
  }
  return t(
    `${external} ${key} was ${id} ${clash.id} before, but that record is now "${clash.label}" and has no ${external}; name the record by its ${id}`,
    `${external} ${key} was eerder ${id} ${clash.id}, maar dat record heet nu "${clash.label}" en heeft geen ${external}; noem het record met zijn ${id}`,
  );
}

/** The issue that a field which the request needs has no value. */
export const missingField = (
  row: MappedRow<KeyedResource>,
  name: string,
  request: 'create' | 'update',
): Issue => issueOfLack(row, name, LACKING[request]);

const LACKING = {
  create: t('required to create', 'verplicht om aan te maken'),
  update: t('required, and the record has none', 'verplicht, en het record heeft er geen'),
};
