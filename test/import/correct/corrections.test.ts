import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import exceljs from 'exceljs';
import { describe, expect, test } from 'vitest';
import type { ImportWorkbookOptions } from '../../../src/index.ts';
import { readWorkbook } from '../../../src/workbook/read-workbook.ts';
import { PACKAGE_HEADER, readBack } from '../../helpers/make-workbook.ts';
import { serviceOnly } from '../../helpers/service-options.ts';
import { newPackages, openWorld } from '../../promises/world.ts';
import { rewriteSheet } from '../baseline/fixtures.ts';

interface Correction {
  readonly sheet: string;
  readonly row: number;
  readonly column: number;
  readonly text: string;
}

/** A world whose imports take corrections. */
function open() {
  const world = openWorld();
  const options = world.machine();
  const at = (name: string): string => join(world.folder, name);
  return {
    ...{ ...world, options, at },
    send: (file: string, corrections: readonly Correction[], more: object = {}) =>
      world.importWorkbook(file, {
        ...options,
        out: at('r.xlsx'),
        corrections,
        ...more,
      } as ImportWorkbookOptions),
  };
}

const NBSP = '\u00a0';
const DAY = 'd mmm yyyy';

/** The column and format of a cell that is wrong, what is typed, and what the result holds, with another format where that is needed. */
const CELLS: readonly (readonly [number, string | undefined, string, unknown, (string | undefined)?])[] = [
  [4, '#,##0.00', '12,50', 12.5],
  [4, '#,##0.00', `€${NBSP}1.250,75`, 1250.75],
  [4, '0%', '12', 12, undefined],
  [4, 'dd-mm-yyyy', '3,30', 3.3, undefined],
  [4, 'dd-mm-yyyy', 'gratis', 'gratis'],
  [4, 'dd-mm-yyyy', '0,1234567890123456789', '0,1234567890123456789'],
  [2, '@', `Broodje${NBSP}kaas `, `Broodje${NBSP}kaas `],
  [2, '@', '=1+1', '=1+1'],
  [2, '@', '007', '007'],
  [2, '@', 'a < b & "c"\nd', 'a < b & "c"\nd'],
  [5, undefined, 'nee', 'nee'],
  [5, undefined, 'misschien', 'misschien'],
  [3, undefined, '2', 2],
  [3, undefined, 'Pakket', 'Pakket'],
  [3, undefined, '="00002"', 2],
  [6, undefined, '1-5-2027', '1-5-2027'],
  [4, undefined, '', undefined],
];
/** The same of an arrangement's day. */
const DAYS: typeof CELLS = [
  [4, undefined, '1-5-2027', '1-5-2027'],
  [4, DAY, '2-5-2027', '2-5-2027'],
  [4, DAY, '2-5-2027 14:30', '2-5-2027 14:30'],
  [4, DAY, '31-2-2027', '31-2-2027'],
];

describe('the corrected cells of a workbook', () => {
  test.each([
    ['numbers as such and others as they were typed', 'Pakketten', CELLS],
    ['days as they were typed', 'Arrangementen', DAYS],
  ])('are held in its result, and are imported as they were: %s', async (_, name, cases) => {
    const { at, send, service, importWorkbook, options } = open();
    const product = service.add.package();
    const book = new exceljs.Workbook();
    const sheet = book.addWorksheet(name);
    const links = name === 'Arrangementen';
    sheet.addRow(links ? ['PartijID', 'ArrangementID', 'Aantal', 'Datum'] : [...PACKAGE_HEADER]);
    for (const [row, [column, format]] of cases.entries()) {
      const key = links ? service.add.event({ Datum: '2027-05-01' }) : 700_000 + row;
      sheet.addRow(links ? [key, product, 40, 'morgen'] : [key, `Lunch ${row}`, 1, 10, true]);
      const cell = sheet.getRow(row + 2).getCell(column);
      cell.value =
        row === 0 && !links
          ? ({ formula: '1/0', result: { error: '#DIV/0!' } } as exceljs.CellFormulaValue)
          : 'fout';
      cell.font = { bold: true };
      if (format !== undefined) cell.numFmt = format;
    }
    await book.xlsx.writeFile(at('a.xlsx'));
    const corrections = cases.map(([column, , text], row) => ({ sheet: name, row: row + 2, column, text }));
    const done = await send(at('a.xlsx'), corrections);
    expect(done.resultError).toBeUndefined();
    const held = (await readBack(at('r.xlsx'))).get(name);
    const result = (await readWorkbook(at('r.xlsx'))).sheets.find((one) => one.name === name);
    const formats: (string | undefined)[] = [];
    for await (const { number, cells } of result?.rows ?? [])
      if (number > 1) formats.push(cells.find(({ column }) => column === cases[number - 2]?.[0])?.format);
    expect(cases.map(([column], row) => held?.get(row + 2)?.get(column))).toEqual(cases.map((one) => one[3]));
    expect(formats).toEqual(
      cases.map(([, was, text, , now]) =>
        text === '' || text === '3,30' || text === '12' ? undefined : (now ?? was),
      ),
    );
    const said = cases.map((__, row) => [...(held?.get(row + 2)?.values() ?? [])].join('\n'));
    for (const words of said) expect(words).toMatch(/^\w\d+ .*(corrected|filled)/m);
    await book.xlsx.readFile(at('r.xlsx'));
    const corrected = book
      .getWorksheet(name)
      ?.getRow(2)
      .getCell(cases[0]?.[0] ?? 1);
    expect(corrected).toMatchObject({ font: { bold: true }, formula: undefined });
    // Imported once more, the result asks for nothing that the run did not.
    const again = await importWorkbook(at('r.xlsx'), { ...options, out: at('s.csv') });
    const { invalid, failed } = done.counts;
    expect(again.counts).toMatchObject({ invalid, created: 0, updated: 0, failed });
  });

  test('take away a row that is emptied, and a row that holds nothing has none; headers can be corrected too', async () => {
    const { at, send, sheet } = open();
    const [header = [], one = [], two = []] = newPackages(2);
    const file = sheet([header.with(3, 'Prijs??'), one, [null], two, [900_003, 'Weg', 1, 5]]);
    const place = { sheet: 'week-1' };
    const typed = (row: number, cells: readonly string[]) =>
      cells.map((text, column) => ({ ...place, row, column: column + 1, text }));
    const corrections = [
      ...typed(5, ['', '', '', '']),
      { ...place, row: 1, column: 4, text: 'Verkoopprijs' },
    ];
    const { rows, counts } = await send(file, corrections, { as: 'packages' });
    expect(rows.map(({ row, status }) => `${row} ${status}`).join()).toBe('2 created,4 created');
    expect(counts.read).toBe(2);
    const held = (await readBack(at('r.xlsx'))).get('week-1');
    expect(held?.get(5)?.get(1)).toBeUndefined();
    expect(held?.get(1)?.get(4)).toBe('Verkoopprijs');
    for (const row of [3, 8])
      await expect(
        send(file, [...corrections, ...typed(row, ['700003'])], { as: 'packages' }),
      ).rejects.toThrow(`has no cell A${row} `);
  });
});

