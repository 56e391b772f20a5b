import type { PlannedRow } from '../../schema/plan.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Bilingual } from '../../schema/value.ts';
import { firstPage } from '../../service/pages.ts';
import type { Context } from '../context.ts';
import { readExisting } from '../plan/existing.ts';
import { readDetail } from '../plan/read-detail.ts';
import type { SourceSummary } from '../plan/record-source.ts';

/** How old the list of moved records may be before it is read anew, ms: the window in which a change goes unseen. */
const MAX_AGE = 15_000;

/** Tells whether a record changed on the service after the plan read it (design: "A run"). */
export interface Freshness {
  /** Why the row may not be sent, or null. */
  check(planned: PlannedRow): Promise<Bilingual | null>;
  /** To be told of a record this run writes itself: its own change is no conflict. */
  wrote(id: number): void;
}

/**
 * After a whole list, one list of what moved since then answers for all rows; after single reads, each record is
 * read once more.
 */
export function createFreshness(context: Context, resource: Resource, source: SourceSummary): Freshness {
  const own = new Set<number>();
  const lmtNow =
    source.strategy === 'list' ? movedSince(context, resource, source.newest) : readAgain(context, resource);
  return {
    wrote: (id) => void own.add(id),
    async check({ id, lmt }) {
      if (id === null || lmt === null || own.has(id)) return null;
      const now = await lmtNow(id, lmt);
      if (now === lmt) return null;
      return now === null ? goneText() : movedText(lmt, now);
    },
  };
}

type LmtNow = (id: number, lmt: string) => Promise<string | null>;

function readAgain(context: Context, resource: Resource): LmtNow {
  return async (id) => (await readDetail(context, resource, id))?.lmt ?? null;
}

function movedSince(context: Context, resource: Resource, newest: string | null): LmtNow {
  let moved: Promise<Map<number, string>> = Promise.resolve(new Map());
  let readAt = Number.NEGATIVE_INFINITY;
  return async (id, lmt) => {
    if (newest === null) return lmt;
    const now = context.clock().getTime();
    if (now - readAt > MAX_AGE) {
      readAt = now;
      moved = readMoved(context, resource, newest);
    }
    return (await moved).get(id) ?? lmt;
  };
}

async function readMoved(context: Context, resource: Resource, since: string): Promise<Map<number, string>> {
  const moved = new Map<number, string>();
  const first = await firstPage(context.service, resource.requests.list, { LMT: atMillisecond(since) });
  for await (const page of first.all(context.concurrency)) {
    for (const record of page.data) {
      const existing = readExisting(resource, record);
      if (existing?.id != null && existing.lmt !== null) moved.set(existing.id, existing.lmt);
    }
  }
  return moved;
}

/** The body's LMT has the shape `YYYY-MM-DD hh:mm:ss.SSS` (interface 2.1). */
function atMillisecond(lmt: string): string {
  return lmt.includes('.') ? lmt : `${lmt}.000`;
}

const movedText = (then: string, now: string): Bilingual => ({
  en: `changed on the service after it was read (LMT was ${then}, is ${now}); import again to see the difference`,
  nl: `gewijzigd op de dienst nadat het gelezen was (LMT was ${then}, is ${now}); importeer opnieuw om het verschil te zien`,
});

const goneText = (): Bilingual => ({
  en: 'no longer on the service',
  nl: 'niet meer op de dienst',
});
