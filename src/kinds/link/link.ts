import { stopsRow } from '../../core/issue.ts';
import { t } from '../../core/language.ts';
import type { FieldChange, PlannedRow, RecordReference, Step } from '../../core/plan.ts';
import type { Value } from '../../core/value.ts';
import { settleDoubt } from '../../records/doubts.ts';
import {
  changedValues,
  changesTo,
  createdValues,
  type ExistingRecord,
  plainValues,
  sameValue,
} from '../../records/existing-record.ts';
import {
  CHANGED_THE_SAME,
  DELETED,
  goneConflict,
  type RecordConflict,
  toDecide,
} from '../../records/freshness.ts';
import { missingField } from '../../records/keyed-records.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import {
  NOTHING_READ,
  type PlannerSetup,
  type PlanRules,
  type UnplacedRow,
  WINDOW,
} from '../../records/planning.ts';
import {
  ALREADY_GONE,
  INVALID,
  placeDecision,
  type RowDecision,
  refuseDelete,
  refuseField,
  SKIPPED,
} from '../../records/row-decision.ts';
import {
  type EffectVerdict,
  type GuardSetup,
  type RowGuard,
  type SendDoubt,
  type SentStep,
  UNGUARDED,
} from '../../records/row-guard.ts';
import { type FoundRecord, needsRecord, type RecordMatching } from '../../records/row-matching.ts';
import { saidBy } from '../../records/said-fields.ts';
import type { ReadAgain } from '../../records/stale-reads.ts';
import { type HeldValues, withoutUntouched } from '../../records/three-way.ts';
import type { LinkResource } from '../../schema/resource.ts';
import { foundBy, type Kind } from '../kind.ts';
import { createParents, type RowParent, refuseParent } from '../row-parent.ts';
import { linkLister } from './link-list.ts';
import { createSample, MAX_AGE } from './link-sample.ts';
import { undoLink } from './link-undo.ts';
import {
  contentOf,
  createParentLists,
  freeLink,
  holds,
  type LinkContext,
  type Links,
  type LinkValues,
  linkDoubles,
  linkedBefore,
  movedText,
  ownFields,
  type ParentLists,
  parentColumn,
  readLink,
  readLinks,
  stateOf,
} from './links.ts';
import { createNewLinkWatch } from './new-link-watch.ts';

/** What is linked to parent records: found in the parent's list, read once a parent. */
export const link: Kind<LinkResource> = {
  rows(context) {
    const lists = createParentLists(context);
    const readAt = context.time.steady();
    const summary = () => ({ ...NOTHING_READ, readAt });
    return { matching: (setup) => matchingFor(setup, context, lists), summary };
  },
  foundAgain: ({ parent, child }) => foundBy(`${parent} and ${child}`, `${parent} en ${child}`),
  guard: linkGuard,
  compared: true,
  lister: linkLister,
  doubles: linkDoubles,
  undo: undoLink,
};

type Row = MappedRow<LinkResource>;

/** What was found of a row's link. */
interface FoundLink extends FoundRecord {
  /** Null for a row that asks for nothing. */
  readonly parent: RowParent | null;
  /** The links of its pair: more than one where it was linked again. */
  readonly links: readonly LinkValues[];
  /** The service has its parent, or the run makes it. */
  readonly isThere: boolean;
}

const NO_LINK: FoundLink = { parent: null, links: [], isThere: false, existing: null };

