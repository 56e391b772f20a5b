import type { PlannedRow, RecordReference, RowDependency } from '../core/plan.ts';
import type { Value } from '../core/value.ts';
import type { KnownRecord } from '../ledger/ledger.ts';
import type { Context } from '../run/context.ts';
import type { Field } from '../schema/field.ts';
import type { Resource } from '../schema/resource.ts';

/** A column that names a record by ExternalID. */
export interface ReferenceColumn {
  readonly name: string;
  readonly refers: NonNullable<Field['refers']>;
}

/** The column that names by ExternalID the record whose id stands in `sets`; null where none does. */
export function referenceColumn({ fields }: Pick<Resource, 'fields'>, sets: string): ReferenceColumn | null {
  for (const [name, { refers }] of Object.entries(fields)) if (refers?.sets === sets) return { name, refers };
  return null;
}

/** What a reference by ExternalID comes to. */
export type Referred =
  | { readonly id: number }
  /** An earlier row of this plan creates it: `reference` stands for its id, and `need` for that row. */
  | { readonly reference: RecordReference; readonly need: RowDependency }
  /** An earlier row of this plan should create it and can't be sent. */
  | { readonly blocked: PlannedRow }
  /** More than one record has it: these, by resource and id. */
  | { readonly several: readonly string[] }
  | 'missing';

/** Finds records that rows refer to, wherever they are: in this plan, in the ledger, on the service. */
export interface References {
  /** `day` (`YYYY-MM-DD`) is about when the record is, for those that are looked up by day. */
  find(refers: NonNullable<Field['refers']>, external: number, day?: string): Promise<Referred>;
  /** A row of this plan gives a record an ExternalID that the service does not show for it. */
  told(resource: string, external: number, id: number): void;
}

/** Finds records of one resource by ExternalID on the service; each is asked for at most once. */
export interface RecordFinder {
  /**
   * The ids of those that have it. `known`: what the ledger remembers for it; another record may have taken
   * it over since.
   */
  byExternal(
    external: number,
    hints: { readonly day?: string | undefined; readonly known?: KnownRecord | undefined },
  ): Promise<readonly number[]>;
}

/** Finds referred records in this plan, the ledger (checked on the service) and all resources meant. */
export function createReferences(
  context: Context,
  run: string,
  openFinder: (context: Context & { readonly resource: Resource }) => RecordFinder | undefined,
): References {
  const finders = new Map<string, RecordFinder | undefined>();
  const told = new Map<string, Set<number>>();
  const finderOf = (name: string): RecordFinder | undefined => {
    const resource = context.resources.find((candidate) => candidate.name === name);
    if (!finders.has(name) && resource !== undefined) finders.set(name, openFinder({ ...context, resource }));
    return finders.get(name);
  };
  /** Whether a row of this plan was planned against the record. */
  const isPlanned = async (resource: string, id: number, external: number): Promise<boolean> => {
    const rows = await context.ledger.plannedFor(run, resource, `id:${id}`);
    const last = rows.at(-1);
    // A conflict may be about which record it is.
    return last?.external === external && last.action !== 'conflict';
  };
  const findIn = async (resource: string, external: number, day?: string): Promise<Referred> => {
    const rows = await context.ledger.plannedFor(run, resource, `external:${external}`);
    const planned = rows.find(({ steps }) => steps.length > 0) ?? rows.at(-1);
    if (planned !== undefined) return fromPlan(planned, external);
    const known = (await context.ledger.findKeys(context.serviceKey, resource, [external])).get(external);
    if (known !== undefined && (await isPlanned(resource, known.id, external))) return { id: known.id };
    const shown = (await finderOf(resource)?.byExternal(external, { day, known })) ?? [];
    const ids = shown.length > 0 ? shown : [...(told.get(`${resource} ${external}`) ?? [])];
    const [id] = ids;
    if (id === undefined) return 'missing';
    return ids.length === 1 ? { id } : { several: ids.map((one) => `${resource} ${one}`) };
  };
  return {
    told(resource, external, id) {
      const name = `${resource} ${external}`;
      told.set(name, (told.get(name) ?? new Set()).add(id));
    },
    async find({ resources }, external, day) {
      const found: [resource: string, Found][] = [];
      for (const resource of resources) {
        const one = await findIn(resource, external, day);
        if (typeof one === 'object') found.push([resource, one]);
      }
      if (found.length < 2) return found[0]?.[1] ?? 'missing';
      return { several: found.flatMap(([name, one]) => namesOf(name, one)) };
    },
  };
}

type Found = Exclude<Referred, 'missing'>;

const namesOf = (resource: string, found: Found): readonly string[] =>
  'several' in found ? found.several : ['id' in found ? `${resource} ${found.id}` : resource];

function fromPlan(planned: PlannedRow, external: number): Found {
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
