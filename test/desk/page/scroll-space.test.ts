import { describe, expect, test } from 'vitest';
import { ScrollSpace } from '../../../src/desk/page/table/scroll-space.ts';

/** A table of rows of 50 pixels of which 600 are seen. */
function spaceOf(rows: number): ScrollSpace {
  const space = new ScrollSpace();
  space.resize(rows, 50, 600);
  return space;
}

describe.each([100, 100_000, 1_000_000, 10_000_000])('a table of %d rows', (rows) => {
  test('is no taller than browsers draw, and its ends are where the scroll bar ends', () => {
    const space = spaceOf(rows);
    expect(space.tall).toBeLessThanOrEqual(8_000_000);
    expect(space.first).toBe(0);
    space.scrolled(space.tall - 600);
    expect(space.last).toBe(rows - 1);
    space.scrolled(0);
    expect(space.first).toBe(0);
  });

  test('moves by small steps from row to row, and brings the scroll bar along', () => {
    const space = spaceOf(rows);
    space.scrolled(Math.round(space.tall / 3));
    const first = space.first;
    const at = Math.round(space.tall / 3);
    space.scrolled(at + 500);
    expect(space.first).toBe(Math.min(first + 10, rows - 12));
    const seen = space.first;
    space.put(space.settle());
    expect(space.first).toBe(seen);
    // What is drawn stays under the eye: the first row begins where the view does, or just above.
    expect(space.placeOf(space.first)).toBeLessThanOrEqual(space.settle());
    expect(space.placeOf(space.first + 1)).toBeGreaterThan(space.settle());
  });

  test('brings any row into sight', () => {
    const space = spaceOf(rows);
    for (const row of [rows - 1, 0, Math.floor(rows / 2), Math.floor(rows / 2) + 1, 3]) {
      space.put(space.reach(row, true));
      expect(space.first).toBeLessThanOrEqual(row);
      expect(space.last).toBeGreaterThanOrEqual(row);
    }
  });
});
