import type { PlannedRow, Status } from '../../core/plan.ts';
import { eachRow, type StoredResult } from '../../ledger/ledger.ts';
import type { Context } from '../../run/context.ts';
import type { Resource } from '../../schema/resource.ts';

/** The row that did not go through, such as `Evenementen!12`; null when all did. */
export type Blame = string | null;

/** A row's place in the file, such as `Evenementen!12`. */
export const placeOf = ({ sheet, row }: PlannedRow): string => `${sheet}!${row}`;

/** A record's name among those of all resources; null when no other row can be about it. */
export function recordName({ resource, key }: Pick<PlannedRow, 'resource' | 'key'>): string | null {
  return key === null ? null : `${resource} ${key}`;
}

/**
 * Works on rows side by side, but on those of one record in the order in which they were added, and after the
 * rows they need, as far as these were added; also after those on records that they name, whose LMT a link may
 * move, whatever becomes of these. `run` bounds how much runs at once; work that waits does not count.
 */
export function createRowChains(
  run: (work: () => Promise<Blame>) => Promise<Blame>,
  context: Pick<Context, 'resources'>,
) {
  const tails = new Map<string, Promise<Blame>>();
  /** `blame` tells whether what this work waited for went through; the work answers the same of itself. */
  return async (row: PlannedRow, work: (blame: Blame) => Promise<Blame>): Promise<Blame> => {
    const key = recordName(row);
    const before = [row, ...row.needs].flatMap((each) => tails.get(recordName(each) ?? '') ?? []);
    const named = recordsOf(context, row).flatMap((name) => tails.get(name) ?? []);
    const mine =
      before.length + named.length === 0
        ? run(() => work(null))
        : Promise.all([afterAll(before), ...named]).then(([blame]) =>
            run(async () => (await work(blame)) ?? blame),
          );
    if (key === null) return await mine;
    tails.set(key, mine);
    try {
      return await mine;
    } finally {
      if (tails.get(key) === mine) tails.delete(key);
    }
  };
}

async function afterAll(before: readonly Promise<Blame>[]): Promise<Blame> {
  const ended = await Promise.all(before);
  return ended.find((blame) => blame !== null) ?? null;
}

/**
 * Records that other rows refer to are deleted after those rows, in the reverse order of creating: a mutation
 * can't be posted on a recipe that is gone.
 */
export function createLastDeletes(context: Context, run: string) {
  const { ledger, resources } = context;
  const referredTo = resourcesReferredTo(resources);
  const found = new Set<string>();
  return {
    /** Whether a row is sent in a later round. */
    waits({ action, resource }: PlannedRow): boolean {
      if (action !== 'delete' || !referredTo.has(resource)) return false;
      found.add(resource);
      return true;
    },
    /** The later rounds, each of one resource, in order. */
    rounds: () => resources.flatMap(({ name }) => (found.has(name) ? [name] : [])).reverse(),
    /** Finds for a record the row that refers to it and did not go through: then it is not deleted. */
    async findBlame(): Promise<(row: PlannedRow) => Blame> {
      const blamed = new Map<string, string>();
      for await (const result of eachRow(ledger, run)) {
        if (wentWell(result)) continue;
        const { planned } = result;
        for (const name of recordsOf(context, planned)) blamed.set(name, placeOf(planned));
      }
      return ({ resource, id, external }) =>
        blamed.get(`${resource} id:${id}`) ?? blamed.get(`${resource} external:${external}`) ?? null;
    },
  };
}

/** The resources of which rows of others can name a record. */
export const resourcesReferredTo = (resources: readonly Resource[]): ReadonlySet<string> =>
  new Set(resources.flatMap((resource) => references(resource).flatMap(({ to }) => to)));

/** The statuses of rows that went through. */
export const WENT_WELL: ReadonlySet<Status> = new Set<Status>(['created', 'updated', 'deleted', 'unchanged']);

/** Whether a row went through, or was not to be sent: that is no reason to keep a record. */
function wentWell({ planned, outcome }: StoredResult): boolean {
  return planned.steps.length === 0 || (outcome !== null && WENT_WELL.has(outcome.status));
}

/** The members of a resource's requests that name a record of another resource. */
function references({ fields }: Resource): readonly { member: string; to: readonly string[] }[] {
  return Object.values(fields).flatMap(({ refers }) =>
    refers === undefined ? [] : [{ member: refers.sets, to: refers.resources }],
  );
}

/** The records that a row's requests refer to: by id, of each possible resource, or by ExternalID. */
export function recordsOf(
  { resources }: Pick<Context, 'resources'>,
  { resource: name, steps }: PlannedRow,
): string[] {
  const resource = resources.find((one) => one.name === name);
  if (resource === undefined) return [];
  return references(resource).flatMap(({ member, to }) =>
    steps.flatMap(({ body }) => {
      const value = body[member];
      if (typeof value === 'number') return to.map((one) => `${one} id:${value}`);
      return typeof value === 'object' && value !== null && 'external' in value
        ? [`${value.$ref} external:${value.external}`]
        : [];
    }),
  );
}
