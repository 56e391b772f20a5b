import { stopsRow } from '../../core/issue.ts';
import { t } from '../../core/language.ts';
import type { FieldChange } from '../../core/plan.ts';
import type { Bilingual } from '../../core/value.ts';
import type { MappedRow } from '../../import/map/map-row.ts';
import type { TripResource } from '../../schema/resource.ts';
import { type Existing, sameValue } from '../catalogue/existing.ts';
import type { PlanRules, Unplaced } from '../kind.ts';
import {
  ALREADY_GONE,
  type Decision,
  placeDecision,
  refuseAction,
  refuseField,
  SKIPPED,
} from '../row-decision.ts';

type Row = MappedRow<TripResource>;

/** The number of the trip that a row names. */
export function tripOf({ values, mapping }: Row): number | null {
  const id = values[mapping.resource.id];
  return typeof id === 'number' ? id : null;
}

/** The key under which rows on one trip are kept in order. */
export function tripKey(row: Row): string | null {
  const id = tripOf(row);
  return id === null ? null : `id:${id}`;
}

/** Decides one row: a pure function of the row, of what the service holds and of the rules. */
export function planTrip(row: Row, existing: Existing | null, rules: PlanRules): Unplaced {
  const decision = stopsRow(row.issues) ? { action: 'invalid' as const } : decide(row, existing, rules);
  const about = { key: tripKey(row), id: existing?.id ?? null, lmt: existing?.lmt ?? null };
  return placeDecision(row, about, decision);
}

function decide(row: Row, existing: Existing | null, rules: PlanRules): Decision {
  const { resource } = row.mapping;
  const { requests } = resource;
  if (row.action === 'skip') return SKIPPED;
  if (row.action === 'create') return refuseAction(row, 'action-not-possible', madeByService(resource));
  const { remove } = requests;
  if (row.action === 'delete' && remove === undefined)
    return refuseAction(row, 'action-not-possible', neverDeleted(resource));
  if (row.action === 'delete' && !rules.allowDelete) return refuseAction(row, 'delete-not-allowed');
  const ID = tripOf(row);
  if (ID === null) return refuseField(row, resource.id, 'key-missing', resource.id);
  if (row.action === 'delete' && remove !== undefined) {
    if (existing === null) return ALREADY_GONE;
    const step = { purpose: 'delete', endpoint: remove.name, body: {}, params: { ID } } as const;
    return { action: 'delete', steps: [step] };
  }
  if (existing === null) return refuseField(row, resource.id, 'record-missing', resource.name);
  const changes = changesOf(row, existing);
  if (changes.length === 0) return { action: 'unchanged' };
  const changed = Object.fromEntries(changes.map(({ field, to }) => [field, to]));
  const body = { [resource.id]: ID, ...changed };
  return {
    action: 'update',
    changes,
    steps: [{ purpose: 'update', endpoint: requests.update.name, body }],
  };
}

const neverDeleted = ({ name, sheet }: TripResource): Bilingual =>
  t(`the service deletes no ${name}`, `${sheet.toLowerCase()} verwijdert de dienst niet`);

const madeByService = ({ name, sheet, id }: TripResource): Bilingual =>
  t(
    `the service makes ${name} itself; empty the cell and name the record by its ${id}`,
    `${sheet.toLowerCase()} maakt de dienst zelf; maak de cel leeg en noem het record met ${id}`,
  );

function changesOf({ values, mapping }: Row, existing: Existing): FieldChange[] {
  const { fields, id } = mapping.resource;
  return Object.entries(values)
    .filter(([field]) => field !== id && fields[field]?.update !== 'none')
    .map(([field, to]) => ({ field, from: existing.values[field] ?? null, to }))
    .filter(({ from, to }) => !sameValue(from, to));
}
