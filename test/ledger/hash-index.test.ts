import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fnv1a, HashIndex, HashSet, hashOf } from '../../src/ledger/hash-index.ts';

describe('texts indexed by hash', () => {
  test('are all found again, and hardly any other', () => {
    const set = new HashSet();
    const index = new HashIndex();
    for (let at = 0; at < 20_000; at++) {
      set.add(hashOf(`external:${at}`));
      index.add(hashOf(`external:${at}`), at);
      index.add(hashOf(`external:${at}`), 50_000 + at);
    }
    let strangers = 0;
    for (let at = 0; at < 20_000; at++) {
      expect(set.has(hashOf(`external:${at}`))).toBe(true);
      expect(index.find(hashOf(`external:${at}`))).toEqual(expect.arrayContaining([at, 50_000 + at]));
      if (set.has(hashOf(`id:${at}`))) strangers++;
    }
    expect(strangers).toBeLessThan(5);
  });

  test('are found with all their numbers, however many one has, and beside others', () => {
    const index = new HashIndex();
    const numbers = Array.from({ length: 3_000 }, (_, at) => at);
    for (const at of numbers) {
      index.add(hashOf('id:7'), at);
      index.add(hashOf(`id:${100 + at}`), 5_000 + at);
    }
    expect(index.find(hashOf('id:7')).sort((a, b) => a - b)).toEqual(numbers);
    for (const at of numbers) expect(index.find(hashOf(`id:${100 + at}`))).toContain(5_000 + at);
    expect(index.find(hashOf('id:8'))).toEqual([]);
  });

  test('have a hash that is never the mark of a free slot', () => {
    fc.assert(fc.property(fc.string(), (text) => hashOf(text) !== 0));
  });

  test('have the same hash whether their start was hashed before or not', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        (start, end) => hashOf(end, fnv1a(start)) === hashOf(start + end),
      ),
    );
  });
});
