import type { PlannedRow } from '../core/plan.ts';
import type { Context } from '../run/context.ts';
import type { ReferenceColumn } from '../schema/field.ts';
import type { Finder, References, Referred } from './kind.ts';
import { kindOf } from './kinds.ts';

/**
 * Finds referred records: among the rows of this plan, else on the service, where what the ledger remembers is looked
 * at before it is believed. Every resource that may be meant is asked: two records with one ExternalID are two.
 */
export function createReferences(context: Context, run: string): References {
  const finders = new Map<string, Finder | undefined>();
  const finderOf = (name: string): Finder | undefined => {
    const resource = context.resources.find((candidate) => candidate.name === name);
    if (!finders.has(name) && resource !== undefined)
      finders.set(name, kindOf(resource).finder?.(context, resource));
    return finders.get(name);
  };
  /** A row of this plan is about the record, and was planned against it as the service has it. */
  const isPlanned = async (resource: string, id: number, external: number): Promise<boolean> => {
    const rows = await context.ledger.plannedFor(run, resource, `id:${id}`);
    return rows.at(-1)?.external === external;
  };
  const findIn = async (resource: string, external: number, day?: string): Promise<Found | null> => {
    const planned = (await context.ledger.plannedFor(run, resource, `external:${external}`)).at(-1);
    if (planned !== undefined) return { resource, referred: fromPlan(planned, external) };
    const known = (await context.ledger.findKeys(context.serviceKey, resource, [external])).get(external);
    if (known !== undefined && (await isPlanned(resource, known.id, external)))
      return { resource, referred: { id: known.id } };
    const id = await finderOf(resource)?.byExternal(external, { day, known });
    return id == null ? null : { resource, referred: { id } };
  };
  return {
    async find({ resources }: ReferenceColumn, external, day) {
      const found: Found[] = [];
      for (const resource of resources) {
        const one = await findIn(resource, external, day);
        if (one !== null) found.push(one);
      }
      const [only, ...others] = found;
      if (only === undefined) return 'missing';
      return others.length === 0 ? only.referred : { several: found.map(nameOf) };
    },
  };
}

interface Found {
  readonly resource: string;
  readonly referred: Exclude<Referred, 'missing'>;
}

/** `packages 5002`; one that is still to be made has no number. */
function nameOf({ resource, referred }: Found): string {
  return 'id' in referred ? `${resource} ${referred.id}` : resource;
}

function fromPlan(planned: PlannedRow, external: number): Found['referred'] {
  if (planned.id !== null) return { id: planned.id };
  const { resource, key } = planned;
  if (planned.steps.length === 0 || key === null) return { blocked: planned };
  return { reference: { $ref: resource, external }, need: { resource, key } };
}
