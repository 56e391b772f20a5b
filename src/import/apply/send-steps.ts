import type { RecordReference, Step } from '../../core/plan.ts';
import type { Value, Values } from '../../core/value.ts';
import type { ResolvedStep } from '../../records/row-guard.ts';
import type { Context } from '../../run/context.ts';
import type { WriteAnswer } from '../../schema/answer.ts';
import type { Resource, WriteEndpoint } from '../../schema/resource.ts';

/** A planned request refers to a record that was not created after all. */
export class MissingRecord extends Error {
  readonly resource: string;

  constructor(resource: string) {
    super(`a record of ${resource} that this row needs is not there`);
    this.name = 'MissingRecord';
    this.resource = resource;
  }
}

/** A plan names its endpoints, so that it stays plain data. */
function stepEndpoint(resource: Resource, step: Step): WriteEndpoint {
  const found = Object.values(resource.requests).find((endpoint) => endpoint.name === step.endpoint);
  if (found === undefined) throw new TypeError(`${step.endpoint} is no request of ${resource.name}`);
  return found as WriteEndpoint;
}

/** Fills in the ids of a planned step. Throws MissingRecord when one is still not known. */
export async function resolveStep(
  context: Context,
  resource: Resource,
  step: Step,
  ownId: number | null,
): Promise<ResolvedStep> {
  const body = await fillIn(context, resource, step.body, ownId);
  const params = (await fillIn(context, resource, step.params ?? {}, ownId)) as ResolvedStep['params'];
  return { body, params };
}

/** Sends a resolved step. Throws RequestError for what the service does. */
export async function sendResolved(
  context: Context,
  resource: Resource,
  step: Step,
  { body, params }: ResolvedStep,
): Promise<WriteAnswer> {
  const endpoint = stepEndpoint(resource, step);
  return await context.service.send(endpoint, endpoint.body === undefined ? { params } : { params, body });
}

/** Both at once, for a step that may be sent any number of times. */
export async function sendStep(
  context: Context,
  resource: Resource,
  step: Step,
  ownId: number | null,
): Promise<WriteAnswer> {
  return await sendResolved(context, resource, step, await resolveStep(context, resource, step, ownId));
}

async function fillIn(
  context: Context,
  resource: Resource,
  planned: Readonly<Record<string, Value | RecordReference>>,
  ownId: number | null,
): Promise<Values> {
  const idOf = async (reference: RecordReference): Promise<number> => {
    const id = 'external' in reference ? await knownId(context, reference.$ref, reference.external) : ownId;
    if (id === null) throw new MissingRecord('external' in reference ? reference.$ref : resource.name);
    return id;
  };
  const filled: Record<string, Value> = {};
  for (const [name, value] of Object.entries(planned))
    filled[name] = typeof value === 'object' && value !== null ? await idOf(value) : value;
  return filled;
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
