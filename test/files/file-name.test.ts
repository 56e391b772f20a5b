import { expect, test } from 'vitest';
import { comparablePath, isDeviceName, unusableName } from '../../src/files/file-name.ts';

test.each([
  ['uit.xlsx', null],
  ['Café week 12.xlsx', null],
  ['CONTO.xlsx', null],
  ['a.con.xlsx', null],
  [`${'é'.repeat(250)}.xlsx`, null],
  ['con.xlsx', 'takes no such name'],
  ['NUL', 'takes no such name'],
  ['Aux .csv', 'takes no such name'],
  ['COM².xlsx', 'takes no such name'],
  ['week 12: vis.xlsx', 'takes no such name'],
  ['wat?.xlsx', 'takes no such name'],
  ['een\ttab.xlsx', 'takes no such name'],
  ['uit.xlsx.', 'takes no such name'],
  [`${'x'.repeat(251)}.xlsx`, 'takes no such name'],
])('whether %j can be the name of a file on Windows: %s', (name, why) => {
  const reason = unusableName(name, 'win32');
  if (why === null) expect(reason).toBeUndefined();
  else expect(reason?.en).toContain(why);
  // Elsewhere the disk itself says what it doesn't take.
  for (const platform of ['linux', 'darwin'] as const) expect(unusableName(name, platform)).toBeUndefined();
});

test.each([
  ['PRN', true],
  ['aux.pdf', true],
  ['com0', true],
  ['_CON', false],
  ['x.con', false],
])('whether Windows takes %j for a device: %s', (name, device) => {
  expect(isDeviceName(name)).toBe(device);
});

test.each([
  ['C:\\Map\\Week 12.xlsx', 'c:/map/week 12.XLSX', true],
  ['C:\\Map\\sub\\..\\a.xlsx', 'c:\\MAP\\A.xlsx', true],
  ['\\\\server\\deel\\a.xlsx', '\\\\SERVER\\Deel\\a.xlsx', true],
  ['C:\\Map\\a.xlsx', 'D:\\Map\\a.xlsx', false],
  ['C:\\Map\\a.xlsx', 'C:\\a.xlsx', false],
])('whether %s and %s are one place on Windows: %s', (one, other, same) => {
  expect(comparablePath(one, 'win32') === comparablePath(other, 'win32')).toBe(same);
});

test('elsewhere capitals tell places apart, and a backslash is a character of a name', () => {
  expect(comparablePath('/map/sub/../a.xlsx', 'linux')).toBe('/map/a.xlsx');
  expect(comparablePath('/map/A.xlsx', 'darwin')).not.toBe(comparablePath('/map/a.xlsx', 'darwin'));
  expect(comparablePath('/map/a\\b.xlsx', 'linux')).toBe('/map/a\\b.xlsx');
});
