import type { PlannedRow } from '../../core/plan.ts';
import type { LinkResource } from '../../schema/resource.ts';
import { KEYLESS } from '../keyless.ts';
import type { RowGuard, SenderSetup } from '../kind.ts';
import { gone, type Moved } from '../moved.ts';
import { createFreshLinkWatch } from './fresh-link.ts';
import { freeLink } from './linked-before.ts';
import { contentOf, type LinkValues } from './links.ts';
import { createParentLists } from './parent-lists.ts';
import { tookEffect } from './settle.ts';
import { changedText, linkedText } from './texts.ts';

/** How old what was read may be before it is read anew, ms: the window in which a change goes unseen. */
const MAX_AGE = 10_000;

/** Guards links, which have no LMT, by what they held when they were read; settles lost answers by the parent's list. */
export function linkGuard({ context, summary }: SenderSetup, resource: LinkResource): RowGuard {
  const lists = createParentLists(context, resource, MAX_AGE);
  const plannedAt = summary.readAt == null ? Number.NEGATIVE_INFINITY : Date.parse(summary.readAt);
  const own = new Set<string>();
  const watchFresh = createFreshLinkWatch(context, resource);
  return {
    async check(planned) {
      if (planned.key === null || own.has(planned.key)) return null;
      if (context.clock().getTime() - plannedAt <= MAX_AGE) return null;
      const { parent, child } = endsOf(resource, planned);
      // One that this run creates has nothing linked to it yet.
      if (parent === null || child === null) return null;
      const links = await lists.of(parent);
      return links === null ? gone() : moved(planned, links.get(child) ?? []);
    },
    async wrote(done) {
      const { planned, step, body } = done;
      if (planned.key !== null) own.add(planned.key);
      const key = `${body[resource.parent]}:${body[resource.child]}`;
      if (step.purpose === 'delete') await freeLink(context, resource, key);
      await watchFresh(done);
    },
    tookEffect: (doubt) => tookEffect(context, resource, doubt),
    keys: KEYLESS,
    notes: () => [],
  };
}

const NONE = contentOf([]);

function moved({ action, lmt }: PlannedRow, links: readonly LinkValues[]): Moved | null {
  const now = contentOf(links);
  if (action === 'create') return now === NONE ? null : { message: linkedText() };
  if (lmt === null || lmt === now) return null;
  return now === NONE
    ? gone()
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
