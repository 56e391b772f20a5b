import type { RecordReference, Step } from '../../core/plan.ts';
import type { Value, Values } from '../../core/value.ts';
import type { ResolvedStep } from '../../records/row-guard.ts';
import type { Context } from '../../run/context.ts';
import type { WriteAnswer } from '../../schema/answer.ts';
import type { WriteEndpoint } from '../../schema/resource.ts';
import type { SendMarks } from '../../service/exchange.ts';
import type { Sending } from './sending.ts';

/** Fills in the ids of a planned step; null where it refers to a record that was not created. */
export async function resolveStep(
  { context }: Sending,
  step: Step,
  ownId: number | null,
): Promise<ResolvedStep | null> {
  const body = await fillIn(context, step.body, ownId);
  const params = await fillIn(context, step.params ?? {}, ownId);
  return body && params && { body, params: params as ResolvedStep['params'] };
}

async function fillIn(
  context: Context,
  planned: Readonly<Record<string, Value | RecordReference>>,
  ownId: number | null,
): Promise<Values | null> {
  const filled: Record<string, Value> = {};
  for (const [name, value] of Object.entries(planned)) {
    if (value === null || typeof value !== 'object') {
      filled[name] = value;
      continue;
    }
    const id = 'external' in value ? await knownId(context, value.$ref, value.external) : ownId;
    if (id === null) return null;
    filled[name] = id;
  }
  return filled;
}

/** Sends a resolved step. Throws RequestError for what the service does. */
export async function sendResolved(
  { context, resource }: Sending,
  step: Step,
  { body, params }: ResolvedStep,
  marks?: SendMarks,
): Promise<WriteAnswer> {
  // A plan names its endpoints, so that it stays plain data.
  const endpoint = Object.values(resource.requests).find(({ name }) => name === step.endpoint);
  if (endpoint === undefined) throw new TypeError(`${step.endpoint} is no request of ${resource.name}`);
  const request = endpoint.body === undefined ? { params, marks } : { params, body, marks };
  return await context.service.send(endpoint as WriteEndpoint, request);
}

/** The id that the ledger remembers for an ExternalID, also of a record that this run just created. */
export async function knownId(
  { ledger, serviceKey }: Context,
  resource: string,
  external: number,
): Promise<number | null> {
  const known = await ledger.findKeys(serviceKey, resource, [external]);
  return known.get(external)?.id ?? null;
}
