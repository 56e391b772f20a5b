import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromColumns, toColumns } from '../../src/ledger/columns.ts';
import { anyPlan, plannedRow } from './fixtures.ts';

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** How often a text stands in the columns of rows. */
const times = (text: string, rows: readonly unknown[]): number => toColumns(rows).split(text).length - 1;

describe('rows as columns', () => {
  test('come back as they were, whatever plain data they are', () => {
    const rows = fc.array(fc.jsonValue(), { maxLength: 40 });
    fc.assert(
      fc.property(rows, (values) => {
        expect(fromColumns(toColumns(values))).toStrictEqual(plain(values));
      }),
      { numRuns: 500 },
    );
  });

  test('come back as they were where they are rows of a plan', () => {
    fc.assert(
      fc.property(anyPlan, (rows) => {
        expect(fromColumns(toColumns(rows))).toStrictEqual(plain(rows));
      }),
    );
  });

  test.each([
    ['none', []],
    ['one', [{ a: 1 }]],
    ['nothing but null', [null, null]],
    ['empty lists and objects', [{}, [], {}, [[], {}]]],
    [
      'members in another order',
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
    ['members of several kinds', [{ a: 1 }, { a: null }, { a: [1] }, { a: { b: 'x' } }, { a: 'x' }]],
    ['numbers that go up by one', [7, 8, 9]],
    ['numbers that go up by one and stop', [7, 8, 8]],
    ['a number and its text', [1, '1', true, 'true', null, 'null']],
    ['members with names like code', [{ '"]: process.exit(), ["': 1, '\u2028\n': 2 }]],
    ['a member named like the prototype', [JSON.parse('{ "__proto__": { "a": 1 }, "b": 2 }')]],
    ['lists of several lengths', [{ a: [] }, { a: [1] }, { a: [1, 2] }, { a: [] }]],
  ])('come back as they were where they are %s', (_, rows) => {
    expect(fromColumns(toColumns(rows))).toStrictEqual(rows);
    expect(JSON.stringify(fromColumns(toColumns(rows)))).toBe(JSON.stringify(rows));
  });

  test('come back without members that are undefined, which are not null', () => {
    const rows = [
      { posted: undefined, row: 2 },
      { posted: ['telling 7001'], row: 3 },
      { row: 4, posted: undefined },
    ];
    expect(fromColumns(toColumns(rows))).toStrictEqual(plain(rows));
    expect(fromColumns(toColumns([rows[0], rows[0]]))).toStrictEqual([{ row: 2 }, { row: 2 }]);
  });

  test('hold the names, and what all rows say, once', () => {
    const rows = Array.from({ length: 100 }, (_, at) => plannedRow(at));
    expect(times('Offertetekst', rows)).toBe(1);
    expect(times('2027-04-01 09:00:00.123', rows)).toBe(1);
  });

  test('hold one copy of what two members of a row say alike', () => {
    const rows = Array.from({ length: 100 }, (_, at) => ({
      key: `id:${at % 7}`,
      steps: [{ fingerprint: `id:${at % 7}` }],
    }));
    expect(times('"id:3"', rows)).toBe(rows.filter(({ key }) => key === 'id:3').length);
  });

  test('are short where numbers go up row by row', () => {
    const rows = Array.from({ length: 500 }, (_, at) => ({ seq: 1000 + at, row: at + 2 }));
    expect(toColumns(rows).length).toBeLessThan(200);
  });
});
