import type { Resource } from '../schema/resource.ts';
import { catalogue } from './catalogue/catalogue.ts';
import { count } from './count/count.ts';
import { document } from './document/document.ts';
import { download } from './download/download.ts';
import { eventKind } from './event/event.ts';
import type { Kind } from './kind.ts';
import { link } from './link/link.ts';
import { posting } from './posting/posting.ts';
import { refresh } from './refresh/refresh.ts';
import { trip } from './trip/trip.ts';

const KINDS: { readonly [K in Resource['kind']]: Kind<Extract<Resource, { kind: K }>> } = {
  catalogue,
  count,
  document,
  download,
  refresh,
  link,
  event: eventKind,
  posting,
  trip,
};

/** How the rows of a resource are planned and sent. */
export function kindOf<R extends Resource>(resource: R): Kind<R> {
  return KINDS[resource.kind] as unknown as Kind<R>;
}
