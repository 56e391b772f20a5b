import pLimit from 'p-limit';
import type { PlannedRow, Status } from '../../core/plan.ts';
import { eachRow, type Memory, type StoredResult } from '../../ledger/ledger.ts';
import { momentOf } from '../../records/sent-before.ts';
import { askedOnce } from '../../records/shared-reading.ts';
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

/** Rows at work beyond those whose requests are in flight: while one writes to the ledger, another sends. */
const AHEAD = 8;
/** Rows at work wait for the pace, or for the answers of others, at most so long, s. */
const PACED = 2;

/** Room for so many rows at work at once, in the order of asking; one that only waits leaves its room to others. */
export type Places = ReturnType<typeof createPlaces>;

/** Places for as many rows as keep the pipe full: what waits long after it was looked at could change. */
export function createPlaces({ service, concurrency }: Pick<Context, 'service' | 'concurrency'>) {
  const most = (): number => {
    const { latency, rate, limit: inFlight } = service.stats;
    const answered = latency === null ? AHEAD : Math.floor((concurrency * PACED * 1000) / latency);
    return Math.min(Math.min(concurrency, inFlight) + Math.min(AHEAD, answered), Math.ceil(rate * PACED));
  };
  const limit = pLimit(1);
  const waiting: (() => void)[] = [];
  let aside = 0;
  const adjust = (): void => {
    limit.concurrency = Math.max(1, most()) + aside;
  };
  const freed = (): void => {
    adjust();
    for (const tell of waiting.splice(0)) tell();
  };
  return {
    /** Does work in a place. */
    async run<T>(work: () => Promise<T>): Promise<T> {
      adjust();
      try {
        return await limit(work);
      } finally {
        freed();
      }
    },
    /** Does work that only waits, of a row that has a place: others have it meanwhile. */
    async aside<T>(work: () => Promise<T>): Promise<T> {
      aside++;
      freed();
      try {
        return await work();
      } finally {
        aside--;
        adjust();
      }
    },
    /** Rows that have a place or ask for one, those that ask, and rows that left theirs for a while. */
    counts: () => ({
      busy: limit.activeCount + limit.pendingCount - aside,
      waiting: limit.pendingCount,
      aside,
    }),
    /** Resolves when a row next leaves its place. */
    freed: () => new Promise<void>((resolve) => waiting.push(resolve)),
  };
}

type LateWrite = Memory['unsettled'] & {
  readonly resource: string;
  readonly until: number;
};

/**
 * The updates and deletes that were given up, or repeated, and may still arrive, by their records: rows on
 * such a record wait, as they would be undone. They are in the ledger too, for later runs.
 */
export function createLateWrites(context: Context, run: string, aside: Places['aside']) {
  const { ledger, serviceKey, doubts, time } = context;
  const late = new Map<string, LateWrite>();
  const load = askedOnce(async (resource: string): Promise<void> => {
    const known = [
      ...(await ledger.recall(serviceKey, resource, 'unsettled')).values(),
      ...(await cutOff(context, run, resource)),
    ];
    for (const write of known) {
      const { key, at } = write;
      const name = recordName({ resource, key }) ?? '';
      // Nobody knows how our clock was set since: it has its whole time from this session's start on.
      const until = doubts.ofEarlier(new Date(at));
      if (until === 0) await ledger.remember(serviceKey, resource, 'unsettled', key, null);
      else if (!late.has(name)) late.set(name, { ...write, resource, until });
    }
  });
  const forget = async (name: string, { resource, key }: LateWrite): Promise<void> => {
    late.delete(name);
    await ledger.remember(serviceKey, resource, 'unsettled', key, null);
  };
  return {
    /** Takes a write that may still arrive until then; `id`: that of its record. */
    async add(planned: PlannedRow, id: number | null, until: number): Promise<void> {
      const { resource, seq } = planned;
      const [name, key] = [recordName(planned), keyLater(planned, id)];
      if (key === null || name === null) return;
      const write = { key, run, seq, at: new Date(time.now()).toISOString() };
      late.set(name, { ...write, resource, until: Math.max(until, late.get(name)?.until ?? 0) });
      await ledger.remember(serviceKey, resource, 'unsettled', key, write);
    },
    /**
     * Waits until no earlier write of a row's record can arrive any more; answers the row as it is sent then,
     * null where the wait was ended.
     */
    async passed(planned: PlannedRow): Promise<PlannedRow | null> {
      const { resource, seq, id } = planned;
      const name = recordName(planned) ?? '';
      await load(resource);
      const known = late.get(name);
      // What the row itself sent is sent again.
      if (known === undefined || (known.run === run && known.seq === seq)) return planned;
      if (!(await aside(() => doubts.passed(known.until)))) return null;
      if (late.get(name) === known) await forget(name, known);
      // Its LMT may be that of the late write: the values tell what others changed. A link has them in its place.
      return id === null ? planned : { ...planned, lmt: null };
    },
    /** To be called at a run's end: what can no longer arrive is no later run's concern. */
    async forgetPassed(): Promise<void> {
      for (const [name, known] of late) if (known.until <= time.steady()) await forget(name, known);
    },
  };
}

/** How a later run knows the record: one that this run created by its id. */
const keyLater = ({ key }: PlannedRow, id: number | null): string | null =>
  key?.startsWith('external:') === true && id !== null ? `id:${id}` : key;

/** The updates and deletes of other runs that were out when their program ended. */
async function cutOff(
  { ledger, serviceKey }: Context,
  but: string,
  resource: string,
): Promise<Memory['unsettled'][]> {
  return (await ledger.findCutOff(serviceKey)).flatMap(({ run, planned, progress }) => {
    const purpose = planned.steps[progress?.done ?? 0]?.purpose;
    const key = keyLater(planned, progress?.id ?? null);
    if (run === but || planned.resource !== resource || progress?.sendingSince == null) return [];
    if (key === null || (purpose !== 'update' && purpose !== 'delete')) return [];
    return { key, run, seq: planned.seq, at: momentOf(progress.sendingSince).toISOString() };
  });
}
