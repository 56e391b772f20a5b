import { describe, expect, test } from 'vitest';
import {
  describeCells,
  describeIssue,
  type Issue,
  issueAt,
  issueName,
  wayOut,
} from '../../src/core/issue.ts';
import { ISSUES, type IssueCode } from '../../src/core/issue-catalogue.ts';
import { asTyped, onPage } from '../../src/core/language.ts';

const CODES = Object.keys(ISSUES) as IssueCode[];
const HINTS = [undefined, '', 'Buffet, Lunch', { en: 'in English', nl: 'in het Nederlands' }, '$& $1 {hint}'];
const NOWHERE = { field: null, address: null };
const AT = { field: 'Verkoopprijs', address: 'F12' };

/** Sentences, each with a capital or a value first and an end. */
const SENTENCES = /^(?:F12|Verkoopprijs|F12 Verkoopprijs)?(?:: )?(?:[\p{Lu}“„0-9#$].*[.!?…])$/u;

/** What a blank that was not filled leaves. */
const ODD = /undefined|null|\[object|\(\)|[:,] ?[.]?$|\n/;

describe.each(CODES)('the issue %s', (code) => {
  test.each(['en', 'nl'] as const)('is said in sentences in %s', (language) => {
    const wrong: string[] = [];
    for (const hint of HINTS) {
      for (const found of ['', 'abc', 'x'.repeat(200)]) {
        for (const place of [AT, NOWHERE, { ...AT, address: null }, { ...AT, field: null }]) {
          const finding = hint === undefined ? { code, found } : { code, found, hint };
          const issue = issueAt(finding, place);
          for (const form of [asTyped, onPage]) {
            const said = describeIssue(issue, language, form);
            const isWhole = SENTENCES.test(said) && said.includes(wayOut(finding, language, form));
            const hasBlank = /[{}]/.test(said) && hint !== '$& $1 {hint}';
            if (!isWhole || hasBlank || ODD.test(said)) wrong.push(said);
            const ofAll = describeCells(issue, language, form);
            if (!SENTENCES.test(ofAll) || ofAll.includes('abc')) wrong.push(ofAll);
          }
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  test('has the same parts in both languages', () => {
    const { name, says, way, severity } = ISSUES[code];
    const partsOf = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();
    for (const text of [says, way]) expect(partsOf(text.en)).toEqual(partsOf(text.nl));
    expect(name.en).not.toBe(name.nl);
    expect(issueName(code, 'nl')).toBe(`${name.nl} (${code})`);
    expect(issueAt({ code, found: '' }, NOWHERE).severity).toBe(severity);
    expect(issueAt({ code, found: '' }, NOWHERE, true).severity).toBe('error');
  });
});

test('no two kinds of issue have one name', () => {
  for (const language of ['en', 'nl'] as const)
    expect(new Set(CODES.map((code) => ISSUES[code].name[language])).size).toBe(CODES.length);
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
    [issue({}), 'en', 'F12 Verkoopprijs: “abc” is not a number. Write it like 1.234,50.'],
    [issue({}), 'nl', 'F12 Verkoopprijs: „abc” is geen getal. Schrijf het zoals 1.234,50.'],
    [
      issue({ found: '1.234,50', locale: 'en' }),
      'en',
      'F12 Verkoopprijs: “1.234,50” is not a number. Write it like 1,234.50.',
    ],
    [
      issue({ hint: { en: 'amounts are in euros', nl: 'bedragen zijn in euro’s' } }),
      'nl',
      'F12 Verkoopprijs: „abc” is geen getal. Bedragen zijn in euro’s.',
    ],
    [
      issue({ code: 'number-percent', severity: 'warning', found: '21%', hint: '0,21' }),
      'en',
      'F12 Verkoopprijs: “21%” is read as 0,21. To be safe, write that number without a percent sign.',
    ],
    [
      issue({ code: 'service-refused', found: '', hint: 'kost {value} en $1' }),
      'en',
      'F12 Verkoopprijs: The service refuses this: kost {value} en $1. Correct it, and import the file again.',
    ],
    [
      issue({ code: 'created-twice', field: 'ExternalID', found: '90008', hint: 'rows 10 and 11' }),
      'en',
      'F12 ExternalID: Rows 10 and 11 both use ExternalID 90008. Delete one of the two, or correct its key.',
    ],
    [
      issue({ found: 'x'.repeat(61) }),
      'en',
      `F12 Verkoopprijs: “${'x'.repeat(57)}…” is not a number. Write it like 1.234,50.`,
    ],
  ] as const)('%# reads well', (given, language, expected) => {
    expect(describeIssue(given, language)).toBe(expected);
  });
});
