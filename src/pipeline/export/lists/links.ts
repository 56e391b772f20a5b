import type { AnswerRecord } from '../../../schema/answer.ts';
import type { EventResource, LinkResource } from '../../../schema/resource.ts';
import type { Bilingual } from '../../../schema/value.ts';
import { listRecords } from '../../../service/list-records.ts';
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
    const [gone, notes]: [number[], Bilingual[]] = [[], []];
    async function* read(): AsyncGenerator<readonly AnswerRecord[]> {
      yield* batched(linksOf(context, resource, parents, { events, gone }));
      if (gone.length > 0) notes.push(goneText(resource, gone));
    }
    return uncounted(read, notes);
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

/**
 * What is linked to one record. One that someone took away meanwhile has nothing, and is added to those that are `gone`. Throws
 * RequestError, which names the record: without its links an export would be short.
 */
export async function linksTo(
  { service }: Context,
  { requests, parent }: LinkResource,
  ID: number,
  { gone, signal }: { readonly gone: number[]; readonly signal?: AbortSignal },
): Promise<readonly AnswerRecord[]> {
  try {
    const links = await listRecords(service, requests.list, { params: { ID }, ...(signal && { signal }) });
    // Whose list it is, whatever a link says of itself.
    return links.map((link) => ({ ...link, [parent]: ID }));
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    // What is listed and then said not to be is as likely a fault of the service.
    if (error.kind !== 'missing' || error.status === OK) throw named(error, `${parent} ${ID}`);
    gone.push(ID);
    return [];
  }
}

const OK = 200;

/** The same failure, with what it is of; what is wrong with one of many is no matter of the address. */
function named(cause: RequestError, name: string): RequestError {
  const { endpoint, status, words, fields, mayHaveTakenEffect, attempts, reasons } = cause;
  return new RequestError({
    ...{ endpoint, status, words, fields, mayHaveTakenEffect, attempts, cause },
    kind: cause.kind === 'missing' ? 'malformed' : cause.kind,
    reason: { en: `${name}: ${reasons.en}`, nl: `${name}: ${reasons.nl}` },
  });
}

/** So many are named. */
const NAMED = 20;

/** What there is to say of records that were listed, and gone when their links were read. */
export function goneText({ parent, sheet }: LinkResource, ids: readonly number[]): Bilingual {
  const list = ids.slice(0, NAMED).join(', ') + (ids.length > NAMED ? ', …' : '');
  return {
    en: `${parent} ${list}: listed, but not found (404) when ${sheet} was read: nothing of it is here`,
    nl: `${parent} ${list}: wel in de lijst, maar niet gevonden (404) toen ${sheet} werd gelezen: daarvan staat hier niets`,
  };
}

async function* linksOf(
  context: Context,
  resource: LinkResource,
  { id }: EventResource,
  { events, gone }: { readonly events: AsyncIterable<readonly AnswerRecord[]>; readonly gone: number[] },
): AsyncGenerator<readonly AnswerRecord[]> {
  for await (const records of events) {
    const ids = records.flatMap((record) => numberIn(record, id) ?? []);
    yield* sideBySide(ids, context.concurrency, (ID, signal) =>
      linksTo(context, resource, ID, { gone, signal }),
    );
  }
}
