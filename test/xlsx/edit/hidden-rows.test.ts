import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { ShownOutcome } from '../../../src/files/result-sheet.ts';
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
import { HEADER_ROW, problemBook, RECORDS } from '../../workbook/problem-book.ts';
import { readPart } from '../read/read-part.ts';
import { withOnlyProblems } from './hide-rows.ts';
import { changedParts, madeUp } from './rewrite-fixture.ts';

const folder = scratchFolder();
let count = 0;
const fresh = (): string => join(folder, `${count++}.xlsx`);
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const SHEET = 'xl/worksheets/sheet1.xml';
const OFFICE = ['/usr/bin/soffice', '/usr/bin/libreoffice'].find(existsSync);

/** The rows of a sheet that a program shows. */
async function seenRows(file: string, name = 'Pakketten'): Promise<number[]> {
  const rows: number[] = [];
  for (const sheet of await readWorkbook(file))
    if (sheet.name === name)
      for await (const { number, hidden } of sheet.rows) if (hidden !== true) rows.push(number);
  return rows;
}

/** The rows that the filter of a part leaves, its header included: those of its range whose status it names. */
async function filteredRows(file: string, part: string, name = 'Pakketten'): Promise<number[]> {
  const xml = await readPart(file, part);
  const filter = /<(?:\w+:)?autoFilter ref="([A-Z]+)(\d+):[A-Z]+(\d+)".*?<\/(?:\w+:)?autoFilter>/s.exec(xml);
  const [all = '', , top, bottom] = filter ?? [];
  const values = [...all.matchAll(/filter val="([^"]*)"/g)].map(([, value]) => value);
  const blank = all.includes('blank="1"');
  const rows: number[] = [];
  for (const sheet of await readWorkbook(file)) {
    if (sheet.name !== name) continue;
    let column = 0;
    for await (const { number, cells } of sheet.rows) {
      if (number === Number(top)) column = cells.find(({ value }) => value === '#status')?.column ?? 0;
      const status = cells.find((cell) => cell.column === column)?.value;
      if (number < Number(top) || number > Number(bottom)) continue;
      if (number === Number(top) || (status === undefined ? blank : values.includes(String(status))))
        rows.push(number);
    }
  }
  return rows;
}

const text = (at: string, value: string): string => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
const row = (number: number, attributes = ''): string =>
  `<row r="${number}"${attributes}>${text(`A${number}`, number === 1 ? 'Naam' : `Soep ${number}`)}<c r="B${number}">${number === 1 ? '' : `<v>${number}</v>`}</c></row>`;
const rows = (last: number, attributes: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: last }, (_, at) => row(at + 1, attributes[at + 1])).join('');
/** A sheet of rows with what stands behind them. */
const sheetWith = (data: string, behind = '', before = ''): string =>
  sheetXml(data)
    .replace('<sheetData>', `${before}<sheetData>`)
    .replace('</worksheet>', `${behind}</worksheet>`);
const withSheet = async (xml: string, parts = {}): Promise<string> =>
  await writeZip(fresh(), oneSheet('', { [SHEET]: xml, ...parts }));

