import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ResultSheet } from '../../../src/files/result-sheet.ts';
import { readWorkbook } from '../../../src/workbook/read-workbook.ts';
import { writeResult } from '../../../src/workbook/write-result.ts';
import {
  oneSheet,
  relationships,
  scratchFolder,
  sheetXml,
  workbookXml,
  writeZip,
} from '../../workbook/make-workbook.ts';
import { HEADER_ROW, problemBook } from '../../workbook/problem-book.ts';
import { readPart } from '../read/read-part.ts';
import { changedParts, HEADERS, madeUp } from './rewrite-fixture.ts';

const folder = scratchFolder();
let count = 0;
const fresh = (): string => join(folder, `${count++}.xlsx`);
const SHEET = 'xl/worksheets/sheet1.xml';
const TABLE = 'xl/tables/table1.xml';

/** The rows of a sheet that a program shows. */
async function seenRows(file: string): Promise<string> {
  const rows: number[] = [];
  for (const sheet of await readWorkbook(file))
    if (sheet.name === 'Pakketten')
      for await (const { number, hidden } of sheet.rows) if (hidden !== true) rows.push(number);
  return rows.join(' ');
}

/**
 * A result in which only rows that need work are to be seen: each row has the status that `statuses` gives it, as
 * `4 invalid`, created where it gives none; `-` stands for none.
 */
async function withOnlyProblems(
  file: string,
  statuses: string,
  { source = file as string | undefined, only = true, more = {} as Partial<ResultSheet> } = {},
) {
  const target = fresh();
  const given = new Map(statuses.split(', ').map((one) => [parseInt(one, 10), one.replace(/^\d* /, '')]));
  const sheets = await madeUp(
    file,
    (row) => {
      const status = given.get(row) ?? 'created';
      return { cells: [status === '-' ? null : status, row, null, null, null], tone: 'bad' };
    },
    more,
  );
  const chosen = sheets
    .filter(({ name }) => name === 'Pakketten')
    .map((sheet) => ({ ...sheet, onlyProblems: only }));
  const { notes } = await writeResult(target, chosen, source === undefined ? {} : { source });
  return { target, notes: notes.map(({ en }) => en) };
}

/** Where the added columns stand in a result that comes back. */
const inPlace = (first: number): Partial<ResultSheet> => ({
  added: { firstColumn: first, headers: HEADERS },
  oldColumns: new Map(HEADERS.map((header, at) => [first + at, header])),
});

const HIDDEN = ' hidden="1"';
const text = (at: string, value: string): string => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
const row = (number: number, attributes = ''): string =>
  `<row r="${number}"${attributes}>${text(`A${number}`, number === 1 ? 'Naam' : `Soep ${number}`)}<c r="B${number}">${number === 1 ? '' : `<v>${number}</v>`}</c></row>`;
/** So many rows, some of them hidden. */
const rows = (last: number, hidden: readonly number[] = []): string =>
  Array.from({ length: last }, (_, at) => row(at + 1, hidden.includes(at + 1) ? HIDDEN : '')).join('');
/** A sheet of rows with what stands behind and before them. */
const sheetWith = (data: string, behind = '', before = ''): string =>
  sheetXml(data)
    .replace('<sheetData>', `${before}<sheetData>`)
    .replace('</worksheet>', `${behind}</worksheet>`);
const withSheet = (xml: string, parts = {}): Promise<string> =>
  writeZip(fresh(), oneSheet('', { [SHEET]: xml, ...parts }));

const filter = (ref: string, inside = ''): string => `<autoFilter ref="${ref}">${inside}</autoFilter>`;
const column = (at: number, ...values: string[]): string =>
  `<filterColumn colId="${at}"><filters>${values.map((value) => `<filter val="${value}"/>`).join('')}</filters></filterColumn>`;
const SOUP = column(0, 'Soep 2', 'Soep 3');
const named = (range: string) => ({
  'xl/workbook.xml': workbookXml(
    `<sheets><sheet name="Pakketten" sheetId="1" r:id="rId1"/></sheets><definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">Pakketten!${range}</definedName></definedNames>`,
  ),
});
const table = (ref: string, inside: string, more = ''): Record<string, string> => ({
  'xl/worksheets/_rels/sheet1.xml.rels': relationships([['rId1', 'table', '../tables/table1.xml']]),
  [TABLE]: `<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="1" name="T" displayName="T" ref="${ref}"${more}>${inside}<tableColumns count="2"><tableColumn id="1" name="Naam"/><tableColumn id="2" name="B"/></tableColumns></table>`,
});
const TABLES = `<tableParts count="1"><tablePart xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="rId1"/></tableParts>`;
const unnumbered = (data: string): string => data.replaceAll(/<row r="\d+"/g, '<row');

interface Expected {
  readonly seen: string;
  /** What the sheet, or the table if there is one, holds afterwards. */
  readonly holds?: string;
  /** The range in the name of the sheet's filter. */
  readonly range?: string;
}

