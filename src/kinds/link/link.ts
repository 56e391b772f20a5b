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
import { issueOfLack, type MappedRow } from '../../records/mapped-row.ts';
import {
  type FoundRecord,
  needsRecord,
  planRecords,
  type RecordMatching,
} from '../../records/plan-records.ts';
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
import { saidBy } from '../../records/said-fields.ts';
import type { ReadAgain } from '../../records/stale-reads.ts';
import { type HeldValues, withoutUntouched } from '../../records/three-way.ts';
import type { LinkResource } from '../../schema/resource.ts';
import { foundBy, type Kind } from '../kind.ts';
import { linkLister } from './link-list.ts';
import { createSample, MAX_AGE } from './link-sample.ts';
import { undoLink } from './link-undo.ts';
import { countDeletes, unlessTwice } from './linked-twice.ts';
import {
  contentOf,
  createParentLists,
  createParents,
  endOf,
  freeLink,
  holds,
  type LinkContext,
  type LinkParent,
  type Links,
  type LinkValues,
  linkDoubles,
  linkedBefore,
  movedText,
  oneOfSeveral,
  ownFields,
  type ParentLists,
  readLink,
  readLinks,
  refuseParent,
  stateOf,
} from './links.ts';
import { createNewLinkWatch } from './new-link-watch.ts';

/** What is linked to parent records: found in the parent's list, read once a parent. */
export const link: Kind<LinkResource> = {
  plan(context) {
    const lists = createParentLists(context);
    plannedAt.set(context.service, context.time.steady());
    return planRecords(
      context,
      () => NOTHING_READ,
      (setup) => matchingFor(setup, context, lists),
      linkDoubles(context),
    );
  },
  foundAgain: ({ parent, child }) => foundBy(`${parent} and ${child}`, `${parent} en ${child}`),
  guard: linkGuard,
  compared: true,
  lister: linkLister,
  doubles: linkDoubles,
  undo: undoLink,
};

/** When a session began to plan links, by what no clock moves: it need not read all parents again at once. */
const plannedAt = new WeakMap<object, number>();

type Row = MappedRow<LinkResource>;

/** What was found of a row's link: its parent, with all that is linked to it. */
interface FoundLink extends FoundRecord {
  readonly parent: LinkParent | null;
  /** Rows beside it, and itself, that delete the pair. */
  readonly deleting: number;
}

/** Rows are compared with their parents' lists; a sheet may hold several links of one pair. */
function matchingFor(
  { base, rules, references }: PlannerSetup,
  context: LinkContext,
  lists: ParentLists,
): RecordMatching<LinkResource, FoundLink> {
  const { resource } = context;
  const parentOf = createParents(resource, lists, references);
  return {
    window: WINDOW,
    async find(rows) {
      const parents = await Promise.all(rows.map((row) => (needsRecord(row, base) ? parentOf(row) : null)));
      const keys = rows.map((row, at) => (parents[at] ? linkKey(row, parents[at]) : null));
      const deletes = countDeletes(rows, keys);
      const found = await Promise.all(
        parents.map(async (parent, at) => ({
          parent,
          deleting: deletes.get(keys[at] ?? '') ?? 0,
          existing: parent === null ? null : linkIn(rows[at] as Row, parent),
        })),
      );
      const again: ReadAgain<FoundLink> = {
        keyOf: (at) => (found[at]?.parent ? linkKey(rows[at] as Row, found[at].parent) : null),
        states: ({ parent }, at) =>
          parent === null ? [] : linksIn(rows[at] as Row, parent).map(stateOf(resource)),
        async read(at) {
          const was = found[at] as FoundLink;
          if (typeof was.parent !== 'object' || was.parent === null || !('links' in was.parent)) return was;
          const parent = { ...was.parent, links: await lists.anew(was.parent.id) };
          return { ...was, parent, existing: linkIn(rows[at] as Row, parent) };
        },
      };
      return { found, createOnce: (planned) => linkedBefore(context, planned), again };
    },
    key: (row, { parent }) => (parent === null ? null : linkKey(row, parent)),
    named: () => resource.child,
    idsOf: ({ parent }) =>
      typeof parent === 'object' && parent !== null && 'links' in parent
        ? { [resource.parent]: parent.id }
        : {},
    atOnce(row, { found: { parent }, key, existing }) {
      const were = key === null ? [] : base.all(resource.name, key);
      if (parent === null || !isReadable(row, were)) return planUnread(row);
      const held = oneOfSeveral(row, linksThen(row, parent, were));
      return held && placeDecision(held, { action: 'unchanged' }, { key, lmt: existing?.lmt ?? null });
    },
    decide(row, { found: { parent, deleting }, key, existing }) {
      if (parent === null) return planUnread(row);
      const decision = stopsRow(row.issues)
        ? INVALID
        : unlessTwice(row, decide(row, parent, existing, rules), {
            links: linksIn(row, parent),
            existing,
            deleting,
          });
      return placeDecision(row, decision, { key, lmt: existing?.lmt ?? null, said: saidBy(row) });
    },
  };
}