describe('of a sheet without a filter', () => {
  test('the rows that need nothing are hidden under one on #status, which names the statuses that are seen', async () => {
    const protection = '<sheetProtection sheet="1"/>';
    const merged = '<mergeCells count="1"><mergeCell ref="A2:A3"/></mergeCells>';
    const file = await withSheet(sheetWith(rows(7), `${protection}${merged}`));
    const { target, notes } = await withOnlyProblems(file, 'Pakketten', {
      3: 'invalid',
      4: 'not sent',
      6: 'invalid',
    });
    expect(notes).toEqual([]);
    const xml = await readPart(target, SHEET);
    expect(xml).toContain(
      `${protection}<autoFilter ref="A1:G7"><filterColumn colId="2"><filters><filter val="invalid"/><filter val="not sent"/></filters></filterColumn></autoFilter>${merged}`,
    );
    expect(xml).toContain('<sheetPr filterMode="1"/>');
    expect(await seenRows(target)).toEqual([1, 3, 4, 6]);
    expect(await filteredRows(target, SHEET)).toEqual([1, 3, 4, 6]);
    const book = await readPart(target, 'xl/workbook.xml');
    expect(book).toContain(
      `</sheets><definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">'Pakketten'!$A$1:$G$7</definedName></definedNames>`,
    );
  });

  test('a total among the rows, one below them and a row without an outcome stay in sight', async () => {
    const file = await withSheet(sheetWith(rows(7)));
    const { target } = await withOnlyProblems(file, 'Pakketten', { 2: null, 5: 'failed', 7: null });
    expect(await seenRows(target)).toEqual([1, 2, 5, 7]);
    expect(await filteredRows(target, SHEET)).toEqual([1, 2, 5]);
    expect(await readPart(target, SHEET)).toContain(
      '<autoFilter ref="A1:G6"><filterColumn colId="2"><filters blank="1">',
    );
  });

  test('rows that were hidden before stay so and are told apart when the result comes back, but for those that need work, which are shown and named', async () => {
    const hidden = ' hidden="1" outlineLevel="1"';
    const file = await withSheet(sheetWith(rows(8, { 3: hidden, 4: hidden, 5: hidden })));
    const first = await withOnlyProblems(file, 'Pakketten', { 4: 'invalid', 5: 'failed', 7: 'invalid' });
    expect(first.notes).toEqual([
      'sheet Pakketten: rows 4, 5 were hidden and are shown now, as they need work',
    ]);
    expect(first.written.notes.map(({ nl }) => nl)).toEqual([
      'werkblad Pakketten: rijen 4, 5 waren verborgen en zijn nu te zien, want die vragen werk',
    ]);
    expect(await seenRows(first.target)).toEqual([1, 4, 5, 7]);
    expect(await readPart(first.target, 'xl/styles.xml')).toContain('<color rgb="FF9C0005"/>');
    const inPlace = {
      added: { firstColumn: 3, headers: ['#status', '#id', '#message', '#changes', '#at'] },
      oldColumns: new Set([3, 4, 5, 6, 7]),
    };
    // Once more with only the problems: what the first result hid is seen where it needs work now, and hidden where it no longer does.
    const second = await withOnlyProblems(first.target, 'Pakketten', { 6: 'conflict', 5: 'failed' }, inPlace);
    expect(await seenRows(second.target)).toEqual([1, 5, 6]);
    expect(second.notes).toEqual([]);
    expect((await readPart(second.target, SHEET)).match(/filterColumn colId/g)).toHaveLength(1);
    expect(await readPart(second.target, 'xl/workbook.xml')).not.toMatch(/_FilterDatabase.*_FilterDatabase/s);
    // All of them: the filter on the old statuses goes, and with it what it hid.
    const whole = await withOnlyProblems(second.target, 'Pakketten', {}, inPlace, false);
    // Row 3 was hidden by the user, and needed nothing.
    expect(await seenRows(whole.target)).toEqual([1, 2, 4, 5, 6, 7, 8]);
    const xml = await readPart(whole.target, SHEET);
    expect(xml).toContain('<autoFilter ref="A1:G8"></autoFilter>');
    expect(xml).not.toContain('filterMode');
    expect(xml.match(/outlineLevel="1"/g)).toHaveLength(3);
  });

  test('in a workbook that is written anew, a row that needs work and was hidden is shown and named', async () => {
    const file = await withSheet(sheetWith(rows(4, { 2: ' hidden="1"', 3: ' hidden="1"' })));
    const target = fresh();
    const sheets = await madeUp(file, (at) => ({
      cells: [at === 3 ? 'invalid' : 'created', at, null, null, null],
      tone: 'bad',
    }));
    const shown = { wants: ({ cells }: ShownOutcome) => cells[0] === 'invalid', lastRow: 4 };
    const { notes } = await writeResult(
      target,
      sheets.map((sheet) => ({ ...sheet, shown })),
      {},
    );
    expect(notes.map(({ en }) => en)).toEqual([
      'sheet Pakketten: row 3 was hidden and is shown now, as it needs work',
    ]);
    expect(await seenRows(target)).toEqual([1, 3]);
  });

  test('in which no row needs work, all rows are seen, and that is said', async () => {
    const file = await withSheet(sheetWith(rows(4)));
    const { target, notes } = await withOnlyProblems(file, 'Pakketten', {});
    expect(notes).toEqual(['sheet Pakketten: no row needs work, so it has no filter on #status']);
    expect(await seenRows(target)).toEqual([1, 2, 3, 4]);
    expect(await readPart(target, SHEET)).not.toContain('autoFilter');
  });

  test('whose tags have a prefix and whose rows have no numbers, rows are hidden all the same', async () => {
    const data = rows(5, { 3: ' hidden="false"' }).replaceAll(/<row r="\d+"/g, '<row');
    const xml = sheetWith(data, '<pageMargins left="1" right="1" top="1" bottom="1" header="1" footer="1"/>')
      .replaceAll(/<(\/?)(?=\w)/g, '<$1x:')
      .replace('xmlns=', 'xmlns:x=');
    const { target } = await withOnlyProblems(await withSheet(xml), 'Pakketten', { 4: 'unknown' });
    expect(await seenRows(target)).toEqual([1, 4]);
    expect(await filteredRows(target, SHEET)).toEqual([1, 4]);
    expect(await readPart(target, SHEET)).toMatch(/<\/x:sheetData><x:autoFilter ref="A1:G5"><x:filterColumn/);
  });
});

