import { stopsRow } from '../../core/issue.ts';
import { t } from '../../core/language.ts';
import type { MappedRow } from '../../import/map/map-row.ts';
import type { LinkResource } from '../../schema/resource.ts';
import type { Existing } from '../catalogue/existing.ts';
import type { PlanRules, Unplaced } from '../kind.ts';
import {
  ALREADY_GONE,
  type Decision,
  placeDecision,
  refuseAction,
  refuseField,
  SKIPPED,
} from '../row-decision.ts';
import { contentOf, type LinkValues } from './links.ts';
import type { Parent } from './parent.ts';
import { refuseParent } from './refuse-parent.ts';
import { changeSteps, changesOf, linkSteps, unlinkSteps } from './steps.ts';

type Row = MappedRow<LinkResource>;

/** What a row links, when it says so. */
function childOf({ values, mapping }: Row): number | null {
  const child = values[mapping.resource.child];
  return typeof child === 'number' ? child : null;
}

/** The key under which rows on one link are kept in order; null when the row names none. */
export function linkKey(row: Row, parent: Parent): string | null {
  const child = childOf(row);
  if (child === null || typeof parent === 'string') return null;
  if ('links' in parent) return `${parent.id}:${child}`;
  return 'reference' in parent ? `external:${parent.external}:${child}` : null;
}

/** All links between the records of a row, as the service holds them. */
export function linksIn(row: Row, parent: Parent): readonly LinkValues[] {
  const child = childOf(row);
  if (child === null || typeof parent === 'string' || !('links' in parent)) return [];
  return parent.links?.get(child) ?? [];
}

/** The link that a row is about, as the service holds it: of several, one that the row would change. */
export function linkIn(row: Row, parent: Parent): Existing | null {
  const links = linksIn(row, parent);
  const values = links.find((link) => changesOf(row, link).length > 0) ?? links[0];
  return values === undefined ? null : { id: null, external: null, lmt: contentOf(links), values };
}

/** A row that says nothing of any link: skipped, or with cells that can't be read. */
export function planUnread(row: Row): Unplaced {
  const decision = row.action === 'skip' && !stopsRow(row.issues) ? SKIPPED : { action: 'invalid' as const };
  return placeDecision(row, { key: null, id: null, lmt: null }, decision);
}

/** Decides one row: a pure function of the row, of its parent, of the link that is there and of the rules. */
export function planLink(row: Row, parent: Parent, existing: Existing | null, rules: PlanRules): Unplaced {
  const about = { key: linkKey(row, parent), id: null, lmt: existing?.lmt ?? null };
  const decision = stopsRow(row.issues)
    ? { action: 'invalid' as const }
    : decide(row, parent, existing, rules);
  return placeDecision(row, about, decision);
}

function decide(row: Row, parent: Parent, existing: Existing | null, rules: PlanRules): Decision {
  const { resource } = row.mapping;
  if (row.action === 'delete' && !rules.allowDelete) return refuseAction(row, 'delete-not-allowed');
  const end = endOf(parent);
  if (end === null) return refuseParent(row, parent);
  const child = childOf(row);
  if (child === null) return refuseField(row, resource.child, 'key-missing', resource.child);
  const ends = { parent: end, child };
  const needs = typeof parent === 'object' && 'need' in parent ? [parent.need] : [];
  if (row.action === 'delete')
    return existing === null ? ALREADY_GONE : { action: 'delete', needs, steps: unlinkSteps(row, ends) };
  if (existing === null) {
    if (row.action === 'update') return refuseField(row, resource.child, 'record-missing', resource.sheet);
    const steps = linkSteps(row, ends);
    return stopsRow(row.issues) ? { action: 'invalid' } : { action: 'create', needs, steps };
  }
  if (row.action === 'create') return { action: 'conflict', message: LINKED };
  const changes = changesOf(row, existing.values);
  if (changes.length === 0) return { action: 'unchanged' };
  return { action: 'update', changes, needs, steps: changeSteps(row, ends, changes) };
}

/** What stands for the parent in a request; null for one that can't be linked to. */
function endOf(parent: Parent) {
  if (typeof parent === 'string') return null;
  if ('links' in parent) return parent.links === null ? null : parent.id;
  return 'reference' in parent ? parent.reference : null;
}

const LINKED = t(
  '#action says create, but it is linked already',
  '#action zegt create, maar het is al gekoppeld',
);
