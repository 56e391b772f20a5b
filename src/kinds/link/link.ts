import { stopsRow } from '../../core/issue.ts';
import { t } from '../../core/language.ts';
import type { FieldChange, RecordReference, Step } from '../../core/plan.ts';
import type { Value } from '../../core/value.ts';
import type { Baseline } from '../../records/baseline.ts';
import { createEarlierRows } from '../../records/earlier-rows.ts';
import { changedValues, changesTo, type ExistingRecord } from '../../records/existing-record.ts';
import { issueOfLack, type MappedRow } from '../../records/mapped-row.ts';
import {
  type FoundRecord,
  needsRecord,
  planRecords,
  type RecordMatching,
} from '../../records/plan-records.ts';
import { WINDOW } from '../../records/plan-windows.ts';
import type { PlannerSetup, PlanRules, UnplacedRow } from '../../records/planning.ts';
import {
  ALREADY_GONE,
  INVALID,
  placeDecision,
  type RowDecision,
  refuseAction,
  refuseField,
  SKIPPED,
} from '../../records/row-decision.ts';
import { withoutUntouched } from '../../records/three-way.ts';
import type { LinkResource } from '../../schema/resource.ts';
import type { Kind } from '../kind.ts';
import { linkGuard } from './link-guard.ts';
import { linkLister } from './link-list.ts';
import { createParents, type LinkParent, refuseParent } from './link-parent.ts';
import { undoLink } from './link-undo.ts';
import { linkedBefore } from './linked-before.ts';
import {
  contentOf,
  createParentLists,
  type HeldLink,
  type LinkValues,
  oneOfSeveral,
  ownFields,
  type ParentLists,
} from './links.ts';

/** What is linked to parent records: found in the parent's list, read once a parent. */
export const link: Kind<LinkResource> = {
  plan(context, resource, run) {
    const lists = createParentLists(context, resource);
    const earlier = createEarlierRows(context, run, resource.name);
    return {
      openSheet: (setup) => planRecords(setup, earlier, matchingFor(setup, resource, lists)),
      summary: () => ({ strategy: 'rows', newest: null, readAt: lists.readAt() }),
    };
  },
  guard: linkGuard,
  compared: true,
  lister: linkLister,
  undo: undoLink,
};

type Row = MappedRow<LinkResource>;

/** What was found of a row's link: its parent, with all that is linked to it. */
interface FoundLink extends FoundRecord {
  /** Null where it does not matter. */
  readonly parent: LinkParent | null;
}

/** Rows are compared with their parents' lists; a sheet may hold several links of one pair. */
function matchingFor(
  { context, base, rules, references }: PlannerSetup,
  resource: LinkResource,
  lists: ParentLists,
): RecordMatching<LinkResource, FoundLink> {
  const parentOf = createParents(resource, lists, references);
  return {
    window: WINDOW,
    several: true,
    async find(rows) {
      const parents = await Promise.all(rows.map((row) => (needsRecord(row, base) ? parentOf(row) : null)));
      const found = parents.map((parent, at) => ({
        parent,
        existing: parent === null ? null : linkIn(rows[at] as Row, parent),
      }));
      return { found, createOnce: (planned) => linkedBefore(context, resource, planned) };
    },
    key: (row, { parent }) => (parent === null ? null : linkKey(row, parent)),
    named: () => resource.child,
    atOnce(row, { found: { parent }, key, service, existing }) {
      if (parent === null || !isReadable(row, key, base)) return planUnread(row);
      const held = oneOfSeveral(row, linksThen(row, parent, key, base));
      if (held === null || existing?.lmt !== service?.lmt) return null;
      return placeDecision(held, { action: 'unchanged' }, { key, lmt: service?.lmt ?? null });
    },
    decide(row, { found: { parent }, key, existing }) {
      if (parent === null) return planUnread(row);
      const decision = stopsRow(row.issues) ? INVALID : decide(row, parent, existing, rules);
      return placeDecision(row, decision, { key, lmt: existing?.lmt ?? null });
    },
  };
}

/** The links that a row may be about: as the workbook had them, else as the service holds them. */
function linksThen(row: Row, parent: LinkParent, key: string | null, base: Baseline): readonly HeldLink[] {
  const were = key === null ? [] : base.all(row.mapping.resource.name, key);
  return were.length > 0 ? were : linksIn(row, parent).map((values) => ({ values }));
}

/** Whether all that can't be read in a row is as the workbook was written. */
function isReadable(row: Row, key: string | null, base: Baseline): boolean {
  if (!stopsRow(row.issues)) return true;
  const were = key === null ? [] : base.all(row.mapping.resource.name, key);
  return were.some((was) => !stopsRow(withoutUntouched(row, was).issues));
}

