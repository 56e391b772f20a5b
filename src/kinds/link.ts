import { stopsRow } from '../core/issue.ts';
import { t } from '../core/language.ts';
import type { FieldChange, PlannedRow, RecordReference, Step } from '../core/plan.ts';
import type { Value, Values } from '../core/value.ts';
import { changesTo, type ExistingRecord, holdsSent, plainValues } from '../records/existing-record.ts';
import type { MappedRow } from '../records/mapped-row.ts';
import { withoutUntouched } from '../records/plan-on-baseline.ts';
import {
  ALREADY_GONE,
  type FoundRecord,
  INVALID,
  NOTHING_READ,
  needsRecord,
  type PlannerSetup,
  type PlanRules,
  placeDecision,
  type RecordMatching,
  type RowDecision,
  type RowRecord,
  refuseDelete,
  refuseField,
  SKIPPED,
  saidBy,
  type UnplacedRow,
} from '../records/planning.ts';
import { stepsOfCreates } from '../records/record-requests.ts';
import {
  changedConflict,
  type EffectVerdict,
  type GuardSetup,
  madeConflict,
  type RecordConflict,
  type RowGuard,
  type SendDoubt,
  type SentStep,
} from '../records/row-guard.ts';
import {
  cannot,
  findNewValues,
  NO_ID,
  type RecordHistory,
  restoringRow,
  type UndoneRecord,
  type UndoTools,
  undoneRow,
} from '../records/undo.ts';
import type { LinkResource } from '../schema/resource.ts';
import { foundBy, type Kind } from './kind.ts';
import {
  createParentLists,
  freeLink,
  type LinkContext,
  linkDoubles,
  linkedBefore,
  ownFields,
  parentColumn,
  readLinks,
  stateOf,
} from './links.ts';
import { createParents, type RowParent, refuseParent } from './row-parent.ts';

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
  doubles: linkDoubles,
  undo: undoLink,
};

type Row = MappedRow<LinkResource>;

/** What was found of a row's link. */
interface FoundLink extends FoundRecord {
  /** Null for a row that asks for nothing. */
  readonly parent: RowParent | null;
  /** The links of its pair: more than one where it was linked again. */
  readonly links: readonly Values[];
  /** The service has its parent, or the run makes it. */
  readonly isThere: boolean;
}

/** A row that would link. */
interface Creation {
  readonly planned: UnplacedRow;
  readonly row: Row;
}

const NO_LINK: FoundLink = { parent: null, links: [], isThere: false, existing: null };

