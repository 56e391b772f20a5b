import { expect, test } from 'vitest';
import { moneyText } from '../../src/core/row-text.ts';

test.each([
  [34.5, '34,50', '34.50'],
  [1234.5, '1.234,50', '1,234.50'],
  [0.125, '0,125', '0.125'],
  [-7, '-7,00', '-7.00'],
  [-0, '0,00', '0.00'],
])('an amount of money of %d is written as in the file', (amount, dutch, english) => {
  expect([moneyText(amount, 'nl'), moneyText(amount, 'en')]).toEqual([dutch, english]);
});

test('of more different amounts than are kept each is its own, the first time and later', () => {
  const expected = (cents: number): string =>
    `${Math.floor(cents / 100)},${String(cents % 100).padStart(2, '0')}`;
  for (let at = 0; at < 18_000; at++) {
    const cents = at % 9000;
    if (moneyText(cents / 100, 'nl') !== expected(cents)) expect.fail(expected(cents));
  }
});
