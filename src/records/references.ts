import type { PlannedRow, RecordReference, RowDependency } from '../core/plan.ts';
import type { Value } from '../core/value.ts';
import type { KnownRecord } from '../ledger/ledger.ts';
import type { Context } from '../run/context.ts';
import type { Field } from '../schema/field.ts';
import type { Resource } from '../schema/resource.ts';

/** The column that names by ExternalID the record whose id stands in `sets`; null where none does. */
export function referenceColumn({ fields }: Pick<Resource, 'fields'>, sets: string) {
  for (const [name, { refers }] of Object.entries(fields)) if (refers?.sets === sets) return { name, refers };
  return null;
}

/** The columns that name the record whose id stands in `sets`: that, and those of other keys. */
export const keysFor = ({ fields }: Pick<Resource, 'fields'>, sets: string): readonly string[] => [
  sets,
  ...Object.keys(fields).filter((key) => fields[key]?.refers?.sets === sets),
];

/** What a reference by ExternalID comes to; null for no record. */
type Referred =
  | { readonly id: number }
  /** An earlier row of this plan creates it: `reference` stands for its id, and `need` for that row. */
  | { readonly reference: RecordReference; readonly need: RowDependency }
  /** An earlier row of this plan should create it and can't be sent. */
  | { readonly blocked: PlannedRow }
  /** More than one record has it: these, by resource and id. */
  | { readonly several: readonly string[] }
  | null;

/**
 * Finds records of one resource by ExternalID on the service, each asked for at most once: the ids of those that
 * have it. `known`: what the ledger remembers for it; another record may have taken it over since.
 */
export type RecordFinder = (
  external: number,
  hints: { readonly day?: string | undefined; readonly known?: KnownRecord | undefined },
) => Promise<readonly number[]>;

export type References = ReturnType<typeof createReferences>;

/** Finds records that rows refer to, wherever they are: in this plan, in the ledger (checked on the service), there. */
export function createReferences(
  context: Context,
  run: string,
  openFinder: (context: Context & { readonly resource: Resource }) => RecordFinder | undefined,
) {
  const { ledger, resources, serviceKey } = context;
  const finders = new Map<string, RecordFinder | undefined>();
  const told = new Map<string, Set<number>>();
  const finderOf = (name: string): RecordFinder | undefined => {
    const resource = resources.find((candidate) => candidate.name === name);
    if (!finders.has(name) && resource !== undefined) finders.set(name, openFinder({ ...context, resource }));
    return finders.get(name);
  };
  const findIn = async (resource: string, external: number, day?: string): Promise<Referred> => {
    const rows = await ledger.plannedFor(run, resource, `external:${external}`);
    const planned = rows.find(({ steps }) => steps.length > 0) ?? rows.at(-1);
    if (planned !== undefined) return fromPlan(planned, external);
    const known = (await ledger.findKeys(serviceKey, resource, [external])).get(external);
    const last = known && (await ledger.plannedFor(run, resource, `id:${known.id}`)).at(-1);
    // A row of this plan is about it; a conflict may be about which record it is.
    if (known && last?.external === external && last.action !== 'conflict') return { id: known.id };
    const shown = (await finderOf(resource)?.(external, { day, known })) ?? [];
    const ids = shown.length > 0 ? shown : [...(told.get(`${resource} ${external}`) ?? [])];
    const [id] = ids;
    if (id === undefined) return null;
    return ids.length === 1 ? { id } : { several: ids.map((one) => `${resource} ${one}`) };
  };
  return {
    /** A row of this plan gives a record an ExternalID that the service does not show for it. */
    told(resource: string, external: number, id: number): void {
      const name = `${resource} ${external}`;
      told.set(name, (told.get(name) ?? new Set()).add(id));
    },
    /** `day` (`YYYY-MM-DD`) is about when the record is, for those that are looked up by day. */
    async find(
      { resources: among }: NonNullable<Field['refers']>,
      external: number,
      day?: string,
    ): Promise<Referred> {
      const found: NonNullable<Referred>[] = [];
      const names: string[] = [];
      for (const resource of among) {
        const one = await findIn(resource, external, day);
        if (one === null) continue;
        found.push(one);
        if ('several' in one) names.push(...one.several);
        else names.push('id' in one ? `${resource} ${one.id}` : resource);
      }
      return found.length < 2 ? (found[0] ?? null) : { several: names };
    },
  };
}

function fromPlan(planned: PlannedRow, external: number): Referred {
  if (planned.id !== null) return { id: planned.id };
  const { resource, key } = planned;
  if (planned.steps.length === 0 || key === null) return { blocked: planned };
  return { reference: { $ref: resource, external }, need: { resource, key } };
}

/** The id that a planned value is or stands for, by now; null where there is none still. */
export async function referredId(
  { ledger, serviceKey }: Context,
  value: Value | RecordReference | undefined,
): Promise<number | null> {
  if (typeof value === 'number') return value;
  if (typeof value !== 'object' || value === null || !('external' in value)) return null;
  const known = await ledger.findKeys(serviceKey, value.$ref, [value.external]);
  return known.get(value.external)?.id ?? null;
}
