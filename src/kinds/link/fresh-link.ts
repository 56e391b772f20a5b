import type { Values } from '../../core/value.ts';
import type { Context } from '../../run/context.ts';
import type { LinkResource } from '../../schema/resource.ts';
import { RequestError } from '../../service/request-error.ts';
import type { Done } from '../kind.ts';
import { ownFields, readLinks } from './links.ts';

/** The fact in the ledger that tells what the service puts into a new link to a record. */
const factName = ({ name }: LinkResource, child: number): string => `a new link of ${name} to ${child}`;

/** What a service puts into a new link to this record where its create does not say it, as far as that is known. */
export async function findFreshLink(
  { ledger, serviceKey }: Context,
  resource: LinkResource,
  child: number,
): Promise<Values> {
  const known = await ledger.findFact(serviceKey, factName(resource, child));
  return known === undefined ? {} : (JSON.parse(known) as Values);
}

/**
 * Looks at the first link to each record that is made without all of its fields: some services describe it by the record.
 * An undo knows by it what others filled in since.
 */
export function createFreshLinkWatch(
  context: Context,
  resource: LinkResource,
): (done: Done) => Promise<void> {
  const asked = new Map<number, Promise<void>>();
  const look = async ({ body }: Done, child: number, unsent: readonly string[]): Promise<void> => {
    const known = await findFreshLink(context, resource, child);
    if (unsent.every((field) => known[field] !== undefined)) return;
    try {
      const links = await readLinks(context, resource, Number(body[resource.parent]));
      const [link, ...others] = links?.get(child) ?? [];
      if (link === undefined || others.length > 0) return;
      const fresh = Object.fromEntries(unsent.map((field) => [field, link[field] ?? null]));
      const now = JSON.stringify({ ...known, ...fresh });
      await context.ledger.rememberFact(context.serviceKey, factName(resource, child), now);
    } catch (error) {
      // Only an undo is the poorer for it; the next run looks again.
      if (!(error instanceof RequestError)) throw error;
      context.log.warn({ resource: resource.name, error: error.reason }, 'a new link could not be read');
    }
  };
  return async (done) => {
    const child = done.body[resource.child];
    if (done.step.purpose !== 'create' || typeof child !== 'number') return;
    const sent = new Set(done.planned.steps.flatMap(({ body }) => Object.keys(body)));
    const unsent = ownFields(resource).filter((field) => !sent.has(field));
    if (unsent.length === 0) return;
    const looking = asked.get(child) ?? look(done, child, unsent);
    asked.set(child, looking);
    await looking;
  };
}
