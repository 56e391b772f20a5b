import { heldTo, issueAt, stopsRow } from '../../core/issue.ts';
import type { IssueCode } from '../../core/issue-catalogue.ts';
import { t } from '../../core/language.ts';
import type { Action } from '../../core/plan.ts';
import type { Bilingual } from '../../core/value.ts';
import { addressOf, type MappedRow, markAddress } from '../../import/map/map-row.ts';
import type { KeyedResource } from '../keyed-resource.ts';
import type { PlanRules, Unplaced } from '../kind.ts';
import { refuseAction } from '../row-decision.ts';
import type { Existing } from './existing.ts';
import type { Clash, Target } from './locate.ts';
import type { RowRequests, Steps } from './steps.ts';

const NO_DELETE: Bilingual = t(
  'the service cannot delete these records',
  'de dienst kan deze records niet verwijderen',
);

type Decision = Partial<Pick<Unplaced, 'changes' | 'steps' | 'message'>> & { readonly action: Action };

/** The key under which rows on one record are kept in order; null when no other row can be about it. */
export function recordKey(row: MappedRow<KeyedResource>, existing: Existing | null): string | null {
  const { id, external } = row.mapping.resource;
  const known = existing?.id ?? row.values[id];
  if (typeof known === 'number') return `id:${known}`;
  const key = existing?.external ?? row.values[external];
  return typeof key === 'number' ? `external:${key}` : null;
}

/** Shared by all rows that have none: a list of their own would be a million of them. */
const NONE: readonly never[] = [];

/** Decides one row: a pure function of the row, of what the service holds and of the rules. */
export function planRow(
  row: MappedRow<KeyedResource>,
  target: Target,
  rules: PlanRules,
  key: string | null,
  requests: RowRequests,
): Unplaced {
  const { resource, sheet } = row.mapping;
  const { existing } = target;
  const decision: Decision = stopsRow(row.issues)
    ? { action: 'invalid' }
    : decide(row, target, rules, requests);
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

function decide(
  row: MappedRow<KeyedResource>,
  target: Target,
  rules: PlanRules,
  requests: RowRequests,
): Decision {
  const { existing, clash } = target;
  if (row.action === 'skip') return { action: 'skip', message: t('marked skip', 'gemarkeerd met skip') };
  if (clash !== null && existing !== null)
    return { action: 'conflict', message: clashText(row, existing, clash) };
  if (row.action === 'delete') return decideDelete(row, existing, rules, requests);
  if (existing === null) return decideCreate(row, rules, requests);
  if (row.action === 'create') return { action: 'conflict', message: existsText(row, existing) };
  return settle(row, requests.update(row, existing, rules.dialect), 'update', rules);
}

function decideDelete(
  row: MappedRow<KeyedResource>,
  existing: Existing | null,
  rules: PlanRules,
  { remove }: RowRequests,
): Decision {
  if (remove === undefined) return refuseAction(row, 'action-not-possible', NO_DELETE);
  if (!rules.allowDelete) {
    const address = markAddress(row.mapping, '#action', row.row);
    row.issues.push(issueAt({ code: 'delete-not-allowed', found: 'delete' }, { field: '#action', address }));
    return { action: 'invalid' };
  }
  if (existing === null && !hasKey(row)) return refuse(row, 'key-missing', row.mapping.resource.id);
  if (existing === null) return { action: 'unchanged', message: t('already gone', 'al verwijderd') };
  return { action: 'delete', steps: remove(row, existing) };
}

function decideCreate(row: MappedRow<KeyedResource>, rules: PlanRules, requests: RowRequests): Decision {
  const { resource } = row.mapping;
  if (row.values[resource.id] !== undefined) return refuse(row, 'record-missing', resource.id);
  if (row.action === 'update')
    return refuse(row, hasKey(row) ? 'record-missing' : 'key-missing', resource.external);
  if (!hasKey(row) && row.action !== 'create') return refuse(row, 'key-missing', resource.external);
  return settle(row, requests.create(row, rules.dialect), 'create', rules);
}

function settle(
  row: MappedRow<KeyedResource>,
  made: Steps,
  action: 'create' | 'update',
  { strict }: PlanRules,
): Decision {
  if (made.issues.length > 0) row.issues.push(...heldTo(strict, made.issues));
  if (stopsRow(row.issues)) return { action: 'invalid' };
  return made.steps.length === 0
    ? { action: 'unchanged' }
    : { action, changes: made.changes, steps: made.steps };
}

function hasKey(row: MappedRow<KeyedResource>): boolean {
  const { id, external } = row.mapping.resource;
  return row.values[id] !== undefined || row.values[external] !== undefined;
}

function refuse(row: MappedRow<KeyedResource>, code: IssueCode, field: string): Decision {
  const { resource } = row.mapping;
  const found = row.values[field];
  const hint = code === 'key-missing' ? keyHint(resource) : resource.name;
  const place = { field, address: addressOf(row.mapping, field, row.row) };
  row.issues.push(issueAt({ code, found: found === undefined ? '' : String(found), hint }, place));
  return { action: 'invalid' };
}

function keyHint({ external, id }: KeyedResource): Bilingual {
  return t(`${external} / ${id}, or put create in #action`, `${external} / ${id}, of zet create in #action`);
}

function existsText(row: MappedRow<KeyedResource>, existing: Existing): Bilingual {
  const { id } = row.mapping.resource;
  return t(
    `#action says create, but the record exists already${existing.id === null ? '' : ` as ${id} ${existing.id}`}`,
    `#action zegt create, maar het record bestaat al${existing.id === null ? '' : ` als ${id} ${existing.id}`}`,
  );
}

function clashText(row: MappedRow<KeyedResource>, existing: Existing, clash: Clash): Bilingual {
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
