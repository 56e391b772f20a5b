import type { Context } from '../../run/context.ts';
import type { LinkResource } from '../../schema/resource.ts';
import { sameValue } from '../catalogue/existing.ts';
import type { Doubt, Verdict } from '../kind.ts';
import { type LinkValues, ownFields, readLinks } from './links.ts';

/** It took effect; a link has no id that a list would tell. */
const DONE: Verdict = { id: null };

/** Whether a request took effect, told by the parent's list. */
export async function tookEffect(context: Context, resource: LinkResource, doubt: Doubt): Promise<Verdict> {
  const { planned, step, body } = doubt;
  try {
    const links = await readLinks(context, resource, Number(body[resource.parent]));
    const same = links?.get(Number(body[resource.child])) ?? [];
    if (step.purpose === 'delete') return same.length === 0 ? DONE : 'no';
    if (links === null) return null;
    if (step.purpose === 'create') return same.length > 0 ? DONE : 'no';
    return same.length > 0 && same.every((link) => holds(resource, link, body)) ? DONE : 'no';
  } catch (error) {
    context.log.warn(
      { resource: resource.name, row: planned.row, error: String(error) },
      'cannot tell whether it took effect',
    );
    return null;
  }
}

function holds(resource: LinkResource, link: LinkValues, body: Doubt['body']): boolean {
  return ownFields(resource).every((field) => {
    const sent = body[field];
    return sent === undefined || sameValue(link[field], sent);
  });
}
