import type { PlannedRow } from '../../../schema/plan.ts';
import type { LinkResource } from '../../../schema/resource.ts';
import type { Bilingual } from '../../../schema/value.ts';
import { goneText } from '../catalogue/freshness.ts';
import { KEYLESS } from '../keyless.ts';
import type { RowGuard, SenderSetup } from '../kind.ts';
import { freeLink } from './linked-before.ts';
import { contentOf } from './links.ts';
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
  return {
    async check(planned) {
      if (planned.key === null || own.has(planned.key)) return null;
      if (context.clock().getTime() - plannedAt <= MAX_AGE) return null;
      const { parent, child } = endsOf(resource, planned);
      // One that this run creates has nothing linked to it yet.
      if (parent === null || child === null) return null;
      const links = await lists.of(parent);
      return links === null ? goneText() : moved(planned, contentOf(links.get(child) ?? []));
    },
    async wrote({ planned, step, body }) {
      if (planned.key !== null) own.add(planned.key);
      const key = `${body[resource.parent]}:${body[resource.child]}`;
      if (step.purpose === 'delete') await freeLink(context, resource, key);
    },
    tookEffect: (doubt) => tookEffect(context, resource, doubt),
    keys: KEYLESS,
    notes: () => [],
  };
}

const NONE = contentOf([]);

function moved(planned: PlannedRow, now: string): Bilingual | null {
  if (planned.action === 'create') return now === NONE ? null : linkedText();
  if (planned.lmt === null || planned.lmt === now) return null;
  return now === NONE ? goneText() : changedText(planned.lmt, now);
}

function endsOf(resource: LinkResource, { steps }: PlannedRow) {
  const parent = steps[0]?.body[resource.parent];
  const child = steps[0]?.body[resource.child];
  return {
    parent: typeof parent === 'number' ? parent : null,
    child: typeof child === 'number' ? child : null,
  };
}
