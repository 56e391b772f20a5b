import type { Context } from '../../run/context.ts';
import type { LinkResource } from '../../schema/resource.ts';
import { type Links, readLinks } from './links.ts';

/** The lists of parents, each asked for once however many rows need it. */
export interface ParentLists {
  /** Null when the service has no such parent. */
  of(parent: number): Promise<Links | null>;
  /** When the oldest list was read, ISO in UTC; null when none was. */
  readAt(): string | null;
}

/** A list older than `maxAge` (ms) is read anew. */
export function createParentLists(
  context: Context,
  resource: LinkResource,
  maxAge = Number.POSITIVE_INFINITY,
): ParentLists {
  const lists = new Map<number, { readonly at: number; readonly links: Promise<Links | null> }>();
  let first: number | null = null;
  const read = (parent: number, at: number): Promise<Links | null> => {
    first ??= at;
    const links = readLinks(context, resource, parent);
    lists.set(parent, { at, links });
    // A list that could not be read is no list: the next row asks again.
    links.catch(() => lists.delete(parent));
    return links;
  };
  return {
    readAt: () => (first === null ? null : new Date(first).toISOString()),
    async of(parent) {
      const now = context.clock().getTime();
      const known = lists.get(parent);
      return await (known === undefined || now - known.at > maxAge ? read(parent, now) : known.links);
    },
  };
}
