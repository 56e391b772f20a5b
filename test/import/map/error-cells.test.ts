import { describe, expect, test } from 'vitest';
import { CIRCULAR, UNCACHED } from '../../../src/core/cell.ts';
import { describeIssue } from '../../../src/core/issue.ts';
import { issuesOf, readRow } from './sheet-of.ts';

const HEADERS = ['ExternalID', 'OmschrijvingIntern', 'ProductCategorieID', 'Verkoopprijs', '#action', '#key'];

const ERRORS = [...['#N/A', '#N/B', '#VERW!', '#DEEL/0!', '#OVERLOOP!', '#n/b', ' #N/A ', 'Err:502']];

describe('text that is nothing but an error', () => {
  test.each(ERRORS)('%j is no name, no lookup, no number, no action and no key', (word) => {
    const row = readRow(HEADERS, [31003, word, word, word, word, word]);
    expect(issuesOf(row)).toEqual(['B2', 'C2', 'D2', 'E2', 'F2'].map((address) => `${address} error-cell`));
    expect(row?.issues[0]?.found).toBe(word.trim());
    expect(row?.values).toEqual({ ExternalID: 31003 });
    expect(row?.names).toEqual([]);
    expect(row).toMatchObject({ action: 'auto', reference: null });
  });

  test.each(['Soep #N/A', 'N/A', '# 1 van de kaart', '#1', '#soepvandedag', 'Err: te veel', '#'])(
    '%j is a name',
    (name) => {
      const row = readRow(HEADERS, [31003, name]);
      expect(issuesOf(row)).toEqual([]);
      expect(row?.values).toEqual({ ExternalID: 31003, OmschrijvingIntern: name });
    },
  );
});

describe('a formula without a stored result', () => {
  const row = readRow(HEADERS, [31003, 'Soep', null, { error: UNCACHED }, { error: UNCACHED }]);

  test('is an issue wherever it stands', () => {
    expect(issuesOf(row)).toEqual(['D2 formula-without-result', 'E2 formula-without-result']);
  });

  test.each([
    ['en', 'D2 Verkoopprijs: found a formula without a stored result, expected a value (open'],
    [
      'nl',
      'D2 Verkoopprijs: gevonden een formule zonder bewaarde uitkomst, verwacht een waarde (open het bestand in een spreadsheetprogramma en sla het op',
    ],
  ] as const)('is told in words (%s)', (language, words) => {
    const [issue] = row?.issues ?? [];
    const said = issue === undefined ? '' : describeIssue(issue, language);
    expect(said).toContain(words);
    expect(said).not.toContain('UNCACHED');
  });
});

describe('a formula that refers to itself', () => {
  const row = readRow(HEADERS, [31003, 'Soep', null, { error: CIRCULAR }]);

  test.each([
    [
      'en',
      'D2 Verkoopprijs: found a formula that refers to itself, expected a value (enter a value, or correct',
    ],
    [
      'nl',
      'D2 Verkoopprijs: gevonden een formule die naar zichzelf verwijst, verwacht een waarde (vul een waarde in',
    ],
  ] as const)('is an issue in words, and sends no 0 (%s)', (language, words) => {
    expect(issuesOf(row)).toEqual(['D2 formula-circular']);
    expect(row?.values).not.toHaveProperty('Verkoopprijs');
    const [issue] = row?.issues ?? [];
    expect(issue === undefined ? '' : describeIssue(issue, language)).toContain(words);
  });
});
