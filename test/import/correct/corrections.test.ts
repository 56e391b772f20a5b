import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import exceljs from 'exceljs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { applyIn, importIn, planIn } from '../../../src/api/import-workbook.ts';
import type { RowDocument } from '../../../src/import/import-document.ts';
import { exportRecords } from '../../../src/index.ts';
import { openSession, type Session } from '../../../src/session/open-session.ts';
import { PACKAGE_HEADER, packageRows, readBack } from '../../helpers/make-workbook.ts';
import { openTestService, optionsFor, type TestService } from '../../helpers/test-service.ts';

type Options = NonNullable<Parameters<typeof planIn>[2]>;
type Corrections = NonNullable<Options['corrections']>;

/** A session with a test service; the language of its texts is English. */
async function sessionOf(service: TestService): Promise<Session> {
  const session = await openSession(optionsFor(service), 'wait');
  onTestFinished(() => session.close());
  return session;
}

async function rowsOf(plan: { rows(): AsyncIterable<RowDocument> }): Promise<RowDocument[]> {
  const rows: RowDocument[] = [];
  for await (const row of plan.rows()) rows.push(row);
  return rows;
}

const ask = { tell: () => {} };

/** Plans a file with corrections and sends it; the result is `r.xlsx`, or named by `out`. */
async function sent(session: Session, file: string, corrections: Corrections, out: string) {
  const end = await importIn(session, file, { corrections, allRows: true, out } as Options);
  return end.result;
}

/** A workbook of two packages, of which cells are styled, formulas and shared texts. */
async function styledBook(file: string): Promise<string> {
  const book = new exceljs.Workbook();
  const sheet = book.addWorksheet('Pakketten');
  sheet.addRows(packageRows(3));
  const price = sheet.getCell('D2');
  price.value = { formula: '1/0', result: { error: '#DIV/0!' } } as exceljs.CellFormulaValue;
  price.numFmt = '#,##0.00';
  price.font = { bold: true };
  sheet.getCell('D3').value = 'drie';
  sheet.getCell('D3').numFmt = 'dd-mm-yyyy';
  sheet.getCell('D4').numFmt = '0%';
  sheet.getCell('B3').numFmt = '@';
  const links = book.addWorksheet('Arrangementen');
  links.addRow(['PartijID', 'ArrangementID', 'Aantal', 'Datum']);
  links.addRow([9001, 20, 40, 'morgen']);
  links.addRow([9002, 20, 40, new Date(Date.UTC(2027, 4, 1))]);
  links.getCell('D3').numFmt = 'd mmm yyyy';
  await book.xlsx.writeFile(file);
  return file;
}

const NBSP = '\u00a0';

