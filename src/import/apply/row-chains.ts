import type { PlannedRow, Status } from '../../core/plan.ts';
import { eachRow, type StoredResult } from '../../ledger/ledger.ts';
import type { Context } from '../../run/context.ts';
import type { Resource } from '../../schema/resource.ts';

/** The row that did not go through, such as `Evenementen!12`; null when all did. */
export type Blame = string | null;

/** What work waits for. */
export interface Dependencies {
  /** The work's own chain; null when no other work is about the same record. */
  readonly key: string | null;
  /** Chains whose work, as far as it was added, must have ended before this begins. */
  readonly after: readonly string[];
}

/**
 * Runs work side by side, but work under one key in the order it was added, and after the work it needs.
 * `run` bounds how much runs at once; work that waits does not count.
 */
export function createRowChains(run: (work: () => Promise<Blame>) => Promise<Blame>) {
  const tails = new Map<string, Promise<Blame>>();
  return {
    /** `blame` tells whether what this work waited for went through; the work answers the same of itself. */
    async add({ key, after }: Dependencies, work: (blame: Blame) => Promise<Blame>): Promise<Blame> {
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

interface LastDeletes {
  /** Whether a row is sent in a later round; only a delete costs a look in the ledger. */
  waits(row: PlannedRow): boolean | Promise<boolean>;
  /** The later rounds, each of one resource, in order. */
  rounds(): readonly string[];
  /** Finds for a record the row that refers to it and did not go through: then it is not deleted. */
  findBlame(): Promise<(row: PlannedRow) => Blame>;
}

/**
 * Records that other rows refer to are deleted after those rows, in the reverse order of creating: a mutation
 * can't be posted on a recipe that is gone. A delete whose record a later row creates anew keeps its place.
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
function references({ fields }: Resource): readonly { member: string; to: readonly string[] }[] {
  return Object.values(fields).flatMap(({ refers }) =>
    refers === undefined ? [] : [{ member: refers.sets, to: refers.resources }],
  );
}

/** The records that a row's requests refer to: by id, of each possible resource, or by ExternalID. */
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
