import type { PlannedRow } from '../../../schema/plan.ts';
import type { CatalogueResource } from '../../../schema/resource.ts';
import type { Bilingual } from '../../../schema/value.ts';
import { firstPage } from '../../../service/pages.ts';
import type { Context } from '../../context.ts';
import type { SourceSummary } from '../kind.ts';
import { readExisting } from './existing.ts';
import { readDetail } from './read-detail.ts';

/** How old the list of moved records may be before it is read anew, ms: the window in which a change goes unseen. */
const MAX_AGE = 1_000;

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
export function createFreshness(
  context: Context,
  resource: CatalogueResource,
  source: SourceSummary,
): Freshness {
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

function readAgain(context: Context, resource: CatalogueResource): LmtNow {
  return async (id) => (await readDetail(context, resource, id))?.lmt ?? null;
}

/** Each list begins where the last one ended, so that in all it costs one look at what changed meanwhile. */
function movedSince(context: Context, resource: CatalogueResource, newest: string | null): LmtNow {
  const moved = new Map<number, string>();
  let since = newest;
  let reading = Promise.resolve();
  let readAt = Number.NEGATIVE_INFINITY;
  const read = async (from: string): Promise<void> => {
    const first = await firstPage(context.service, resource.requests.list, { LMT: secondBefore(from) });
    for await (const page of first.all(context.concurrency)) {
      for (const { id, lmt } of page.data.flatMap((record) => readExisting(resource, record) ?? [])) {
        if (id === null || lmt === null) continue;
        moved.set(id, lmt);
        if (since === null || lmt > since) since = lmt;
      }
    }
  };
  return async (id, lmt) => {
    if (since === null) return lmt;
    const now = context.clock().getTime();
    if (now - readAt > MAX_AGE) {
      readAt = now;
      reading = read(since);
    }
    await reading;
    return moved.get(id) ?? lmt;
  };
}

/** A service may round its LMT to the second, so a list that starts there could miss a change of the same second. */
function secondBefore(lmt: string): string {
  const moment = new Date(`${lmt.replace(' ', 'T')}Z`);
  return new Date(moment.getTime() - 1000).toISOString().replace('T', ' ').replace('Z', '');
}

/** Someone else wrote the record meanwhile. */
export const movedText = (then: string, now: string): Bilingual => ({
  en: `changed on the service after it was read (LMT was ${then}, is ${now}); import again to see the difference`,
  nl: `gewijzigd op de dienst nadat het gelezen was (LMT was ${then}, is ${now}); importeer opnieuw om het verschil te zien`,
});

/** Someone else deleted the record meanwhile. */
export const goneText = (): Bilingual => ({
  en: 'no longer on the service',
  nl: 'niet meer op de dienst',
});