describe('the corrected cells of a workbook', () => {
  it.each([
    // sheet, cell as row and column, what is typed, what the result holds, its number format
    ['Pakketten', 2, 4, '12,50', 12.5, '#,##0.00'],
    ['Pakketten', 2, 4, `€${NBSP}1.250,75`, 1250.75, '#,##0.00'],
    ['Pakketten', 3, 4, '3,30', 3.3, undefined],
    ['Pakketten', 4, 4, '12', 12, undefined],
    ['Pakketten', 3, 4, 'gratis', 'gratis', 'dd-mm-yyyy'],
    ['Pakketten', 3, 4, '0,1234567890123456789', '0,1234567890123456789', 'dd-mm-yyyy'],
    ['Pakketten', 3, 2, `Broodje${NBSP}kaas `, `Broodje${NBSP}kaas `, '@'],
    ['Pakketten', 3, 2, '=1+1', '=1+1', '@'],
    ['Pakketten', 3, 2, '007', '007', '@'],
    ['Pakketten', 3, 2, '2027-05-01 00:00:00', '2027-05-01 00:00:00', '@'],
    ['Pakketten', 3, 2, 'a < b & "c"\nd', 'a < b & "c"\nd', '@'],
    ['Pakketten', 2, 5, 'nee', false, undefined],
    ['Pakketten', 2, 5, 'misschien', 'misschien', undefined],
    ['Pakketten', 2, 3, '2', 2, undefined],
    ['Pakketten', 2, 3, 'Diner', 'Diner', undefined],
    ['Pakketten', 2, 3, '="00002"', 2, undefined],
    ['Pakketten', 2, 6, 'x', 'x', undefined],
    ['Arrangementen', 2, 4, '1-5-2027', '2027-05-01', 'mm-dd-yy'],
    ['Arrangementen', 3, 4, '2-5-2027', '2027-05-02', 'd mmm yyyy'],
    ['Arrangementen', 3, 4, '2-5-2027 14:30', '2027-05-02 14:30:00', 'm/d/yy h:mm'],
    ['Arrangementen', 3, 4, '31-2-2027', '31-2-2027', 'd mmm yyyy'],
    ['Arrangementen', 3, 4, '', undefined, undefined],
  ])('%s row %i column %i: %j is held as %j', async (sheet, row, column, text, held, format) => {
    const service = await openTestService();
    const session = await sessionOf(service);
    const file = await styledBook(`${service.folder}/a.xlsx`);
    const out = `${service.folder}/a.result.xlsx`;
    const corrections = [{ sheet, row, column, text }];
    const done = await sent(session, file, corrections, out);
    expect(done.resultError).toBeNull();
    const cells = (await readBack(out)).get(sheet)?.get(row);
    expect(cells?.get(column)).toEqual(held);
    const { readWorkbook } = await import('../../../src/workbook/read-workbook.ts');
    const result = (await readWorkbook(out)).sheets.find(({ name }) => name === sheet);
    const read = [];
    for await (const one of result?.rows ?? []) if (one.number === row) read.push(...one.cells);
    expect(read.find((cell) => cell.column === column)?.format).toBe(format);
    // The rest of the row is as it was, and the result says what was corrected.
    const message = [...(cells?.values() ?? [])].find((value) =>
      /^\w\d .*(corrected|filled)/m.test(String(value)),
    );
    expect(message).toBeDefined();
    // Imported once more, the result asks for nothing that the run did not.
    const again = await planIn(session, out, {});
    const were = new Map(done.sheets.map((one) => [one.sheet, one.counts]));
    for (const { sheet: name, counts } of again.sheets)
      expect([name, counts]).toEqual([
        name,
        expect.objectContaining({
          ...{ read: were.get(name)?.read, invalid: were.get(name)?.invalid, created: 0, updated: 0 },
        }),
      ]);
  });

  it('keep their font, and lose their formula for good', async () => {
    const service = await openTestService();
    const session = await sessionOf(service);
    const out = `${service.folder}/a.result.xlsx`;
    const file = await styledBook(`${service.folder}/a.xlsx`);
    const corrections = [{ sheet: 'Pakketten', row: 2, column: 4, text: '9,95' }];
    const { counts } = await sent(session, file, corrections, out);
    expect(counts).toMatchObject({ read: 5, invalid: 2, created: 3 });
    const book = new exceljs.Workbook();
    await book.xlsx.readFile(out);
    const cell = book.getWorksheet('Pakketten')?.getCell('D2');
    expect(cell?.formula).toBeUndefined();
    expect(cell?.value).toBe(9.95);
    expect(cell?.font?.bold).toBe(true);
    expect((await service.records('package')).find(({ ExternalID }) => ExternalID === 600_000)).toMatchObject(
      {
        Verkoopprijs: 9.95,
      },
    );
  });

  it('stand in rows that held nothing, between others and below them, with their outcomes', async () => {
    const service = await openTestService();
    const session = await sessionOf(service);
    const file = `${service.folder}/a.xlsx`;
    const book = new exceljs.Workbook();
    const sheet = book.addWorksheet('Pakketten');
    const [header = [], one = [], two = [], three = []] = packageRows(3);
    for (const [at, row] of [
      [1, header],
      [2, one],
      [4, two],
      [8, three],
    ] as const)
      sheet.getRow(at).values = row as exceljs.CellValue[];
    await book.xlsx.writeFile(file);
    const typed = (row: number, external: number) =>
      [String(external), `Nieuw ${external}`, '1', '4,50', 'ja'].map((text, at) => ({
        ...{ sheet: 'Pakketten', row, column: at + 1, text },
      }));
    const out = `${service.folder}/a.result.xlsx`;
    const corrections = [
      ...typed(6, 700_006),
      ...typed(3, 700_003),
      ...typed(10, 700_010),
      ...typed(5, 700_005),
    ];
    const { counts } = await sent(session, file, corrections, out);
    expect(counts).toMatchObject({ read: 7, created: 7 });
    const rows = (await readBack(out)).get('Pakketten');
    expect([...(rows?.entries() ?? [])].map(([row, cells]) => [row, cells.get(1), cells.get(6)])).toEqual([
      [1, 'ExternalID', '#status'],
      ...[
        [2, 600_000],
        [3, 700_003],
        [4, 600_001],
        [5, 700_005],
        [6, 700_006],
        [8, 600_002],
        [10, 700_010],
      ].map(([row, id]) => [row, id, 'created']),
    ]);
    expect((await planIn(session, out, {})).counts).toMatchObject({ read: 7, unchanged: 7 });
  });

  it('that are emptied leave no row behind, and headers can be corrected too', async () => {
    const service = await openTestService();
    const session = await sessionOf(service);
    const file = await styledBook(`${service.folder}/a.xlsx`);
    const book = new exceljs.Workbook();
    await book.xlsx.readFile(file);
    (book.getWorksheet('Pakketten') as exceljs.Worksheet).getCell('D1').value = 'Prijs??';
    await book.xlsx.writeFile(file);
    const place = { sheet: 'Pakketten' };
    const corrections = [
      ...[1, 2, 3, 4, 5].map((column) => ({ ...place, row: 4, column, text: '' })),
      { ...place, row: 1, column: 4, text: 'Verkoopprijs' },
      { ...place, row: 2, column: 4, text: '1' },
      { ...place, row: 3, column: 4, text: '2' },
    ];
    const out = `${service.folder}/a.result.xlsx`;
    const { sheets } = await sent(session, file, corrections, out);
    expect(sheets[0]?.counts).toMatchObject({ read: 2, created: 2 });
    const rows = (await readBack(out)).get('Pakketten');
    expect(rows?.get(1)?.get(4)).toBe('Verkoopprijs');
    expect(rows?.get(4)?.size ?? 0).toBe(0);
  });
});

