import { type Bilingual, t } from '../core/language.ts';
import type { PlannedRow } from '../core/plan.ts';
import type { Values } from '../core/value.ts';
import type { Resource } from '../schema/resource.ts';
import { RequestError } from '../service/request-error.ts';
import { createMark, createSettling, keepMark, type Mark, type RecordReads } from './doubts.ts';
import {
  type ExistingRecord,
  holdsSent,
  isOff,
  type KeyedResource,
  LISTED,
  plainValues,
  type RecordResource,
  sameMoment,
  secondBefore,
} from './existing-record.ts';
import { EPOCH } from './listing.ts';
import type { ContextOf } from './planning.ts';
import {
  changedConflict,
  type GuardSetup,
  madeConflict,
  type RecordConflict,
  type RowGuard,
} from './row-guard.ts';
import { sharedReading } from './shared-reading.ts';

/** More records than these are read by a list. */
const FEW = 3;

/** So many of the written records that a list lacks are read back: more of them cost an update each. */
const MOST_SINGLE = 20;

/** How old a list of all rows may be before it is read again, ms: so long a change may go unseen. */
const MAX_AGE = 1_000;

/** Guards rows on records by what the service shows of them, and settles lost answers by it. */
export function createRecordGuard(context: GuardSetup<RecordResource>, reads: RecordReads): RowGuard {
  const { resource, summary } = context;
  const keys =
    'external' in resource ? createKeyKeeping({ ...context, resource }, (id) => reads.one(id, null)) : null;
  const { same } = reads;
  const own = new Set<number>();
  const changed = createChangedSince(context, reads);
  const look = createMadeSince(context, reads);
  return {
    async check(planned, inDoubt = false, anew = inDoubt) {
      const { id, lmt } = planned;
      if (id === null) return planned.steps[0]?.purpose === 'create' ? await look(planned) : null;
      const isOwn = own.has(id);
      if (isOwn && !anew) return null;
      const now = anew ? await reads.one(id, lmt) : await changed.look(id, lmt);
      return now === 'unchanged'
        ? null
        : changedConflict(resource, planned, now, { inDoubt, isOwn, ...(same && { same }) });
    },
    async wrote({ id, step, planned, body }) {
      if (id === null) return;
      own.add(id);
      const external = 'external' in resource ? body[resource.external] : null;
      if (typeof external === 'number') keys?.stored(external, id);
      if (step.purpose === 'update' && planned.lmt !== null) changed.wrote(id, planned.lmt);
    },
    async readBack(sent) {
      await keys?.learn();
      const left = new Set(sent.flatMap(({ id }) => id ?? []));
      const { newest } = summary;
      const listed = left.size > FEW && newest !== null ? await reads.since(secondBefore(newest)) : [];
      for (const { id } of listed) left.delete(id ?? 0);
      const single = [...left].slice(0, MOST_SINGLE).map((id) => reads.one(id, null));
      const read = [...listed.filter(({ gone }) => !gone), ...(await Promise.all(single))];
      return read.flatMap((record) => (record === null ? [] : { ...record, key: `id:${record.id}` }));
    },
    readNow: async ({ id, planned }) =>
      id === null ? null : ((await reads.one(id, planned.lmt))?.values ?? null),
    tookEffect: createSettling(context, reads),
    ...(keys && { notes: keys.notes }),
  };
}

/**
 * Reads records as they are now, after a plan that read a list by one list for all rows: what changed since. It
 * is believed once a write of this run stood in it: LMTs may be missing or not
 * move, and a clock may have jumped back. Until then each record is read by itself.
 */
function createChangedSince(context: GuardSetup<Resource>, { one, since: list }: RecordReads) {
  const { summary, time } = context;
  const changed = new Map<number, ExistingRecord>();
  /** What this run wrote since the last list, with the LMT it had. */
  let written = new Map<number, string>();
  let since = summary.strategy === 'list' ? summary.newest : null;
  let told: boolean | undefined;
  const refresh = sharedReading(time, async (_: 'list') => {
    const own = written;
    written = new Map();
    const listed = (await list(secondBefore(since ?? ''))).filter(({ lmt }) => lmt !== null);
    for (const record of listed) {
      const { id, lmt } = record;
      if (id !== null) changed.set(id, record);
      if (lmt !== null && (since === null || lmt > since)) since = lmt;
    }
    if (own.size === 0 || told === false) return;
    told = listed.some(({ id, lmt }) => !sameMoment(own.get(id ?? 0) ?? lmt ?? '', lmt ?? ''));
  });
  return {
    async look(id: number, lmt: string | null): Promise<ExistingRecord | 'unchanged' | null> {
      const asked = time.steady() - MAX_AGE;
      const isListed = since !== null && lmt !== null && told !== false;
      // It is told by a write of this run.
      const isTellable = told !== undefined || written.size > 0;
      if (!isListed || !isTellable) return await one(id, null, asked);
      await refresh('list', asked);
      const record = changed.get(id);
      if (record !== undefined) return record.gone ? null : record;
      return told === true ? 'unchanged' : await one(id, null, asked);
    },
    wrote(id: number, lmt: string): void {
      if (since === null || told === false) return;
      written.set(id, lmt);
    },
  };
}

