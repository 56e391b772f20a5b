import { join } from 'node:path';
import exceljs from 'exceljs';
import { expect, test } from 'vitest';
import type { Cell } from '../../../src/core/cell.ts';
import type { ResultRow, ResultSheet } from '../../../src/files/result-sheet.ts';
import { writeResult } from '../../../src/workbook/write-result.ts';
import { scratchFolder } from '../../workbook/make-workbook.ts';

const folder = scratchFolder();
const text = (column: number, value: string): Cell => ({ column, type: 'text', value });
const HEADER: ResultRow = { row: { number: 1, cells: [text(1, 'ProductID'), text(2, 'Prijs')] } };

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

const sheet = (name: string, rows: readonly ResultRow[]): ResultSheet => ({
  name,
  hidden: false,
  headerRow: 1,
  added: { firstColumn: 4, headers: ['#status'] },
  rows: each([HEADER, ...rows]),
});

async function open(name: string, sheets: readonly ResultSheet[]): Promise<exceljs.Workbook> {
  const file = join(folder, name);
  await writeResult(file, sheets);
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.readFile(file);
  return workbook;
}

const noteOf = (cell: exceljs.Cell | undefined): string => {
  const { note } = cell ?? {};
  return typeof note === 'object' ? (note.texts ?? []).map((part) => part.text).join('') : (note ?? '');
};
const paperOf = (cell: exceljs.Cell | undefined): string | undefined =>
  cell?.fill?.type === 'pattern' ? cell.fill.fgColor?.argb : undefined;

test('a remark on a cell is shown on it, in colour and as a note; its value and format stay', async () => {
  const rows: ResultRow[] = [
    {
      row: { number: 2, cells: [text(1, '00123'), { column: 2, type: 'number', value: 0.21, format: '0%' }] },
      outcome: {
        cells: ['created'],
        tone: 'warn',
        marks: [
          { column: 1, tone: 'warn', text: 'gelezen als 123' },
          { column: 2, tone: 'warn', text: 'gelezen als 0,21\n<en> "meer" \u0007' },
        ],
      },
    },
    {
      row: { number: 3, cells: [text(1, '7')] },
      outcome: { cells: ['invalid'], tone: 'bad', marks: [{ column: 3, tone: 'bad', text: 'verplicht' }] },
    },
    { row: { number: 4, cells: [text(1, '8')] }, outcome: { cells: ['created'], tone: 'good' } },
  ];
  const workbook = await open('gemerkt.xlsx', [sheet('Een', rows), sheet('Twee', rows)]);
  for (const name of ['Een', 'Twee']) {
    const written = workbook.getWorksheet(name);
    expect(noteOf(written?.getCell('A2'))).toBe('gelezen als 123');
    expect(noteOf(written?.getCell('B2'))).toContain('<en> "meer"');
    expect(paperOf(written?.getCell('A2'))).toBe('FFFFEB9D');
    expect(written?.getCell('B2')).toMatchObject({ value: 0.21, numFmt: '0%' });
    // A cell that holds nothing can be what is wrong.
    expect(paperOf(written?.getCell('C3'))).toBe('FFFFC7CF');
    expect(noteOf(written?.getCell('C3'))).toBe('verplicht');
    for (const plain of ['A1', 'A3', 'A4', 'B4']) {
      expect(paperOf(written?.getCell(plain))).toBeUndefined();
      expect(noteOf(written?.getCell(plain))).toBe('');
    }
  }
  expect(workbook.getWorksheet('Een')?.getCell('A2').value).toBe('00123');
});
