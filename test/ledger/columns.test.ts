import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromColumns, toColumns } from '../../src/ledger/columns.ts';
import { HashIndex, HashSet, hashOf } from '../../src/ledger/hash-index.ts';
import { anyPlan } from './fixtures.ts';

const SEED = { seed: 5, numRuns: 60 };

describe('rows as columns', () => {
  const isKept = (rows: readonly unknown[]): void => {
    const text = JSON.stringify(rows);
    expect(fromColumns(toColumns(rows))).toStrictEqual(JSON.parse(text));
    expect(JSON.stringify(fromColumns(toColumns(rows)))).toBe(text);
  };

  test('come back as they were, whatever plain data they are', () => {
    fc.assert(fc.property(fc.array(fc.jsonValue(), { maxLength: 40 }), isKept), SEED);
    fc.assert(fc.property(anyPlan, isKept), SEED);
  });

  test.each<[string, unknown[]]>([
    ['none', []],
    ['nothing but null', [null, null]],
    ['empty lists and objects', [{}, [], {}, [[], {}]]],
    ['members in another order', [JSON.parse('{"a":1,"b":2}'), JSON.parse('{"b":2,"a":1}')]],
    ['members of several kinds', [{ a: 1 }, { a: null }, { a: [1] }, { a: { b: 'x' } }, { a: 'x' }]],
    ['numbers that go up by one, and stop', [7, 8, 9, 9]],
    ['a number and its text', [1, '1', true, 'true', null, 'null']],
    ['members with names like code', [{ '"]: process.exit(), ["': 1, '\u2028\n': 2 }]],
    ['a member named like the prototype', [JSON.parse('{ "__proto__": { "a": 1 }, "b": 2 }')]],
    ['members that are undefined', [{ posted: undefined, row: 2 }, { posted: ['a'], row: 3 }, { row: 4 }]],
  ])('come back as they were where they are %s', (_, rows) => {
    isKept(rows);
  });
});

test('texts are found by their hash with all their numbers, and hardly any other', () => {
  const [set, index] = [new HashSet(), new HashIndex()];
  const hash = (at: number): number => hashOf(`external:${at}`);
  for (let at = 0; at < 5_000; at++) {
    set.add(hash(at));
    for (const number of [at, 50_000 + at]) index.add(hash(at), number);
    index.add(hashOf('id:7'), at);
  }
  expect(index.find(hashOf('id:7'))).toHaveLength(5_000);
  let strangers = 0;
  for (let at = 0; at < 5_000; at++) {
    expect(set.has(hash(at)) && index.find(hash(at)).includes(50_000 + at)).toBe(true);
    if (set.has(hash(10_000 + at))) strangers++;
  }
  expect(strangers).toBeLessThan(5);
});
