import type { PlannedRow, Status } from '../../core/plan.ts';
import { eachRow, type StoredResult } from '../../ledger/ledger.ts';
import type { Context } from '../../run/context.ts';
import type { Resource } from '../../schema/resource.ts';

/** Where the row stands that did not go through, such as `Evenementen!12`; null when all did. */
export type Blame = string | null;

/** What work waits for. */
export interface Turn {
  /** The work's own chain; null when no other work is about the same record. */
  readonly key: string | null;
  /** Chains that must have come to their end, as they stand now, before this work begins. */
  readonly after: readonly string[];
}

/**
 * Runs work side by side, but work under the same key one after the other, in the order it was added, and after the
 * work it needs. Work that waits for its turn takes no place among those running.
 */
interface RowChains {
  /** `blame` tells of what this work had to wait for whether it went through; so does the answer of the work itself. */
  add(turn: Turn, work: (blame: Blame) => Promise<Blame>): Promise<Blame>;
}

/** Chains over a runner that bounds how much runs at once. */
export function createRowChains(run: (work: () => Promise<Blame>) => Promise<Blame>): RowChains {
  const tails = new Map<string, Promise<Blame>>();
  return {
    async add({ key, after }, work) {
      const before = [key, ...after].flatMap((name) => (name === null ? [] : (tails.get(name) ?? [])));
      const mine =
        before.length === 0
          ? run(() => work(null))
          : afterAll(before).then((blame) => run(async () => (await work(blame)) ?? blame));
      if (key === null) return await mine;
      tails.set(key, mine);
      try {
        return await mine;
      } finally {
        if (tails.get(key) === mine) tails.delete(key);
      }
    },
  };
}

async function afterAll(before: readonly Promise<Blame>[]): Promise<Blame> {
  const ended = await Promise.all(before);
  return ended.find((blame) => blame !== null) ?? null;
}

/** Which deletes of a plan are sent after all else, and what they wait for. */
interface LastDeletes {
  /** Whether a row is to be sent in a later round; rows that are no deletes cost nothing. */
  waits(row: PlannedRow): boolean | Promise<boolean>;
  /** The later rounds, by resource, in the order in which they are to be sent. */
  rounds(): readonly string[];
  /** Finds the rows that refer to a record and did not go through: their record is not deleted. */
  findBlame(): Promise<(row: PlannedRow) => Blame>;
}

/**
 * What other rows refer to is deleted after them, in the reverse of the order in which it is made: a mutation on a recipe
 * can't be posted when the recipe is gone. A delete that a later row builds on (it makes the record anew) keeps its place.
 */
export function createLastDeletes(context: Context, run: string): LastDeletes {
  const { ledger, resources } = context;
  const referredTo = new Set(resources.flatMap((resource) => references(resource).flatMap(({ to }) => to)));
  const found = new Set<string>();
  const isBuiltOn = async ({ seq, resource, key, external }: PlannedRow): Promise<boolean> => {
    const names = [key, external === null ? null : `external:${external}`];
    for (const name of names) {
      const rows = name === null ? [] : await ledger.plannedFor(run, resource, name);
      if (rows.some((row) => row.seq > seq && row.steps.length > 0)) return true;
    }
    return false;
  };
  return {
    waits(row) {
      if (row.action !== 'delete' || !referredTo.has(row.resource)) return false;
      return isBuiltOn(row).then((built) => {
        if (!built) found.add(row.resource);
        return !built;
      });
    },
    rounds: () =>
      resources
        .map(({ name }) => name)
        .filter((name) => found.has(name))
        .reverse(),
    async findBlame() {
      const blamed = new Map<string, string>();
      for await (const result of eachRow(ledger, run)) {
        if (wentWell(result)) continue;
        const { sheet, row } = result.planned;
        for (const name of recordsOf(context, result.planned)) blamed.set(name, `${sheet}!${row}`);
      }
      return ({ resource, id, external }) =>
        blamed.get(`${resource} id:${id}`) ?? blamed.get(`${resource} external:${external}`) ?? null;
    },
  };
}

const WELL: ReadonlySet<Status> = new Set<Status>(['created', 'updated', 'deleted', 'unchanged']);

/** What was not to be sent is no reason to keep a record. */
function wentWell({ planned, outcome }: StoredResult): boolean {
  return planned.steps.length === 0 || (outcome !== null && WELL.has(outcome.status));
}

/** The members of a resource's requests that name a record of another resource. */
function references({
  fields,
}: Resource): readonly { readonly member: string; readonly to: readonly string[] }[] {
  return Object.values(fields).flatMap(({ refers }) =>
    refers === undefined ? [] : [{ member: refers.sets, to: refers.resources }],
  );
}

/** The records of other resources that a row's requests name: by id, of each resource that may be meant, or by ExternalID. */
function recordsOf({ resources }: Context, { resource: name, steps }: PlannedRow): string[] {
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
