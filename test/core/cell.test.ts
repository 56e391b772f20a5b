import { expect, test } from 'vitest';
import { addressColumn, cellAddress, columnLetters } from '../../src/core/cell.ts';

test('letters count as digits of 26 without a zero, in every column', () => {
  const back = (letters: string) =>
    [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
  const columns = Array.from({ length: 16_384 }, (_, at) => at + 1);
  expect(columns.map((column) => back(columnLetters(column)))).toEqual(columns);
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
