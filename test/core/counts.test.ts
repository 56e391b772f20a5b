import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addCounts, type Counts, closes, countedAs, noCounts, plannedAs } from '../../src/core/counts.ts';
import type { Status } from '../../src/core/plan.ts';
import { ACTIONS, STATUSES } from './plan-cases.ts';

const statuses = fc.array(fc.constantFrom(...STATUSES));

function countOf(rows: readonly Status[]): Counts {
  const counts = noCounts();
  for (const status of rows) {
    counts.read += 1;
    counts[countedAs(status)] += 1;
  }
  return counts;
}

test('the accounting closes for any rows, sheet by sheet and together', () => {
  fc.assert(
    fc.property(fc.array(statuses), (sheets) => {
      const total = noCounts();
      for (const sheet of sheets.map(countOf)) {
        expect(closes(sheet)).toBe(true);
        addCounts(total, sheet);
      }
      expect(closes(total)).toBe(true);
      expect(closes({ ...total, read: total.read + 1 })).toBe(false);
      expect(total).toStrictEqual(countOf(sheets.flat()));
    }),
    { seed: 1 },
  );
});

test('every status and every action is counted under a member of its own', () => {
  expect(new Set(STATUSES.map(countedAs)).size).toBe(STATUSES.length);
  expect(new Set(ACTIONS.map(plannedAs)).size).toBe(ACTIONS.length);
  expect(Object.keys(noCounts()).sort()).toEqual(['read', ...STATUSES.map(countedAs)].sort());
});
