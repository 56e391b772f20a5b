import { describe, expect, test } from 'vitest';
import { bookOf, fatesOf, type Grid, layoutOf } from './layout-of.ts';

const HEADER = 'ExternalID;OmschrijvingIntern;Verkoopprijs;Actief;Inkoop';
const SOUP = '600001;Tomatensoep;4.1;Ja;1.05';
const STEW = '600002;Stamppot;8.2;Nee;2.1';
const COUNT = 'ProductID;GeteldRekeneenheid;MutatieReden';
const FILLED = 'ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs;Actief';
const MORE = `${HEADER};Volume`;
const OUTCOME = `${HEADER};#status;#id;#message;#changes;#at`;

const down = (line: string): string[] => Array.from({ length: 4 }, () => line);

const layoutWith = (lines: Grid, wishes = {}) =>
  layoutOf(bookOf(lines, lines[0] === COUNT ? 'Voorraadtelling' : 'Pakketten'), wishes);

test.each([
  ['record total-or-record', 'Totaal;;12.3'],
  ['record total-or-record', ';Sub-totaal:;12.3'],
  ['record total-or-record', ';Eindtotaal;#UNCACHED'],
  ['record total-or-record', ';Totaal: 2;12.3'],
  ['record total-or-record', ';;12.3;;;Totaal incl. btw'],
  ['record total-or-record', ';;Totaal;;3.15'],
  ['record', ';;12.3;;3.15'],
  ['header', HEADER],
  ['record integer-expected', 'Prijzen onder voorbehoud'],
  ['record number-expected', ';;Hoofdgerechten'],
  // A record, whatever it is called.
  ['record', '600003;Totaalpakket;12.3'],
  ['record', '600003;Feest;12.3;Ja;Totaal'],
  // Not plainly a total: the planner asks for a key.
  ['record', ';Totaalpakket;12.3'],
  ['record', ';;12.4'],
  ['record', ';Hoofdgerechten'],
  ['record integer-expected', 'A-100;;12.3'],
  ['record error-cell', "'#VALUE!"],
  // Labels of Excel's own, without a key: one hint in the place of all issues.
  ['record total-or-record', ';Totaal;12.3;;per stuk'],
  ['record total-or-record', ';Soepen Totaal;12.3'],
  ['record total-or-record', ';Som van Verkoopprijs;12.4'],
  ['record total-or-record', '150;Totaal;12.3'],
])('below records stands a %s: %s', async (fate, line) => {
  expect(fatesOf(await layoutWith([HEADER, SOUP, STEW, line]))).toBe(`2 record, 3 record, 4 ${fate}`);
});

