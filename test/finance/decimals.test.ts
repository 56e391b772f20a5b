import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimalOf, ZERO } from '../../src/core/codecs/number.ts';
import { amountOf, productOf } from '../../src/finance/figures.ts';
import { decimal } from './finance-period.ts';

test('amounts are added and multiplied exactly, whatever their places', () => {
  const units = fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n });
  const lines = fc.array(fc.tuple(units, fc.bigInt({ min: -999n, max: 999n })), { maxLength: 30 });
  const isExact = fc.property(lines, (all) => {
    const sum = all.reduce(
      (sum, [price, many]) =>
        sum.plus((decimalOf(decimal(price)) ?? ZERO).times(decimalOf(Number(many)) ?? ZERO)),
      ZERO,
    );
    const wanted = all.reduce((sum, [price, many]) => sum + price * many, 0n);
    expect(sum.eq(decimalOf(decimal(wanted)) ?? Number.NaN)).toBe(true);
  });
  fc.assert(isExact, { seed: 29, numRuns: 40 });
});

test.each<[unknown, string | undefined]>([
  [10.1 * 3, '30.3'],
  [0.1 + 0.2, '0.3'],
  [4503599627370.4961, '4503599627370.5'],
  ['0.20', '0.2'],
  ['1e-7', '0.0000001'],
  [1e21, '1000000000000000000000'],
  ['-.5', '-0.5'],
  ...['', null, '1,5', true, 'x'].map((none): [unknown, undefined] => [none, undefined]),
])('%j is the amount %s', (value, is) => {
  expect(decimalOf(value)?.toFixed()).toBe(is);
});

test('amounts that are nearly the same are not, and none is larger than a cell holds', () => {
  for (const [one, other] of [
    [8712345678901, '8712345678902'],
    ['12345678.90', 12345678.91],
  ])
    expect(decimalOf(one)?.eq(decimalOf(other) ?? Number.NaN)).toBe(false);
  expect(['1e299', '1e300', Number.POSITIVE_INFINITY].map((one) => amountOf(one) !== null)).toEqual([
    ...[true, false, false],
  ]);
  expect(productOf(amountOf('1e295'), amountOf(1e9))).toBeNull();
});
