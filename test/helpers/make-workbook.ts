import { cellAddress } from '../../src/core/cell.ts';
import { MAIN, relationships, sheetXml, workbookXml, writeZip } from '../workbook/make-workbook.ts';

type CellInput = string | number | boolean | Date | null;

const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
/** A cell as a number, and as a day and a time. */
const STYLES = `<styleSheet xmlns="${MAIN}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf numFmtId="22" applyNumberFormat="1"/></cellXfs></styleSheet>`;
const DAY = 86_400_000;
/** The day that a workbook counts as 0. */
const DAY_ZERO = Date.UTC(1899, 11, 30);

/** Writes a plain workbook, of the parts alone that each has: sheet name → rows of cells, the header first. */
export async function makeWorkbook(
  file: string,
  sheets: Readonly<Record<string, readonly (readonly CellInput[])[]>>,
): Promise<string> {
  const names = Object.keys(sheets);
  const parts = names.map((_, at) => [`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`] as const);
  const styles = ['rId0', 'styles', 'styles.xml'] as const;
  const entries = names.map(
    (name, at) => `<sheet name="${xml(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  );
  const types = [...parts, styles, ['', 'sheet.main', 'workbook.xml'] as const].map(
    ([, type, part]) => `<Override PartName="/xl/${part}" ContentType="${TYPES}.${type}+xml"/>`,
  );
  const content = Object.values(sheets).map((rows, at) => [
    `xl/worksheets/sheet${at + 1}.xml`,
    sheetXml(rows.map(rowXml).join('')),
  ]);
  const all = {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${types.join('')}</Types>`,
    '_rels/.rels': relationships([['rId1', 'officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': workbookXml(`<sheets>${entries.join('')}</sheets>`),
    'xl/_rels/workbook.xml.rels': relationships([...parts, styles]),
    'xl/styles.xml': STYLES,
    ...Object.fromEntries(content),
  };
  return await writeZip(file, all, { compress: false });
}

function rowXml(row: readonly CellInput[], at: number): string {
  const cells = row.map((value, column) => {
    if (value === null) return '';
    const place = `r="${cellAddress(column + 1, at + 1)}"`;
    if (value instanceof Date) return `<c ${place} s="1"><v>${(value.getTime() - DAY_ZERO) / DAY}</v></c>`;
    if (typeof value === 'boolean') return `<c ${place} t="b"><v>${Number(value)}</v></c>`;
    if (typeof value === 'number') return `<c ${place}><v>${value}</v></c>`;
    return `<c ${place} t="inlineStr"><is><t xml:space="preserve">${xml(value)}</t></is></c>`;
  });
  return `<row r="${at + 1}">${cells.join('')}</row>`;
}

const xml = (text: string): string => text.replace(/[&<>"\r]/g, (sign) => `&#${sign.charCodeAt(0)};`);

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
