import exceljs from 'exceljs';
import {
  BASELINE_SHEET,
  type BaselineRecord,
  encodeBaselineRecord,
  encodeBaselineStamp,
} from '../../../src/files/baseline-sheet.ts';
import { WITHOUT_LISTS } from '../../helpers/make-workbook.ts';
import type { TestService } from '../../helpers/test-service.ts';

type Cell = string | number | boolean | null;

/** A service as its address names it in a ledger. */
export const serviceOf = ({ url }: TestService): string => new URL(url).href;

/** A workbook as an export leaves it: sheets, and what their records were on the hidden one. */
export async function withBaseline(
  file: string,
  sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>,
  service: string,
  records: readonly BaselineRecord[],
): Promise<string> {
  const workbook = new exceljs.Workbook();
  for (const [name, rows] of Object.entries(sheets)) workbook.addWorksheet(name).addRows(rows as Cell[][]);
  const hidden = workbook.addWorksheet(BASELINE_SHEET, { state: 'veryHidden' });
  const stamp = encodeBaselineStamp({ service, at: '2026-03-31T08:00:00.000Z', shown: '[]' });
  for (const texts of [...stamp, ...records.map(encodeBaselineRecord)])
    hidden.addRow(texts.map((text) => (text === '' ? null : text)));
  await workbook.xlsx.writeFile(file);
  return file;
}

/** A package of the sandbox as its detail gives it. */
export async function packageOf(service: TestService, id: number): Promise<Record<string, Cell>> {
  return (await service.request('GET', `api/v1/product/pakket/detail/${id}`)) as Record<string, Cell>;
}

/** Someone else changes a package. */
export async function changePackage(
  service: TestService,
  id: number,
  values: Readonly<Record<string, Cell>>,
): Promise<void> {
  const now = await packageOf(service, id);
  const { ProductTypeID, OmschrijvingIntern, Verkoopprijs } = now;
  await service.request('POST', 'api/v1/product/pakket/update', {
    ...{ ProductID: id, ProductTypeID, OmschrijvingIntern, Verkoopprijs },
    ...values,
  });
}

/** The values of a row, by header. */
export type SheetRow = Record<string, string | number | boolean | null>;

/** Writes a sheet of an export anew, with the rows that these make of it, the columns that they name, and the hidden sheet as it was. */
export async function rewriteSheet(
  file: string,
  name: string,
  edit: (rows: SheetRow[]) => readonly SheetRow[],
): Promise<void> {
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(file, WITHOUT_LISTS);
  const sheet = book.getWorksheet(name);
  if (sheet === undefined) throw new Error(`${file} has no sheet ${name}`);
  const headers = (sheet.getRow(1).values as string[]).slice(1);
  const rows: SheetRow[] = [];
  sheet.eachRow((row, number) => {
    if (number > 1)
      rows.push(
        Object.fromEntries(headers.map((header, at) => [header, row.getCell(at + 1).value as number])),
      );
  });
  book.removeWorksheet(sheet.id);
  const edited = edit(rows);
  const kept = ['#action', ...headers].filter((header) => edited.some((row) => header in row));
  const written = edited.map((row) => kept.map((header) => row[header] ?? null));
  book.addWorksheet(name).addRows([kept, ...written]);
  await book.xlsx.writeFile(file);
}