/** How old the look at what others made may be before the next create is sent, ms. */
const MADE_AGE = 2_000;

/**
 * Looks, before a run's first create, at what was made since the plan: in one list for all rows. What it sees is
 * the run's mark. While creates are still to be sent, it looks again once that is old.
 */
function createMadeSince(context: GuardSetup<Resource>, { since, ends, keyed: one, same }: RecordReads) {
  const { summary, resource, time } = context;
  const keyed = new Map<number, ExistingRecord>();
  const { newest, highest, atNewest = [] } = summary;
  const planned: Mark | null = highest === undefined ? null : { newest, highest, atNewest };
  let mark: Mark | undefined;
  const looked = sharedReading(time, async (_: 'made') => {
    const from = mark ?? planned;
    // Where no LMT tells what is new, and all was read once, what is new is at an end.
    const isAtEnds = from === null || (from.newest === null && mark !== undefined);
    const read = isAtEnds ? await ends?.() : undefined;
    const records = read?.records ?? (await since(from?.newest ? secondBefore(from.newest) : EPOCH));
    const seen = createMark(from ?? undefined);
    for (const record of records) {
      seen.saw(record);
      if (record.external !== null) keyed.set(record.external, record);
    }
    if (mark === undefined)
      await keepMark(context, { ...seen.mark(), ...(read?.whole === false && { ends: true }) });
    mark = seen.mark();
  });
  // What no list tells may be other than the row says.
  const isTold = (name: string): boolean =>
    resource.keys.includes(name) || LISTED.includes(resource.fields[name]?.reads ?? 'none');
  return async (row: PlannedRow): Promise<RecordConflict | null> => {
    await looked('made', time.steady() - MADE_AGE);
    const { external, steps } = row;
    if (external === null) return null;
    // What is off a list may leave out.
    const isOut = isOff(resource, { values: plainValues(steps[0]?.body ?? {}) });
    const there = keyed.get(external) ?? (isOut ? await one?.(external, () => since(EPOCH)) : null);
    if (there == null) return null;
    const holds = (body: Values) => Object.keys(body).every(isTold) && holdsSent(resource, there, body, same);
    return madeConflict(row, there, holds);
  };
}

/** A key that was stored and is not shown for so long was lost, ms. */
const LONGEST_LAG = 1_000;

/** The fact in the ledger that tells whether a service keeps keys; `no` once it was seen not to. */
export const keepsKeys = (resource: Resource): string =>
  `keeps ${'external' in resource ? resource.external : ''} of ${resource.name}`;

/** What a run finds out of the ExternalIDs that it stores: by the first, which is read back once in the end. */
function createKeyKeeping(
  { ledger, serviceKey, log, resource, doubts, time }: ContextOf<KeyedResource>,
  read: (id: number) => Promise<ExistingRecord | null>,
) {
  let lost: Bilingual | null = null;
  let first: { readonly id: number; readonly external: number } | undefined;
  let isLearned = false;
  return {
    notes: (): Bilingual[] => (lost === null ? [] : [lost]),
    stored(external: number, id: number): void {
      first ??= { external, id };
    },
    /** Never throws for the service. */
    async learn(): Promise<void> {
      if (first === undefined || isLearned) return;
      isLearned = true;
      const { id, external } = first;
      const until = Math.min(doubts.fromNow(), time.steady() + LONGEST_LAG);
      try {
        const existing = await doubts.look(
          until,
          () => read(id),
          (seen) => seen?.external === external,
        );
        if (existing == null) return;
        if (existing.external !== external) lost = keptHereText(resource, id, external);
        await ledger.rememberFact(serviceKey, keepsKeys(resource), lost === null ? 'yes' : 'no');
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        log.warn({ resource: resource.name, error: error.reason }, 'a stored key could not be read back');
      }
    },
  };
}

const keptHereText = ({ name, sheet, id, external }: KeyedResource, own: number, key: number): Bilingual =>
  t(
    `The service does not keep ${external} for ${name} (${external} ${key} of ${id} ${own} was not there afterwards); this program's ledger remembers which record has which number.`,
    `Het systeem bewaart ${external} niet voor ${sheet} (${external} ${key} van ${id} ${own} stond er achteraf niet); het register van dit programma onthoudt welk record bij welk nummer hoort.`,
  );
