import type { PlannedRow } from '../../core/plan.ts';
import { HashIndex, hashOf } from '../../ledger/hash-index.ts';
import { eachRow } from '../../ledger/ledger.ts';
import type { Part, PlaceRange } from '../../ledger/team.ts';
import type { Context } from '../../run/context.ts';
import type { Resource } from '../../schema/resource.ts';
import { recordName, resourcesReferredTo } from './row-chains.ts';

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
  const groups = new Groups();
  const names = namesIn(context.resources);
  const referredTo = resourcesReferredTo(context.resources);
  for await (const { planned, outcome, progress } of eachRow(context.ledger, run)) {
    const { seq, steps, action, resource } = planned;
    if (steps.length === 0) continue;
    const isLast = action === 'delete' && referredTo.has(resource);
    const isDoubt = outcome === null && progress?.sendingSince != null;
    groups.add(seq, names(planned), { waits: isLast || isDoubt, open: outcome === null });
  }
  return partsOf(groups);
}

/** What ties a row to others: the records that it is about, needs, and names in its requests. */
function namesIn(resources: readonly Resource[]) {
  const references = new Map(
    resources.map(({ name, fields }) => [
      name,
      Object.values(fields).flatMap(({ refers }) => (refers === undefined ? [] : [refers])),
    ]),
  );
  return (planned: PlannedRow): string[] => {
    const { resource, id, needs, steps } = planned;
    const names = [planned, ...needs].flatMap((one) => recordName(one) ?? []);
    if (id !== null) names.push(`${resource} id:${id}`);
    for (const { sets, resources: to } of references.get(resource) ?? [])
      for (const { body } of steps)
        if (typeof body[sets] === 'number') names.push(...to.map((one) => `${one} id:${body[sets]}`));
    return names;
  };
}

/** Numbers that grow as they are added. */
class Numbers {
  #held = new Int32Array(1024);
  length = 0;

  at(place: number): number {
    return this.#held[place] as number;
  }

  set(place: number, value: number): void {
    this.#held[place] = value;
  }

  push(value: number): void {
    if (this.length === this.#held.length) {
      const larger = new Int32Array(2 * this.length);
      larger.set(this.#held);
      this.#held = larger;
    }
    this.#held[this.length++] = value;
  }
}

/** In place of a row that sends nothing, and of a part where there is none. */
const NONE = -1;

/** The rows of a run that send something, brought together where they belong together (union-find). */
class Groups {
  /** Of each row another one of its group, which is before it; the first of a group itself. */
  readonly #before = new Numbers();
  // Of the first row of each group: how many of its rows are open, and whether one has to wait.
  readonly #open = new Numbers();
  readonly #waiting = new Numbers();
  readonly #named = new HashIndex();
  /** Rows that send something. */
  rows = 0;

  /** The place behind the last row. */
  get end(): number {
    return this.#before.length;
  }

  /** Takes the next row, by its place. */
  add(seq: number, names: readonly string[], is: { readonly open: boolean; readonly waits: boolean }): void {
    while (this.end < seq) this.#push(NONE, false, false);
    this.#push(seq, is.open, is.waits);
    this.rows++;
    for (const name of names) {
      // Two names may share a hash: then their rows go together, which does no harm.
      const hash = hashOf(name);
      const [known] = this.#named.find(hash);
      if (known === undefined) this.#named.add(hash, seq);
      else this.#join(known, seq);
    }
  }

  /** The first row of a row's group; undefined for one that sends nothing. */
  first(seq: number): number | undefined {
    return this.#before.at(seq) === NONE ? undefined : this.#firstOf(seq);
  }

  /** How many rows of a group can be sent with others, by its first row. */
  open(first: number): number {
    return this.#waiting.at(first) === 1 ? 0 : this.#open.at(first);
  }

  #push(first: number, isOpen: boolean, waits: boolean): void {
    this.#before.push(first);
    this.#open.push(isOpen ? 1 : 0);
    this.#waiting.push(waits ? 1 : 0);
  }

  #firstOf(seq: number): number {
    let first = seq;
    while (this.#before.at(first) !== first) {
      this.#before.set(first, this.#before.at(this.#before.at(first)));
      first = this.#before.at(first);
    }
    return first;
  }

  #join(one: number, other: number): void {
    const [own, its] = [this.#firstOf(one), this.#firstOf(other)];
    if (own === its) return;
    const [first, later] = own < its ? [own, its] : [its, own];
    this.#before.set(later, first);
    this.#open.set(first, this.#open.at(first) + this.#open.at(later));
    this.#waiting.set(first, Math.max(this.#waiting.at(first), this.#waiting.at(later)));
  }
}

/** Fills parts with whole groups, in the order of the plan. */
function partsOf(groups: Groups): Part[] {
  const most = Math.min(MOST, Math.max(FEWEST, Math.ceil(groups.rows / PARTS)));
  const parts: PlaceRange[][] = [];
  const partOf = new Numbers();
  let room = 0;
  // The last row before that sends something: what is between them may be in one range.
  let last = NONE;
  for (let seq = 0; seq < groups.end; seq++) {
    partOf.push(NONE);
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
    const places = parts[partOf.at(first)];
    const range = places?.at(-1);
    if (range !== undefined && range[1] === last) places?.splice(-1, 1, [range[0], seq]);
    else places?.push([seq, seq]);
    last = seq;
  }
  return parts.map((places, part) => ({ part, places }));
}
