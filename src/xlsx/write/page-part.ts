import { pageXml } from '../page-xml.ts';
import { footerXml } from '../worksheet-xml.ts';
import type { SpooledPart } from '../zip/write-zip.ts';
import type { SheetPart } from './book-parts.ts';
import type { BookStyles } from './book-styles.ts';
import type { PageCell, WrittenChart, WrittenPage } from './written-book.ts';

/** Writes a worksheet part of cells in any place, such as a page of totals with a chart. */
export class PagePart implements SheetPart {
  readonly spool: SpooledPart;
  readonly state = null;
  readonly table = null;
  private readonly styles: BookStyles;
  private page: WrittenPage = { widths: [], rows: [], chart: null, footer: '' };

  constructor(spool: SpooledPart, styles: BookStyles) {
    this.spool = spool;
    this.styles = styles;
  }

  get chart(): WrittenChart | null {
    return this.page.chart;
  }

  write(page: WrittenPage): void {
    this.page = page;
  }

  async finish(): Promise<void> {
    const { widths, rows, chart, footer } = this.page;
    const end = `${footerXml(footer)}${chart === null ? '' : '<drawing r:id="rId1"/>'}`;
    const styleOf = ({ format = 'General', look }: PageCell): number => this.styles.cell(format, look);
    await this.spool.write([Buffer.from(pageXml({ widths, rows, styleOf, end }))]);
  }
}
