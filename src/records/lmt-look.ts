import { setTimeout as sleep } from 'node:timers/promises';
import type { Resource } from '../schema/resource.ts';
import type { ExistingRecord } from './existing-record.ts';
import { type RecordNow, renewed, sameMoment, secondBefore } from './freshness.ts';
import type { RunOf, SourceSummary } from './planning.ts';
import type { SentStep } from './row-guard.ts';

/** A record of a list by LMT; `existing` is null for one that is deleted, where lists still hold such. */
export interface ListedRecord {
  readonly id: number;
  readonly lmt: string | null;
  readonly existing: ExistingRecord | null;
}

/** How old the list of changed records may be before it is read anew, ms. */
const MAX_AGE = 1_000;

/** The same of a list that is read whole: it may be long. */
const MAX_AGE_OF_ALL = 10_000;

/** How long other rows wait for the first one to show whether LMT moves, ms. */
const PATIENCE = 2_000;

interface Lists {
  /** What was written after a moment. */
  since(lmt: string): Promise<readonly ListedRecord[]>;
  all(): Promise<readonly ListedRecord[]>;
  /** One record by itself, where it can be read. */
  one?(id: number): Promise<ExistingRecord | null>;
}

/**
 * Reads records as they are now by one list for all rows: what changed since the plan. Where LMTs are
 * missing, or were not seen to move yet, also what did not change by them.
 */
export function createLmtLook(context: RunOf<Resource> & { readonly summary: SourceSummary }, lists: Lists) {
  const { ledger, serviceKey, resource, summary } = context;
  const fact = `LMT of ${resource.name} moves`;
  const changed = new Map<number, ExistingRecord | null>();
  let since = summary.newest;
  /** Whether an update moves LMT; null until the first update has shown it. */
  let moves: boolean | null = null;
  let learning: Promise<void> | undefined;
  let first: number | undefined;
  const learned = new AbortController();
  // One wait for all rows. Its timer keeps the process alive: else a program whose rows all wait would end.
  let waiting: Promise<unknown> | undefined;
  const wait = (): Promise<unknown> => {
    waiting ??= sleep(PATIENCE, null, { signal: learned.signal }).catch(() => {});
    return waiting;
  };
  const refresh = renewed(context, MAX_AGE, async () => {
    for (const { id, lmt, existing } of await lists.since(secondBefore(since ?? ''))) {
      changed.set(id, existing);
      if (lmt !== null && (since === null || lmt > since)) since = lmt;
    }
  });
  const all = renewed(
    context,
    MAX_AGE_OF_ALL,
    async () => new Map((await lists.all()).map(({ id, existing }) => [id, existing])),
  );
  return {
    async look(id: number, lmt: string | null): Promise<RecordNow> {
      if (since === null || lmt === null) return (await all()).get(id) ?? null;
      await refresh();
      const now = changed.get(id);
      moves ??= (await ledger.findFact(serviceKey, fact)) === 'yes' ? true : null;
      first ??= id;
      // The first row may not be sent after all.
      if (moves === null && id !== first) await wait();
      if (now !== undefined || moves === true) return now === undefined ? 'unchanged' : now;
      if (moves === null && lists.one !== undefined) return await lists.one(id);
      return (await all()).get(id) ?? null;
    },
    /** Learns by the first update whether LMT moves. */
    async wrote({ step, id, planned: { lmt } }: Pick<SentStep, 'step' | 'id' | 'planned'>): Promise<void> {
      if (moves !== null || step.purpose !== 'update' || id === null || lmt === null) return;
      const listed = async (): Promise<ListedRecord | undefined> =>
        (await lists.since(secondBefore(lmt))).find((record) => record.id === id);
      learning ??= (lists.one?.(id) ?? listed()).then(
        async (record) => {
          moves = record?.lmt != null && !sameMoment(record.lmt, lmt);
          learned.abort();
          if (moves) await ledger.rememberFact(serviceKey, fact, 'yes');
        },
        () => {
          learning = undefined;
        },
      );
      await learning;
    },
  };
}
