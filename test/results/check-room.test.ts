import { expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { newReading } from '../../src/pipeline/map/read-rows.ts';
import { checkRoom } from '../../src/pipeline/results/check-room.ts';
import { makeSheet } from '../../src/workbook/sheet.ts';
import { mappingOf } from '../map/sheet-of.ts';

const sheet = makeSheet('Pakketten', false, async function* () {});

/** A plan of one sheet, as far as its result's room is concerned. */
function planOf(
  lastColumn: number,
  lastRow: number,
  headers: readonly string[] = ['ExternalID', 'Verkoopprijs'],
) {
  const mapping = mappingOf(headers);
  return {
    recognised: [{ kind: 'import' as const, sheet, mapping, firstRow: 1, above: [] }],
    readings: new Map([['Pakketten', { ...newReading(), lastColumn, lastRow }]]),
  };
}

test.each([
  ['the usual', 'a.xlsx', planOf(12, 200)],
  ['the last columns just free', 'a.xlsx', planOf(16_379, 2)],
  ['the last row', 'a.xlsx', planOf(3, 1_048_576)],
  ['more rows, as CSV', 'a.csv', planOf(3, 2_000_000)],
  ['an earlier result', 'a.xlsx', planOf(4, 9, ['ExternalID', 'Verkoopprijs', '#status', '#id'])],
])('there is room: %s', (_, target, plan) => {
  expect(() => checkRoom(target, plan)).not.toThrow();
});

test.each([
  ['a column too many', 'a.xlsx', planOf(16_380, 2), 'something stands in column XEZ'],
  ['the last column', 'a.csv', planOf(16_384, 2), 'something stands in column XFD'],
  ['rows of a CSV in a workbook', 'a.xlsx', planOf(3, 1_048_577), 'more rows than a workbook can hold'],
])('there is none: %s', (_, target, plan, says) => {
  expect(() => checkRoom(target, plan)).toThrow(
    expect.objectContaining({ exitCode: EXIT.file, message: expect.stringContaining(says) }),
  );
});