test.each<[string, Grid, string]>([
  [
    'is a record where it says what to do',
    [
      `${HEADER};#action;#key`,
      SOUP,
      'Totaal;;12.3;;;create',
      '150;Totaal;12.3;;;update',
      'Totaal;;12.3;;;;k1',
    ],
    '2 record, 3 record integer-expected, 4 record, 5 record integer-expected',
  ],
  ['explains a column alone', [HEADER, ';;€', SOUP], '2 record number-expected, 3 record'],
  [
    'explains the columns',
    [HEADER, 'uw nummer;naam in de keuken', SOUP],
    '2 record integer-expected, 3 record',
  ],
  [
    'is what it is whatever an earlier result says of it',
    [
      OUTCOME,
      'geen;;€;;;skipped;;no record',
      `${SOUP};created;5001`,
      `${STEW};created;5002`,
      `${HEADER};skipped;;no record`,
      'Totaal;;12.3;;;skipped;;no record',
      ';;12.4;;;skipped;77',
      'Prijzen onder voorbehoud;;;;;skipped',
    ],
    '2 record integer-expected number-expected, 3 record, 4 record, 5 header, 6 record total-or-record, 7 record, 8 record integer-expected',
  ],
  [
    'is of a table with its columns in another order',
    [HEADER, SOUP, null, 'ExternalID;Verkoopprijs;OmschrijvingIntern', '600003;1;Soep', 'Totaal;1'],
    '2 record, 4 record second-header 4, 5 record second-header 4, 6 record second-header 4',
  ],
  [
    'has the headers once more above it, with a column more',
    [HEADER, SOUP, null, MORE, `${STEW};3`],
    '2 record, 4 record second-header 4, 5 record second-header 4',
  ],
  [
    'is of a table beside the columns of the first',
    [HEADER, SOUP, null, `;;;;;${HEADER}`, `;;;;;${STEW}`],
    '2 record, 4 record second-header 4, 5 record second-header 4',
  ],
  [
    'is of a table of which no column counts',
    [HEADER, SOUP, 'Leverancier;Telefoon', STEW],
    '2 record, 3 record integer-expected, 4 record',
  ],
  // Records that are called as columns are, or have a legend beside them.
  ['is a record of odd texts', [`${HEADER};OmschrijvingExtern`, '600001;Volume;4.5;Ja;;Actief'], '2 record'],
  [
    'has a legend beside it',
    [HEADER, SOUP, `${STEW};;Verkoopprijs;Volume`, SOUP],
    '2 record, 3 record cell-beyond-header, 4 record',
  ],
  // What was only filled down is blank.
  ['holds a checkbox', [FILLED, '1;Soep;1;4.5;false', ...down(';;;;false')], '2 record'],
  ['holds zeros of formulas', [FILLED, '1;Soep;1;4.5;false', ...down('0;;;0;')], '2 record'],
  [
    'holds errors of formulas',
    [FILLED, '1;Soep;1;4.5;false', ...down('#N/A;;')],
    '2 record, 3 record error-cell',
  ],
  ['holds them as text', [FILLED, '1;Soep;1;4.5;false', ...down("'0;;;0,00;ONWAAR")], '2 record'],
  ['holds values of all rows', [FILLED, '1;Soep;Buffet;4.5;Ja', ...down(';;Buffet;;Ja')], '2 record'],
  [
    'holds them before records and between them',
    [FILLED, ...down(';;;0;false'), '1;Soep;1;4.5;false', ...down(';;;0;false'), '2;Brood;1;9;true'],
    '6 record, 11 record',
  ],
  ['holds them in a count', [COUNT, '7001;3;telling', ...down(';0;telling')], '2 record'],
  [
    'is none of these with a name',
    [FILLED, '1;Soep;1;4.5;false', ';Ui;;;false', ';Ui;;;false'],
    '2 record, 3 record, 4 record',
  ],
  [
    'is none of these with a key',
    [FILLED, '1;Soep;1;4.5;false', '3;;;;false', '3;;;;false'],
    '2 record, 3 record, 4 record',
  ],
  [
    'is none of these with a value of its own',
    [FILLED, '1;Soep;Buffet;4.5;false', ';;Buffet;12;false', '2;Brood;Buffet;9;true'],
    '2 record, 3 record, 4 record',
  ],
  [
    'is none of these with an amount, and no product',
    [COUNT, '7001;5;telling', ';5;telling', ';5;telling'],
    '2 record, 3 record, 4 record',
  ],
  [
    'is none of these with an action of its own below',
    [`#action;${FILLED}`, ';;;Buffet;;false', 'create;;;Buffet;;false'],
    '2 record, 3 record',
  ],
])('a row %s', async (_, lines, expected) => {
  expect(fatesOf(await layoutWith(lines))).toBe(expected);
});

describe('a row of totals', () => {
  const rows = ['ProductID;GeteldRekeneenheid', '7003;7', '7007;5'];

  test.each(['7005;12', ';12'])('that its table tells is none, unlike rows below it: %s', async (line) => {
    const totals = [{ left: 1, top: 1, right: 2, bottom: 4 }];
    const book = bookOf([...rows, line, null, '7001;2'], 'Voorraadtelling', undefined, { totals });
    expect(fatesOf(await layoutOf(book))).toBe('2 record, 3 record, 4 totals, 6 record');
  });
});

test.each<[string, Grid, object, string]>([
  ['the headers', [HEADER, SOUP, HEADER], {}, 'row 3 passed over: the headers once more, no record'],
  ['what was filled down', [HEADER, SOUP, ...down(';;;Ja')], {}, 'taken as blank'],
  [
    'what stands above the headers that --header-row names',
    [HEADER, SOUP, MORE, `${STEW};3`],
    { headerRow: 3 },
    'row 2 above the headers in row 3 not read (--header-row)',
  ],
])('of rows that are no records is said: %s', async (_, lines, wishes, note) => {
  expect((await layoutWith(lines, wishes)).notes.join()).toContain(note);
});

test('blank rows are nothing, hidden ones are records like any other and counted, and merged cells are named', async () => {
  const merges = [
    { left: 1, top: 1, right: 1, bottom: 2 },
    { left: 2, top: 4, right: 2, bottom: 6 },
    { left: 7, top: 4, right: 8, bottom: 5 },
  ];
  const hidden = (number: number) => (number === 3 || number === 6 ? { hidden: true } : {});
  const lines = [HEADER, null, SOUP, null, '; ', STEW, SOUP];
  const layout = await layoutOf(bookOf(lines, 'Pakketten', hidden, { merges }));
  expect(fatesOf(layout)).toBe('3 record, 6 record, 7 record');
  expect(layout.notes).toEqual([
    'merged cells B4:B6: only the first row of each has the value',
    '2 hidden rows are imported too',
  ]);
});