/** What a row links, when it says so. */
function childOf({ values, mapping }: Row): number | null {
  const child = values[mapping.resource.child];
  return typeof child === 'number' ? child : null;
}

/** The key under which rows on one link are kept in order; null when the row names none. */
function linkKey(row: Row, parent: LinkParent): string | null {
  const child = childOf(row);
  if (child === null || typeof parent === 'string') return null;
  if ('links' in parent) return `${parent.id}:${child}`;
  return 'reference' in parent ? `external:${parent.external}:${child}` : null;
}

/** All links between the records of a row, as the service holds them. */
function linksIn(row: Row, parent: LinkParent): readonly LinkValues[] {
  const child = childOf(row);
  if (child === null || typeof parent === 'string' || !('links' in parent)) return [];
  return parent.links?.get(child) ?? [];
}

/** The link that a row is about, as the service holds it: of several, one that the row would change. */
function linkIn(row: Row, parent: LinkParent): ExistingRecord | null {
  const links = linksIn(row, parent);
  const values = links.find((link) => linkChanges(row, link).length > 0) ?? links[0];
  return values === undefined ? null : { id: null, external: null, lmt: contentOf(links), values };
}

/** A row that is compared with no link: skipped, or with cells that can't be read. */
function planUnread(row: Row): UnplacedRow {
  return placeDecision(row, row.action === 'skip' && !stopsRow(row.issues) ? SKIPPED : INVALID);
}

type Body = Record<string, Value | RecordReference>;

/** Decides one row: a pure function of the row, of its parent, of the link that is there and of the rules. */
function decide(
  row: Row,
  parent: LinkParent,
  existing: ExistingRecord | null,
  rules: PlanRules,
): RowDecision {
  const { resource } = row.mapping;
  const { requests } = resource;
  if (row.action === 'delete' && !rules.allowDelete) return refuseAction(row, 'delete-not-allowed');
  const end = endOf(parent);
  if (end === null) return refuseParent(row, parent);
  const child = childOf(row);
  if (child === null) return refuseField(row, resource.child, 'key-missing', resource.child);
  const ends: Body = { [resource.parent]: end, [resource.child]: child };
  const needs = typeof parent === 'object' && 'need' in parent ? [parent.need] : [];
  if (row.action === 'delete') {
    if (existing === null) return ALREADY_GONE;
    const body = { ...ends, DEL: true };
    return { action: 'delete', needs, steps: [{ purpose: 'delete', endpoint: requests.remove.name, body }] };
  }
  if (existing === null) {
    if (row.action === 'update') return refuseField(row, resource.child, 'record-missing', resource.sheet);
    const steps = linkSteps(row, ends);
    return stopsRow(row.issues) ? INVALID : { action: 'create', needs, steps };
  }
  if (row.action === 'create') return { action: 'conflict', message: LINKED };
  const changes = linkChanges(row, existing.values);
  if (changes.length === 0) return { action: 'unchanged' };
  const body = { ...ends, ...changedValues(changes) };
  const steps: Step[] = [{ purpose: 'update', endpoint: requests.update.name, body }];
  return { action: 'update', changes, needs, steps };
}

/** The link request, then what only an update takes. What the row lacks becomes an issue. */
function linkSteps(row: Row, ends: Body): Step[] {
  const { requests, fields } = row.mapping.resource;
  const body: Body = { ...ends };
  const later: Body = {};
  for (const name of ownFields(row.mapping.resource)) {
    const value = row.values[name] ?? null;
    const status = fields[name]?.create;
    if (value === null && status === 'required') row.issues.push(issueOfLack(row, name, REQUIRED));
    else if (value !== null && status === 'none') later[name] = value;
    else if (value !== null) body[name] = value;
  }
  const link: Step = { purpose: 'create', endpoint: requests.create.name, body };
  if (Object.keys(later).length === 0) return [link];
  return [link, { purpose: 'update', endpoint: requests.update.name, body: { ...ends, ...later } }];
}

const REQUIRED = t('required to link', 'verplicht om te koppelen');

/** What a row says otherwise than a link holds. */
const linkChanges = (row: Row, values: LinkValues): FieldChange[] =>
  changesTo({ external: null, values }, row, ownFields(row.mapping.resource));

/** What stands for the parent in a request; null for one that can't be linked to. */
function endOf(parent: LinkParent) {
  if (typeof parent === 'string') return null;
  if ('links' in parent) return parent.links === null ? null : parent.id;
  return 'reference' in parent ? parent.reference : null;
}

const LINKED = t(
  '#action says create, but it is linked already',
  '#action zegt create, maar het is al gekoppeld',
);
