import type { Resource } from '../schema/resource.ts';
import type { ExistingRecord } from './existing-record.ts';
import { lmtMoves, type RecordNow, renewed, sameMoment, secondBefore } from './freshness.ts';
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

interface Reads {
  /** What was written after a moment. */
  since(lmt: string): Promise<readonly ListedRecord[]>;
  /** One record as it is now. */
  one(id: number): Promise<ExistingRecord | null>;
}

/**
 * Reads records as they are now by one list for all rows: what changed since the plan. It is believed once a
 * write of our own stood in it, in this run or an earlier one: LMTs may be missing or not move, and a clock may
 * have jumped back. Until then each record is read by itself.
 */
export function createChangedSince(
  context: RunOf<Resource> & { readonly summary: SourceSummary },
  { since: list, one }: Reads,
) {
  const { ledger, serviceKey, resource, summary, time } = context;
  const fact = lmtMoves(resource);
  const changed = new Map<number, ExistingRecord | null>();
  /** What this run wrote since the last list, with the LMT it had. */
  const written = new Map<number, string>();
  let since = summary.newest;
  let told: boolean | undefined;
  let before: Promise<boolean> | undefined;
  let learning: Promise<unknown> | undefined;
  const read = async (): Promise<void> => {
    const own = new Map(written);
    written.clear();
    let isListed = false;
    for (const { id, lmt, existing } of await list(secondBefore(since ?? ''))) {
      const was = own.get(id);
      if (was !== undefined && (lmt === null || !sameMoment(lmt, was))) isListed = true;
      changed.set(id, existing);
      if (lmt !== null && (since === null || lmt > since)) since = lmt;
    }
    if (own.size > 0 && told !== false) told = isListed;
  };
  const refresh = renewed(time, MAX_AGE, read);
  const tells = async (): Promise<boolean> => {
    before ??= ledger.findFact(serviceKey, fact).then((known) => known === 'yes');
    return told ?? (await before);
  };
  return {
    async look(id: number, lmt: string | null): Promise<RecordNow> {
      if (since === null || lmt === null || !(await tells())) return await one(id);
      await refresh();
      return changed.get(id) ?? (changed.has(id) ? null : (await tells()) ? 'unchanged' : await one(id));
    },
    /** Takes what was written, and learns by the first update whether the list tells it. */
    async wrote({ step, id, planned: { lmt } }: SentStep): Promise<void> {
      if (told === false || since === null || step.purpose !== 'update' || id === null || lmt === null)
        return;
      written.set(id, lmt);
      if (told === true) return;
      const learn = async (): Promise<void> => {
        await read();
        if (told === true) await ledger.rememberFact(serviceKey, fact, 'yes');
      };
      learning ??= learn().catch(() => {
        learning = undefined;
      });
      await learning;
    },
  };
}
