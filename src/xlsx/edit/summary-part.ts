import { cellAddress } from '../../core/cell.ts';
import { type ResultSummary, type SummaryCell, summaryHeight } from '../../files/result-sheet.ts';
import { DECLARATION, escapeXml } from '../xml/xml-write.ts';
import { cellXml } from './added-columns.ts';
import type { RewriteStyles } from './styles-part.ts';

/** The worksheet part of a summary, made for a sheet of A4. */
export function summaryPart({ widths, rows }: ResultSummary, styles: RewriteStyles, main: string): Buffer {
  const cols = widths.map(
    (width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  );
  const links: string[] = [];
  const data = rows().flatMap((cells, at) => {
    if (cells.length === 0) return [];
    const texts = cells.map((cell, column) => {
      const address = cellAddress(column + 1, at + 1);
      if (cell.link !== undefined) links.push(linkXml(address, cell.link));
      return cellXml(address, styleOf(cell, styles), cell.value === '' ? null : cell.value, '');
    });
    const height = summaryHeight(cells, widths);
    const room = height === undefined ? '' : ` ht="${height}" customHeight="1"`;
    return [`<row r="${at + 1}"${room}>${texts.join('')}</row>`];
  });
  const hyperlinks = links.length === 0 ? '' : `<hyperlinks>${links.join('')}</hyperlinks>`;
  return Buffer.from(
    `${DECLARATION}<worksheet xmlns="${main}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>` +
      `<sheetViews><sheetView showGridLines="0" workbookViewId="0"/></sheetViews><cols>${cols.join('')}</cols>` +
      `<sheetData>${data.join('')}</sheetData>${hyperlinks}` +
      '<pageMargins left="0.5" right="0.5" top="0.6" bottom="0.6" header="0.3" footer="0.3"/>' +
      '<pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/></worksheet>',
  );
}

function styleOf({ look = 'plain', link }: SummaryCell, styles: RewriteStyles): number {
  if (link !== undefined) return styles.look({ link: true });
  if (look === 'title') return styles.look({ bold: true, size: 16 });
  if (look === 'label') return styles.look({ bold: true });
  if (look === 'head') return styles.look({ bold: true, tone: 'plain' });
  if (look === 'sentence') return styles.look({ wrap: true });
  return look === 'plain' ? styles.look({}) : styles.look({ tone: look });
}

function linkXml(address: string, { sheet, address: to }: NonNullable<SummaryCell['link']>): string {
  const location = `'${sheet.replaceAll("'", "''")}'!${to}`;
  return `<hyperlink ref="${address}" location="${escapeXml(location)}" display="${escapeXml(to)}"/>`;
}
