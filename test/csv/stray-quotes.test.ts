import { join } from 'node:path';
import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { csvRecords, type QuoteTrouble } from '../../src/csv/csv-records.ts';
import { scratchFolder } from '../workbook/make-workbook.ts';
import { readText, rowsText } from './csv-rows.ts';

interface Cut {
  readonly fields: readonly string[];
  readonly quotes?: QuoteTrouble;
}

const folder = scratchFolder();

/** What was found on the rows of a CSV: `2 quotes-literal A`. */
async function findingsIn(text: string, options = {}): Promise<{ rows: string; found: string[] }> {
  const { rows, workbook } = await readText(join(folder, 'telling.csv'), text, options);
  const found: string[] = [];
  for (const sheet of workbook.sheets)
    for await (const { number, finding } of sheet.rows)
      if (finding !== undefined) found.push(`${number} ${finding.code} ${finding.column} ${finding.found}`);
  return { rows: rowsText(rows), found };
}

const HEADER = 'ID;Naam;Aantal';

/** A damaged row between two good ones, what it is read as, and what is said of it. */
const DAMAGE: readonly (readonly [string, string, string, string])[] = [
  ['a quote that nothing closes', '5;"Brood;2', '5·"Brood·2', '3 quotes-literal 2 "Brood'],
  ['a last field of one quote', '5;Brood;"', '5·Brood·"', '3 quotes-literal 3 "'],
  ['an inch in quotes', '5;"Bord 12" diep";2', '5·Bord 12" diep·2', '3 quotes-literal 2 Bord 12" diep'],
  ['an inch at the end, in quotes', '5;"Bord 12"";2', '5·Bord 12"·2', '3 quotes-literal 2 Bord 12"'],
  [
    'text behind a closed quote',
    '5;"Soep" van de dag;2',
    '5·"Soep" van de dag·2',
    '3 quotes-literal 2 "Soep" van de dag',
  ],
  [
    'a separator beside quotes in quotes',
    '5;"Soep; "warm" en koud";2',
    '5·"Soep·warm" en koud·2',
    '3 quotes-broken 2 5;"Soep; "warm" en koud";2',
  ],
  ['too few fields with it', '5;"Brood', '5·"Brood', '3 quotes-broken 2 5;"Brood'],
  ['too many fields with it', '5;"Brood;wit;2;1', '5·"Brood·wit·2·1', '3 quotes-broken 2 5;"Brood;wit;2;1'],
];

describe('a stray quote in one row of a CSV', () => {
  test.each(DAMAGE)('changes no other row, and is told: %s', async (_, line, row, said) => {
    const around = ['1;Kaas;1', '6;"Melk; vol";3', '7;"twee\nregels";4', '8;Boter;5'];
    const [first, ...after] = around;
    const { rows, found } = await findingsIn([HEADER, first, line, ...after].join('\n'));
    expect(rows).toBe(
      `1 ID·Naam·Aantal / 2 1·Kaas·1 / 3 ${row} / 4 6·Melk; vol·3 / 5 7·twee\nregels·4 / 6 8·Boter·5`,
    );
    expect(found).toEqual([said]);
  });

  test('in a file of one column is read as it stands', async () => {
    const { rows, found } = await findingsIn('Naam\n"Kaas\nMelk\n"Boter"\n');
    expect(rows).toBe('1 Naam / 2 "Kaas / 3 Melk / 4 Boter');
    expect(found).toEqual(['2 quotes-literal 1 "Kaas']);
  });

  test('far from the next quote keeps a file of megabytes', async () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => (at === 4 ? '5;"Brood;2' : `${at};Kaas;1`));
    const records = cut(rows.join('\n'), [], { delimiter: ';', longest: 1 << 20, expected: [3] });
    expect(records).toHaveLength(20_000);
    expect(records.filter(({ quotes }) => quotes !== undefined)).toEqual([
      { fields: ['5', '"Brood', '2'], quotes: { kind: 'literal', field: 1, found: '5;"Brood;2' } },
    ]);
  });

  test('and one in the next row are told where they may be a text over lines', async () => {
    const { rows, found } = await findingsIn([HEADER, '5;Brood;"1', '6;Pan;12"', '7;Kaas;1'].join('\n'));
    expect(rows).toBe('1 ID·Naam·Aantal / 2 5·Brood·1\n6;Pan;12 / 3 7·Kaas·1');
    expect(found).toEqual(['2 quotes-over-rows 3 1\n6;Pan;12']);
  });
});

describe('a text over lines in a CSV', () => {
  test.each([
    ['with separators', `${HEADER}\n5;"een; twee\ndrie";2`, '1 ID·Naam·Aantal / 2 5·een; twee\ndrie·2'],
    ['in the header', 'ID;"Naam\nkort";Aantal\n5;x;1', '1 ID·Naam\nkort·Aantal / 2 5·x·1'],
    [
      'with doubled quotes',
      `${HEADER}\n5;"een ""twee""\n""drie""";2`,
      '1 ID·Naam·Aantal / 2 5·een "twee"\n"drie"·2',
    ],
  ])('stays one, without a word: %s', async (_, text, rows) => {
    expect(await findingsIn(text)).toEqual({ rows, found: [] });
  });
});

/** Pieces that make damage of every kind. */
const PIECES = ['"', '""', ';', '\n', ' ', 'a', 'b c', '";', ';"', '"\n', '\n"', '5;"x";2\n', '1;2;3\n', 'é'];

const SHAPE = { delimiter: ';', longest: 60, expected: [3] };

