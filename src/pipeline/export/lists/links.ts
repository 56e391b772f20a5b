import type { AnswerRecord } from '../../../schema/answer.ts';
import type { EventResource, LinkResource } from '../../../schema/resource.ts';
import type { Bilingual } from '../../../schema/value.ts';
import type { Context } from '../../context.ts';
import { LISTED, readValues } from '../../kinds/catalogue/existing.ts';
import { referenceField } from '../../kinds/link/parent.ts';
import { eventsOn } from './events.ts';
import { batched, type Exporter, uncounted } from './exporter.ts';
import { LinkLists, type LinksOf, linksTo } from './link-lists.ts';
import { OtherDays } from './other-days.ts';
import { numberIn } from './record-members.ts';
import { sideBySide } from './side-by-side.ts';

/** What is linked to the records of a period: their lists, side by side. */
export const linkExporter: Exporter<LinkResource> = {
  ways: ['period'],
  list(context, resource, chosen) {
    if (chosen.way !== 'period') throw new TypeError(`links can't be listed by ${chosen.way}`);
    const of: LinksOf = { links: resource, parents: parentOf(context, resource) };
    const [otherDays, lists] = [new OtherDays(of.parents), new LinkLists()];
    const events = eventsOn(context, of.parents, chosen.days, { otherDays });
    const notes: Bilingual[] = [];
    async function* read(): AsyncGenerator<readonly AnswerRecord[]> {
      yield* batched(linksOf(context, of, events, lists));
      notes.push(...otherDays.notes(), ...lists.notes(of));
    }
    return uncounted(read, notes, () => lists.complete);
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

async function* linksOf(
  context: Context,
  of: LinksOf,
  events: AsyncIterable<readonly AnswerRecord[]>,
  lists: LinkLists,
): AsyncGenerator<readonly AnswerRecord[]> {
  for await (const records of events) {
    const ids = records.flatMap((record) => numberIn(record, of.parents.id) ?? []);
    const found = sideBySide(ids, context.concurrency, (ID, signal) =>
      linksTo(context, of, ID, { lists, signal }),
    );
    for await (const links of found) if (links !== null) yield links;
  }
}