/** Rows are compared with their parents' lists; a sheet may hold several links of one pair. */
function matchingFor(
  { base, rules, references }: PlannerSetup,
  context: LinkContext,
  lists: ReturnType<typeof createParentLists>,
): RecordMatching {
  const { resource } = context;
  const parentOf = createParents(resource, { field: resource.parent, day: dayField(resource) }, references);
  const foundIn = (row: Row, parent: RowParent, all: Awaited<ReturnType<typeof lists>>): FoundLink => {
    const links = all?.get(childOf(row) ?? Number.NaN) ?? [];
    const existing = links[0] === undefined ? null : stateOf(resource, links[0], links);
    const ids = all === null ? {} : { [resource.parent]: idOf(parent) };
    return { parent, links, isThere: all !== null || 'reference' in parent, existing, ids };
  };
  const find = async (row: Row): Promise<FoundLink> => {
    if (!needsRecord(row, base)) return NO_LINK;
    const parent = await parentOf(row);
    return foundIn(row, parent, 'id' in parent ? await lists(parent.id, Number.NEGATIVE_INFINITY) : null);
  };
  const decideOn = (row: Row, { found, key, existing }: RowRecord & { readonly found: FoundLink }) => {
    const about = { key, lmt: existing?.lmt ?? null };
    const several = found.links.length > 1;
    // Several links of a pair are several records, of which rows may say different things.
    for (const values of several && row.action === 'auto' ? found.links : []) {
      const held = withoutUntouched(row, { values });
      if (!stopsRow(held.issues) && linkChanges(held, { values }).length === 0)
        return placeDecision(held, { action: 'unchanged' }, about);
    }
    const decision = stopsRow(row.issues) ? INVALID : decide(row, found, existing, rules);
    return placeDecision(row, decision, { ...about, said: several ? '' : saidBy(row) });
  };
  return {
    async find(rows: readonly Row[]) {
      const found = await Promise.all(rows.map(find));
      const again = async (at: number): Promise<FoundLink> => {
        const { parent } = found[at] as FoundLink;
        return foundIn(rows[at] as Row, parent as RowParent, await lists(idOf(parent) ?? 0));
      };
      const keyOf = (at: number) =>
        idOf(found[at]?.parent) === null ? null : linkKey(rows[at] as Row, found[at]);
      const once = async ({ planned, row }: Creation) => {
        let now = NO_LINK;
        const isShown = async () => {
          now = await again(rows.indexOf(row));
          return now.existing !== null;
        };
        const { key } = planned;
        return (
          (await linkedBefore(context, planned, isShown)) ??
          decideOn(row, { found: now, key, existing: now.existing })
        );
      };
      const createOnce = (creations: readonly Creation[]) => Promise.all(creations.map(once));
      return { found, createOnce, keyOf, again };
    },
    key: (row: Row, found: FoundLink) => linkKey(row, found),
    decide: decideOn,
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
function linkKey(row: Row, { parent }: FoundLink = NO_LINK): string | null {
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
  if (existing === null && row.action !== 'delete') {
    if (row.action === 'update') return refuseField(row, resource.child, 'record-missing', resource.sheet);
    const { steps, issues } = stepsOfCreates(resource, ownFields(resource), rules.dialect)(row, [ends, ends]);
    row.issues.push(...issues);
    return stopsRow(row.issues) ? INVALID : { action: 'create', needs, steps };
  }
  if (row.action === 'create') return { action: 'conflict', message: LINKED };
  const isDelete = row.action === 'delete';
  const changes = existing === null || isDelete ? [] : linkChanges(row, existing);
  // The request names the pair alone (interface 4.5), and would hit them all.
  if (links.length > 1 && (isDelete || changes.length > 0))
    return refuseField(row, resource.child, 'linked-twice', String(links.length));
  if (existing === null) return ALREADY_GONE;
  if (!isDelete && changes.length === 0) return { action: 'unchanged' };
  const action = isDelete ? 'delete' : 'update';
  const { name: endpoint } = isDelete ? requests.remove : requests.update;
  const values = isDelete ? { DEL: true } : Object.fromEntries(changes.map(({ field, to }) => [field, to]));
  return { action, changes, needs, steps: [{ purpose: action, endpoint, body: { ...ends, ...values } }] };
}

const linkChanges = (row: Row, link: Pick<ExistingRecord, 'values' | 'applied'>): FieldChange[] =>
  changesTo({ external: null, ...link }, row, ownFields(row.mapping.resource));

const LINKED = t(
  '#action says create, but it is linked already',
  '#action zegt create, maar het is al gekoppeld',
);

/** How old a list may be before it is read anew, ms: so long a change may go unseen. */
const MAX_AGE = 10_000;

/** Guards links by what they held, as they have no LMT; settles lost answers by the parent's list. */
function linkGuard(context: GuardSetup<LinkResource>): RowGuard {
  const { resource, time } = context;
  const readAt = context.summary.readAt ?? Number.NEGATIVE_INFINITY;
  const lists = createParentLists(context);
  const own = new Set<string>();
  const keyOf = ({ body }: { readonly body: Step['body'] }): string =>
    `${body[resource.parent]}:${body[resource.child]}`;
  const linksOf = async (body: Values, read: (parent: number) => ReturnType<typeof lists> = lists) =>
    (await read(Number(body[resource.parent])))?.get(Number(body[resource.child])) ?? [];
  return {
    async check(row, inDoubt = false, anew = inDoubt) {
      if (row.key === null || own.has(row.key)) return null;
      const [parent, child] = [resource.parent, resource.child].map((end) => row.steps[0]?.body[end]);
      // One that this run creates has nothing linked to it yet.
      if (typeof parent !== 'number' || typeof child !== 'number') return null;
      const recent = time.steady() - MAX_AGE;
      if (!anew && readAt >= recent) return null;
      const now = await lists(parent, anew ? undefined : recent);
      return conflictWith(context, row, now && (now.get(child) ?? []), inDoubt);
    },
    async wrote({ planned, step, body }) {
      if (planned.key !== null) own.add(planned.key);
      if (step.purpose === 'delete') await freeLink(context, keyOf({ body }));
    },
    keyOf,
    // Which of several is meant nothing tells.
    async readNow({ body }) {
      const [link, ...more] = await linksOf(body);
      return link === undefined || more.length > 0 ? null : link;
    },
    async readBack(sent) {
      const read = async (parent: number) =>
        [...((await lists(parent)) ?? [])].flatMap(([child, [values, ...more]]) =>
          more.length > 0 || !values ? [] : { key: `${parent}:${child}`, id: null, lmt: null, values },
        );
      // Each event takes a request: where the first hold what they were sent, the others need none, but for
      // what a service puts in new links: it differs by what they link.
      const parentOf = ({ body }: SentStep): number => Number(body[resource.parent]);
      const parents = [...new Set(sent.map(parentOf))];
      const first = new Set([
        ...parents.slice(0, SAMPLE),
        ...(await firstOfEach(context, sent)).map(parentOf),
      ]);
      const links = (await Promise.all([...first].map(read))).flat();
      const held = new Map(links.map(({ key, values }) => [key, values]));
      const isAsSent = sent.every(({ body }) => {
        const link = held.get(keyOf({ body }));
        return link === undefined || holdsSent(resource, { values: link }, body);
      });
      const others = isAsSent ? [] : parents.filter((parent) => !first.has(parent));
      return [...links, ...(await Promise.all(others.map(read))).flat()];
    },
    tookEffect: (doubt) => tookEffect(context, doubt),
  };
}

/** So many events are read back first. */
const SAMPLE = 2;

/** The first new link to each record of which it is not known what the service puts in its links. */
async function firstOfEach(context: LinkContext, sent: readonly SentStep[]): Promise<SentStep[]> {
  const { resource } = context;
  const made = sent.filter(({ step }) => step.purpose === 'create').toReversed();
  const firsts = [...new Map(made.map((one) => [one.body[resource.child], one])).values()];
  const known = await Promise.all(firsts.map(({ body }) => findNewValues(context, resource, body)));
  return firsts.filter(({ planned: { steps } }, at) => {
    const isTold = (name: string) => name in (known[at] ?? {}) || steps.some(({ body }) => name in body);
    return !ownFields(resource).every(isTold);
  });
}

/** What speaks against a row, by the links of its pair; null for those of a parent that is gone. */
function conflictWith(
  { resource }: LinkContext,
  row: PlannedRow,
  links: readonly Values[] | null,
  inDoubt: boolean,
): RecordConflict | null {
  const [first] = links ?? [];
  const there = first === undefined ? null : stateOf(resource, first, links ?? []);
  if (row.action !== 'create' || links === null) return changedConflict(resource, row, there, { inDoubt });
  // One that is as the row says is enough.
  const asSaid = (link: Values): boolean =>
    row.steps.every(({ body }) => holdsSent(resource, { values: link }, body));
  return there && madeConflict(row, there, () => links.some(asSaid));
}

/** A link has no id. */
const DONE: EffectVerdict = { id: null };

async function tookEffect(context: LinkContext, doubt: SendDoubt): Promise<EffectVerdict> {
  const { resource } = context;
  const { step, body, last } = doubt;
  const links = await readLinks(context, Number(body[resource.parent]));
  const same = links?.get(Number(body[resource.child])) ?? [];
  if (step.purpose === 'delete') return same.length > 0 ? 'no' : DONE;
  if (links === null) return null;
  const asSent = same.filter((link) => holdsSent(resource, { values: link }, body));
  if (step.purpose === 'update') return same.length > 0 && asSent.length === same.length ? DONE : 'no';
  if (asSent.length > 0) return DONE;
  // One that holds something else may be what the service made of it, or somebody else's.
  return same.length > 0 && last === true ? null : 'no';
}

/** Takes back what a run did to a link: unlinks, links again, or restores the old values. */
export async function undoLink(
  resource: LinkResource,
  { sent, label, last, existed, before, changes }: RecordHistory,
  { findId, restore, newValues }: UndoTools,
): Promise<UndoneRecord> {
  const [parent, child] = await Promise.all(
    [resource.parent, resource.child].map((end) => findId(sent[end] ?? null)),
  );
  if (parent == null || child == null) return cannot(NO_ID);
  const header = resource.named?.find(({ id }) => id === resource.child)?.header;
  const named = header === undefined || label === null ? {} : { [header]: label };
  const ends = { [resource.parent]: parent, [resource.child]: child, ...named };
  const key = `${parent}:${child}`;
  const own = ownFields(resource);
  // As the plan of the first row on it tells it.
  const [held] = before === null ? [] : (JSON.parse(before) as readonly Values[]);
  const now = plainValues(sent);
  if (last === 'deleted') {
    if (held === undefined) return cannot(LINK_LOST);
    const lost = own.flatMap((field) =>
      held[field] == null ? [] : [{ field, from: held[field], to: null }],
    );
    const { cells, was: values, left } = restore(resource, lost);
    // The base says that nothing is linked: what someone else linked since is a conflict.
    return undoneRow(resource, { ...ends, ...cells }, { key, values }, left);
  }
  if (last === 'made' && !existed) {
    // Someone else may have filled in what was not sent.
    const known = { ...(await newValues(resource, { [resource.child]: child })), ...now };
    const values = Object.fromEntries(own.map((field) => [field, known[field] ?? null]));
    return undoneRow(resource, { '#action': 'delete', ...ends }, { key, values });
  }
  // Of a link that was made once more, what it holds other than before.
  const made = own.map((field) => ({ field, from: held?.[field] ?? null, to: now[field] ?? null }));
  const became = last === 'made' ? made : changes.values();
  return restoringRow(resource, ends, { key, values: {} }, became, restore);
}

const LINK_LOST = t('what the link held before is not known', 'wat er in de koppeling stond is niet bekend');