function cut(text: string, cuts: readonly number[], shape = SHAPE): Cut[] {
  const read = csvRecords(shape);
  const places = [0, ...[...cuts].map((one) => one % (text.length + 1)).sort((a, b) => a - b), text.length];
  const chunks = places.slice(1).map((to, at) => text.slice(places[at], to));
  const told = (records: readonly string[][]): Cut[] =>
    records.map((fields) => {
      const quotes = read.troubles.get(fields);
      return quotes === undefined ? { fields } : { fields, quotes };
    });
  return [...chunks.flatMap((chunk) => told(read.take(chunk))), ...told(read.finish())];
}

const damaged = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join(''));

/** Fields as people have them, some with what is hard to cut. */
const anyField = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'Kaas', '12', '1,5', '') },
  { weight: 2, arbitrary: fc.constantFrom('x;y', 'Pan "12"', 'een\ntwee', 'b; "c"\nd;e', ';', '\n', '"') },
);

describe('one stray quote anywhere in a CSV', () => {
  test('swallows no row and loses none without a word', () => {
    const rows = fc.array(fc.tuple(anyField, anyField, anyField), { minLength: 6, maxLength: 12 });
    fc.assert(
      fc.property(rows, fc.nat(), fc.nat(), fc.boolean(), (drawn, at, place, quotes) => {
        const full = drawn.map((row, index) => [`k${index}`, ...row]);
        const lines = full.map((row) => Papa.unparse([row], { delimiter: ';', newline: '\n', quotes }));
        const damagedRow = at % lines.length;
        const line = lines[damagedRow] ?? '';
        const before = place % (line.length + 1);
        lines[damagedRow] = `${line.slice(0, before)}"${line.slice(before)}`;
        const records = cut(`${lines.join('\n')}\n`, [], { delimiter: ';', longest: 10_000, expected: [4] });
        const untold = records.filter((record) => record.quotes === undefined).map(({ fields }) => fields);
        expect(untold.filter((fields) => fields.some((field) => /\nk\d/.test(field)))).toEqual([]);
        const read = new Set(records.map(({ fields }) => JSON.stringify(fields)));
        const others = full.filter((_, index) => index !== damagedRow);
        const lost = others.filter((row) => !read.has(JSON.stringify(row)));
        expect(lost.length === 0 || untold.length < records.length).toBe(true);
      }),
      { numRuns: 150, seed: 1 },
    );
  });
});

describe('a CSV of any damage', () => {
  test('is read the same however it is cut into chunks, also where records grow too long', () => {
    fc.assert(
      fc.property(damaged, fc.array(fc.nat(), { maxLength: 12 }), (text, cuts) => {
        expect(cut(text, cuts)).toEqual(cut(text, []));
      }),
      { numRuns: 150, seed: 1 },
    );
  });

  test('keeps every row that has no quote near it', () => {
    fc.assert(
      fc.property(damaged, (text) => {
        const good = Array.from({ length: 4 }, (_, at) => `x${at};y;z`);
        const lines = `${text}\n${good.join('\n')}\n`;
        const records = cut(lines, [], { ...SHAPE, longest: 10_000 });
        const told = records.some(({ quotes }) => quotes !== undefined);
        const kept = records.filter(
          ({ fields }) => fields.length === 3 && /^x\d$/.test(fields[0] ?? ''),
        ).length;
        expect(kept === 4 || told).toBe(true);
      }),
      { numRuns: 150, seed: 1 },
    );
  });

  test('is read as another reader reads it where it is no damage at all', () => {
    const field = fc.string({ unit: fc.constantFrom('a', '"', ';', '\n', ' ', '1'), maxLength: 5 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constant('k'), field, field, fc.constant('z')), { maxLength: 6 }),
        (rows) => {
          const text = Papa.unparse(rows as unknown as string[][], {
            delimiter: ';',
            newline: '\n',
            quotes: true,
          });
          const records = cut(text, [], { delimiter: ';', longest: 10_000, expected: [4] });
          expect(records.map(({ fields }) => [...fields])).toEqual(rows.map((row) => [...row]));
        },
      ),
      { numRuns: 100, seed: 1 },
    );
  });
});

/** Characters of quotes that open, close and stand alone in every way. */
const HOSTILE: Readonly<Record<string, string>> = {
  'nothing but quotes': '"',
  'fields that open': '"a;',
  'closing quotes behind a pair': '"a"";',
  'lines that open': '1;"y\n',
  'lines that open behind a pair': '1;"";"y\n',
  'lines of stray quotes': '"a"b\n',
};

describe('a file of nothing but trouble with quotes', () => {
  test.each(Object.entries(HOSTILE))('costs a few looks for each character: %s', (_, piece) => {
    const text = `1;2;3\n${piece.repeat(50_000 / piece.length)}`;
    for (const expected of [[3], [1]]) {
      const read = csvRecords({ delimiter: ';', longest: 1 << 22, expected });
      for (let at = 0; at < text.length; at += 1 << 18) read.take(text.slice(at, at + (1 << 18)));
      read.finish();
      expect(read.looks / text.length).toBeLessThan(40);
    }
  });
});

test.each([
  ['quotes and separators', '";'],
  ['quotes', '"'],
])('one line of 300,000 %s is wrong by itself, and the others are read', async (_, piece) => {
  const line = piece.repeat(300_000);
  const { rows, found } = await findingsIn([HEADER, '1;Brood;2', line, '3;Soep;4'].join('\n'));
  expect(rows.startsWith('1 ID·Naam·Aantal / 2 1·Brood·2 / 3 ')).toBe(true);
  expect(rows.endsWith(' / 4 3·Soep·4')).toBe(true);
  expect(found.map((one) => one.split(' ')[0]).every((number) => number === '3')).toBe(true);
});
