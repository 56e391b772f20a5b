import { type Bilingual, t } from '../../core/language.ts';
import type { PlannedRow } from '../../core/plan.ts';
import type { Values } from '../../core/value.ts';
import { askedOnce } from '../../records/asked-once.ts';
import { settleDoubt } from '../../records/doubts.ts';
import { sameValue } from '../../records/existing-record.ts';
import { goneConflict, type RecordConflict } from '../../records/freshness.ts';
import {
  type EffectVerdict,
  type GuardSetup,
  type RowGuard,
  type SendDoubt,
  type SentStep,
  UNGUARDED,
} from '../../records/row-guard.ts';
import { learnNewValues } from '../../records/undo.ts';
import type { Context } from '../../run/context.ts';
import type { LinkResource } from '../../schema/resource.ts';
import { freeLink } from './linked-before.ts';
import { contentOf, createParentLists, type LinkValues, ownFields, readLinks } from './links.ts';

/** How old a list may be before it is read anew, ms: so long a change may go unseen. */
const MAX_AGE = 10_000;

/** Guards links by what they held, as they have no LMT; settles lost answers by the parent's list. */
export function linkGuard({ context, summary }: GuardSetup, resource: LinkResource): RowGuard {
  const lists = createParentLists(context, resource, MAX_AGE);
  const plannedAt = summary.readAt == null ? Number.NEGATIVE_INFINITY : Date.parse(summary.readAt);
  const own = new Set<string>();
  const watchNew = createNewLinkWatch(context, resource);
  return {
    ...UNGUARDED,
    async check(planned) {
      if (planned.key === null || own.has(planned.key)) return null;
      if (context.clock().getTime() - plannedAt <= MAX_AGE) return null;
      const { parent, child } = endsOf(resource, planned);
      // One that this run creates has nothing linked to it yet.
      if (parent === null || child === null) return null;
      const links = await lists.of(parent);
      return links === null ? goneConflict() : conflictWith(planned, links.get(child) ?? []);
    },
    async wrote(done) {
      const { planned, step, body } = done;
      if (planned.key !== null) own.add(planned.key);
      const key = `${body[resource.parent]}:${body[resource.child]}`;
      if (step.purpose === 'delete') await freeLink(context, resource, key);
      await watchNew(done);
    },
    tookEffect: (doubt) => tookEffect(context, resource, doubt),
  };
}

const NONE = contentOf([]);

function conflictWith({ action, lmt }: PlannedRow, links: readonly LinkValues[]): RecordConflict | null {
  const now = contentOf(links);
  if (action === 'create') return now === NONE ? null : { message: linkedText() };
  if (lmt === null || lmt === now) return null;
  return now === NONE
    ? goneConflict()
    : { message: changedText(lmt, now), ...(links[0] === undefined ? {} : { now: links[0] }) };
}

function endsOf(resource: LinkResource, { steps }: PlannedRow) {
  const parent = steps[0]?.body[resource.parent];
  const child = steps[0]?.body[resource.child];
  return {
    parent: typeof parent === 'number' ? parent : null,
    child: typeof child === 'number' ? child : null,
  };
}

/** A link has no id. */
const DONE: EffectVerdict = { id: null };

/** Whether a request took effect, told by the parent's list. */
async function tookEffect(
  context: Context,
  resource: LinkResource,
  doubt: SendDoubt,
): Promise<EffectVerdict> {
  const { step, body } = doubt;
  return await settleDoubt(context, resource, doubt, async () => {
    const links = await readLinks(context, resource, Number(body[resource.parent]));
    const same = links?.get(Number(body[resource.child])) ?? [];
    if (step.purpose === 'delete') return same.length === 0 ? DONE : 'no';
    if (links === null) return null;
    if (step.purpose === 'create') return same.length > 0 ? DONE : 'no';
    return same.length > 0 && same.every((link) => holds(resource, link, body)) ? DONE : 'no';
  });
}

function holds(resource: LinkResource, link: LinkValues, body: SendDoubt['body']): boolean {
  return ownFields(resource).every((field) => {
    const sent = body[field];
    return sent === undefined || sameValue(link[field], sent);
  });
}

/** The fact in the ledger that tells what the service puts into a new link to a record. */
export const newLinkTo = ({ name }: LinkResource, child: number): string =>
  `a new link of ${name} to ${child}`;

/** Looks at the first new link to each record: some services fill in fields from the record. */
function createNewLinkWatch(context: Context, resource: LinkResource): (sent: SentStep) => Promise<void> {
  const look = askedOnce(async (child: number, { body }: SentStep, unsent: readonly string[]) => {
    const isKnown = (known: Values): boolean => unsent.every((field) => known[field] !== undefined);
    await learnNewValues(context, newLinkTo(resource, child), isKnown, async () => {
      const links = await readLinks(context, resource, Number(body[resource.parent]));
      const [link, ...others] = links?.get(child) ?? [];
      if (link === undefined || others.length > 0) return null;
      return Object.fromEntries(unsent.map((field) => [field, link[field] ?? null]));
    });
  });
  return async (done) => {
    const child = done.body[resource.child];
    if (done.step.purpose !== 'create' || typeof child !== 'number') return;
    const sent = new Set(done.planned.steps.flatMap(({ body }) => Object.keys(body)));
    const unsent = ownFields(resource).filter((field) => !sent.has(field));
    if (unsent.length > 0) await look(child, done, unsent);
  };
}

/** Someone else changed the link meanwhile; both are what it held, as `contentOf` tells it. */
function changedText(then: string, now: string): Bilingual {
  const [before = {}, after = {}] = [then, now].map((content) => (JSON.parse(content) as LinkValues[])[0]);
  const fields = Object.keys(after).filter((field) => before[field] !== after[field]);
  const say = (was: string, is: string): string =>
    fields.map((field) => `${field} ${was} ${before[field] ?? '-'}, ${is} ${after[field] ?? '-'}`).join('; ');
  return t(
    `changed on the service after it was read (${say('was', 'is')}); import again with --dry-run to see the difference: what you both changed waits for --on-conflict mine or theirs`,
    `gewijzigd op de dienst nadat het gelezen was (${say('was', 'is')}); importeer opnieuw met --dry-run om het verschil te zien: wat jullie allebei wijzigden wacht op --on-conflict mine of theirs`,
  );
}

/** Someone else linked it meanwhile. */
const linkedText = (): Bilingual =>
  t(
    'linked on the service after it was read; import again with --dry-run to see the difference: what you both changed waits for --on-conflict mine or theirs',
    'op de dienst gekoppeld nadat het gelezen was; importeer opnieuw met --dry-run om het verschil te zien: wat jullie allebei wijzigden wacht op --on-conflict mine of theirs',
  );