describe('the corrected cells of a CSV', () => {
  it.each([
    [4, '12,50', '12,50', 12.5],
    [4, '+3', '+3', 3],
    [2, '-3', '-3', '-3'],
    [2, '=1+1', "'=1+1", '=1+1'],
    [2, "'=1+1", "'=1+1", '=1+1'],
    [2, 'Kaas; en "wijn"', '"Kaas; en ""wijn"""', 'Kaas; en "wijn"'],
    [2, `Broodje${NBSP}ei`, `Broodje${NBSP}ei`, `Broodje${NBSP}ei`],
    [5, 'nee', 'nee', false],
  ])(
    'column %i: %j stands there as %j, is sent as %j and comes back unchanged',
    async (column, text, held, value) => {
      const service = await openTestService();
      const session = await sessionOf(service);
      const file = `${service.folder}/a.csv`;
      writeFileSync(
        file,
        `${PACKAGE_HEADER.join(';')}\r\n600000;Soep;1;abc;ja\r\n600001;Taart;2;4,50;ja\r\n`,
      );
      const out = `${service.folder}/a.result.csv`;
      const corrections = [
        { sheet: 'a', row: 2, column: 4, text: '8' },
        { sheet: 'a', row: 2, column, text },
      ];
      const { counts } = await sent(session, file, corrections, out);
      expect(counts).toMatchObject({ read: 2, created: 2 });
      const [record] = (await service.records('package')).filter(({ ExternalID }) => ExternalID === 600_000);
      expect(record).toMatchObject({ [PACKAGE_HEADER[column - 1] as string]: value });
      expect(
        readFileSync(out, 'utf8')
          .split('\r\n')[1]
          ?.replace(/^\ufeff/, ''),
      ).toContain(held);
      expect((await planIn(session, out, {})).counts).toMatchObject({ read: 2, unchanged: 2 });
    },
  );
});

