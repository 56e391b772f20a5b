import { expect, test } from 'vitest';
import { normaliseHeader } from '../../src/core/header.ts';

test.each([
  ['ProductID', 'productid'],
  ['PRODUCTID', 'productid'],
  ['  ProductID  ', 'productid'],
  ['\u00a0ProductID\u00a0', 'productid'],
  ['ProductID*', 'productid'],
  ['ProductID *', 'productid'],
  ['\tProductID\n', 'productid'],
  ['\ufeffProductID', 'productid'],
  ['Product\u200bID', 'productid'],
  // Full-width letters, as some input methods write them.
  ['ＰｒｏｄｕｃｔＩＤ', 'productid'],
  ['Product ID', 'product id'],
  ['Product\nID', 'product id'],
  ['*ProductID', '*productid'],
  ['#Action', '#action'],
  ['Event.ExternalID', 'event.externalid'],
  ['CREME\u0301', 'cremé'],
  ['ProductID:', 'productid'],
  ['ProductID *:', 'productid'],
  ['ProductID\ufe0f', 'productid'],
  ['Check\u2011in', 'check-in'],
  ['BTW: hoog', 'btw: hoog'],
  ['"ProductID', 'productid'],
  ['Maat 12" x', 'maat 12" x'],
  ['', ''],
  [' * ', ''],
])('the header %j is read as %j', (header, expected) => {
  expect(normaliseHeader(header)).toBe(expected);
  expect(normaliseHeader(expected)).toBe(expected);
});
