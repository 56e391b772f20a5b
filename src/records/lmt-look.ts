import type { PlannedRow } from '../core/plan.ts';
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

/** The same of a list that is read whole: it may be long. */
const MAX_AGE_OF_ALL = 10_000;

/** How long other rows wait for the first one to show whether LMT moves, ms. */
const PATIENCE = 10_000;

type Learned = SentStep & { readonly id: number };

interface Lists {
  /** What was written after a moment. */
  since(lmt: string): Promise<readonly ListedRecord[]>;
  all(): Promise<readonly ListedRecord[]>;
  /** One record by itself, where it can be read. */
  one?(id: number): Promise<ExistingRecord | null>;
}

/** What changed since the plan, by a list; it is told what this run wrote itself. */
class ChangedSince {
  readonly records = new Map<number, ExistingRecord | null>();
  /** Whether the list tells what is written; null until a write of this run was looked for in it. */
  tells: boolean | null = null;
  since: string | null;
  /** What this run wrote since the last list, with the LMT it had. */
  private readonly written = new Map<number, string>();
  private readonly list: Lists['since'];

  constructor(since: string | null, list: Lists['since']) {
    this.since = since;
    this.list = list;
  }

  wrote(id: number, lmt: string): void {
    this.written.set(id, lmt);
  }

  readonly read = async (): Promise<void> => {
    const own = new Map(this.written);
    this.written.clear();
    let isListed = false;
    for (const { id, lmt, existing } of await this.list(secondBefore(this.since ?? ''))) {
      const before = own.get(id);
      if (before !== undefined && (lmt === null || !sameMoment(lmt, before))) isListed = true;
      this.records.set(id, existing);
      if (lmt !== null && (this.since === null || lmt > this.since)) this.since = lmt;
    }
    if (own.size > 0 && this.tells !== false) this.tells = isListed;
  };
}

/**
 * Reads records as they are now by one list for all rows: what changed since the plan. It is believed once a
 * write of this run's own stood in it: LMTs may be missing or not move, and a clock may have jumped back.
 */
export function createLmtLook(context: RunOf<Resource> & { readonly summary: SourceSummary }, lists: Lists) {
  const { ledger, serviceKey, resource, summary, time } = context;
  const fact = lmtMoves(resource);
  const changed = new ChangedSince(summary.newest, lists.since);
  let learning: Promise<unknown> | undefined;
  let first: number | undefined;
  const learned = new AbortController();
  // One wait for all rows. Its timer keeps the process alive: else a program whose rows all wait would end.
  let waiting: Promise<unknown> | undefined;
  const wait = (): Promise<unknown> => {
    waiting ??= time.sleep(PATIENCE, learned.signal).catch(() => {});
    return waiting;
  };
  const refresh = renewed(time, MAX_AGE, changed.read);
  const readAll = async () => new Map((await lists.all()).map(({ id, existing }) => [id, existing]));
  const all = renewed(time, MAX_AGE_OF_ALL, readAll);
  const movedBefore = async (): Promise<boolean> => (await ledger.findFact(serviceKey, fact)) === 'yes';
  // One record tells as much as a list, in one request: a list may have many pages.
  const learn = async (sent: Learned): Promise<void> => {
    const record = (await lists.one?.(sent.id)) ?? null;
    if (lists.one === undefined) await changed.read();
    else changed.tells = record?.lmt != null && isListedBy(record.lmt, sent.planned.lmt, changed.since);
    learned.abort();
    if (changed.tells === true) await ledger.rememberFact(serviceKey, fact, 'yes');
  };
  return {
    /** A row has its outcome: where it taught nothing, the others wait no longer. */
    ended({ id }: PlannedRow): void {
      if (id === first) learned.abort();
    },
    async look(id: number, lmt: string | null): Promise<RecordNow> {
      if (changed.since === null || lmt === null) return (await all()).get(id) ?? null;
      await refresh();
      first ??= id;
      if (changed.tells === null && id !== first) await wait();
      const now = changed.records.get(id);
      if (now !== undefined) return now;
      if (changed.tells === true) return 'unchanged';
      if (changed.tells === null && (await movedBefore())) return 'unchanged';
      if (changed.tells === null && lists.one !== undefined) return await lists.one(id);
      return (await all()).get(id) ?? null;
    },
    /** Takes what was written, and learns by the first update whether the list tells it. */
    async wrote(sent: SentStep): Promise<void> {
      const { step, id, planned } = sent;
      const { lmt } = planned;
      if (changed.tells === false || step.purpose !== 'update' || id === null || lmt === null) return;
      changed.wrote(id, lmt);
      if (changed.tells === true) return;
      learning ??= learn({ ...sent, id }).catch(() => {
        learning = undefined;
      });
      await learning;
    },
  };
}

/** Whether an LMT that a write made moved, and comes after the moment from which lists are asked. */
function isListedBy(lmt: string, before: string | null, since: string | null): boolean {
  if (before !== null && sameMoment(lmt, before)) return false;
  return since === null || lmt.slice(0, SECOND) >= since.slice(0, SECOND);
}

/** Of a moment, all down to its second. */
const SECOND = 19;
