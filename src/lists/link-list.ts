import { sideBySide } from '../core/batches.ts';
import { type Bilingual, t } from '../core/language.ts';
import { createEventCheck, eventLists } from '../kinds/event-reads.ts';
import { ofKind } from '../kinds/kind.ts';
import { type LinkContext, listLinks, parentColumn } from '../kinds/links.ts';
import { LISTED, numberIn, readValues } from '../records/existing-record.ts';
import {
  batched,
  firstOf,
  OtherDays,
  periodRecords,
  type RecordBatches,
  type RecordLister,
  uncounted,
} from '../records/listing.ts';
import type { Context } from '../run/context.ts';
import type { AnswerRecord } from '../schema/answer.ts';
import type { EventResource, LinkResource } from '../schema/resource.ts';

/** Links of the records of a period: their lists, side by side. */
export const linkLister: RecordLister<LinkResource> = {
  ways: () => ['period'],
  beside: ({ beside }) => Object.keys(beside),
  list(context, chosen) {
    const { resource, concurrency } = context;
    if (chosen.way !== 'period') throw new TypeError(`links can't be listed by ${chosen.way}`);
    const parents = { ...context, resource: parentOf(context) };
    const lists = new LinkLists(context, resource, parents.resource);
    const otherDays = new OtherDays(parents.resource);
    const events = periodRecords(parents, eventLists(parents, false), chosen.days, otherDays);
    async function* linked(): RecordBatches {
      for await (const records of events)
        yield* sideBySide(records, concurrency, async (record, signal) => {
          const id = numberIn(record, parents.resource.id);
          const links = id === null ? null : await lists.of(id, signal);
          return (links ?? []).map((link) => ({ ...link, ...besideOf(resource, record) }));
        });
    }
    const told = (): Bilingual[] => [...otherDays.notes(), ...lists.notes()];
    return uncounted(batched(linked()), told, () => lists.complete);
  },
  read(resource, record) {
    const [parent, child] = [numberIn(record, resource.parent), numberIn(record, resource.child)];
    const key = parent === null || child === null ? null : `${parent}:${child}`;
    return { key, lmt: null, values: readValues(resource, record, LISTED) };
  },
};

function parentOf({ resources, resource }: LinkContext): EventResource {
  const named = parentColumn(resource)?.refers.resources ?? [];
  const found = ofKind(resources, 'event').find(({ name }) => named.includes(name));
  if (found === undefined) throw new TypeError(`resource ${resource.name} does not say whose links it has`);
  return found;
}

/** What an export shows of a link's parent. */
const besideOf = ({ beside }: LinkResource, parent: AnswerRecord): AnswerRecord =>
  Object.fromEntries(Object.entries(beside).map(([header, member]) => [header, parent[member] ?? null]));

/** Reads what is linked to listed records, and counts the lists that came, and those that did not. */
export class LinkLists {
  /** Records that the service has, and of which it found no list: they have none. */
  listless = 0;
  private came = 0;
  private readonly away: number[] = [];
  private readonly context: Context;
  private readonly links: LinkResource;
  private readonly parents: EventResource;
  private readonly isThere: (id: number) => Promise<boolean>;

  constructor(context: Context, links: LinkResource, parents: EventResource) {
    this.context = context;
    this.links = links;
    this.parents = parents;
    this.isThere = createEventCheck(context);
  }

  /** What is linked to one; null where it is gone. */
  async of(id: number, signal: AbortSignal): Promise<readonly AnswerRecord[] | null> {
    const found = await listLinks(this.context, this.links, id, this.isThere, signal);
    if (found === null) this.away.push(id);
    else if (found === 'none') this.listless++;
    else this.came++;
    // Whose list it is, whatever a link says of itself.
    return found === 'none' ? [] : (found?.map((link) => ({ ...link, [this.links.parent]: id })) ?? null);
  }

  /** Records that were listed, and not there any more when their lists were read. */
  get gone(): number {
    return this.away.length;
  }

  /** False where not one list came: a fault is likelier than a service without any links. */
  get complete(): boolean {
    return this.came > 0 || this.listless + this.gone === 0;
  }

  /** Notes on lists that did not come; `beside`: what else became of records that are gone. */
  notes(beside: Bilingual = t('', '')): Bilingual[] {
    const [what, of] = [named(this.links), named(this.parents)];
    const all = this.listless + this.gone;
    const ids = `${this.links.parent} ${firstOf(this.away.toSorted((one, two) => one - two).map(String))}`;
    const none = t(
      `${what.en} may be missing: the service answered 404 for those of all ${of.en} (${all})`,
      `er kunnen ${what.nl} ontbreken: het systeem antwoordde 404 op die van alle ${of.nl} (${all})`,
    );
    const away = t(
      `${ids}: listed, and gone (404) when the ${what.en} were read: left out${beside.en}`,
      `${ids}: wel in de lijst, maar weg (404) toen de ${what.nl} werden gelezen: weggelaten${beside.nl}`,
    );
    return [...(this.complete ? [] : [none]), ...(this.gone > 0 ? [away] : [])];
  }
}

const named = ({ name, sheet }: LinkResource | EventResource): Bilingual => ({
  en: name,
  nl: sheet.toLowerCase(),
});
