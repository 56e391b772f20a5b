import exceljs from 'exceljs';

type CellInput = string | number | boolean | Date | null;

/** Writes a plain workbook: sheet name → rows of cells, the header first. */
export async function makeWorkbook(
  file: string,
  sheets: Readonly<Record<string, readonly (readonly CellInput[])[]>>,
): Promise<string> {
  const workbook = new exceljs.stream.xlsx.WorkbookWriter({ filename: file });
  for (const [name, rows] of Object.entries(sheets)) {
    const sheet = workbook.addWorksheet(name);
    for (const row of rows) sheet.addRow([...row]).commit();
    sheet.commit();
  }
  await workbook.commit();
  return file;
}

export const PACKAGE_HEADER = [
  'ExternalID',
  'OmschrijvingIntern',
  'ProductTypeID',
  'Verkoopprijs',
  'Actief',
] as const;

/** Rows of packages with ExternalIDs from `first` on, under their header. */
export function packageRows(count: number, first = 600_000): CellInput[][] {
  const rows = Array.from({ length: count }, (_, index): CellInput[] => [
    first + index,
    `Lunchbuffet ${first + index}`,
    (index % 3) + 1,
    10 + (index % 400) / 4,
    index % 2 === 0,
  ]);
  return [[...PACKAGE_HEADER], ...rows];
}

/** Reads a result back: sheet name → rows of cell values by column number. */
export async function readBack(file: string): Promise<Map<string, Map<number, Map<number, unknown>>>> {
  const { readWorkbook } = await import('../../src/workbook/read-workbook.ts');
  const sheets = new Map<string, Map<number, Map<number, unknown>>>();
  for (const sheet of await readWorkbook(file)) {
    const rows = new Map<number, Map<number, unknown>>();
    for await (const row of sheet.rows)
      rows.set(row.number, new Map(row.cells.map((cell) => [cell.column, cell.value])));
    sheets.set(sheet.name, rows);
  }
  return sheets;
}

/** For a reader of exceljs that needs no lists to choose from: it makes one for each cell, slower than all else. */
export const WITHOUT_LISTS = { ignoreNodes: ['dataValidations'] };
