import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import exceljs from 'exceljs';
import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import type { Cell } from '../../../src/core/cell.ts';
import type { Codec } from '../../../src/core/codec.ts';
import { booleanCodec } from '../../../src/core/codecs/boolean.ts';
import { datetimeCodec } from '../../../src/core/codecs/datetime.ts';
import { decimalCodec } from '../../../src/core/codecs/decimal.ts';
import { integerCodec } from '../../../src/core/codecs/integer.ts';
import { textCodec } from '../../../src/core/codecs/text.ts';
import { timeOfDayCodec } from '../../../src/core/codecs/time-of-day.ts';
import type { Locale, Value } from '../../../src/core/value.ts';
import { readWorkbook } from '../../../src/workbook/read-workbook.ts';
import { excelText } from '../../../src/xlsx/excel-text.ts';
import { tempFolder } from '../../helpers/run-cli.ts';

const ROWS = 100;
const LOCALES = ['nl', 'en'] as const;

const pad = (value: number, width = 2): string => String(value).padStart(width, '0');
const parts = (...most: number[]) => fc.tuple(...most.map((max) => fc.integer({ min: 0, max })));
const time = parts(23, 59, 59).map((three) => three.map((part) => pad(part)).join(':'));
const day = fc
  .integer({ min: Date.UTC(1900, 2, 1) / 86_400_000, max: Date.UTC(9999, 11, 31) / 86_400_000 })
  .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));
const moment = fc.tuple(day, time).map((both) => both.join(' '));
/** What a cell can show, 15 digits, of the sizes that amounts have. */
const decimal = fc
  .double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 })
  .map((value) => Number(value.toPrecision(15)) + 0)
  .filter((value) => value === 0 || Math.abs(value) > 1e-9);
const name = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what no XML may hold
  .map((value) => value.replace(/[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff]/g, '').trim())
  .filter((value) => value !== '');

const COLUMNS: readonly (readonly [Codec, fc.Arbitrary<Value>])[] = [
  [integerCodec, fc.maxSafeInteger()],
  [decimalCodec, decimal],
  [booleanCodec, fc.boolean()],
  [textCodec, name],
  [datetimeCodec, moment],
  [timeOfDayCodec, fc.oneof(time, moment)],
] as unknown as (readonly [Codec, fc.Arbitrary<Value>])[];

/** The same values in every run, so that a failure can be looked into. */
const samples = COLUMNS.map(([, values]) => fc.sample(values, { numRuns: ROWS, seed: 4 }));
const rows = Array.from({ length: ROWS }, (_, at) => samples.map((column) => column[at] ?? null));

/** Every column's values as the file gives them back. */
async function readBack(file: string, locale: Locale): Promise<unknown[][]> {
  const [sheet] = await readWorkbook(file);
  const read: unknown[][] = [];
  for await (const row of sheet?.rows ?? []) {
    const cells = new Map(row.cells.map((cell): [number, Cell] => [cell.column, cell]));
    read.push(
      COLUMNS.map(([codec], at) => {
        const cell = cells.get(at + 1);
        const decoded = cell === undefined ? undefined : codec.decode(cell, locale);
        return decoded?.ok === true ? decoded.value : { cell, decoded };
      }),
    );
  }
  return read;
}

describe('a value is read back as it was through a file', () => {
  test('of XLSX, in both locales', async () => {
    const file = join(tempFolder(), 'waarden.xlsx');
    // Not exceljs's writer of whole files, which tears characters of two halves apart now and then.
    const workbook = new exceljs.stream.xlsx.WorkbookWriter({ filename: file, useSharedStrings: true });
    const written = rows.map((row) =>
      row.map((value) => (typeof value === 'string' ? excelText(value) : value)),
    );
    const sheet = workbook.addWorksheet('Waarden');
    for (const row of written) sheet.addRow(row).commit();
    sheet.commit();
    await workbook.commit();
    for (const locale of LOCALES) expect(await readBack(file, locale)).toEqual(rows);
  });

  test.each(LOCALES)('of CSV as people of %s save it', async (locale) => {
    const file = join(tempFolder(), 'waarden.csv');
    const typed = rows.map((row) => row.map((value) => asTyped(value, locale)));
    writeFileSync(file, Papa.unparse(typed, { delimiter: locale === 'nl' ? ';' : ',' }));
    expect(await readBack(file, locale)).toEqual(rows);
  });
});

function asTyped(value: Value | undefined, locale: Locale): string {
  if (typeof value === 'number') return locale === 'nl' ? String(value).replace('.', ',') : String(value);
  if (typeof value === 'boolean')
    return locale === 'nl' ? (value ? 'WAAR' : 'ONWAAR') : String(value).toUpperCase();
  return value ?? '';
}
