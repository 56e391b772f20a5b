import { describe, expect, test } from 'vitest';
import { moneyText } from '../../src/core/row-text.ts';

describe('an amount of money', () => {
  test.each([
    [34.5, '34,50', '34.50'],
    [1234.5, '1.234,50', '1,234.50'],
    [0.125, '0,125', '0.125'],
    [-7, '-7,00', '-7.00'],
    [0, '0,00', '0.00'],
    [-0, '0,00', '0.00'],
    [1e6, '1.000.000,00', '1,000,000.00'],
  ])('%d is written as in the file, the first time and later', (amount, dutch, english) => {
    for (const _ of ['first', 'later']) {
      expect(moneyText(amount, 'nl')).toBe(dutch);
      expect(moneyText(amount, 'en')).toBe(english);
    }
  });

  test('of more different amounts than are kept each is its own', () => {
    const expected = (cents: number): string =>
      `${Math.floor(cents / 100)},${String(cents % 100).padStart(2, '0')}`;
    const wrong = Array.from({ length: 9_000 }, (_, cents) => cents).filter(
      (cents) => moneyText(cents / 100, 'nl') !== expected(cents),
    );
    expect(wrong).toEqual([]);
  });
});
