import exceljs from 'exceljs';
import { expect, test } from 'vitest';
import { decodeBaselineStamp, encodeBaselineStamp } from '../../../src/files/baseline-sheet.ts';
import { exportRecords, importWorkbook } from '../../../src/index.ts';
import { arrangements } from '../../../src/resources/arrangements.ts';
import { events } from '../../../src/resources/events.ts';
import { packages } from '../../../src/resources/packages.ts';
import { stockCount } from '../../../src/resources/stock-count.ts';
import { trips } from '../../../src/resources/trips.ts';
import { serviceOnly } from '../../helpers/service-options.ts';
import { openTestService, optionsFor, type TestService } from '../../helpers/test-service.ts';
import { rewriteSheet, type SheetRow } from './fixtures.ts';

type Resource = Exclude<Parameters<typeof exportRecords>[0], string | readonly unknown[]>;

/** Exports records, edits the sheet and imports it: what is said of its cells. */
async function afterEdit(
  service: TestService,
  resource: Resource,
  edit: (rows: SheetRow[]) => readonly SheetRow[],
  more: object = {},
) {
  const out = `${service.folder}/${resource.name}.xlsx`;
  const options = optionsFor(service);
  await exportRecords(resource, { ...serviceOnly(options), ...more, out });
  await rewriteSheet(out, resource.sheet, edit);
  const done = await importWorkbook(out, options);
  const told = done.rows.flatMap(({ issues = [] }) => issues);
  const changed = told.filter(({ code }) => code === 'key-changed');
  return { done, told: told.filter(({ code }) => code === 'cell-not-sent'), changed };
}

test('a total typed over in a stock export is a warning that names the column to fill in', async () => {
  const service = await openTestService();
  let was: unknown;
  const { done, told } = await afterEdit(service, stockCount, (rows) => {
    was = rows[1]?.Aantal;
    if (rows[1] !== undefined) rows[1].Aantal = 9999;
    return rows;
  });
  expect(told).toEqual([
    expect.objectContaining({
      ...{ code: 'cell-not-sent', severity: 'warning', field: 'Aantal', found: `${was} → 9999` },
      message: expect.stringMatching(
        /^[A-Z]+3 Aantal: found ".+ → 9999", expected .+ is not sent \(fill in GeteldRekeneenheid, [A-Z]3\)$/,
      ),
    }),
  ]);
  expect(done.counts).toMatchObject({ unchanged: done.counts.read });
});

test('a value changed in a column of a package that is only shown is a warning, and its other changes are sent', async () => {
  const service = await openTestService();
  const { done, told } = await afterEdit(service, packages, (rows) => {
    const [row] = rows;
    if (row !== undefined) Object.assign(row, { Chargegrootte: 12345, Verkoopprijs: 67.5 });
    return rows.toReversed();
  });
  expect(told).toEqual([
    expect.objectContaining({ field: 'Chargegrootte', found: expect.stringMatching(/→ 12345$/) }),
  ]);
  expect(told[0]?.message).toContain('only the service fills it in');
  expect(done.counts).toMatchObject({ updated: 1, unchanged: done.counts.read - 1 });
});

test('the price of an arrangement on an event, which is only shown, is a warning where it was changed', async () => {
  const service = await openTestService();
  const { told } = await afterEdit(
    service,
    arrangements,
    (rows) => {
      if (rows[0] !== undefined) rows[0].VerkoopPrijs = 1;
      return rows;
    },
    { from: '2020-01-01', to: '2035-12-31' },
  );
  expect(told.map(({ field }) => field)).toEqual(['VerkoopPrijs']);
});

const ALL_DAYS = { from: '2020-01-01', to: '2035-12-31' };

