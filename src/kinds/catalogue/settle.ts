import type { Values } from '../../core/value.ts';
import type { Context } from '../../run/context.ts';
import type { AnswerRecord } from '../../schema/answer.ts';
import type { CatalogueResource } from '../../schema/resource.ts';
import { firstPage } from '../../service/pages.ts';
import { claimRecord, exactWallClock } from '../claim-record.ts';
import type { Doubt, Verdict } from '../kind.ts';
import { type Existing, LISTED, readExisting, sameValue } from './existing.ts';
import { readDetail } from './read-detail.ts';

/** How far this machine's clock and the service's may be apart, ms. */
const CLOCKS = 10 * 60_000;

/** Whether a request took effect, told by the records themselves. */
export async function tookEffect(
  context: Context,
  resource: CatalogueResource,
  doubt: Doubt,
): Promise<Verdict> {
  try {
    if (doubt.step.purpose === 'create') return await findCreated(context, resource, doubt);
    return doubt.id === null ? null : await lookAt(context, resource, doubt, doubt.id);
  } catch (error) {
    context.log.warn(
      { resource: resource.name, row: doubt.planned.row, error: String(error) },
      'cannot tell whether it took effect',
    );
    return null;
  }
}

/** An update or delete: the record shows it, where a read returns the changed fields. */
async function lookAt(
  context: Context,
  resource: CatalogueResource,
  doubt: Doubt,
  id: number,
): Promise<Verdict> {
  const { planned, step } = doubt;
  const existing = await readDetail(context, resource, id);
  if (step.purpose === 'delete') return existing === null ? { id } : 'no';
  if (existing === null) return null;
  const seen = planned.changes.filter(
    ({ field }) => resource.fields[field]?.reads !== 'list' && field !== resource.external,
  );
  if (seen.length === 0) return null;
  return seen.every(({ field, to }) => sameValue(existing.values[field], to)) ? { id } : 'no';
}

/**
 * A create: the record with its ExternalID, where creates store it, else one with the same content and no ExternalID
 * that was written since and is nobody's yet.
 */
async function findCreated(context: Context, resource: CatalogueResource, doubt: Doubt): Promise<Verdict> {
  const { planned, body, since } = doubt;
  if (planned.external !== null) {
    const keyed = await readDetail(context, resource, planned.external, 'external');
    if (keyed !== null) return { id: keyed.id };
  }
  const candidates = await writtenSince(context, resource, new Date(since.getTime() - CLOCKS));
  const same = candidates.filter(
    (existing) => existing.external === null && sameContent(resource, existing, body),
  );
  const ids = same.flatMap(({ id }) => id ?? []);
  return await claimRecord(context, resource, doubt, ids);
}

async function writtenSince(context: Context, resource: CatalogueResource, since: Date): Promise<Existing[]> {
  const first = await firstPage(context.service, resource.requests.list, { LMT: exactWallClock(since) });
  const found: Existing[] = [];
  for await (const page of first.all(context.concurrency)) {
    found.push(...page.data.flatMap((record: AnswerRecord) => readExisting(resource, record, LISTED) ?? []));
  }
  return found;
}

function sameContent(resource: CatalogueResource, existing: Existing, body: Values): boolean {
  return Object.entries(body).every(([name, value]) => {
    if (name === resource.external || resource.fields[name]?.reads === 'detail') return true;
    return sameValue(existing.values[name], value);
  });
}
