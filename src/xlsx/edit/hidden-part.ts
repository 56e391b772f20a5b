import { cellAddress } from '../../core/cell.ts';
import { type ResultSheet, resultBatches } from '../../files/result-sheet.ts';
import { cellXml } from '../worksheet-xml.ts';
import { DECLARATION } from '../xml/xml-write.ts';

const BATCH = 500;

/** The worksheet part of a sheet of texts that nobody sees, a batch of rows at a time. */
export async function* hiddenPart({ rows }: ResultSheet, main: string): AsyncGenerator<Buffer> {
  yield Buffer.from(`${DECLARATION}<worksheet xmlns="${main}"><sheetData>`);
  for await (const batch of resultBatches(rows, BATCH)) {
    const xml = batch.map(({ row: { number, cells } }) => {
      const texts = cells.map(({ column, value }) => cellXml(cellAddress(column, number), 0, String(value)));
      return `<row r="${number}">${texts.join('')}</row>`;
    });
    yield Buffer.from(xml.join(''));
  }
  yield Buffer.from('</sheetData></worksheet>');
}
