import { sideBySide } from '../../core/batches.ts';
import { type Bilingual, t } from '../../core/language.ts';
import { LISTED, numberIn, readValues } from '../../records/existing-record.ts';
import { batched, firstOf, type RecordBatches, type RecordLister, uncounted } from '../../records/listing.ts';
import { OtherDays, periodRecords } from '../../records/period-list.ts';
import type { Context } from '../../run/context.ts';
import type { AnswerRecord } from '../../schema/answer.ts';
import type { EventResource, LinkResource } from '../../schema/resource.ts';
import { listRecords } from '../../service/list-records.ts';
import { RequestError } from '../../service/request-error.ts';
import { eventLists } from '../event/event-reads.ts';
import { ofKind } from '../kind.ts';
import { type LinkContext, parentColumn } from './links.ts';

/** Links of the records of a period: their lists, side by side. */
export const linkLister: RecordLister<LinkResource> = {
  ways: () => ['period'],
  beside: ({ beside }) => Object.keys(beside),
  list(context, chosen) {
    const { resource } = context;
    if (chosen.way !== 'period') throw new TypeError(`links can't be listed by ${chosen.way}`);
    const parents = { ...context, resource: parentOf(context) };
    const of = { links: resource, parents: parents.resource };
    const [otherDays, lists] = [new OtherDays(of.parents), new LinkListTally()];
    const events = periodRecords(parents, eventLists(parents, false), chosen.days, otherDays);
    const told = (): Bilingual[] => [...otherDays.notes(), ...lists.notes(of)];
    return uncounted(batched(linksOf(context, of, events, lists)), told, () => lists.complete);
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

async function* linksOf(
  context: Context,
  of: LinkedResources,
  events: RecordBatches,
  lists: LinkListTally,
): RecordBatches {
  for await (const records of events) {
    const found = sideBySide(records, context.concurrency, async (record, signal) => {
      const id = numberIn(record, of.parents.id);
      const links = id === null ? null : await linksTo(context, of, id, { lists, signal });
      return (links ?? []).map((link) => ({ ...link, ...besideOf(of.links, record) }));
    });
    for await (const links of found) yield links;
  }
}

/** What an export shows of a link's parent. */
const besideOf = ({ beside }: LinkResource, parent: AnswerRecord): AnswerRecord =>
  Object.fromEntries(Object.entries(beside).map(([header, member]) => [header, parent[member] ?? null]));

/** The resource of the links, and that of their parents. */
interface LinkedResources {
  readonly links: LinkResource;
  readonly parents: EventResource;
}

/** Counts the lists of links that came, and those that did not. */
export class LinkListTally {
  /** Records that the service has, and of which it found no list: they have none. */
  listless = 0;
  private came = 0;
  private readonly away: number[] = [];

  read(): void {
    this.came++;
  }

  /** The service found no list of a record: it has the record, or it doesn't. */
  missed(id: number, isThere: boolean): void {
    if (isThere) this.listless++;
    else this.away.push(id);
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
  notes({ links, parents }: LinkedResources, beside: Bilingual = t('', '')): Bilingual[] {
    const [what, of] = [named(links), named(parents)];
    const all = this.listless + this.gone;
    const ids = `${links.parent} ${firstOf(this.away.toSorted((one, two) => one - two).map(String))}`;
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

/**
 * What is linked to one record; null for one that is gone. A record without links may answer 404, so the
 * record itself is asked for. Throws RequestError, which names the record.
 */
export async function linksTo(
  context: Context,
  { links, parents }: LinkedResources,
  ID: number,
  { lists, signal }: { readonly lists: LinkListTally; readonly signal: AbortSignal },
): Promise<readonly AnswerRecord[] | null> {
  const name = `${links.parent} ${ID}`;
  const { list } = links.requests;
  const found = await unlessMissing(name, () =>
    listRecords(context.service, list, { params: { ID }, signal }),
  );
  if (found !== null) {
    lists.read();
    // Whose list it is, whatever a link says of itself.
    return found.map((link) => ({ ...link, [links.parent]: ID }));
  }
  const { find } = parents.requests;
  const record = await unlessMissing(name, () => context.service.send(find, { params: { ID }, signal }));
  lists.missed(ID, record !== null);
  return record === null ? null : [];
}

const OK = 200;

/** What a read answers; null for 404. Throws any other failure, with the record's name. */
async function unlessMissing<T>(name: string, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (cause) {
    if (!(cause instanceof RequestError)) throw cause;
    const { endpoint, status, words, attempts, reasons } = cause;
    const isMissing = cause.kind === 'missing';
    // A success that says there is nothing, where something was listed, may be a fault of the service.
    if (isMissing && status !== OK) return null;
    const reason = t(`${name}: ${reasons.en}`, `${name}: ${reasons.nl}`);
    // What is wrong with one of many is no matter of the address.
    const kind = isMissing ? 'malformed' : cause.kind;
    throw new RequestError({ endpoint, status, words, attempts, cause, kind, reason });
  }
}
