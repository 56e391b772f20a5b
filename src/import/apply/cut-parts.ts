import { HashIndex, hashOf } from '../../ledger/hash-index.ts';
import { eachRow } from '../../ledger/ledger.ts';
import type { Part, PlaceRange } from '../../ledger/team.ts';
import type { Context } from '../../run/context.ts';
import { recordName, recordsOf, resourcesReferredTo } from './row-chains.ts';

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
  const groups = createGroups();
  const referredTo = resourcesReferredTo(context.resources);
  for await (const { planned, outcome, progress } of eachRow(context.ledger, run)) {
    const { seq, steps, action, resource, id, needs } = planned;
    if (steps.length === 0) continue;
    // What ties a row to others: the records that it is about, needs, and names in its requests.
    const names = [planned, ...needs].flatMap((one) => recordName(one) ?? []);
    if (id !== null) names.push(`${resource} id:${id}`);
    const isLast = action === 'delete' && referredTo.has(resource);
    const isDoubt = outcome === null && progress?.sendingSince != null;
    const is = { waits: isLast || isDoubt, open: outcome === null };
    groups.add(seq, [...names, ...recordsOf(context, planned)], is);
  }
  return partsOf(groups);
}

/** In place of a row that sends nothing, and of a part where there is none. */
const NONE = -1;

type Groups = ReturnType<typeof createGroups>;

/** The rows of a run that send something, brought together where they belong together (union-find). */
function createGroups() {
  // Of each row another one of its group, which is before it; the first of a group itself.
  const before: number[] = [];
  // Of the first row of each group: how many of its rows are open; none where one has to wait.
  const open: number[] = [];
  const named = new HashIndex();
  const at = (seq: number): number => before[seq] ?? NONE;
  const firstOf = (seq: number): number => {
    let first = seq;
    while (at(first) !== first) {
      before[first] = at(at(first));
      first = at(first);
    }
    return first;
  };
  const join = (one: number, other: number): void => {
    const [own, its] = [firstOf(one), firstOf(other)];
    if (own === its) return;
    const [first, later] = [Math.min(own, its), Math.max(own, its)];
    before[later] = first;
    open[first] = (open[first] ?? 0) + (open[later] ?? 0);
  };
  return {
    /** Rows that send something. */
    rows: 0,
    /** The place behind the last row. */
    end: (): number => before.length,
    /** Takes the next row, by its place. */
    add(
      seq: number,
      names: readonly string[],
      is: { readonly open: boolean; readonly waits: boolean },
    ): void {
      while (before.length < seq) {
        before.push(NONE);
        open.push(0);
      }
      before.push(seq);
      open.push(is.waits ? Number.NEGATIVE_INFINITY : Number(is.open));
      this.rows++;
      for (const name of names) {
        // Two names may share a hash: then their rows go together, which does no harm.
        const hash = hashOf(name);
        const [known] = named.find(hash);
        if (known === undefined) named.add(hash, seq);
        else join(known, seq);
      }
    },
    /** The first row of a row's group; undefined for one that sends nothing. */
    first: (seq: number): number | undefined => (at(seq) === NONE ? undefined : firstOf(seq)),
    /** How many rows of a group can be sent with others, by its first row. */
    open: (first: number): number => open[first] ?? 0,
  };
}

/** Fills parts with whole groups, in the order of the plan. */
function partsOf(groups: Groups): Part[] {
  const most = Math.min(MOST, Math.max(FEWEST, Math.ceil(groups.rows / PARTS)));
  const parts: PlaceRange[][] = [];
  // Of the first row of each group, its part.
  const partOf = new Map<number, number>();
  let room = 0;
  // The last row before that sends something: what is between them may be in one range.
  let last = NONE;
  for (let seq = 0; seq < groups.end(); seq++) {
    const first = groups.first(seq);
    if (first === undefined) continue;
    if (first === seq && groups.open(first) > 0) {
      if (room <= 0) {
        parts.push([]);
        room = most;
      }
      room -= groups.open(first);
      partOf.set(first, parts.length - 1);
    }
    const places = parts[partOf.get(first) ?? NONE];
    const range = places?.at(-1);
    if (range !== undefined && range[1] === last) places?.splice(-1, 1, [range[0], seq]);
    else places?.push([seq, seq]);
    last = seq;
  }
  return parts.map((places, part) => ({ part, places }));
}