/** Rows are compared with their parents' lists; a sheet may hold several links of one pair. */
function matchingFor(
  { base, rules, references }: PlannerSetup,
  context: LinkContext,
  lists: ParentLists,
): RecordMatching<LinkResource, FoundLink> {
  const { resource } = context;
  const parentOf = createParents(resource, { field: resource.parent, day: dayField(resource) }, references);
  const foundIn = (row: Row, parent: RowParent, all: Links | null): FoundLink => {
    const links = all?.get(childOf(row) ?? Number.NaN) ?? [];
    // Of several the one that the row says.
    const own = links.find((values) => linkChanges(row, { values }).length === 0) ?? links[0];
    const existing = own === undefined ? null : stateOf(resource)(own, 0, links);
    return { parent, links, isThere: all !== null || 'reference' in parent, existing };
  };
  const find = async (row: Row): Promise<FoundLink> => {
    if (!needsRecord(row, base)) return NO_LINK;
    const parent = await parentOf(row);
    return foundIn(row, parent, 'id' in parent ? await lists.of(parent.id) : null);
  };
  /** The links that a row may be about: as the workbook had them, else as the service holds them. */
  const linksThen = (key: string | null, { links }: FoundLink): readonly HeldValues[] => {
    const were = key === null ? [] : base.all(resource.name, key);
    return were.length > 0 ? were : links.map((values) => ({ values }));
  };
  return {
    window: WINDOW,
    async find(rows) {
      const found = await Promise.all(rows.map(find));
      const again: ReadAgain<FoundLink> = {
        keyOf: (at) => (idOf(found[at]?.parent) === null ? null : linkKey(rows[at] as Row, found[at])),
        states: ({ links }) => links.map(stateOf(resource)),
        async read(at) {
          const { parent } = found[at] as FoundLink;
          const all = await lists.anew(idOf(parent) ?? 0);
          return foundIn(rows[at] as Row, parent as RowParent, all);
        },
      };
      const createOnce = (creations: readonly { readonly planned: UnplacedRow }[]) =>
        Promise.all(creations.map(({ planned }) => linkedBefore(context, planned)));
      return { found, createOnce, again };
    },
    key: linkKey,
    named: () => resource.child,
    idsOf: ({ parent, isThere }) =>
      isThere && idOf(parent) !== null ? { [resource.parent]: idOf(parent) } : {},
    atOnce(row, { found, key, existing }) {
      // One of several links of a pair, as it is.
      const links = linksThen(key, found);
      if (links.length < 2 || row.action !== 'auto') return null;
      for (const link of links) {
        const held = withoutUntouched(row, link);
        if (!stopsRow(held.issues) && linkChanges(held, link).length === 0)
          return placeDecision(held, { action: 'unchanged' }, { key, lmt: existing?.lmt ?? null });
      }
      return null;
    },
    decide(row, { found, key, existing }) {
      const decision = stopsRow(row.issues) ? INVALID : decide(row, found, existing, rules);
      return placeDecision(row, decision, { key, lmt: existing?.lmt ?? null, said: saidBy(row) });
    },
  };
}

/** The field with the day of a link, which is about that of what it is linked to. */
const dayField = ({ fields }: LinkResource): string =>
  Object.keys(fields).find((name) => fields[name]?.codec.type === 'datetime') ?? '';

const idOf = (parent: RowParent | null | undefined): number | null =>
  parent != null && 'id' in parent ? parent.id : null;

function childOf({ values, mapping }: Row): number | null {
  const child = values[mapping.resource.child];
  return typeof child === 'number' ? child : null;
}

/** The key under which rows on one link are kept in order; null when the row names none. */
function linkKey(row: Row, { parent }: Pick<FoundLink, 'parent'> = NO_LINK): string | null {
  const child = childOf(row);
  if (child === null || parent === null) return null;
  if ('id' in parent) return `${parent.id}:${child}`;
  return 'reference' in parent ? `external:${parent.external}:${child}` : null;
}

type Body = Record<string, Value | RecordReference>;

