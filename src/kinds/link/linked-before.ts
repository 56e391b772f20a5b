import { type Bilingual, t } from '../../core/language.ts';
import type { Posting } from '../../ledger/ledger.ts';
import type { UnplacedRow } from '../../records/planning.ts';
import type { Context } from '../../run/context.ts';
import type { LinkResource } from '../../schema/resource.ts';
import { parentColumn } from './link-parent.ts';

/** Names a link by its parent's id and by its ExternalID, under which the run knows it that creates it. */
async function linkNames(
  { ledger, serviceKey }: Context,
  resource: LinkResource,
  key: string,
): Promise<[string, ...string[]]> {
  const [, external, parent = '', child = ''] = /^(external:)?(\d+):(.+)$/.exec(key) ?? [];
  const names = [`link:${key}`] as [string, ...string[]];
  for (const other of parentColumn(resource)?.refers.resources ?? []) {
    const number = Number(parent);
    if (external === undefined) {
      const known = (await ledger.findExternals(serviceKey, other, [number])).get(number);
      if (known !== undefined) names.push(`link:external:${known}:${child}`);
    } else {
      const known = (await ledger.findKeys(serviceKey, other, [number])).get(number);
      if (known !== undefined) names.push(`link:${known.id}:${child}`);
    }
  }
  return names;
}

/**
 * A row that would link, named so that it is sent once. The parent's list does not show the link, so it may
 * be sent again, unless another program may be sending it now.
 */
export async function linkedBefore(
  context: Context,
  resource: LinkResource,
  planned: UnplacedRow,
): Promise<UnplacedRow> {
  const [step, ...rest] = planned.steps;
  if (step?.purpose !== 'create' || planned.key === null) return planned;
  const [fingerprint, ...also] = await linkNames(context, resource, planned.key);
  const named = { ...step, fingerprint, ...(also.length === 0 ? {} : { also }) };
  const postings = await context.ledger.findPostings(context.serviceKey, resource.name, [
    fingerprint,
    ...also,
  ]);
  const open = [...postings.values()].find(({ state }) => state === 'sending');
  if (open !== undefined && !context.exclusive)
    return { ...planned, action: 'unknown', steps: [], message: inDoubtText(open) };
  await freePostings(context, resource, postings);
  return { ...planned, steps: [named, ...rest] };
}

/** Lets a link be made anew: it is known not to be there. */
export async function freeLink(context: Context, resource: LinkResource, key: string): Promise<void> {
  const names = await linkNames(context, resource, key);
  const { ledger, serviceKey } = context;
  await freePostings(context, resource, await ledger.findPostings(serviceKey, resource.name, names));
}

/** Frees each posting once, by whichever name it was found. */
async function freePostings(
  { ledger, serviceKey }: Context,
  { name }: LinkResource,
  postings: ReadonlyMap<string, Posting>,
): Promise<void> {
  const names = new Set([...postings.values()].map(({ fingerprint }) => fingerprint));
  for (const fingerprint of names) await ledger.settlePosting(serviceKey, name, fingerprint, null, false);
}

const inDoubtText = ({ run, at }: Posting): Bilingual =>
  t(
    `run ${run} sent it at ${at} and no answer is known; it may be at it still, so import to send what is not there`,
    `run ${run} heeft het om ${at} verstuurd en er is geen antwoord bekend; misschien is die nog bezig, dus importeer om te versturen wat er niet staat`,
  );
