import exceljs from 'exceljs';
import { describe, expect, it } from 'vitest';
import { exportRecords, importWorkbook, undoRun } from '../../src/index.ts';
import { packages } from '../../src/resources/packages.ts';
import { serviceOnly } from '../helpers/service-options.ts';
import { openTestService, optionsFor } from '../helpers/test-service.ts';
import { editBook } from '../import/baseline/fixtures.ts';

/** What the headers and the first row of a sheet look like, by header. */
async function looksOf(file: string, sheet: string) {
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(file);
  const found = book.getWorksheet(sheet);
  if (found === undefined) throw new Error(`${file} has no sheet ${sheet}.`);
  const looks = new Map<string, unknown>();
  found.getRow(1).eachCell(({ value, fill, font }, column) => {
    looks.set(String(value), {
      fill,
      ink: font?.color,
      format: found.getColumn(column).numFmt,
    });
  });
  return { looks, frozen: found.views[0]?.state, tables: Object.keys(found.getTables() ?? {}).length };
}

describe('the workbook that takes a run back', () => {
  it('looks as an export of the same records does: its headers, formats, table and frozen row', async () => {
    const service = await openTestService();
    const given = serviceOnly(optionsFor(service));
    const book = `${service.folder}/pakketten.xlsx`;
    await exportRecords(packages, { ...given, out: book });
    const export_ = await looksOf(book, 'Pakketten');
    await editBook(book, (set) => {
      set(2, 'Verkoopprijs', 71.5);
      set(2, 'OmschrijvingExtern', 'Anders');
      set(2, 'Volume', 3);
    });
    const { run, counts } = await importWorkbook(book, optionsFor(service));
    expect(counts.updated).toBe(1);
    const { file } = await undoRun(run, { ...given, out: `${service.folder}/terug.xlsx` });
    const undo = await looksOf(file, 'Pakketten');
    expect([undo.frozen, undo.tables]).toEqual([export_.frozen, export_.tables]);
    expect(undo.frozen).toBe('frozen');
    expect([...undo.looks.keys()]).toEqual(
      expect.arrayContaining(['ProductID', 'Verkoopprijs', 'OmschrijvingExtern', 'Volume']),
    );
    for (const [header, look] of undo.looks)
      expect(look, header).toMatchObject(export_.looks.get(header) as object);
    const back = await importWorkbook(file, optionsFor(service));
    expect(back.counts.updated).toBe(1);
  });
});
