import { readFileSync, writeFileSync } from 'node:fs';
import exceljs from 'exceljs';
import { describe, expect, it } from 'vitest';
import { exportRecords, type ImportWorkbookOptions, importWorkbook, undoRun } from '../../src/index.ts';
import { arrangements } from '../../src/resources/arrangements.ts';
import { events } from '../../src/resources/events.ts';
import { packages } from '../../src/resources/packages.ts';
import { recipes } from '../../src/resources/recipes.ts';
import { trips } from '../../src/resources/trips.ts';
import { readWorkbook } from '../../src/workbook/read-workbook.ts';
import { packageFaults } from '../helpers/excel-rules.ts';
import { serviceOnly } from '../helpers/service-options.ts';
import { openTestService, optionsFor } from '../helpers/test-service.ts';
import { changePackage, editBook, packageOf } from '../import/baseline/fixtures.ts';
import { partsOf } from '../template/fill-in.ts';

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

  it('shows names where an import takes them, with their lists, and gives the old ids back by them', async () => {
    const { service, given, book, own, id } = await changedPackage();
    const { file } = await undoRun(own.run, { ...given, out: `${service.folder}/terug.xlsx` });
    expect(await cellsOf(file, 'ProductTypeID', 'ProductCategorieID')).toEqual(
      await cellsOf(book, 'ProductTypeID', 'ProductCategorieID'),
    );
    expect(await cellsOf(file, 'ProductTypeID', 'ProductCategorieID')).toEqual(['Buffet', 'Dranken (12)']);
    const parts = await partsOf(readFileSync(file));
    expect(packageFaults(parts)).toEqual([]);
    expect(parts.get('xl/workbook.xml')).toMatch(/<definedName name="list_producttype"/);
    const back = await importWorkbook(file, optionsFor(service));
    expect(back.counts).toMatchObject({ updated: 1, invalid: 0 });
    expect(await packageOf(service, id)).toMatchObject({ ProductTypeID: 1, ProductCategorieID: 12 });
  });

  it('holds numbers where the service does not give its lists, and takes the run back all the same', async () => {
    const { service, given, own } = await changedPackage();
    const { file } = await undoRun(own.run, {
      ...given,
      token: 'verlopen',
      out: `${service.folder}/terug.xlsx`,
    });
    expect(await cellsOf(file, 'ProductTypeID', 'ProductCategorieID')).toEqual([1, 12]);
    const back = await importWorkbook(file, optionsFor(service));
    expect(back.counts).toMatchObject({ updated: 1, invalid: 0 });
  });

  it('gives a recipe its category back, which a create and an update take from different lists', async () => {
    const service = await openTestService();
    const given = serviceOnly(optionsFor(service));
    const recipe = Number((await service.records('recipe'))[0]?.id);
    const categoryOf = async () =>
      (await service.request('GET', `api/v1/product/recept/detail/${recipe}`)) as {
        ProductCategorieID: unknown;
      };
    const change = async (name: string, run: string): Promise<string> => {
      const file = `${service.folder}/recept${run}.csv`;
      writeFileSync(file, `ProductID;ProductCategorieID\r\n${recipe};${name}\r\n`);
      const told = await importWorkbook(file, { ...optionsFor(service), as: recipes });
      expect(told.counts).toMatchObject({ updated: 1 });
      return told.run;
    };
    await change('Portioneren', 'een');
    const held = await categoryOf();
    const run = await change('Snijden en voorbereiden', 'twee');
    const { file } = await undoRun(run, { ...given, out: `${service.folder}/terug.xlsx` });
    expect(await cellsOf(file, 'ProductCategorieID')).toEqual(['Portioneren']);
    const back = await importWorkbook(file, optionsFor(service));
    expect(back.counts).toMatchObject({ updated: 1, invalid: 0 });
    expect(await categoryOf()).toMatchObject({ ProductCategorieID: held.ProductCategorieID });
  });

  it('says of events, trips and arrangements what they are, which their run was not told', async () => {
    const service = await openTestService();
    const given = serviceOnly(optionsFor(service));
    const undone = async (as: ImportWorkbookOptions['as'], text: string, ...headers: string[]) => {
      const file = `${service.folder}/los.csv`;
      writeFileSync(file, text);
      const { run, counts } = await importWorkbook(file, { ...optionsFor(service), as });
      expect(counts).toMatchObject({ updated: 1 });
      const out = `${service.folder}/terug-${run}.xlsx`;
      await undoRun(run, { ...given, out });
      const shown = await cellsOf(out, ...headers);
      const back = await importWorkbook(out, optionsFor(service));
      expect(back.counts).toMatchObject({ updated: 1, conflict: 0, invalid: 0 });
      return shown;
    };
    expect(
      await undone(events, 'PartijID;AantalGasten\r\n9001;33\r\n', 'PartijOmschrijving', 'AantalGasten'),
    ).toEqual(['Bruiloft Bakker BV', 20]);
    expect(
      await undone(arrangements, 'PartijID;ArrangementID;Aantal\r\n9001;8;33\r\n', '#Arrangement', 'Aantal'),
    ).toEqual(['Barbecue', 20]);
    expect(await undone(trips, 'RitID;Chauffeur\r\n8001;K. Bos\r\n', 'Omschrijving')).toEqual([
      'Heen Bruiloft Bakker BV',
    ]);
  });
});

/** A package of the sandbox whose type and category a run changed. */
async function changedPackage() {
  const service = await openTestService();
  const id = Number((await service.records('package'))[0]?.id);
  await changePackage(service, id, { ProductTypeID: 1, ProductCategorieID: 12 });
  const given = serviceOnly(optionsFor(service));
  const book = `${service.folder}/pakketten.xlsx`;
  await exportRecords(packages, { ...given, out: book });
  await editBook(
    book,
    (set, [row = 0]) => {
      set(row, 'ProductTypeID', 'Arrangement');
      set(row, 'ProductCategorieID', 3);
    },
    [id],
  );
  const own = await importWorkbook(book, optionsFor(service));
  expect(own.counts).toMatchObject({ updated: 1 });
  await editBook(book, (set, [row = 0]) => {
    set(row, 'ProductTypeID', 'Buffet');
    set(row, 'ProductCategorieID', 'Dranken (12)');
  });
  return { service, given, book, own, id };
}

/** The cells of the only row of a workbook's first sheet, below these headers. */
async function cellsOf(file: string, ...names: readonly string[]): Promise<unknown[]> {
  const [sheet] = (await readWorkbook(file, {})).sheets;
  let headers: readonly { readonly column: number; readonly value: unknown }[] | undefined;
  for await (const { cells } of sheet?.rows ?? []) {
    if (headers !== undefined && cells.length > 0)
      return names.map((name) => {
        const column = headers?.find(({ value }) => value === name)?.column;
        return cells.find((cell) => cell.column === column)?.value;
      });
    headers ??= cells;
  }
  return [];
}
