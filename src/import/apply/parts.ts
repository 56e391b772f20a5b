import type { StopError } from '../../core/errors.ts';
import { settledStatus } from '../../core/plan.ts';
import { hashOf } from '../../ledger/hash-index.ts';
import {
  eachRow,
  type Ledger,
  type Part,
  type PlaceRange,
  type StoredResult,
  type Team,
} from '../../ledger/ledger.ts';
import type { Context } from '../../run/context.ts';
import { caughtStop } from '../../run/stop.ts';
import type { SentPlan } from '../plan/saved-plan.ts';
import {
  createPlaces,
  createRowChains,
  type Places,
  recordName,
  recordsOf,
  resourcesReferredTo,
} from './row-chains.ts';
import { createSender } from './send-row.ts';
import { createSendings } from './sending.ts';

/** Most and fewest rows of a part. */
const [MOST, FEWEST] = [500, 25];
/** A run is cut into so many parts, where it has the rows: some are done sooner than others. */
const PARTS = 100;

/**
 * Cuts what is left of a run into parts that can be sent side by side: rows on one record, and rows that need
 * one another's record or move its LMT, are in one part, in the order of the plan. What has to wait until all
 * other rows are done, or was sent without an answer, is in none, with all rows that belong to it. About 60
 * bytes a row are held meanwhile.
 */
export async function cutParts(context: Context, run: string): Promise<Part[]> {
  const { resources, ledger } = context;
  const groups = createGroups();
  const referredTo = resourcesReferredTo(resources);
  for await (const { planned, outcome, progress } of eachRow(ledger, run)) {
    const { seq, steps, action, resource, id, needs } = planned;
    if (steps.length === 0) continue;
    // What ties a row to others: the records that it is about, needs, and names in its requests.
    const names = [planned, ...needs].flatMap((one) => recordName(one) ?? []);
    if (id !== null) names.push(`${resource} id:${id}`);
    const isLast = action === 'delete' && referredTo.has(resource);
    const isDoubt = outcome === null && progress?.sendingSince != null;
    const open = isLast || isDoubt ? Number.NEGATIVE_INFINITY : Number(outcome === null);
    groups.add(seq, [...names, ...recordsOf(context, planned)], open);
  }
  return groups.parts();
}

/** The rows of a run that send something, brought together where they belong together (union-find). */
function createGroups() {
  // Of each row one of its group that is before it; the first of a group itself. A row that sends nothing has none.
  const above: number[] = [];
  // Of the first row of each group: how many of its rows are open; none where one has to wait.
  const opens: number[] = [];
  const named = new Map<number, number>();
  let rows = 0;
  const at = (seq: number): number => above[seq] ?? seq;
  const firstOf = (seq: number): number => {
    let first = seq;
    while (at(first) !== first) {
      above[first] = at(at(first));
      first = at(first);
    }
    return first;
  };
  const join = (one: number, other: number): void => {
    const [own, its] = [firstOf(one), firstOf(other)];
    if (own === its) return;
    const [first, later] = [Math.min(own, its), Math.max(own, its)];
    above[later] = first;
    opens[first] = (opens[first] ?? 0) + (opens[later] ?? 0);
  };
  return {
    /** Takes the next row, by its place, with how many rows of it are open. */
    add(seq: number, names: readonly string[], open: number): void {
      above[seq] = seq;
      opens[seq] = open;
      rows++;
      for (const name of names) {
        // Two names may share a hash: then their rows go together, which does no harm.
        const hash = hashOf(name);
        const known = named.get(hash);
        if (known === undefined) named.set(hash, seq);
        else join(known, seq);
      }
    },
    /** Parts of whole groups, in the order of the plan. */
    parts(): Part[] {
      const most = Math.min(MOST, Math.max(FEWEST, Math.ceil(rows / PARTS)));
      const parts: PlaceRange[][] = [];
      // Of the first row of each group, the places of its part.
      const placesOf = new Map<number, PlaceRange[]>();
      let places: PlaceRange[] = [];
      let room = 0;
      // The last row before that sends something: what is between them may be in one range.
      let last: number | undefined;
      above.forEach((_, seq) => {
        const first = firstOf(seq);
        const open = opens[first] ?? 0;
        if (first === seq && open > 0) {
          if (room <= 0) {
            places = [];
            parts.push(places);
            room = most;
          }
          room -= open;
          placesOf.set(first, places);
        }
        const own = placesOf.get(first);
        const range = own?.at(-1);
        if (range !== undefined && range[1] === last) own?.splice(-1, 1, [range[0], seq]);
        else own?.push([seq, seq]);
        last = seq;
      });
      return parts.map((one, part) => ({ part, places: one }));
    },
  };
}

/** Rows of a part that are read from the ledger at once. */
const PAGE = 500;

/**
 * Sends parts of a plan beside other programs until none is left: as `applyPlan` does, but for rows in doubt,
 * and those behind them. Whoever sends the run alone after that settles them, as only then no row of another
 * program can be taken for theirs. Answers what ended it early, else null.
 */
export async function sendParts(context: Context, plan: SentPlan, team: Team): Promise<StopError | null> {
  const { run } = plan;
  const places = createPlaces(context);
  const sendings = createSendings(context, plan, places.aside, true);
  const sender = createSender({ context, run, sendings }, 0);
  const under = new Set<Promise<void>>();
  /** Sends the rows of a part that have no outcome. It is done where all of them were taken up. */
  const send = async (part: Part): Promise<void> => {
    const chain = createRowChains(places.run, context);
    const rows = await rowsOf(context.ledger, run, part);
    await Promise.all(
      rows.map(async (result) => {
        const { planned, outcome } = result;
        if (outcome === null && settledStatus(planned.action) === null)
          await chain(planned, (blame) => sender.send(result, blame));
      }),
    );
    if (sender.stopped() === null) await team.done(part);
  };
  const failed = await caughtStop(async () => {
    while (sender.stopped() === null) {
      const part = await team.take();
      if (part === undefined) break;
      const watched = send(part).finally(() => under.delete(watched));
      under.add(watched);
      // The next part is begun as places are free: no place waits for the last row of this one.
      await Promise.race([watched, roomIn(places)]);
    }
    await Promise.all(under);
  });
  if (failed !== null) await Promise.allSettled(under);
  return sender.stopped() ?? failed;
}

/** Resolves when rows that wait have all begun. */
async function roomIn(places: Places): Promise<void> {
  do await places.freed();
  while (places.counts().waiting > 0);
}

/** The rows of a part, with what became of them so far. */
async function rowsOf(
  ledger: Pick<Ledger, 'readRows'>,
  run: string,
  { places }: Part,
): Promise<StoredResult[]> {
  const found: StoredResult[] = [];
  for (const [first, last] of places)
    for (let next = first; next <= last; ) {
      const limit = Math.min(PAGE, last - next + 1);
      const rows = await ledger.readRows(run, { after: next - 1, limit });
      const own = rows.filter(({ planned }) => planned.seq <= last);
      found.push(...own);
      next = (own.at(-1)?.planned.seq ?? last) + 1;
    }
  return found;
}