test('another ArrangementID in an export is a warning that says what stays linked and how to replace it', async () => {
  const service = await openTestService();
  const { done, changed } = await afterEdit(
    service,
    arrangements,
    (rows) =>
      rows.map((row) =>
        row.PartijID === 9001 && row.ArrangementID === 8 ? { ...row, ArrangementID: 12 } : row,
      ),
    ALL_DAYS,
  );
  expect(changed).toEqual([
    expect.objectContaining({ severity: 'warning', field: 'ArrangementID', found: '12' }),
  ]);
  expect(changed[0]?.message).toMatch(/^[A-Z]+3 ArrangementID: found "12", expected the key that /);
  expect(changed[0]?.message).toContain(
    '(in the export it was PartijID 9001, ArrangementID 8 (Barbecue), which stays linked; to replace it, also add a row with those two numbers and delete in #action)',
  );
  expect(done.counts).toMatchObject({ created: 1 });
});

test('another event, or another trip, in a row of an export is a warning that names the one which stays', async () => {
  const service = await openTestService();
  const other = (key: string, from: number, to: number) => (rows: SheetRow[]) =>
    rows.filter((row) => row[key] !== to).map((row) => (row[key] === from ? { ...row, [key]: to } : row));
  const arranged = await afterEdit(service, arrangements, other('PartijID', 9001, 9003), ALL_DAYS);
  expect(arranged.changed.map(({ field }) => field)).toEqual(['PartijID', 'PartijID']);
  const planned = await afterEdit(service, events, other('PartijID', 9001, 9999), ALL_DAYS);
  expect(planned.changed[0]?.message).toContain('it was 9001 Bruiloft Bakker BV in the export');
  const driven = await afterEdit(service, trips, other('RitID', 8001, 8999), ALL_DAYS);
  expect(driven.changed[0]?.message).toContain('it was 8001 Heen Bruiloft Bakker BV in the export');
});

test('a row copied for one more arrangement, beside the row that it was copied from, is no changed key', async () => {
  const service = await openTestService();
  const { done, changed } = await afterEdit(
    service,
    arrangements,
    (rows) => [...rows, { ...rows[1], ArrangementID: 12 }],
    ALL_DAYS,
  );
  expect([changed, done.counts.created]).toEqual([[], 1]);
});

test('a workbook that a spreadsheet program saved again, and a column that was deleted, are no change', async () => {
  const service = await openTestService();
  const { told } = await afterEdit(service, packages, (rows) =>
    rows.map(({ Chargegrootte: _, ...row }) => row),
  );
  expect(told).toEqual([]);
});

test('a cell emptied among filled ones in a column that is only shown is a note, and a column emptied as a whole is none', async () => {
  const service = await openTestService();
  const { done, told } = await afterEdit(service, packages, (rows) =>
    rows.map((row, at) => ({
      ...row,
      Portieartikel: null,
      ...(at === 3 && { 'productType.ProductType': null }),
    })),
  );
  expect(told).toEqual([]);
  const notes = done.sheets.flatMap(({ notes: own = [] }) => own);
  expect(notes.filter((note) => note.includes('only shown'))).toEqual([
    expect.stringMatching(
      /^cells that were emptied in columns that are only shown: [A-Z]+5; nothing of it is sent$/,
    ),
  ]);
});

test('an export of a version that did not keep its grey cells says once that their changes can not be told', async () => {
  const service = await openTestService();
  const out = `${service.folder}/uit.xlsx`;
  const options = optionsFor(service);
  await exportRecords(packages, { ...serviceOnly(options), out });
  const older = async (): Promise<string[]> =>
    ((await importWorkbook(out, options)).notes ?? []).filter((note) => note.includes('older version'));
  expect(await older()).toEqual([]);
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(out);
  const row = book.getWorksheet('catersheet')?.getRow(2);
  const stamp = decodeBaselineStamp([1, 2, 3, 4].map((at) => row?.getCell(at).text ?? ''));
  const { shown: _, ...before } = stamp ?? { service: '', at: '' };
  for (const [at, text] of (encodeBaselineStamp(before)[1] ?? []).entries())
    if (row !== undefined && text !== '') row.getCell(at + 1).value = text;
  await book.xlsx.writeFile(out);
  expect(await older()).toHaveLength(1);
});
