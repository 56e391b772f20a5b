import { describe, expect, test } from 'vitest';
import { CIRCULAR, UNCACHED } from '../../../src/core/cell.ts';
import { describeIssue } from '../../../src/core/issue.ts';
import { events } from '../../../src/resources/events.ts';
import { stockCount } from '../../../src/resources/stock.ts';
import { issuesOf, type Line, readRow, THIS_YEAR } from './sheet-of.ts';

const ALL = '#key;ExternalID;OmschrijvingIntern;Offertetekst;Verkoopprijs;Actief;LMT';
const NAMED = 'ExternalID;OmschrijvingIntern;ProductCategorieID;Verkoopprijs;#action;#key';
const DATED = 'ExternalID;Datum;Starttijd';
const TWICE = 'ExternalID;Verkoopprijs;verkoopprijs *;Actief';
const OWN = 'ExternalID;#Action;#key;#status;#id';

test.each<[string, string, Line, string]>([
  // What a formula makes of an empty cell.
  ['an id of 0', 'ExternalID;ProductTypeID;ProductID', "0;'0;0", 'A2 id-zero, B2 id-zero, C2 id-zero'],
  ['a price of 0', 'ExternalID;Verkoopprijs', '31003;0', ''],
  ['an id below it', 'ProductID', '−7031', 'A2 id-negative'],
  ['a day of this year', DATED, `70023;${THIS_YEAR}-04-18`, ''],
  ['a day far ahead', DATED, `70023;${THIS_YEAR + 21}-04-18`, 'B2 date-far'],
  ['a day long ago', DATED, `70023;${THIS_YEAR - 21}-04-18`, 'B2 date-far'],
  ['a time in a column of days', DATED, `70023;18-04-${THIS_YEAR} 14:30`, 'B2 date-with-time'],
  ['a zone too', DATED, `70023;${THIS_YEAR}-04-18T23:00:00Z`, 'B2 date-zone, B2 date-with-time'],
  [
    'a word that a database or program writes for nothing',
    ALL,
    'NULL;NULL;None;\\N;NaN;(null);undefined',
    'A2 null-word, B2 integer-expected, C2 null-word, D2 null-word, E2 number-expected, F2 boolean-expected',
  ],
  ['blanks in one of two columns', TWICE, '31003;  ;12.5', ''],
  ['the same in both', TWICE, "31003;'12,50;' 12,50 ", ''],
  ['another in each', TWICE, '31003;12.5;13', 'C2 header-twice'],
  ['another in each of which nothing is sent', 'ExternalID;LMT;LMT', '31003;2027-01-01;2027-01-02', ''],
  ['two actions', 'ExternalID;#action;#action', '31003;skip;update', 'C2 header-twice'],
  ['an action that is none', OWN, '31003;wissen', 'B2 action-unknown'],
  ['an earlier outcome', OWN, '31003;;;invalid;#N/A', ''],
  ['no number and no type', 'ExternalID;ProductTypeID;Verkoopprijs', '3;Bufet;nnb', 'C2 number-expected'],
  ['a row to be left out', 'ExternalID;ProductTypeID;Verkoopprijs;#action', '3;Bufet;nnb;skip', ''],
  ['formulas without a result', NAMED, [3, 'Soep', null, { error: UNCACHED }], 'D2 formula-without-result'],
  ['a formula about itself', NAMED, [3, 'Soep', null, { error: CIRCULAR }], 'D2 formula-circular'],
])('a row with %s has the issues that it should', (_, headers, cells, issues) => {
  const resource = headers === DATED ? { resource: events } : {};
  expect(issuesOf(readRow(headers, cells, resource)).join(', ')).toBe(issues);
});

test.each<[string, string, object]>([
  [TWICE, "31003;'12,50;' 12,50 ", { values: { ExternalID: 31003, Verkoopprijs: 12.5 } }],
  [TWICE, '31003;  ;12.5', { values: { ExternalID: 31003, Verkoopprijs: 12.5 } }],
  [TWICE, '31003;12.5;13', { issues: [{ found: '12.5 / 13', hint: 'B, C', field: 'Verkoopprijs' }] }],
  [OWN, '31003; Delete ', { action: 'delete' }],
  [OWN, '31003;SKIP; bon 12 ', { action: 'skip', reference: 'bon 12' }],
  [OWN, '31003;;12', { action: 'auto', reference: '12' }],
  ['ExternalID;#action;#action', '31003;;skip', { action: 'skip' }],
  // Signs without width are not seen.
  ['#action;ExternalID', 'skip\u200b;3', { action: 'skip', issues: [] }],
  ['#action;ExternalID', '\u200eCREATE;3', { action: 'create', issues: [] }],
  ['#action;ExternalID', 'up\u00addate;3', { action: 'update', issues: [] }],
  // The list of names knows whether one is called so.
  ['ExternalID;ProductTypeID', '3;None', { names: [{ name: 'None' }] }],
  ...['21%', '€ 5', '12 stuks', 'Buffet', '(2)'].map((name): [string, string, object] => [
    ...(['ExternalID;ProductTypeID', `3;${name}`, { names: [{ name }] }] as const),
  ]),
  ...['12', ' 12 ', '12.0', '1 234', '-3', '1,5', '1E+5', '１２'].map((id): [string, string, object] => [
    ...(['ExternalID;ProductTypeID', `3;'${id}`, { names: [] }] as const),
  ]),
  [`${NAMED};#action`, '3;Bufet;;nnb;;;skip', { issues: [], names: [], values: { ExternalID: 3 } }],
])('%s: %s is read', (headers, cells, read) => {
  expect(readRow(headers, cells)).toMatchObject(read);
});

