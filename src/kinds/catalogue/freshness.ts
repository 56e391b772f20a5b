import type { PlannedRow } from '../../core/plan.ts';
import type { Context } from '../../run/context.ts';
import type { CatalogueResource } from '../../schema/resource.ts';
import { firstPage } from '../../service/pages.ts';
import type { SourceSummary } from '../kind.ts';
import { gone, type Moved, movedSince, secondBefore } from '../moved.ts';
import { type Existing, LISTED, readExisting } from './existing.ts';
import { readDetail } from './read-detail.ts';

/** How old the list of moved records may be before it is read anew, ms: the window in which a change goes unseen. */
const MAX_AGE = 1_000;

/** Tells whether a record changed on the service after the plan read it (design: "A run"). */
interface Freshness {
  /** Why the row may not be sent, or null. */
  check(planned: PlannedRow): Promise<Moved | null>;
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
  const lookAgain =
    source.strategy === 'list' ? listMoved(context, resource, source.newest) : readAgain(context, resource);
  return {
    wrote: (id) => void own.add(id),
    async check({ id, lmt }) {
      if (id === null || lmt === null || own.has(id)) return null;
      const now = await lookAgain(id);
      if (now === UNMOVED || now?.lmt === lmt) return null;
      return now?.lmt == null ? gone() : movedSince(lmt, now.lmt, now.values);
    },
  };
}

const UNMOVED = 'unmoved';

/** The record as it is now, or that it was not written since; null when there is none. */
type LookAgain = (id: number) => Promise<Existing | typeof UNMOVED | null>;

function readAgain(context: Context, resource: CatalogueResource): LookAgain {
  return async (id) => await readDetail(context, resource, id);
}

/** Each list begins where the last one ended, so that in all it costs one look at what changed meanwhile. */
function listMoved(context: Context, resource: CatalogueResource, newest: string | null): LookAgain {
  const moved = new Map<number, Existing>();
  let since = newest;
  let reading = Promise.resolve();
  let readAt = Number.NEGATIVE_INFINITY;
  const read = async (from: string): Promise<void> => {
    const first = await firstPage(context.service, resource.requests.list, { LMT: secondBefore(from) });
    for await (const page of first.all(context.concurrency)) {
      for (const existing of page.data.flatMap((record) => readExisting(resource, record, LISTED) ?? [])) {
        const { id, lmt } = existing;
        if (id === null || lmt === null) continue;
        moved.set(id, existing);
        if (since === null || lmt > since) since = lmt;
      }
    }
  };
  return async (id) => {
    if (since === null) return UNMOVED;
    const now = context.clock().getTime();
    if (now - readAt > MAX_AGE) {
      readAt = now;
      reading = read(since);
    }
    await reading;
    return moved.get(id) ?? UNMOVED;
  };
}