describe('a run with corrections', () => {
  const fixed = [{ sheet: 'Pakketten', row: 3, column: 4, text: '3,30' }];

  it('is sent by another session as it was planned, and its result holds them', async () => {
    const service = await openTestService();
    const file = await styledBook(`${service.folder}/a.xlsx`);
    const first = await openSession(optionsFor(service), 'try');
    const { run } = await planIn(first, file, { corrections: fixed });
    await first.close();
    const session = await sessionOf(service);
    const out = `${service.folder}/r.xlsx`;
    const end = await applyIn(session, run, { out }, ask);
    expect(end?.result.counts).toMatchObject({ read: 5, created: 3, invalid: 2 });
    expect((await readBack(out)).get('Pakketten')?.get(3)?.get(4)).toBe(3.3);
    expect((await service.records('package')).find(({ ExternalID }) => ExternalID === 600_001)).toMatchObject(
      {
        Verkoopprijs: 3.3,
      },
    );
  });

  it('that was killed while it was sent goes on in another process, and its result holds them', async () => {
    const service = await openTestService();
    const file = await styledBook(`${service.folder}/a.xlsx`);
    const first = await openSession(optionsFor(service), 'try');
    const { run } = await planIn(first, file, { corrections: fixed });
    // As a kill leaves it: on its way, with a row that no request of is out yet.
    await first.context.ledger.setRunState(run, 'applying');
    await first.context.ledger.saveProgress(run, 0, { done: 0, id: null, sendingSince: null });
    await first.close();
    const out = `${service.folder}/r.xlsx`;
    const args = ['apply', run, '--yes', '--out', out, '--ledger', `${service.folder}/ledger.db`];
    const { document } = await service.runJson(args);
    expect(document.counts).toMatchObject({ read: 5, created: 3, invalid: 2 });
    expect((await readBack(out)).get('Pakketten')?.get(3)?.get(4)).toBe(3.3);
    expect(document.rows.find(({ row, sheet }) => row === 3 && sheet === 'Pakketten')?.status).toBe(
      'created',
    );
  });

  it('holds dates by the calendar of the workbook', async () => {
    const service = await openTestService();
    const session = await sessionOf(service);
    const book = new exceljs.Workbook();
    book.properties.date1904 = true;
    const sheet = book.addWorksheet('Arrangementen');
    sheet.addRow(['PartijID', 'ArrangementID', 'Aantal', 'Datum']);
    sheet.addRow([9001, 20, 40, 'morgen']);
    const file = `${service.folder}/mac.xlsx`;
    await book.xlsx.writeFile(file);
    const out = `${service.folder}/mac.result.xlsx`;
    const corrections = [{ sheet: 'Arrangementen', row: 2, column: 4, text: '1 mei 2027' }];
    await sent(session, file, corrections, out);
    expect((await readBack(out)).get('Arrangementen')?.get(2)?.get(4)).toBe('2027-05-01');
    expect((await planIn(session, out, {})).counts).toMatchObject({ read: 1, unchanged: 1 });
  });

  it('gives them back from the plan where the file is gone', async () => {
    const service = await openTestService();
    const file = await styledBook(`${service.folder}/a.xlsx`);
    const session = await sessionOf(service);
    const corrections = [...fixed, { sheet: 'Arrangementen', row: 2, column: 4, text: 'ooit' }];
    const { run } = await planIn(session, file, { corrections });
    rmSync(file);
    const out = `${service.folder}/r.xlsx`;
    await applyIn(session, run, { out }, ask);
    const sheets = await readBack(out);
    const rows = [...(sheets.get('Pakketten')?.values() ?? [])].map((cells) => [...cells.values()]);
    expect(rows.find((cells) => cells[0] === 3)).toEqual(
      expect.arrayContaining([3.3, 'D3 corrected, it was: drie']),
    );
    const links = [...(sheets.get('Arrangementen')?.values() ?? [])].map((cells) => [...cells.values()]);
    expect(links.find((cells) => cells[0] === 2)).toEqual(expect.arrayContaining(['ooit']));
  });

  it('refuses a place that the file does not have', async () => {
    const service = await openTestService();
    const session = await sessionOf(service);
    const file = await styledBook(`${service.folder}/a.xlsx`);
    for (const wrong of [{ sheet: 'Elders' }, { row: 0 }, { column: 20_000 }, { row: 1.5 }])
      await expect(
        planIn(session, file, { corrections: [{ ...fixed[0], ...wrong }] as Corrections }),
      ).rejects.toThrow(/has no cell .* to correct/);
    expect(await session.context.ledger.listRuns(5)).toEqual([]);
  });

  it('does not make the file that it came from say what it sent', async () => {
    const service = await openTestService();
    const { allRows: _, doubt: __, ...options } = optionsFor(service);
    const file = `${service.folder}/export.xlsx`;
    await exportRecords('packages', { ...options, out: file });
    const columns = await headersOf(file);
    const session = await sessionOf(service);
    const corrections = [
      { sheet: 'Pakketten', row: 2, column: columns.get('Verkoopprijs') as number, text: '77' },
    ];
    const out = `${service.folder}/r.xlsx`;
    expect((await sent(session, file, corrections, out)).counts).toMatchObject({ updated: 1 });
    // The cell of the file is as it was exported, and someone changed it since: it is left alone.
    expect((await planIn(session, file, {})).counts).toMatchObject({ updated: 0, conflict: 0 });
    expect((await planIn(session, out, {})).counts).toMatchObject({ updated: 0, conflict: 0 });
  });

  it('goes by the numbers of a list of problems that came back', async () => {
    const service = await openTestService();
    const session = await sessionOf(service);
    const file = `${service.folder}/a.csv`;
    const lines = ['600000;Soep;1;1;ja', '600001;Taart;2;abc;ja', '600002;Koek;2;2;ja', '600003;Ei;2;x;ja'];
    writeFileSync(file, [PACKAGE_HEADER.join(';'), ...lines].join('\r\n'));
    const out = `${service.folder}/p.csv`;
    await importIn(session, file, { out, onlyProblems: true });
    const rows = await rowsOf(await planIn(session, out, {}));
    expect(rows.map(({ row, status }) => [row, status])).toEqual([
      [3, 'invalid'],
      [5, 'invalid'],
    ]);
    const corrections = [{ sheet: 'p', row: 5, column: 5, text: '2,25' }];
    const again = `${service.folder}/p.result.csv`;
    const { counts } = await sent(session, out, corrections, again);
    expect(counts).toMatchObject({ read: 2, created: 1, invalid: 1 });
    expect(readFileSync(again, 'utf8')).toContain('5;600003;Ei;2;2,25;ja');
  });
});

/** The columns of the packages of an export, by header. */
async function headersOf(file: string): Promise<ReadonlyMap<string, number>> {
  const header = (await readBack(file)).get('Pakketten')?.get(1) ?? new Map<number, unknown>();
  return new Map([...header].map(([column, name]) => [String(name).replace(/ \*$/, ''), column]));
}
