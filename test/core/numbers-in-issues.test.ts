import { expect, test } from 'vitest';
import { describeIssue, issueAt, wayOut } from '../../src/core/issue.ts';
import { asTyped, onPage } from '../../src/core/language.ts';

test.each([
  ['en', onPage, '1,234.50'],
  ['nl', onPage, '1.234,50'],
  ['en', asTyped, '1.234,50'],
] as const)(
  'what a cell is expected to hold is written as what is typed there is read (%s)',
  (language, form, number) => {
    for (const locale of ['nl', undefined] as const) {
      const finding = { code: 'number-expected', found: 'abc', ...(locale && { locale }) } as const;
      const issue = issueAt(finding, { field: 'Verkoopprijs', address: null });
      expect(wayOut(issue, language, form)).toContain(number);
      expect(describeIssue(issue, language, form)).toContain(number);
    }
  },
);
