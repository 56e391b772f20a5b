import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addRange, type ColumnRange } from '../../src/files/sheet.ts';

test('ranges hold the columns that were added, and no more of them than a sheet is wide', () => {
  const range = fc.tuple(fc.integer({ min: 1, max: 200 }), fc.nat(50));
  fc.assert(
    fc.property(fc.array(range, { maxLength: 40 }), fc.integer({ min: 1, max: 100 }), (added, times) => {
      const ranges: ColumnRange[] = [];
      const wanted = new Set<number>();
      for (let time = 0; time < times; time++)
        for (const [from, width] of added) {
          addRange(ranges, from, from + width);
          for (let column = from; column <= from + width; column++) wanted.add(column);
        }
      const held = new Set<number>();
      for (const [from, to] of ranges) for (let column = from; column <= to; column++) held.add(column);
      expect(held).toEqual(wanted);
      expect(ranges.length).toBeLessThan(2048);
    }),
    { numRuns: 30, seed: 1 },
  );
});
