import { describe, expect, test } from 'vitest';
import { describeIssue, expectedText, type Issue, issueAt } from '../../src/core/issue.ts';
import { ISSUES, type IssueCode } from '../../src/core/issue-catalogue.ts';

const CODES = Object.keys(ISSUES) as IssueCode[];
const HINTS = [undefined, '', 'Buffet, Lunch', { en: 'in English', nl: 'in het Nederlands' }, '$& $1 {hint}'];
const NOWHERE = { field: null, address: null };
const AT = { field: 'Verkoopprijs', address: 'F12' };

describe.each(CODES)('the issue %s', (code) => {
  test.each(['en', 'nl'] as const)('is said in %s', (language) => {
    for (const hint of HINTS) {
      for (const found of ['', 'abc', 'x'.repeat(200)]) {
        for (const place of [AT, NOWHERE, { ...AT, address: null }, { ...AT, field: null }]) {
          const finding = hint === undefined ? { code, found } : { code, found, hint };
          const said = describeIssue(issueAt(finding, place), language);
          if (hint !== '$& $1 {hint}') expect(said).not.toMatch(/\{hint\}/);
          expect(said).not.toMatch(/undefined|null|\[object|\(\)|[:,] ?$/);
          // What is missing is said by its hint alone.
          if (code !== 'required-missing' || !hint) expect(said).toContain(expectedText(finding, language));
          expect(said).not.toMatch(/\n/);
        }
      }
    }
  });

  test('has words of its own in both languages', () => {
    const { expected, advice, severity } = ISSUES[code];
    expect(expected.en).not.toBe('');
    expect(expected.nl).not.toBe('');
    expect(advice.en.includes('{hint}')).toBe(advice.nl.includes('{hint}'));
    expect(issueAt({ code, found: '' }, NOWHERE).severity).toBe(severity);
    expect(issueAt({ code, found: '' }, NOWHERE, true).severity).toBe('error');
  });
});

describe('the sentence of an issue', () => {
  const issue = (over: Partial<Issue>): Issue => ({
    code: 'number-expected',
    found: 'abc',
    severity: 'error',
    ...AT,
    ...over,
  });

  test.each([
    [issue({}), 'en', 'F12 Verkoopprijs: found "abc", expected a number such as 1.234,50'],
    [issue({}), 'nl', 'F12 Verkoopprijs: gevonden "abc", verwacht een getal zoals 1.234,50'],
    [
      issue({ found: '1.234,50', locale: 'en' }),
      'en',
      'F12 Verkoopprijs: found "1.234,50", expected a number such as 1,234.50',
    ],
    [
      issue({ code: 'service-refused', found: '3', hint: 'kost $& en $1' }),
      'en',
      'F12 Verkoopprijs: found "3", expected a value the service accepts (the service says: kost $& en $1)',
    ],
    [
      issue({ found: 'x'.repeat(61) }),
      'en',
      `F12 Verkoopprijs: found "${'x'.repeat(57)}…", expected a number such as 1.234,50`,
    ],
  ] as const)('%# reads well', (given, language, expected) => {
    expect(describeIssue(given, language)).toBe(expected);
  });
});