function decide(
  row: Row,
  { parent, isThere, links }: FoundLink,
  existing: ExistingRecord | null,
  rules: PlanRules,
): RowDecision {
  const { resource } = row.mapping;
  const { requests } = resource;
  if (row.action === 'skip' || parent === null) return SKIPPED;
  const refused = row.action === 'delete' ? refuseDelete(row, rules, null) : null;
  if (refused !== null) return refused;
  if ('code' in parent) return refuseParent(row, parent);
  if (!isThere)
    return refuseField(row, resource.parent, 'record-missing', parentColumn(resource)?.refers.sheets ?? '');
  const child = childOf(row);
  if (child === null) return refuseField(row, resource.child, 'key-missing', resource.child);
  const end = 'id' in parent ? parent.id : parent.reference;
  const ends: Body = { [resource.parent]: end, [resource.child]: child };
  const needs = 'need' in parent ? [parent.need] : [];
  if (existing === null) {
    if (row.action === 'delete') return ALREADY_GONE;
    if (row.action === 'update') return refuseField(row, resource.child, 'record-missing', resource.sheet);
    const steps = linkSteps(row, ends);
    return stopsRow(row.issues) ? INVALID : { action: 'create', needs, steps };
  }
  if (row.action === 'create') return { action: 'conflict', message: LINKED };
  const changes = row.action === 'delete' ? [] : linkChanges(row, existing);
  if (row.action !== 'delete' && changes.length === 0) return { action: 'unchanged' };
  // The request names the pair alone (interface 4.5), and would hit them all.
  if (links.length > 1) return refuseField(row, resource.child, 'linked-twice', String(links.length));
  if (row.action === 'delete') {
    const step = { endpoint: requests.remove.name, body: { ...ends, DEL: true } };
    return { action: 'delete', needs, steps: [{ purpose: 'delete', ...step }] };
  }
  const body = { ...ends, ...changedValues(changes) };
  const steps: Step[] = [{ purpose: 'update', endpoint: requests.update.name, body }];
  return { action: 'update', changes, needs, steps };
}

/** The link request, then what only an update takes. What the row lacks becomes an issue. */
function linkSteps(row: Row, ends: Body): Step[] {
  const { requests } = row.mapping.resource;
  const { body, later, lacks } = createdValues(row, ownFields(row.mapping.resource));
  for (const name of lacks) row.issues.push(missingField(row, name, 'create'));
  const link: Step = { purpose: 'create', endpoint: requests.create.name, body: { ...ends, ...body } };
  if (Object.keys(later).length === 0) return [link];
  return [link, { purpose: 'update', endpoint: requests.update.name, body: { ...ends, ...later } }];
}

const linkChanges = (row: Row, link: Pick<ExistingRecord, 'values' | 'applied'>): FieldChange[] =>
  changesTo({ external: null, ...link }, row, ownFields(row.mapping.resource));

const LINKED = t(
  '#action says create, but it is linked already',
  '#action zegt create, maar het is al gekoppeld',
);

/** Guards links by what they held, as they have no LMT; settles lost answers by the parent's list. */
function linkGuard(context: GuardSetup<LinkResource>): RowGuard {
  const { resource } = context;
  const lists = createParentLists(context, MAX_AGE);
  const own = new Set<string>();
  const others = new Set<string>();
  const watchNew = createNewLinkWatch(context);
  const keyOf = ({ body }: SentStep): string => `${body[resource.parent]}:${body[resource.child]}`;
  const mayChange = createSample(context.time, context.summary.readAt ?? Number.NEGATIVE_INFINITY);
  return {
    ...UNGUARDED,
    async check(row, inDoubt = false, anew = inDoubt) {
      if (row.key === null || own.has(row.key)) return null;
      const [parent, child] = [resource.parent, resource.child].map((end) => row.steps[0]?.body[end]);
      // One that this run creates has nothing linked to it yet.
      if (typeof parent !== 'number' || typeof child !== 'number') return null;
      const look = async (links: Promise<Links | null>): Promise<RecordConflict | null> => {
        const now = await links;
        return now === null ? goneConflict() : conflictWith(context, row, now.get(child) ?? []);
      };
      if (anew || others.has(row.key)) return await look(readLinks(context, parent));
      return await mayChange(parent, () => look(lists.of(parent)));
    },
    async wrote(done) {
      const { planned, step } = done;
      if (planned.key !== null) own.add(planned.key);
      if (step.purpose === 'delete') await freeLink(context, keyOf(done));
      await watchNew(done);
    },
    keyOf,
    readNow: ({ body }) => readLink(context, body),
    async readBack(sent) {
      const parents = new Set(sent.map(({ body }) => Number(body[resource.parent])));
      const read = async (parent: number) =>
        [...((await readLinks(context, parent)) ?? [])].flatMap(([child, [values, ...more]]) =>
          more.length > 0 || !values ? [] : { key: `${parent}:${child}`, id: null, lmt: null, values },
        );
      // Each event takes a request: where the first hold what they were sent, the others need none.
      const [first, others] = [[...parents].slice(0, SAMPLE), [...parents].slice(SAMPLE)];
      const links = (await Promise.all(first.map(read))).flat();
      const held = new Map(links.map(({ key, values }) => [key, values]));
      const isAsSent = sent.every(({ body }) => {
        const link = held.get(`${body[resource.parent]}:${body[resource.child]}`);
        return link === undefined || holds(resource, link, body);
      });
      return isAsSent ? links : [...links, ...(await Promise.all(others.map(read))).flat()];
    },
    tookEffect: (doubt) => tookEffect(context, doubt, () => others.add(doubt.planned.key ?? '')),
  };
}