test('the corrected cells of a CSV stand there as they were typed, guarded, are sent as they read and come back unchanged', async () => {
  const { at, send, sheet, service, importWorkbook, options } = open();
  const cases: readonly (readonly [number, string, string, unknown])[] = [
    [4, '12,50', ';12,50;', 12.5],
    [4, '+3', ';+3;', 3],
    [2, '-3', ";'-3;", '-3'],
    [2, '=1+1', ";'=1+1;", '=1+1'],
    [2, "'=1+1", ";'=1+1;", '=1+1'],
    [2, 'Kaas; en "wijn"', ';"Kaas; en ""wijn""";', 'Kaas; en "wijn"'],
    [5, 'nee', ';nee;', false],
  ];
  const rows = cases.map((_, at) => [600_000 + at, 'Soep', 1, 8, 'ja']);
  const corrections = cases.map(([column, text], at) => ({ sheet: 'week-1', row: at + 2, column, text }));
  const out = at('r.csv');
  const { counts } = await send(sheet([[...PACKAGE_HEADER], ...rows]), corrections, { out });
  expect(counts.created).toBe(cases.length);
  const lines = readFileSync(out, 'utf8').split('\r\n').slice(1);
  for (const [row, [column, , held, value]] of cases.entries()) {
    expect(lines[row]).toContain(held);
    const [record] = service.packages.where({ ExternalID: 600_000 + row });
    expect(record?.[PACKAGE_HEADER[column - 1] ?? '']).toBe(value);
  }
  const again = await importWorkbook(out, { ...options, as: 'packages', out: at('s.csv') });
  expect(again.counts.unchanged).toBe(cases.length);
});

describe('a run with corrections', () => {
  const fixed = { sheet: 'week-1', row: 3, column: 4, text: '3,30' };
  const rows = newPackages(2).with(2, [900_002, 'Lunch', 1, 'drie']);

  test('is sent later as it was planned, also where the file is gone', async () => {
    const { sheet, service, planImport, applyPlan, options } = open();
    const file = sheet(rows);
    const wishes = { ...options, corrections: [fixed] } as ImportWorkbookOptions;
    const { run } = await planImport(file, wishes);
    rmSync(file);
    expect((await applyPlan(run, options)).counts.created).toBe(2);
    expect(service.packages.where({ ExternalID: 900_002 })).toMatchObject([{ Verkoopprijs: 3.3 }]);
  });

  test('refuses a place that the file does not have', async () => {
    const { sheet, send } = open();
    const file = sheet(rows);
    for (const wrong of [{ sheet: 'Elders' }, { row: 0 }, { column: 20_000 }, { row: 1.5 }])
      await expect(send(file, [{ ...fixed, ...wrong }])).rejects.toThrow(/has no cell .* to correct/);
  });

  test('does not make the export that it came from say what it sent', async () => {
    const { at, send, exportRecords, importWorkbook, options } = open();
    const file = at('export.xlsx');
    await exportRecords('packages', { ...serviceOnly(options), out: file });
    await rewriteSheet(file, 'Pakketten', (rows) =>
      rows.map(({ ProductID = null, Verkoopprijs = null }) => ({ ProductID, Verkoopprijs })),
    );
    const corrected = await send(file, [{ sheet: 'Pakketten', row: 2, column: 2, text: '77' }]);
    expect(corrected.counts.updated).toBe(1);
    // The cell of the file is as it was exported, and someone changed it since: it is left alone.
    for (const again of [file, at('r.xlsx')]) {
      const { counts } = await importWorkbook(again, { ...options, out: at('s.csv') });
      expect(counts).toMatchObject({ updated: 0, conflict: 0 });
    }
  });
});
