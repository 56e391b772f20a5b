import { expect, test } from 'vitest';
import { recordTwice } from '../../src/pipeline/map/record-twice.ts';
import { describeIssue } from '../../src/schema/issue.ts';
import { readRow } from './sheet-of.ts';

const row = readRow(['Verkoopprijs', 'ExternalID'], [12.5, 31003]);

test.each([
  ['Pakketten', 'row 4 is about the same record'],
  ['Pakketten week 12', 'row 4 (Pakketten week 12) is about the same record'],
])('a second row on one record names the first, on sheet %s', (sheet, words) => {
  if (row === undefined) throw new Error('the row says nothing');
  const issue = recordTwice(row, 'ExternalID', { sheet, row: 4 }, false);
  expect(issue).toMatchObject({ code: 'record-twice', severity: 'warning', address: 'B2', found: '31003' });
  expect(describeIssue(issue, 'en')).toContain(words);
  expect(recordTwice(row, 'ExternalID', { sheet, row: 4 }, true).severity).toBe('error');
});
