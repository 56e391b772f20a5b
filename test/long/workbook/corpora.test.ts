import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Cell, cellAddress } from '../../../src/core/cell.ts';
import { StopError } from '../../../src/core/errors.ts';
import { readWorkbook } from '../../../src/workbook/read-workbook.ts';
import { textToSerial } from '../../../src/xlsx/numbers-and-dates.ts';

const CORPORA = join(import.meta.dirname, '../../../../shared/corpora');
const EXPECTED = join(CORPORA, 'expected.jsonl');

interface Expectation {
  readonly file: string;
  readonly readable: boolean;
  readonly sheets?: readonly string[];
  readonly sheet?: string;
  readonly cells?: Record<string, readonly [string, string | number | boolean]>;
}

/** Cells where the witnesses are wrong, all read from the file's own XML. */
const KNOWN_BETTER = new Set([
  // Shared texts that spell an error, not errors.
  'CellValues.xlsx F8',
  'CellValues.xlsx G8',
  // Stored as _x005F_x000D_, which is the text _x000D_ and not a carriage return.
  'new_line_errors.xlsx A3',
  // An ISO date before 1900, which has no serial.
  'sheet_with_dates_and_times.xlsx C3',
]);

/** Files that some readers open and that hold no sheet all the same: none is listed, or the part of the listed one is missing. */
const NO_SHEET = [
  'BadWorkbook.xlsx',
  'file_with_no_sheets_in_workbook_xml.xlsx',
  'file_with_sheet_xml_not_matching_content_types.xlsx',
];

/** Serials in the list are rounded to ten digits, and may be of either date system. */
function agrees(
  cell: Cell | undefined,
  [type, value]: readonly [string, string | number | boolean],
): boolean {
  if (cell === undefined) return value === '';
  if (type !== 'n')
    return { s: 'text', b: 'boolean', e: 'error' }[type] === cell.type && cell.value === value;
  const wanted = Number(value);
  if (cell.type === 'number') return Math.abs(cell.value - wanted) <= 1e-8 * Math.abs(wanted);
  const serial = cell.type === 'date' ? (textToSerial(cell.value) ?? Number.NaN) : Number.NaN;
  return Math.abs(serial - wanted) < 2e-5 || Math.abs(serial - 1462 - wanted) < 2e-5;
}

async function faultsOf({ file, sheets, sheet, cells = {} }: Expectation): Promise<string[]> {
  const workbook = await readWorkbook(join(CORPORA, file));
  const names = workbook.sheets.map(({ name }) => name);
  const faults: string[] =
    JSON.stringify(names) === JSON.stringify(sheets ?? names) ? [] : [`sheets ${names}`];
  const first = workbook.sheets.find(({ name }) => name === sheet);
  const found = new Map<string, Cell>();
  for (const one of workbook) {
    for await (const row of one.rows) {
      if (one === first) for (const cell of row.cells) found.set(cellAddress(cell.column, row.number), cell);
    }
  }
  const short = file.slice(file.lastIndexOf('/') + 1);
  for (const [address, value] of Object.entries(cells)) {
    if (!agrees(found.get(address), value) && !KNOWN_BETTER.has(`${short} ${address}`))
      faults.push(`${address} ${value}`);
  }
  return faults;
}

describe.skipIf(!existsSync(EXPECTED))('real workbooks of the corpora, when they are here', () => {
  const expectations = existsSync(EXPECTED)
    ? readFileSync(EXPECTED, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Expectation)
    : [];

  test('every readable workbook gives the cells that other readers agree on', {
    timeout: 290_000,
  }, async () => {
    const faults: Record<string, string[]> = {};
    for (const one of expectations.filter(({ cells }) => cells !== undefined)) {
      const found = await faultsOf(one).catch((error: unknown) => [String(error)]);
      if (found.length > 0) faults[one.file] = found.slice(0, 5);
    }
    expect(faults).toEqual({});
  });

  test('every other workbook is read or refused, nothing else', { timeout: 290_000 }, async () => {
    const refused: string[] = [];
    for (const one of expectations.filter(({ cells }) => cells === undefined)) {
      await faultsOf(one).catch((error: unknown) => {
        expect(error, one.file).toBeInstanceOf(StopError);
        if (one.readable) refused.push(one.file.slice(one.file.lastIndexOf('/') + 1));
      });
    }
    expect(refused.sort()).toEqual(NO_SHEET);
  });

  test('every CSV is read or refused, nothing else', { timeout: 290_000 }, async () => {
    for (const name of readdirSync(CORPORA, { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.csv')) continue;
      await faultsOf({ file: name, readable: true }).catch((error: unknown) =>
        expect(error, name).toBeInstanceOf(StopError),
      );
    }
  });
});
