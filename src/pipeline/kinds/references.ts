import type { Refers } from '../../schema/field.ts';
import type { PlannedRow } from '../../schema/plan.ts';
import type { Context } from '../context.ts';
import type { Finder, References, Referred } from './kind.ts';
import { kindOf } from './kinds.ts';

/** Finds referred records: first among the rows of this plan, then in the ledger, then on the service. */
export function createReferences(context: Context, run: string): References {
  const finders = new Map<string, Finder | undefined>();
  const finderOf = (name: string): Finder | undefined => {
    const resource = context.resources.find((candidate) => candidate.name === name);
    if (!finders.has(name) && resource !== undefined)
      finders.set(name, kindOf(resource).finder?.(context, resource));
    return finders.get(name);
  };
  return {
    async find({ resources }: Refers, external, day) {
      for (const resource of resources) {
        const planned = (await context.ledger.plannedFor(run, resource, `external:${external}`)).at(-1);
        if (planned !== undefined) return fromPlan(planned, external);
      }
      for (const resource of resources) {
        const known = await context.ledger.findKeys(context.serviceKey, resource, [external]);
        const id = known.get(external)?.id;
        if (id !== undefined) return { id };
      }
      for (const resource of resources) {
        const id = await finderOf(resource)?.byExternal(external, day);
        if (id != null) return { id };
      }
      return 'missing';
    },
  };
}

function fromPlan(planned: PlannedRow, external: number): Referred {
  if (planned.id !== null) return { id: planned.id };
  const { resource, key } = planned;
  if (planned.steps.length === 0 || key === null) return { blocked: planned };
  return { reference: { $ref: resource, external }, need: { resource, key } };
}
