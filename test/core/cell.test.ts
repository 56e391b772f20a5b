import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressColumn, cellAddress, columnLetters } from '../../src/core/cell.ts';

test.each([
  [1, 'A'],
  [2, 'B'],
  [26, 'Z'],
  [27, 'AA'],
  [52, 'AZ'],
  [53, 'BA'],
  [256, 'IV'],
  [702, 'ZZ'],
  [703, 'AAA'],
  [16384, 'XFD'],
])('column %i is %s', (column, letters) => {
  expect(columnLetters(column)).toBe(letters);
});

test('letters count as digits of 26 without a zero', () => {
  const back = (letters: string) =>
    [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 16384 }), (column) => {
      expect(columnLetters(column)).toMatch(/^[A-Z]{1,3}$/);
      expect(back(columnLetters(column))).toBe(column);
    }),
  );
});

test.each([
  [1, 1, 'A1'],
  [6, 12, 'F12'],
  [28, 100, 'AB100'],
  [16384, 1048576, 'XFD1048576'],
])('column %i of row %i is %s', (column, row, address) => {
  expect(cellAddress(column, row)).toBe(address);
  expect(addressColumn(address)).toBe(column);
});