describe('of a sheet with a filter of its own', () => {
  const filter = (ref: string, inside: string): string => `<autoFilter ref="${ref}">${inside}</autoFilter>`;
  const soup =
    '<filterColumn colId="0"><filters><filter val="Soep 2"/><filter val="Soep 3"/></filters></filterColumn>';
  const named = (range: string) => ({
    'xl/workbook.xml': workbookXml(
      `<sheets><sheet name="Pakketten" sheetId="1" r:id="rId1"/></sheets><definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">Pakketten!${range}</definedName></definedNames>`,
    ),
  });

  test('what it hides stays hidden where it needs nothing, and its condition stays before that on #status', async () => {
    const xml = sheetWith(
      rows(6, { 4: ' hidden="1"', 5: ' hidden="1"', 6: ' hidden="1"' }),
      filter('A1:B6', `${soup}<sortState ref="A2:B6"/>`),
      '<sheetPr filterMode="1"><tabColor rgb="FF00FF00"/></sheetPr>',
    );
    const file = await withSheet(xml, named('$A$1:$B$6'));
    const { target, notes } = await withOnlyProblems(file, 'Pakketten', { 3: 'invalid' });
    expect(await seenRows(target)).toEqual([1, 3]);
    expect(notes).toEqual([]);
    expect(await readPart(target, SHEET)).toContain(
      `<autoFilter ref="A1:G6">${soup}<filterColumn colId="2"><filters><filter val="invalid"/></filters></filterColumn><sortState`,
    );
    expect(await readPart(target, 'xl/workbook.xml')).toContain('>Pakketten!$A$1:$G$6</definedName>');
  });

  test('a condition that hides a row that needs work is taken off and named; one that hides none stays', async () => {
    const numbers =
      '<filterColumn colId="1"><filters><filter val="3"/><filter val="5.0"/></filters></filterColumn>';
    const xml = sheetWith(
      rows(7, Object.fromEntries([4, 5, 6, 7].map((at) => [at, ' hidden="1"']))),
      filter('A1:B7', `${soup}${numbers}`),
      '<sheetPr filterMode="1"/>',
    );
    const file = await withSheet(xml, named('$A$1:$B$7'));
    const { target, notes, written } = await withOnlyProblems(file, 'Pakketten', {
      3: 'invalid',
      5: 'invalid',
    });
    expect(await seenRows(target)).toEqual([1, 3, 5]);
    expect(notes).toEqual([
      'sheet Pakketten: your filter on A Naam is taken off, as it hides rows that need work',
      'sheet Pakketten: row 5 was hidden and is shown now, as it needs work',
    ]);
    expect(written.notes.map(({ nl }) => nl)).toEqual([
      'werkblad Pakketten: je filter op A Naam is eraf gehaald, want het verbergt rijen die werk vragen',
      'werkblad Pakketten: rij 5 was verborgen en is nu te zien, want die vraagt werk',
    ]);
    expect(await readPart(target, SHEET)).toContain(
      `<autoFilter ref="A1:G7">${numbers}<filterColumn colId="2"><filters><filter val="invalid"/></filters></filterColumn></autoFilter>`,
    );
    const inPlace = {
      added: { firstColumn: 3, headers: ['#status', '#id', '#message', '#changes', '#at'] },
      oldColumns: new Set([3, 4, 5, 6, 7]),
    };
    const whole = await withOnlyProblems(target, 'Pakketten', {}, inPlace, false);
    // What the filter hid and needs nothing stays hidden.
    expect(await seenRows(whole.target)).toEqual([1, 2, 3, 5]);
  });

  test('a row hidden by hand that its conditions leave is shown, and they all stay', async () => {
    const file = await withSheet(
      sheetWith(rows(4, { 3: ' hidden="1"', 4: ' hidden="1"' }), filter('A1:B4', soup)),
    );
    const { target, notes } = await withOnlyProblems(file, 'Pakketten', { 3: 'failed' });
    expect(await seenRows(target)).toEqual([1, 3]);
    expect(notes).toEqual(['sheet Pakketten: row 3 was hidden and is shown now, as it needs work']);
    expect(await readPart(target, SHEET)).toContain(soup);
  });

  test.each([
    ['a comparison', '<customFilters><customFilter operator="greaterThan" val="3"/></customFilters>'],
    ['days', '<filters><dateGroupItem year="2026" dateTimeGrouping="year"/></filters>'],
    ['numbers as they are shown', '<filters><filter val="€ 4,00"/></filters>'],
  ])('%s goes if a row that needs work is hidden, and stays if all of those are seen', async (_, inside) => {
    const condition = `<filterColumn colId="1">${inside}</filterColumn>`;
    const file = await withSheet(sheetWith(rows(4, { 2: ' hidden="1"' }), filter('A1:B4', condition)));
    const kept = await withOnlyProblems(file, 'Pakketten', { 4: 'invalid' });
    expect(await readPart(kept.target, SHEET)).toContain(condition);
    expect(kept.notes).toEqual([]);
    const gone = await withOnlyProblems(file, 'Pakketten', { 2: 'invalid' });
    expect(await readPart(gone.target, SHEET)).not.toContain(condition);
    expect(await seenRows(gone.target)).toEqual([1, 2]);
    expect(gone.notes).toContain(
      'sheet Pakketten: your filter on B is taken off, as it hides rows that need work',
    );
  });

  test('hidden rows without numbers are shown where they need work', async () => {
    const data = rows(5, { 3: ' hidden="1"', 4: ' hidden="1"' }).replaceAll(/<row r="\d+"/g, '<row');
    const { target } = await withOnlyProblems(await withSheet(sheetWith(data)), 'Pakketten', { 4: 'failed' });
    expect(await seenRows(target)).toEqual([1, 4]);
  });

  test('that ends before the last rows or columns, it reaches over all of them', async () => {
    const file = await withSheet(sheetWith(rows(6), '<autoFilter ref="A1:A3"/>'), named('$A$1:$A$3'));
    const { target } = await withOnlyProblems(file, 'Pakketten', { 5: 'invalid' });
    expect(await seenRows(target)).toEqual([1, 5]);
    expect(await filteredRows(target, SHEET)).toEqual([1, 5]);
    expect(await readPart(target, 'xl/workbook.xml')).toContain('>Pakketten!$A$1:$G$6</definedName>');
  });

  test('that filters something else by a condition, all rows are seen, and that is said', async () => {
    const xml = sheetWith(rows(6), filter('A3:B6', soup));
    const { target, notes } = await withOnlyProblems(await withSheet(xml), 'Pakketten', { 2: 'invalid' });
    expect(notes).toEqual([expect.stringContaining('its own filter stands in the way')]);
    expect(await seenRows(target)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await readPart(target, SHEET)).toContain(filter('A3:G6', soup));
  });

  test('that stands elsewhere without a condition, it moves to the rows', async () => {
    const xml = sheetWith(
      rows(6),
      '<autoFilter ref="A3:B6"><filterColumn colId="1" hiddenButton="1"/></autoFilter>',
    );
    const { target } = await withOnlyProblems(await withSheet(xml), 'Pakketten', { 5: 'invalid' });
    expect(await readPart(target, SHEET)).toContain(
      '<autoFilter ref="A1:G6"><filterColumn colId="2"><filters>',
    );
    expect(await filteredRows(target, SHEET)).toEqual(await seenRows(target));
  });
});

