import { describe, expect, test } from 'vitest';
import { type CellInput, issuesOf, readRow } from './sheet-of.ts';

describe('a header that stands there twice', () => {
  const HEADERS = ['ExternalID', 'Verkoopprijs', 'verkoopprijs *', 'Actief'];

  test.each<[string, CellInput, CellInput, number]>([
    ['only the first is filled', 12.5, null, 12.5],
    ['blanks stand in the first', '  ', 12.5, 12.5],
    ['both say the same with blanks around', '12,50', ' 12,50 ', 12.5],
  ])('does not matter where %s', (_, first, second, price) => {
    const row = readRow(HEADERS, [31003, first, second]);
    expect(issuesOf(row)).toEqual([]);
    expect(row?.values).toEqual({ ExternalID: 31003, Verkoopprijs: price });
  });

  test('is an issue of the rows in which both differ, and shows both', () => {
    const row = readRow(HEADERS, [31003, 12.5, 13]);
    expect(row?.issues).toEqual([
      {
        code: 'header-twice',
        severity: 'error',
        field: 'Verkoopprijs',
        address: 'C2',
        found: '12.5 / 13',
        hint: 'B, C',
      },
    ]);
  });

  test('is no issue for a column of which nothing is sent', () => {
    expect(issuesOf(readRow(['ExternalID', 'LMT', 'LMT'], [31003, '2027-01-01', '2027-01-02']))).toEqual([]);
  });

  test('is an issue for #action too: one of the two would be ignored', () => {
    const row = readRow(['ExternalID', '#action', '#action'], [31003, 'skip', 'update']);
    expect(issuesOf(row)).toEqual(['C2 header-twice']);
    expect(readRow(['ExternalID', '#action', '#action'], [31003, null, 'skip'])?.action).toBe('skip');
  });
});

describe('the program’s own columns', () => {
  const HEADERS = ['ExternalID', '#Action', '#key', '#status', '#id'];

  test.each(['create', 'update', 'delete', 'skip', ' Delete ', 'SKIP'])('are read: #action %j', (word) => {
    expect(readRow(HEADERS, [31003, word])?.action).toBe(word.trim().toLowerCase());
  });

  test('give an issue for an #action that is no word of ours', () => {
    expect(issuesOf(readRow(HEADERS, [31003, 'wissen']))).toEqual(['B2 action-unknown']);
  });

  test('are read: #key is the row’s own name, whatever its type', () => {
    expect(readRow(HEADERS, [31003, null, ' bon 12 '])?.reference).toBe('bon 12');
    expect(readRow(HEADERS, [31003, null, 12])?.reference).toBe('12');
    expect(readRow(HEADERS, [31003])?.reference).toBeNull();
  });

  test('make no row of nothing but a #key or an earlier outcome', () => {
    expect(readRow(HEADERS, [null, null, 'bon 12', 'created', 4711])).toBeUndefined();
    expect(readRow(HEADERS, ['  ', null])).toBeUndefined();
  });

  test('are not read where they are outcomes', () => {
    expect(readRow(HEADERS, [31003, null, null, 'invalid', '#N/A'])?.issues).toEqual([]);
  });
});

test('a row that is to be left out is, though a cell of it can’t be read', () => {
  const headers = ['ExternalID', 'ProductTypeID', 'Verkoopprijs', '#action'];
  const row = readRow(headers, [31003, 'Bufet', 'nnb', 'skip']);
  expect(row).toMatchObject({ action: 'skip', issues: [], names: [], values: { ExternalID: 31003 } });
  expect(issuesOf(readRow(headers, [31003, 'Bufet', 'nnb', 'update']))).toEqual(['C2 number-expected']);
});
