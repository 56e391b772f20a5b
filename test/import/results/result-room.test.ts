import { expect, test } from 'vitest';
import { EXIT } from '../../../src/core/errors.ts';
import { makeSheet } from '../../../src/files/sheet.ts';
import { newReading, type SheetReading } from '../../../src/import/map/read-rows.ts';
import { checkRoom, firstFreeColumn } from '../../../src/import/results/result-place.ts';
import { mappingOf } from '../map/sheet-of.ts';

const END = 16_384;
const TWO = ['ExternalID', 'Verkoopprijs'];
const EARLIER = [...TWO, '#status', '#id', '#message', '#changes', '#at'];

const sheet = makeSheet('Pakketten', false, async function* () {});

/** A plan of one sheet, as far as its result's room is concerned. */
function planOf(
  lastColumn: number,
  lastRow: number,
  headers: readonly string[] = TWO,
  seen: Partial<SheetReading> = {},
) {
  const mapping = mappingOf(headers);
  return {
    recognised: [{ kind: 'import' as const, sheet, mapping, firstRow: 1, above: [] }],
    readings: new Map([['Pakketten', { ...newReading(), lastColumn, lastRow, ...seen }]]),
  };
}

test.each<[string, string, ReturnType<typeof planOf>, number]>([
  ['the usual', 'a.xlsx', planOf(12, 200), 13],
  ['the last columns just free', 'a.xlsx', planOf(END - 5, 2), END - 4],
  ['part of an earlier result', 'a.xlsx', planOf(4, 9, EARLIER.slice(0, 4)), 3],
  ['an earlier result with a chart over it', 'a.xlsx', planOf(7, 9, EARLIER, { lastDrawn: 20 }), 3],
  ['a chart right of the data', 'a.xlsx', planOf(2, 9, TWO, { lastDrawn: 9 }), 10],
  ['a chart at the end of the sheet', 'a.xlsx', planOf(2, 9, TWO, { lastDrawn: END }), 3],
])('a sheet has room for its outcomes: %s', (_, target, plan, first) => {
  expect(() => checkRoom(target, plan)).not.toThrow();
  const [{ mapping }] = plan.recognised as [(typeof plan.recognised)[0]];
  expect(firstFreeColumn(mapping, plan.readings.get('Pakketten') ?? newReading())).toBe(first);
});

test.each([
  ['a column too many', 'a.xlsx', planOf(END - 4, 2), 'something stands in column XEZ'],
  ['rows of a CSV in a workbook', 'a.xlsx', planOf(3, 1_048_577), 'more rows than a workbook can hold'],
])('a sheet has no room for its outcomes: %s', (_, target, plan, says) => {
  expect(() => checkRoom(target, plan)).toThrow(
    expect.objectContaining({ exit: EXIT.file, message: expect.stringContaining(says) }),
  );
});
