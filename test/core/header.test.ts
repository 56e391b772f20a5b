import { expect, test } from 'vitest';
import { normaliseHeader } from '../../src/core/header.ts';

test.each([
  ['ProductID', 'productid'],
  ['productid', 'productid'],
  ['PRODUCTID', 'productid'],
  ['  ProductID  ', 'productid'],
  ['\u00a0ProductID\u00a0', 'productid'],
  ['\u202fProductID', 'productid'],
  ['ProductID*', 'productid'],
  ['ProductID *', 'productid'],
  ['ProductID **', 'productid'],
  ['ProductID * ', 'productid'],
  ['ProductID\u00a0*', 'productid'],
  ['\tProductID\n', 'productid'],
  ['\ufeffProductID', 'productid'],
  ['Product\u200bID', 'productid'],
  ['ProductID\u200e', 'productid'],
  // Full-width letters, as some input methods write them.
  ['ＰｒｏｄｕｃｔＩＤ', 'productid'],
  ['Product ID', 'product id'],
  ['Product   ID', 'product id'],
  ['Product\nID', 'product id'],
  ['*ProductID', '*productid'],
  ['#Action', '#action'],
  ['# status', '# status'],
  ['Event.ExternalID', 'event.externalid'],
  ['CREME\u0301', 'cremé'],
  ['ProductID:', 'productid'],
  ['ProductID *:', 'productid'],
  ['Product\u00adID', 'productid'],
  ['Product \u200b ID', 'product id'],
  ['ProductID\ufe0f', 'productid'],
  ['\u202aProductID\u202c', 'productid'],
  ['Check\u2011in', 'check-in'],
  ['Check\u2013in', 'check-in'],
  ['BTW: hoog', 'btw: hoog'],
  ['"ProductID', 'productid'],
  ['ProductID" *', 'productid'],
  ['Maat 12" x', 'maat 12" x'],
  ['', ''],
  [' * ', ''],
])('the header %j is read as %j', (header, expected) => {
  expect(normaliseHeader(header)).toBe(expected);
  expect(normaliseHeader(expected)).toBe(expected);
});
