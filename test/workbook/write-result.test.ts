import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import exceljs from 'exceljs';
import { describe, expect, test } from 'vitest';
import type { Cell, Row } from '../../src/core/cell.ts';
import { PLAIN_STYLE } from '../../src/csv/csv-layout.ts';
import type { ResultSheet, ShownOutcome } from '../../src/files/result-sheet.ts';
import { readWorkbook } from '../../src/workbook/read-workbook.ts';
import { writeResult } from '../../src/workbook/write-result.ts';
import { readPart } from '../xlsx/read/read-part.ts';
import { cellsText, scratchFolder } from './make-workbook.ts';

const folder = scratchFolder();
const HEADERS = ['#status', '#id', '#message'];

const text = (column: number, value: string): Cell => ({ column, type: 'text', value });

const each = <T>(items: readonly T[]): AsyncIterable<T> => ({
  async *[Symbol.asyncIterator]() {
    yield* items;
  },
});

/** A row with its outcome. */
interface ResultRow {
  readonly row: Row;
  readonly outcome?: ShownOutcome;
}

const sheet = (rows: readonly ResultRow[], more: Partial<ResultSheet> = {}): ResultSheet => ({
  name: 'Pakketten',
  hidden: false,
  headerRow: 1,
  added: { firstColumn: 4, headers: HEADERS },
  rows: each(rows.map(({ row }) => row)),
  outcomes: each(rows.flatMap(({ row, outcome }) => (outcome ? { ...outcome, row: row.number } : []))),
  ...more,
});

const HEADER: ResultRow = {
  row: { number: 1, cells: [text(1, 'ProductID'), text(2, 'Omschrijving'), text(3, 'Prijs')] },
};

/** One row of each tone; row 4 is blank. */
const ROWS: readonly ResultRow[] = [
  HEADER,
  { row: { number: 2, cells: [text(2, 'Soep')] }, outcome: { cells: ['created', 4711, null], tone: 'good' } },
  {
    row: { number: 3, cells: [text(2, 'Brood')], hidden: true },
    outcome: { cells: ['unchanged', 12, null], tone: 'plain' },
  },
  {
    row: { number: 5, cells: [text(2, '=1+1')] },
    outcome: { cells: ['invalid', null, '=niet: Prijs ontbreekt'], tone: 'bad' },
  },
  { row: { number: 6, cells: [] }, outcome: { cells: ['conflict', null, 'Gewijzigd'], tone: 'warn' } },
];

const VALUES = (
  [
    ['number', 12.5],
    ['number', 7, '00000'],
    ['text', ' Zoë\n<&> "x" _x0041_ \u0007 👩‍🍳 '],
    ['boolean', false],
    ['date', '2027-04-28', 'd\\ mmm\\ yyyy'],
    ['date', '2027-04-28 11:30:00.250'],
    ['date', '18:45:00'],
    ['date', '1900-01-01', 'yyyy-mm-dd'],
    ['error', '#DIV/0!'],
    ['error', '#UNCACHED'],
    ['number', -0.000001],
    ['text', '00123', '@'],
  ] as const
).map(
  ([type, value, format], at) =>
    ({ column: at + 1, type, value, ...(format === undefined ? {} : { format }) }) as Cell,
);

async function readRows(file: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const one of await readWorkbook(file)) for await (const row of one.rows) rows.push(row);
  return rows;
}