/** So many events are read back first. */
const SAMPLE = 2;

const NO_LINKS = '[]';

function conflictWith(
  context: LinkContext,
  { action, lmt, steps, changes }: PlannedRow,
  links: readonly LinkValues[],
): RecordConflict | null {
  const now = contentOf(context.resource, links);
  if (action === 'create') {
    const isSaid = (link: LinkValues): boolean =>
      steps.every(({ body }) => holds(context.resource, link, plainValues(body)));
    const same = links.some(isSaid);
    if (same) return { message: LINKED_THE_SAME, same: null };
    return links[0] === undefined ? null : { message: LINKED_SINCE, now: links[0] };
  }
  if (lmt === null || lmt === now) return null;
  if (action === 'delete' && now === NO_LINKS) return { message: DELETED, same: null };
  const isThere = (link: LinkValues): boolean => changes.every(({ field, to }) => sameValue(link[field], to));
  if (changes.length > 0 && links.length > 0 && links.every(isThere))
    return { message: CHANGED_THE_SAME, same: null, ...(links[0] && { now: links[0], lmt: now }) };
  return now === NO_LINKS
    ? goneConflict()
    : { message: movedText(lmt, now), ...(links[0] && { now: links[0], lmt: now }) };
}

/** A link has no id. */
const DONE: EffectVerdict = { id: null };

/** `onOther` hears of a link that a create can't have made. */
async function tookEffect(
  context: LinkContext,
  doubt: SendDoubt,
  onOther: () => void,
): Promise<EffectVerdict> {
  const { resource } = context;
  const { step, body } = doubt;
  return await settleDoubt(context, doubt, async () => {
    const links = await readLinks(context, Number(body[resource.parent]));
    const same = links?.get(Number(body[resource.child])) ?? [];
    if (step.purpose === 'delete') return same.length > 0 ? 'no' : DONE;
    if (links === null) return null;
    if (step.purpose === 'create') {
      if (same.some((link) => holds(resource, link, body))) return DONE;
      if (same.length > 0) onOther();
      // One that holds something else may be what the service made of it, or somebody else's.
      if (same.length > 0 && doubt.last === true) return null;
      return 'no';
    }
    return same.length > 0 && same.every((link) => holds(resource, link, body)) ? DONE : 'no';
  });
}

const LINKED_THE_SAME = t(
  'someone else linked it after the plan was made',
  'iemand anders heeft het gekoppeld nadat het plan gemaakt was',
);

const LINKED_SINCE = toDecide(
  t('linked on the service after it was read', 'in het systeem gekoppeld nadat het gelezen was'),
);
