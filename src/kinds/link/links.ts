import { integerCodec } from '../../core/codecs/integer.ts';
import type { Value } from '../../core/value.ts';
import type { Context } from '../../run/context.ts';
import type { AnswerRecord } from '../../schema/answer.ts';
import type { LinkResource } from '../../schema/resource.ts';
import { listRecords } from '../../service/list-records.ts';
import { RequestError } from '../../service/request-error.ts';

/** What a link holds, of the fields that can be written. */
export type LinkValues = Readonly<Record<string, Value>>;

/** What is linked to a parent, by what is linked: more than one where it was linked again. */
export type Links = ReadonlyMap<number, readonly LinkValues[]>;

/** Reads a parent's list (interface 4.5); null when the service has no such parent. */
export async function readLinks(
  { service }: Context,
  resource: LinkResource,
  parent: number,
): Promise<Links | null> {
  try {
    return byChild(resource, await listRecords(service, resource.requests.list, { params: { ID: parent } }));
  } catch (error) {
    if (error instanceof RequestError && error.kind === 'missing') return null;
    throw error;
  }
}

function byChild(resource: LinkResource, records: readonly AnswerRecord[]): Links {
  const links = new Map<number, LinkValues[]>();
  for (const record of records) {
    const child = integerCodec.read(record[resource.child]);
    if (typeof child !== 'number') continue;
    const same = links.get(child) ?? [];
    links.set(child, same);
    same.push(valuesOf(resource, record));
  }
  return links;
}

function valuesOf(resource: LinkResource, record: AnswerRecord): LinkValues {
  const own = ownFields(resource).map((name) => [
    name,
    resource.fields[name]?.codec.read(record[name]) ?? null,
  ]);
  return Object.fromEntries(own);
}

/** The fields that are a link's own to change: not what it links. */
export function ownFields({ fields, parent, child }: LinkResource): string[] {
  return Object.entries(fields).flatMap(([name, { update }]) =>
    update === 'none' || name === parent || name === child ? [] : [name],
  );
}

/** What stands for an LMT, which links have none of: what they held when they were read. */
export function contentOf(links: readonly LinkValues[]): string {
  return JSON.stringify(links);
}
