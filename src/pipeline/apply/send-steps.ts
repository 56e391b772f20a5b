import type { WriteAnswer } from '../../schema/answer.ts';
import type { Endpoint } from '../../schema/endpoint.ts';
import type { PlannedRow, Step } from '../../schema/plan.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Value, Values } from '../../schema/value.ts';
import type { Service } from '../../service/service.ts';

type Write = Endpoint<Values, WriteAnswer>;

/** The resource's endpoint of a planned step. A plan names endpoints, so that it stays plain data. */
function stepEndpoint(resource: Resource, step: Step): Write {
  const { create, update, remove } = resource.requests;
  const found = [create, update, remove].find((endpoint) => endpoint.name === step.endpoint);
  if (found === undefined) throw new TypeError(`${step.endpoint} is no request of ${resource.name}`);
  return found;
}

/** Sends one step as planned, the row's own id put in where the plan refers to it. */
export async function sendStep(
  service: Service,
  resource: Resource,
  step: Step,
  ownId: number | null,
): Promise<WriteAnswer> {
  return await service.send(stepEndpoint(resource, step), { body: fillIn(step.body, ownId) });
}

function fillIn(body: PlannedRow['steps'][number]['body'], ownId: number | null): Values {
  const filled = Object.entries(body).map(([name, value]): [string, Value] => {
    const isReference = typeof value === 'object' && value !== null;
    return [name, isReference ? ownId : value];
  });
  return Object.fromEntries(filled);
}