describe('a result as XLSX', () => {
  test('keeps the numbers of rows, with outcomes beside them', async () => {
    const file = join(folder, 'uitkomst.xlsx');
    await writeResult(file, [sheet(ROWS)]);
    expect(await cellsText(file)).toBe(
      'A1 "ProductID", B1 "Omschrijving", C1 "Prijs", D1 "#status", E1 "#id", F1 "#message", ' +
        'B2 "Soep", D2 "created", E2 4711, B3 "Brood", D3 "unchanged", E3 12, ' +
        'B5 "=1+1", D5 "invalid", F5 "=niet: Prijs ontbreekt", D6 "conflict", F6 "Gewijzigd"',
    );
    expect((await readRows(file)).flatMap(({ number, hidden }) => (hidden ? number : []))).toEqual([3]);
  });

  test('has every kind of cell as it was', async () => {
    const file = join(folder, 'waarden.xlsx');
    await writeResult(file, [
      sheet([{ row: { number: 3, cells: VALUES } }], { headerRow: null, added: null }),
    ]);
    const expected = VALUES.map((cell) => {
      if (cell.column === 6) return { ...cell, format: 'yyyy-mm-dd hh:mm:ss' };
      if (cell.column === 7) return { ...cell, format: 'hh:mm:ss' };
      // A text stays one, whatever is typed over it.
      if (cell.column === 3) return { ...cell, format: '@' };
      return cell;
    });
    expect(await readRows(file)).toEqual([{ number: 3, cells: expected }]);
  });

  test('replaces outcomes of an earlier run, not titles above the header', async () => {
    const file = join(folder, 'opnieuw.xlsx');
    const old = (number: number): Row => ({ number, cells: [text(1, 'a'), text(4, 'oud'), text(6, 'oud')] });
    await writeResult(file, [
      sheet(
        [
          { row: old(1) },
          { row: old(2) },
          { row: old(3) },
          { row: old(4), outcome: { cells: ['created', 1, null], tone: 'good' } },
        ],
        { headerRow: 2 },
      ),
    ]);
    expect(await cellsText(file)).toBe(
      'A1 "a", D1 "oud", F1 "oud", A2 "a", D2 "#status", E2 "#id", F2 "#message", A3 "a", A4 "a", D4 "created", E4 1',
    );
  });

  test('shows a cell that something is said of in colour, and its value and format stay', async () => {
    const file = join(folder, 'gemerkt.xlsx');
    const cells: Cell[] = [text(1, '00123'), { column: 2, type: 'number', value: 0.21, format: '0%' }];
    const marks = [
      { column: 1, tone: 'warn' },
      { column: 2, tone: 'warn' },
      // A cell that holds nothing can be what is wrong.
      { column: 3, tone: 'bad' },
    ] as const;
    const row: ResultRow = {
      row: { number: 2, cells },
      outcome: { cells: ['created'], tone: 'warn', marks },
    };
    await writeResult(
      file,
      ['Een', 'Twee'].map((name) => sheet([...ROWS.slice(0, 1), row, ...ROWS.slice(2)], { name })),
    );
    const book = new exceljs.Workbook();
    await book.xlsx.readFile(file);
    for (const written of book.worksheets) {
      const shown = (address: string): string => {
        const { fill } = written.getCell(address);
        return fill?.type === 'pattern' ? (fill.fgColor?.argb ?? '') : '';
      };
      expect(shown('A2')).toBe('FFFFEB9D');
      expect(shown('B2')).toBe('FFFFEB9D');
      expect(shown('C2')).toBe('FFFFC7CF');
      for (const plain of ['A1', 'A3', 'B3', 'B5']) expect(shown(plain)).toBe('');
      expect(written.getCell('A2').value).toBe('00123');
      expect(written.getCell('B2')).toMatchObject({ value: 0.21, numFmt: '0%' });
    }
  });

  test('keeps sheets in order and hidden, with names that Excel accepts', async () => {
    const file = join(folder, 'bladen.xlsx');
    const names = ['Notities', 'Recepten/2027', 'recepten_2027', 'x'.repeat(40), `${'x'.repeat(35)}y`];
    await writeResult(
      file,
      names.map((name, at) => sheet(ROWS, { name, hidden: at === 0 })),
    );
    const workbook = await readWorkbook(file);
    expect(workbook.sheets.map(({ name, hidden }) => (hidden ? `(${name})` : name))).toEqual([
      ...['(Notities)', 'Recepten_2027', 'recepten_2027 (2)', 'x'.repeat(31), `${'x'.repeat(27)} (2)`],
    ]);
    expect(await readPart(file, 'xl/workbook.xml')).toContain('activeTab="1"');
  });
});

describe('a result as CSV', () => {
  test('has the first sheet, with formulas guarded in the added columns only', async () => {
    const file = join(folder, 'uitkomst.csv');
    await writeResult(file, [sheet(ROWS), sheet(ROWS, { name: 'Recepten' })]);
    expect(readFileSync(file, 'utf8').split('\r\n')).toEqual([
      '\ufeffProductID;Omschrijving;Prijs;#status;#id;#message',
      ';Soep;;created;4711;',
      ';Brood;;unchanged;12;',
      '',
      ";=1+1;;invalid;;'=niet: Prijs ontbreekt",
      ';;;conflict;;Gewijzigd',
      '',
    ]);
  });

  test('has every kind of cell as text, with the separator that is asked for', async () => {
    const file = join(folder, 'waarden.csv');
    await writeResult(
      file,
      [sheet([{ row: { number: 1, cells: VALUES.slice(3, 10) } }], { headerRow: null, added: null })],
      { style: { ...PLAIN_STYLE, delimiter: ',' } },
    );
    expect(readFileSync(file, 'utf8')).toBe(
      '\ufeff,,,FALSE,2027-04-28,2027-04-28 11:30:00.250,18:45:00,1900-01-01,#DIV/0!,#N/A\r\n',
    );
  });
});

test.each(['half.xlsx', 'half.csv'])(
  'a result appears whole or not at all: %s stays what it was when writing fails',
  async (name) => {
    const place = join(folder, `map-${name}`);
    mkdirSync(place);
    writeFileSync(join(place, name), 'oud');
    async function* broken(): AsyncGenerator<Row> {
      yield HEADER.row;
      throw new Error('de bron is stuk');
    }
    await expect(writeResult(join(place, name), [sheet([], { rows: broken() })])).rejects.toThrow(
      'de bron is stuk',
    );
    expect(readdirSync(place)).toEqual([name]);
    expect(readFileSync(join(place, name), 'utf8')).toBe('oud');
  },
);
