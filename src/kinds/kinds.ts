import type { ContextOf } from '../records/planning.ts';
import type { RecordFinder } from '../records/references.ts';
import type { Resource } from '../schema/resource.ts';
import { catalogue } from './catalogue.ts';
import { document } from './document.ts';
import { download } from './download.ts';
import { event } from './event.ts';
import type { Kind } from './kind.ts';
import { link } from './link.ts';
import { refresh } from './refresh.ts';
import { count } from './stock/count.ts';
import { mutation } from './stock/mutation.ts';
import { trip } from './trip.ts';

const KINDS: { readonly [K in Resource['kind']]: Kind<Extract<Resource, { kind: K }>> } = {
  catalogue,
  count,
  document,
  download,
  refresh,
  link,
  event,
  posting: mutation,
  trip,
};

/** How the rows of a resource are planned and sent. */
export function kindOf<R extends Resource>(resource: R): Kind<R> {
  return KINDS[resource.kind] as unknown as Kind<R>;
}

/** Finds the records of a resource that others refer to; undefined where none do. */
export const finderOf = (context: ContextOf<Resource>): RecordFinder | undefined =>
  kindOf(context.resource).finder?.(context);
