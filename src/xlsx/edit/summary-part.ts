import { cellAddress } from '../../core/cell.ts';
import type { ResultSummary, SummaryCell } from '../../files/result-sheet.ts';
import { sheetReference, wrappedLines } from '../excel-text.ts';
import { cellXml, columnXml } from '../worksheet-xml.ts';
import { DECLARATION, escapeXml } from '../xml/xml-write.ts';
import type { RewriteStyles } from './styles-part.ts';

/** Points for a line of text, and characters in the width of a digit. */
const LINE_HEIGHT = 15;
const CHARACTERS = 1.1;

/** The worksheet part of a summary, to be printed on A4. */
export function summaryPart({ widths, rows }: ResultSummary, styles: RewriteStyles, main: string): Buffer {
  const cols = widths.map((width, at) => columnXml(at + 1, width));
  const links: string[] = [];
  const data = rows().flatMap((cells, at) => {
    if (cells.length === 0) return [];
    const texts = cells.map((cell, column) => {
      const address = cellAddress(column + 1, at + 1);
      if (cell.link !== undefined) links.push(linkXml(address, cell.link));
      return cellXml(address, styleOf(cell, styles), cell.value);
    });
    // Not every program sizes rows for wrapped text.
    const lines = cells.map(({ value, look }, column) =>
      look === 'sentence' ? wrappedLines(String(value), (widths[column] ?? 1) * CHARACTERS) : 1,
    );
    const most = Math.max(...lines);
    const room = most === 1 ? '' : ` ht="${most * LINE_HEIGHT}" customHeight="1"`;
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
  const location = `${sheetReference(sheet)}!${to}`;
  return `<hyperlink ref="${address}" location="${escapeXml(location)}" display="${escapeXml(to)}"/>`;
}