describe('of a sheet with a table', () => {
  const table = (ref: string, inside: string, more = ''): Record<string, string> => ({
    'xl/worksheets/_rels/sheet1.xml.rels': relationships([['rId1', 'table', '../tables/table1.xml']]),
    'xl/tables/table1.xml': `<table xmlns="${MAIN}" id="1" name="T" displayName="T" ref="${ref}"${more}>${inside}<tableColumns count="2"><tableColumn id="1" name="Naam"/><tableColumn id="2" name="B"/></tableColumns></table>`,
  });
  const parts = `<tableParts count="1"><tablePart xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="rId1"/></tableParts>`;

  test('the filter is the table’s, beside those of its conditions that hide no row that needs work', async () => {
    const own =
      '<filterColumn colId="0"><customFilters><customFilter val="Soep*"/></customFilters></filterColumn>';
    const found = table('A1:B6', `<autoFilter ref="A1:B6">${own}</autoFilter>`);
    const file = await withSheet(sheetWith(rows(6, { 4: ' hidden="1"' }), parts), found);
    const { target, notes } = await withOnlyProblems(file, 'Pakketten', { 3: 'invalid', 5: 'failed' });
    expect(await readPart(target, 'xl/tables/table1.xml')).toContain(
      `<autoFilter ref="A1:G6">${own}<filterColumn colId="2"><filters><filter val="invalid"/><filter val="failed"/></filters></filterColumn></autoFilter>`,
    );
    expect(await readPart(target, SHEET)).not.toContain('<autoFilter');
    expect(await readPart(target, 'xl/workbook.xml')).not.toContain('_FilterDatabase');
    expect(await seenRows(target)).toEqual([1, 3, 5]);
    expect(notes).toEqual([]);
    const lifted = await withOnlyProblems(file, 'Pakketten', { 4: 'failed' });
    expect(await readPart(lifted.target, 'xl/tables/table1.xml')).not.toContain('Soep*');
    expect(await seenRows(lifted.target)).toEqual([1, 4]);
    expect(lifted.notes).toEqual([
      'sheet Pakketten: your filter on A Naam is taken off, as it hides rows that need work',
      'sheet Pakketten: row 4 was hidden and is shown now, as it needs work',
    ]);
  });

  test('without buttons for a filter it gets them, and its total stays outside', async () => {
    const file = await withSheet(sheetWith(rows(6), parts), table('A1:B6', '', ' totalsRowCount="1"'));
    const { target } = await withOnlyProblems(file, 'Pakketten', { 3: 'unknown', 6: null });
    expect(await readPart(target, 'xl/tables/table1.xml')).toMatch(
      /ref="A1:G6" totalsRowCount="1"><autoFilter ref="A1:G5"><filterColumn colId="2"><filters blank="1"><filter val="unknown"\/>.*<tableColumns count="7">/s,
    );
    expect(await seenRows(target)).toEqual([1, 3, 6]);
  });

  test('that does not reach the added columns the filter is on these alone, as no filter may lie over a table', async () => {
    const file = await withSheet(
      sheetWith(rows(6), parts),
      table('A1:B4', '<autoFilter ref="A1:B4"/>', ' tableType="queryTable"'),
    );
    const { target } = await withOnlyProblems(file, 'Pakketten', { 3: 'unknown' });
    expect(await readPart(target, SHEET)).toContain('<autoFilter ref="C1:G6"><filterColumn colId="0">');
    expect(await readPart(target, 'xl/tables/table1.xml')).toContain('<autoFilter ref="A1:B4"/>');
    expect(await filteredRows(target, SHEET)).toEqual([1, 3]);
  });

  test('that is filled by a query only loses a condition that hides a row that needs work', async () => {
    const own = '<filterColumn colId="0"><filters><filter val="Soep 2"/></filters></filterColumn>';
    const found = table('A1:B6', `<autoFilter ref="A1:B6">${own}</autoFilter>`, ' tableType="queryTable"');
    const file = await withSheet(sheetWith(rows(6, { 3: ' hidden="1"' }), parts), found);
    const { target } = await withOnlyProblems(file, 'Pakketten', { 3: 'unknown' });
    const before = await readPart(file, 'xl/tables/table1.xml');
    expect(await readPart(target, 'xl/tables/table1.xml')).toBe(before.replace(own, ''));
    expect(await seenRows(target)).toEqual([1, 3]);
  });

  test('nothing changes beside the rows but what must name the added columns', async () => {
    const file = await problemBook(fresh());
    const statuses = { 6: 'invalid', 8: 'failed', 10: null, 11: null };
    const { target, notes } = await withOnlyProblems(file, 'Pakketten', statuses, { headerRow: HEADER_ROW });
    // Something else stands between the table and the added columns.
    const sheet = await readPart(target, 'xl/worksheets/sheet2.xml');
    expect(sheet).toContain('<autoFilter ref="J3:N9"><filterColumn colId="0"><filters blank="1">');
    // Row 5 was hidden before, and is an ordinary record.
    expect(RECORDS).toContain(5);
    expect(await seenRows(target)).toEqual([1, 3, 6, 8, 10, 11]);
    expect(notes).toEqual([]);
    const changed = await changedParts(file, target);
    expect(changed.filter((name) => !/rels|sheet2|styles|Types|workbook/.test(name))).toEqual([]);
  });

  test.skipIf(OFFICE === undefined)(
    'LibreOffice shows the same rows, keeps the filter, and what it saves comes back whole',
    { timeout: 120_000 },
    async () => {
      const file = await problemBook(fresh());
      const statuses = { 6: 'invalid', 8: 'failed', 10: null, 11: null };
      const { target } = await withOnlyProblems(file, 'Pakketten', statuses, { headerRow: HEADER_ROW });
      const into = join(folder, 'office');
      const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile'))}`;
      execFileSync(OFFICE ?? '', [profile, '--headless', '--convert-to', 'xlsx', '--outdir', into, target], {
        stdio: 'ignore',
      });
      const saved = join(into, basename(target));
      expect(await seenRows(saved)).toEqual([1, 3, 6, 8, 10, 11]);
      const part = 'xl/worksheets/sheet2.xml';
      expect(await readPart(saved, part)).toContain('<filter val="invalid"/>');
      const inPlace = {
        headerRow: HEADER_ROW,
        added: { firstColumn: 10, headers: ['#status', '#id', '#message', '#changes', '#at'] },
        oldColumns: new Set([10, 11, 12, 13, 14]),
      };
      const whole = await withOnlyProblems(saved, 'Pakketten', {}, inPlace, false);
      // Row 5 was hidden in the workbook itself.
      expect(await seenRows(whole.target)).toEqual([1, 3, 4, 6, 7, 8, 9, 10, 11]);
      expect(await readPart(whole.target, part)).not.toContain('<filters');
    },
  );
});