/** The links that a row may be about: as the workbook had them, else as the service holds them. */
function linksThen(row: Row, parent: LinkParent, were: readonly HeldValues[]): readonly HeldValues[] {
  return were.length > 0 ? were : linksIn(row, parent).map((values) => ({ values }));
}

/** Whether all that can't be read in a row is as the workbook was written. */
const isReadable = (row: Row, were: readonly HeldValues[]): boolean =>
  !stopsRow(row.issues) || were.some((was) => !stopsRow(withoutUntouched(row, was).issues));

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

function linksIn(row: Row, parent: LinkParent): readonly LinkValues[] {
  const child = childOf(row);
  return child === null ? [] : (linksOf(parent)?.get(child) ?? []);
}

const linksOf = (parent: LinkParent | null): Links | null =>
  parent !== null && typeof parent === 'object' && 'links' in parent ? parent.links : null;

/** The link that a row is about, as the service holds it: of several, one that the row would change. */
function linkIn(row: Row, parent: LinkParent): ExistingRecord | null {
  const links = linksIn(row, parent);
  const values = links.find((link) => linkChanges(row, { values: link }).length > 0) ?? links[0];
  return values === undefined ? null : stateOf(row.mapping.resource)(values, 0, links);
}

/** A row that is compared with no link: skipped, or with cells that can't be read. */
function planUnread(row: Row): UnplacedRow {
  return placeDecision(row, row.action === 'skip' && !stopsRow(row.issues) ? SKIPPED : INVALID);
}

type Body = Record<string, Value | RecordReference>;

function decide(
  row: Row,
  parent: LinkParent,
  existing: ExistingRecord | null,
  rules: PlanRules,
): RowDecision {
  const { resource } = row.mapping;
  const { requests } = resource;
  const refused = row.action === 'delete' ? refuseDelete(row, rules, null) : null;
  if (refused !== null) return refused;
  const end = endOf(parent);
  if (end === null) return refuseParent(row, parent);
  const child = childOf(row);
  if (child === null) return refuseField(row, resource.child, 'key-missing', resource.child);
  const ends: Body = { [resource.parent]: end, [resource.child]: child };
  const needs = typeof parent === 'object' && 'need' in parent ? [parent.need] : [];
  if (row.action === 'delete') {
    // Both ids are in the row: the service itself tells whether there is anything to take away.
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
  const changes = linkChanges(row, existing);
  if (changes.length === 0) return { action: 'unchanged' };
  const body = { ...ends, ...changedValues(changes) };
  const steps: Step[] = [{ purpose: 'update', endpoint: requests.update.name, body }];
  return { action: 'update', changes, needs, steps };
}

/** The link request, then what only an update takes. What the row lacks becomes an issue. */
function linkSteps(row: Row, ends: Body): Step[] {
  const { requests } = row.mapping.resource;
  const { body, later, lacks } = createdValues(row, ownFields(row.mapping.resource));
  for (const name of lacks) row.issues.push(issueOfLack(row, name, REQUIRED));
  const link: Step = { purpose: 'create', endpoint: requests.create.name, body: { ...ends, ...body } };
  if (Object.keys(later).length === 0) return [link];
  return [link, { purpose: 'update', endpoint: requests.update.name, body: { ...ends, ...later } }];
}

const REQUIRED = t('required for a new row', 'verplicht bij een nieuwe rij');

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
  const mayChange = createSample(context.time, plannedAt.get(context.service) ?? Number.NEGATIVE_INFINITY);
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
