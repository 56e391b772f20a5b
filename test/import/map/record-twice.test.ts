import { expect, test } from 'vitest';
import { describeIssue } from '../../../src/core/issue.ts';
import { recordCopied, recordTwice } from '../../../src/records/earlier-rows.ts';
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

test('a copied row names the other, and how to make a new record of it', () => {
  if (row === undefined) throw new Error('the row says nothing');
  const issue = recordCopied(row, 'ExternalID', { sheet: 'Pakketten', row: 4 });
  expect(issue).toMatchObject({ code: 'record-copied', severity: 'error', address: 'B2' });
  for (const [lang, words] of [
    [
      'en',
      /row 4 is about.*delete one of the two; for a new record empty ExternalID and put create in #action/,
    ],
    ['nl', /rij 4 gaat over.*verwijder een van de twee; maak voor een nieuw record ExternalID leeg/],
  ] as const)
    expect(describeIssue(issue, lang)).toMatch(words);
});
