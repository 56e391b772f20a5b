import type { ResultSummary, SummaryCell } from '../../files/result-sheet.ts';
import { pageXml } from '../page-xml.ts';
import type { RewriteStyles } from './styles-part.ts';

/** The worksheet part of a summary. */
export const summaryPart = ({ widths, rows }: ResultSummary, styles: RewriteStyles, main: string): Buffer =>
  Buffer.from(pageXml({ widths, rows: rows(), styleOf: (cell) => styleOf(cell, styles), main }));

function styleOf({ look = 'plain', link }: SummaryCell, styles: RewriteStyles): number {
  if (link !== undefined) return styles.look({ link: true });
  if (look === 'title') return styles.look({ bold: true, size: 16 });
  if (look === 'label') return styles.look({ bold: true });
  if (look === 'head') return styles.look({ bold: true, tone: 'plain' });
  if (look === 'sentence') return styles.look({ wrap: true });
  return look === 'plain' ? styles.look({}) : styles.look({ tone: look });
}
