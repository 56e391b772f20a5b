import type { Context } from '../../run/context.ts';
import type { AnswerRecord } from '../../schema/answer.ts';
import type { Endpoint } from '../../schema/endpoint.ts';
import type { CatalogueResource } from '../../schema/resource.ts';
import { RequestError } from '../../service/request-error.ts';
import { DETAILED, type Existing, readExisting } from './existing.ts';

/** Reads one record by id, or by ExternalID; null when the service has none, however it says so (design: Dialect). */
export async function readDetail(
  context: Context,
  resource: CatalogueResource,
  key: number,
  by: 'id' | 'external' = 'id',
): Promise<Existing | null> {
  const { findById, findByExternal } = resource.requests;
  const answer = await read(context, by === 'id' ? findById : findByExternal, key);
  return answer === null ? null : readExisting(resource, answer, DETAILED);
}

async function read(
  context: Context,
  endpoint: Endpoint<unknown, AnswerRecord | null>,
  ID: number,
): Promise<AnswerRecord | null> {
  try {
    return await context.service.send(endpoint, { params: { ID } });
  } catch (error) {
    if (error instanceof RequestError && error.kind === 'missing') return null;
    throw error;
  }
}
