import { stopsRow } from '../../core/issue.ts';
import type { MappedRow } from '../../import/map/map-row.ts';
import type { Resource } from '../../schema/resource.ts';
import type { RowPlanner, Unplaced } from '../kind.ts';
import { type About, type Decision, placeDecision, SKIPPED } from '../row-decision.ts';

/** What a row comes to, and what it is about. */
export type Decided = Decision & { readonly about?: Partial<About> };

const INVALID: Decided = { action: 'invalid' };

/** So many rows are looked into at the same time. */
const SIDE_BY_SIDE = 16;

/**
 * Plans rows one by one: `look` finds out what a row is about, many at a time, and answers null where the row says
 * itself why it can't; `decide` then goes by their order.
 */
export function openRowPlanner<R extends Resource, Found>(
  look: (row: MappedRow<R>) => Promise<Found | null>,
  decide: (row: MappedRow<R>, found: Found) => Promise<Decided> | Decided,
): RowPlanner {
  const place = async (row: MappedRow<R>, found: Found | null): Promise<Unplaced> => {
    const { about, ...decision } = await decided(row, found);
    return placeDecision(row, { key: null, id: null, lmt: null, ...about }, decision);
  };
  const decided = async (row: MappedRow<R>, found: Found | null): Promise<Decided> => {
    if (row.action === 'skip') return SKIPPED;
    return found === null || stopsRow(row.issues) ? INVALID : await decide(row, found);
  };
  return {
    async add(batch) {
      const rows = batch as readonly MappedRow<R>[];
      const planned: Unplaced[] = [];
      for (let start = 0; start < rows.length; start += SIDE_BY_SIDE) {
        const some = rows.slice(start, start + SIDE_BY_SIDE);
        const found = await Promise.all(some.map(look));
        for (const [at, row] of some.entries()) planned.push(await place(row, found[at] ?? null));
      }
      return planned;
    },
    finish: async () => [],
  };
}
