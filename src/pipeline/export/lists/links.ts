import type { AnswerRecord } from '../../../schema/answer.ts';
import type { EventResource, LinkResource } from '../../../schema/resource.ts';
import { RequestError } from '../../../service/request-error.ts';
import type { Context } from '../../context.ts';
import { LISTED, readValues } from '../../kinds/catalogue/existing.ts';
import { referenceField } from '../../kinds/link/parent.ts';
import { eventsOn } from './events.ts';
import { batched, type Exporter, uncounted } from './exporter.ts';
import { numberIn } from './record-members.ts';
import { sideBySide } from './side-by-side.ts';

/** What is linked to the records of a period: their lists, side by side. */
export const linkExporter: Exporter<LinkResource> = {
  ways: ['period'],
  list(context, resource, chosen) {
    if (chosen.way !== 'period') throw new TypeError(`links can't be listed by ${chosen.way}`);
    const parents = parentOf(context, resource);
    const events = eventsOn(context, parents, chosen.days);
    return uncounted(() => batched(linksOf(context, resource, parents, events)));
  },
  read(resource, record) {
    const [parent, child] = [numberIn(record, resource.parent), numberIn(record, resource.child)];
    const key = parent === null || child === null ? null : `${parent}:${child}`;
    return { key, lmt: null, values: readValues(resource, record, LISTED) };
  },
};

/** The resource whose records have the links. */
function parentOf({ resources }: Context, resource: LinkResource): EventResource {
  const named = resource.fields[referenceField(resource) ?? '']?.refers?.resources ?? [];
  const found = resources.find((one) => named.includes(one.name) && one.kind === 'event');
  if (found?.kind !== 'event')
    throw new TypeError(`resource ${resource.name} does not say whose links it has`);
  return found;
}

/** What is linked to one record; nothing to one that someone took away meanwhile. */
export async function linksTo(
  { service }: Context,
  { requests, parent }: LinkResource,
  ID: number,
  signal?: AbortSignal,
): Promise<readonly AnswerRecord[]> {
  try {
    const links = await service.send(requests.list, { params: { ID }, ...(signal && { signal }) });
    // Whose list it is, whatever a link says of itself.
    return links.map((link) => ({ ...link, [parent]: ID }));
  } catch (error) {
    if (error instanceof RequestError && error.kind === 'missing') return [];
    throw error;
  }
}

async function* linksOf(
  context: Context,
  resource: LinkResource,
  { id }: EventResource,
  events: AsyncIterable<readonly AnswerRecord[]>,
): AsyncGenerator<readonly AnswerRecord[]> {
  for await (const records of events) {
    const ids = records.flatMap((record) => numberIn(record, id) ?? []);
    yield* sideBySide(ids, context.concurrency, (ID, signal) => linksTo(context, resource, ID, signal));
  }
}
