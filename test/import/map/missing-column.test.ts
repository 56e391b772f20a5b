import { expect, test } from 'vitest';
import { describeIssue, issueAt } from '../../../src/core/issue.ts';
import { missingColumn } from '../../../src/records/mapped-row.ts';

test.each<[string, readonly string[], string]>([
  [
    'one header looks like it',
    ['Marge %', 'Verkoop prijs'],
    'nearest headers: Verkoop prijs; rename it, or say with --map what it stands for',
  ],
  [
    'no header looks like it',
    ['Marge %'],
    'add the column, or say with --map which of your own headers it is',
  ],
  ['every header is known', [], 'add the column'],
])('a column that is missing: %s', (_, unknown, advice) => {
  const issue = issueAt(missingColumn({ unknown }, 'Verkoopprijs'), { field: 'Verkoopprijs', address: null });
  expect(describeIssue(issue, 'en')).toBe(`Verkoopprijs: expected a column for this field (${advice})`);
});
