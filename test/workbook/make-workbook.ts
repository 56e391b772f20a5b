import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll } from 'vitest';
import yazl from 'yazl';
import { cellAddress } from '../../src/core/cell.ts';
import { readWorkbook } from '../../src/workbook/read-workbook.ts';
import { removeFolder } from '../helpers/remove-folder.ts';

export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Parts of a workbook by their names in the zip, in zip order. */
export type Parts = Record<string, string | Buffer>;

/** A folder for one test file, removed when its tests are done. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'catersheet-'));
  afterAll(() => removeFolder(folder));
  return folder;
}

/** A relationships part from `[id, type, target]`. */
export function relationships(list: readonly (readonly [string, string, string])[]): string {
  const items = list.map(
    ([id, type, target]) => `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${items.join('')}</Relationships>`;
}

/** A workbook part from the inside of its root. */
export function workbookXml(inside: string): string {
  return `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}">${inside}</workbook>`;
}

/** A worksheet part from its rows. */
export function sheetXml(rows: string): string {
  return `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`;
}

/** A styles part whose cell formats show the given number formats, from style 0 on: ids, or codes of its own. */
export function stylesXml(formats: readonly (number | string)[]): string {
  const own = formats.flatMap((format, at) =>
    typeof format === 'string' ? [`<numFmt numFmtId="${at + 200}" formatCode="${format}"/>`] : [],
  );
  const uses = formats.map(
    (format, at) => `<xf numFmtId="${typeof format === 'string' ? at + 200 : format}"/>`,
  );
  return `<styleSheet xmlns="${MAIN}"><numFmts>${own.join('')}</numFmts><cellXfs>${uses.join('')}</cellXfs></styleSheet>`;
}

/** A shared strings part from the insides of its items. */
export function stringsXml(items: readonly string[]): string {
  return `<sst xmlns="${MAIN}">${items.map((item) => `<si>${item}</si>`).join('')}</sst>`;
}

/** The parts of a workbook with one sheet, in the usual places; parts given replace or add, an empty one takes away. */
export function oneSheet(rows: string, parts: Parts = {}): Parts {
  const all: Parts = {
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"></Types>',
    '_rels/.rels': relationships([['rId1', 'officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': workbookXml('<sheets><sheet name="Pakketten" sheetId="1" r:id="rId1"/></sheets>'),
    'xl/_rels/workbook.xml.rels': relationships([
      ['rId1', 'worksheet', 'worksheets/sheet1.xml'],
      ['rId2', 'styles', 'styles.xml'],
      ['rId3', 'sharedStrings', 'sharedStrings.xml'],
    ]),
    'xl/worksheets/sheet1.xml': sheetXml(rows),
    ...parts,
  };
  return Object.fromEntries(Object.entries(all).filter(([, content]) => content.length > 0));
}

/** Writes parts as a zip. */
export async function writeZip(
  file: string,
  parts: Parts,
  options: Partial<yazl.Options> = {},
): Promise<string> {
  const zip = new yazl.ZipFile();
  for (const [name, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content), name, options);
  zip.end();
  writeFileSync(file, await buffer(zip.outputStream));
  return file;
}

/** Everything in a file: per sheet, every cell's type and value, and a date's zone, by its address. */
export async function readAll(
  file: string,
): Promise<Record<string, Record<string, readonly [string, unknown, string?]>>> {
  const all: Record<string, Record<string, readonly [string, unknown, string?]>> = {};
  for (const sheet of await readWorkbook(file)) {
    const cells: Record<string, readonly [string, unknown, string?]> = {};
    for await (const row of sheet.rows) {
      for (const cell of row.cells) {
        const zone = cell.type === 'date' && cell.zone !== undefined ? ([cell.zone] as const) : ([] as const);
        cells[cellAddress(cell.column, row.number)] = [cell.type, cell.value, ...zone];
      }
    }
    all[sheet.name] = cells;
  }
  return all;
}

/** The cells of a workbook's only sheet, or of the one of this name, as `A1 "Soep", B1 5, C1 on 2027-04-28 Z`. */
export async function cellsText(file: string, sheet = 'Pakketten'): Promise<string> {
  const cells = Object.entries((await readAll(file))[sheet] ?? {});
  return cells
    .map(([address, [type, value, zone]]) => {
      if (type === 'date') return `${address} on ${value}${zone === undefined ? '' : ` ${zone}`}`;
      return `${address} ${type === 'text' ? JSON.stringify(value) : value}`;
    })
    .join(', ');
}

/** An OLE compound file as far as it matters here: its mark, and a directory entry at a multiple of 128 bytes. */
export function ole(stream: string): Buffer {
  const file = Buffer.alloc(2048);
  file.write('d0cf11e0a1b11ae1', 'hex');
  file.write(`${stream}\0`, 1152, 'utf16le');
  file[1152 + 64] = (stream.length + 1) * 2;
  return file;
}