test.each([';;bon 12;created;4711', '  ;'])(
  'nothing but a #key or an earlier outcome is no row: %j',
  (cells) => {
    expect(readRow(OWN, cells)).toBeUndefined();
  },
);

test.each([
  ['OmschrijvingIntern', 255],
  ['Offertetekst', 10_000],
])('a text of %s of %i characters is fine, one more is a warning and kept whole', (field, most) => {
  const headers = `ExternalID;${field}`;
  const text = `${'soep '.repeat(most / 5).trim()}!`;
  expect(issuesOf(readRow(headers, `3;${text}`))).toEqual([]);
  const row = readRow(headers, `3;${text}!`);
  expect(row?.values[field]).toBe(`${text}!`);
  expect(row?.issues).toMatchObject([{ code: 'text-long', severity: 'warning', address: 'B2' }]);
  expect(row?.issues[0]?.found.length).toBeLessThan(70);
  expect(readRow(headers, `3;${text}!`, { strict: true })?.issues).toMatchObject([{ severity: 'error' }]);
});

test.each(['-', 'nvt', '?', 'x', 'niet geteld', 'NULL'])(
  '%s in a count is told that an empty cell is not counted',
  (word) => {
    for (const header of ['GeteldRekeneenheid', 'GeteldProducteenheid']) {
      const row = readRow(['ProductID', header], [7003, word], { resource: stockCount });
      expect(row?.issues).toMatchObject([
        {
          ...{ code: 'number-expected', address: 'B2', found: word },
          hint: {
            en: 'leave the cell empty: an empty cell is not counted',
            nl: 'laat de cel leeg: een lege cel is niet geteld',
          },
        },
      ]);
    }
    const [price] = readRow('ExternalID;Verkoopprijs', [31003, word])?.issues ?? [];
    expect(price?.hint).toMatchObject({ en: 'leave the cell empty to leave the field as it is' });
  },
);

describe('text that is nothing but an error', () => {
  test.each(['#N/A', '#N/B', '#VERW!', '#DEEL/0!', '#OVERLOOP!', '#n/b', ' #N/A ', 'Err:502'])(
    '%j is no name, no lookup, no number, no action and no key',
    (word) => {
      const row = readRow(NAMED, [31003, word, word, word, word, word]);
      expect(issuesOf(row)).toEqual(['B2', 'C2', 'D2', 'E2', 'F2'].map((address) => `${address} error-cell`));
      expect(row?.issues[0]?.found).toBe(word.trim());
      expect(row).toMatchObject({ action: 'auto', reference: null, names: [] });
      expect(row?.values).toEqual({ ExternalID: 31003 });
    },
  );

  test.each(['Soep #N/A', 'N/A', '# 1 van de kaart', '#1', '#soepvandedag', 'Err: te veel', '#'])(
    '%j is a name',
    (name) => {
      const row = readRow(NAMED, [31003, name]);
      expect(row).toMatchObject({ issues: [], values: { OmschrijvingIntern: name } });
    },
  );
});

test.each([
  [
    UNCACHED,
    'The cell holds a formula without a stored result. Open',
    'De cel bevat een formule zonder bewaarde uitkomst. Open het bestand in een spreadsheetprogramma en sla het op.',
  ],
  [
    CIRCULAR,
    'The cell holds a formula that refers to itself. Enter a value, or correct',
    'De cel bevat een formule die naar zichzelf verwijst. Vul een waarde in',
  ],
])('a formula is told in words, and sends no 0: %s', (error, en, nl) => {
  const row = readRow(NAMED, [31003, 'Soep', null, { error }]);
  expect(row?.values).not.toHaveProperty('Verkoopprijs');
  for (const [language, words] of Object.entries({ en, nl })) {
    const said = row?.issues.map((issue) => describeIssue(issue, language as 'en' | 'nl')).join();
    expect(said).toContain(`D2 Verkoopprijs: ${words}`);
    expect(said).not.toContain(error);
  }
});