test.each<[string, string, object, string, Expected]>([
  [
    'shows what needs work and no other row',
    sheetWith(rows(7), '<mergeCells count="1"><mergeCell ref="A2:A3"/></mergeCells>'),
    {},
    '3 invalid, 4 not sent, 6 invalid',
    { seen: '1 3 4 6', holds: '</sheetData><mergeCells' },
  ],
  [
    'keeps totals among and below its rows in sight',
    sheetWith(rows(7)),
    {},
    '2 -, 5 failed, 7 -',
    { seen: '1 2 5 7' },
  ],
  [
    'shows a row that was hidden and needs work',
    sheetWith(rows(8, [3, 4, 5])),
    {},
    '4 invalid, 5 failed, 7 invalid',
    { seen: '1 4 5 7' },
  ],
  ['in which no row needs work shows all', sheetWith(rows(4)), {}, '', { seen: '1 2 3 4' }],
  [
    'whose rows have no numbers hides them all the same',
    sheetWith(unnumbered(rows(5))),
    {},
    '4 unknown',
    { seen: '1 4' },
  ],
  [
    'with a prefix hides them all the same',
    sheetWith(rows(5))
      .replaceAll(/<(\/?)(?=\w)/g, '<$1x:')
      .replace('xmlns=', 'xmlns:x='),
    {},
    '4 unknown',
    { seen: '1 4' },
  ],
  [
    'with a filter keeps its conditions, and what that hides hidden',
    sheetWith(rows(6, [4, 5, 6]), filter('A1:B6', `${SOUP}<sortState ref="A2:B6"/>`)),
    named('$A$1:$B$6'),
    '3 invalid',
    {
      ...{ seen: '1 3', range: 'Pakketten!$A$1:$G$6' },
      holds: `<autoFilter ref="A1:G6">${SOUP}<sortState`,
    },
  ],
  [
    'with a filter shows what that hides and needs work',
    sheetWith(rows(7, [4, 5, 6, 7]), filter('A1:B7', SOUP)),
    {},
    '3 invalid, 5 invalid',
    { seen: '1 3 5', holds: filter('A1:G7', SOUP) },
  ],
  [
    'with a filter on something else has that grow alone',
    sheetWith(rows(6), filter('A3:B6', SOUP)),
    {},
    '2 invalid',
    { seen: '1 2', holds: filter('A3:G6', SOUP) },
  ],
  [
    'with a table has that keep its conditions',
    sheetWith(rows(6, [4]), TABLES),
    table('A1:B6', filter('A1:B6', SOUP), ' totalsRowCount="1"'),
    '3 invalid, 6 -',
    { seen: '1 3 6', holds: filter('A1:G6', SOUP) },
  ],
  [
    'with a table of a query leaves that as it is',
    sheetWith(rows(6, [3]), TABLES),
    table('A1:B6', filter('A1:B6', SOUP), ' tableType="queryTable"'),
    '3 unknown',
    { seen: '1 3', holds: filter('A1:B6', SOUP) },
  ],
])('of which only problems are to be seen, a sheet %s', async (_, xml, parts, statuses, expected) => {
  const { seen, holds = '', range } = expected;
  const file = await withSheet(xml, parts);
  const done = await withOnlyProblems(file, statuses);
  expect(await seenRows(done.target)).toEqual(seen);
  expect(done.notes).toEqual([]);
  expect(await readPart(done.target, TABLE in parts ? TABLE : SHEET)).toContain(holds);
  const name = /FilterDatabase[^>]*>([^<]*)</.exec(await readPart(done.target, 'xl/workbook.xml'))?.[1];
  expect(name).toBe(range);
});

test('rows that a result hid stay hidden in the next one, unless they need work by then', async () => {
  const first = await withOnlyProblems(await withSheet(sheetWith(rows(8, [3]))), '4 invalid, 7 invalid');
  const more = inPlace(3);
  const second = await withOnlyProblems(first.target, '5 conflict', { more, only: false });
  expect([await seenRows(second.target), second.notes]).toEqual(['1 4 5 7', []]);
});

test('in a workbook that is written anew, a row that needs work and was hidden is shown', async () => {
  const file = await withSheet(sheetWith(rows(4, [2, 3])));
  const { target, notes } = await withOnlyProblems(file, '3 invalid', { source: undefined });
  expect(notes).toEqual([]);
  expect(await seenRows(target)).toBe('1 3');
});

test('nothing else of a workbook changes where something stands between the table and the added columns', async () => {
  const file = await problemBook(fresh());
  const more = { headerRow: HEADER_ROW, added: { firstColumn: 10, headers: HEADERS } };
  const { target, notes } = await withOnlyProblems(file, '6 invalid, 8 failed, 10 -, 11 -', { more });
  expect([await seenRows(target), notes]).toEqual(['1 3 6 8 10 11', []]);
  const changed = await changedParts(file, target);
  expect(changed.filter((name) => !/sheet2|styles|Types|workbook|calcChain/.test(name))).toEqual([]);
});
