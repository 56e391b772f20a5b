import { setTimeout as sleep } from 'node:timers/promises';
import { type Bilingual, t } from '../core/language.ts';
import type { PlannedRow, Step } from '../core/plan.ts';
import type { Value } from '../core/value.ts';
import type { Context } from '../run/context.ts';
import type { Resource } from '../schema/resource.ts';
import { type ExistingRecord, heldIn, sameValue } from './existing-record.ts';
import type { RunOf, SourceSummary } from './planning.ts';
import { later } from './reading-clock.ts';

/** Why a row may not be sent: its record is no longer what it was when it was read. */
export interface RecordConflict {
  readonly message: Bilingual;
  /** What the record holds now; absent where that is not known. */
  readonly now?: Readonly<Record<string, Value | undefined>>;
  /** The record that someone else made meanwhile and that is as the row says: nothing is left to send. */
  readonly same?: number | null;
}

/** Someone else deleted the record meanwhile. */
export const goneConflict = (): RecordConflict => ({
  message: t('no longer on the service', 'niet meer op de dienst'),
});

/** Someone else changed the record meanwhile; `what` was other than it is. */
export const changedText = (what: string): Bilingual =>
  t(
    `changed on the service after it was read (${what}); ${TO_DECIDE.en}`,
    `gewijzigd op de dienst nadat het gelezen was (${what}); ${TO_DECIDE.nl}`,
  );

/** What the user does about a record that changed meanwhile. */
export const TO_DECIDE = t(
  'import again with --dry-run to see the difference: what you both changed waits for --on-conflict mine or theirs',
  'importeer opnieuw met --dry-run om het verschil te zien: wat jullie allebei wijzigden wacht op --on-conflict mine of theirs',
);

/** Whether two moments of a record are the same: some reads give them to the second only. */
export function sameMoment(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length);
  return one.slice(0, length) === other.slice(0, length);
}

/** The moment a second earlier: a service may round its LMT, so a list from the LMT could miss a change. */
export const secondBefore = (lmt: string): string => later(lmt, -1000);

/** A record as it is now; null where there is none. */
export type RecordNow = ExistingRecord | 'unchanged' | null;

/**
 * Tells whether records changed after the plan read them: by LMT, and by the values to be changed where that is
 * missing or the same; `look` reads one now.
 */
export function createFreshness(
  resource: Resource,
  look: (id: number, lmt: string | null) => Promise<RecordNow>,
) {
  const own = new Set<number | null>();
  return {
    /** Takes a record that this run wrote itself: its own change is no conflict. */
    wrote: (id: number | null): void => void own.add(id),
    async check({ id, lmt, changes }: PlannedRow): Promise<RecordConflict | null> {
      if (id === null || own.has(id)) return null;
      const now = await look(id, lmt);
      if (now === 'unchanged') return null;
      if (now === null) return goneConflict();
      if (lmt !== null && now.lmt !== null && !sameMoment(now.lmt, lmt))
        return { message: changedText(`LMT was ${lmt}, is ${now.lmt}`), now: now.values };
      const others = changes.filter(({ field, from }) => {
        const is = heldIn(resource, now, field);
        return is !== undefined && !sameValue(is, from);
      });
      if (others.length === 0) return null;
      return { message: changedText(others.map(({ field }) => field).join(', ')), now: now.values };
    },
  };
}

/** A reading that is repeated once it is older than `maxAge`, ms. */
export function renewed<T>({ clock }: Context, maxAge: number, read: () => Promise<T>): () => Promise<T> {
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<T> | undefined;
  return () => {
    const now = clock().getTime();
    if (reading === undefined || now - readAt > maxAge) {
      readAt = now;
      reading = read();
    }
    return reading;
  };
}

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
 * Reads records as they are now by one list for all rows: what changed since the plan. Where LMTs are missing,
 * or were not seen to move yet, also what did not change by them.
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
  let learned = (): void => {};
  const isLearned = new Promise<void>((resolve) => {
    learned = resolve;
  });
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
      if (moves === null && id !== first)
        await Promise.race([isLearned, sleep(PATIENCE, null, { ref: false })]);
      if (now !== undefined || moves === true) return now === undefined ? 'unchanged' : now;
      if (moves === null && lists.one !== undefined) return await lists.one(id);
      return (await all()).get(id) ?? null;
    },
    /** Learns by the first update whether LMT moves: within one minute it may not, of a clock without seconds. */
    async wrote({ step, id, planned: { lmt } }: WrittenStep): Promise<void> {
      if (moves !== null || step.purpose !== 'update' || id === null || lmt === null) return;
      const listed = async (): Promise<ListedRecord | undefined> =>
        (await lists.since(secondBefore(lmt))).find((record) => record.id === id);
      learning ??= (lists.one?.(id) ?? listed()).then(
        async (record) => {
          moves = record?.lmt != null && !sameMoment(record.lmt, lmt);
          learned();
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

interface WrittenStep {
  readonly step: Step;
  readonly id: number | null;
  readonly planned: PlannedRow;
}
