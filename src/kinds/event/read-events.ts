import type { Context } from '../../run/context.ts';
import type { EventResource } from '../../schema/resource.ts';
import { listRecords } from '../../service/list-records.ts';
import { RequestError } from '../../service/request-error.ts';
import { DETAILED, type Existing, LISTED, readExisting } from '../catalogue/existing.ts';
import type { Period } from './months.ts';

/** The events of a period. Throws RequestError for an answer that is no list: it would make known rows look new. */
export async function readPeriod(
  context: Context,
  resource: EventResource,
  period: Period,
): Promise<Existing[]> {
  const body = { EnkelEvenement: context.dialect.enkelEvenement, ...period };
  const records = await listRecords(context.service, resource.requests.all, { body, id: resource.id });
  return records.flatMap((record) => readExisting(resource, record, LISTED) ?? []);
}

/** One event by its id; null when the service has none, however it says so (design: Dialect). */
export async function readEvent(
  context: Context,
  resource: EventResource,
  ID: number,
): Promise<Existing | null> {
  try {
    const record = await context.service.send(resource.requests.find, { params: { ID } });
    return record === null ? null : readExisting(resource, record, DETAILED);
  } catch (error) {
    if (error instanceof RequestError && error.kind === 'missing') return null;
    throw error;
  }
}
