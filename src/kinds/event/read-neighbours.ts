import type { EventSource } from './event-source.ts';

/** So many events are asked for one by one. */
const FEW = 3;

/**
 * Events of which only the id is known: the day of one of them tells in which month its neighbours are likely to be,
 * and one list is cheaper than each by itself. Ends as soon as lists help with a few only.
 */
export async function readNeighbours(ids: ReadonlySet<number>, source: EventSource): Promise<void> {
  let left = [...ids].filter((id) => source.listed(id) === undefined);
  for (let misses = 0; left.length > FEW && misses < FEW; ) {
    const [first = 0, ...others] = left;
    const day = await source.dayOf(first);
    if (day !== null && !source.covers(day)) {
      await source.cover([day], 0);
      const rest = others.filter((id) => source.listed(id) === undefined);
      if (others.length - rest.length <= FEW) return;
      left = rest;
    } else {
      left = others;
      misses++;
    }
  }
}
