import type { Language } from '../../../schema/value.ts';
import type { WrittenChart, WrittenPage } from '../../../workbook/write/written-page.ts';
import type { Placed } from './overview-cells.ts';
import { addMatrix } from './overview-matrix.ts';
import { addResult } from './overview-result.ts';
import { addGroupTable, addMonthTable } from './overview-tables.ts';
import { PageBuilder, said } from './page-builder.ts';
import type { FinanceReport } from './report.ts';
import { countedTexts, momentText, PAGE_WORDS, periodText } from './texts.ts';

/** Columns of numbers on the page at least, so that the chart has room beside the first tables. */
const LEAST_COLUMNS = 12;
const WIDTHS = { id: 9, name: 36, number: 13.5 } as const;
/** The first column that the chart takes, and the rows it has at least and at most. */
const CHART = { column: 6, least: 15, most: 22 } as const;
/** So many locations a chart shows at most. */
const BARS = 12;

/** The first sheet: what came in, by month and location, type of event and account manager, worked out from the other sheets. */
export function overviewPage(report: FinanceReport): WrittenPage {
  const { language, context, made } = report;
  const page = new PageBuilder();
  const columns = Math.max(LEAST_COLUMNS, 3 + Math.min(12, report.months.length));
  page.add(said(PAGE_WORDS.title[language], 'title', columns));
  page.add(said(periodText(report.kind, language), 'subtitle', columns));
  page.add(
    said(`${context.serviceName} · ${PAGE_WORDS.made[language]} ${momentText(made)}`, 'subtitle', columns),
  );
  page.skip();
  const top = page.next;
  addResult(page, report);
  page.skip();
  const months = addMonthTable(page, report);
  const chartRows = Math.min(CHART.most, Math.max(CHART.least, page.next - top));
  page.skip(Math.max(1, top + chartRows + 1 - page.next));
  const locations = addMatrix(page, report);
  addGroupTable(page, report, 'types');
  addGroupTable(page, report, 'managers');
  page.add(said(PAGE_WORDS.counted[language], 'heading', columns));
  for (const text of countedTexts(report)) page.add(said(text[language], 'sentence', columns));
  const over = { column: CHART.column, row: top, columns: columns - CHART.column + 1, rows: chartRows };
  return {
    widths: [WIDTHS.id, WIDTHS.name, ...Array<number>(columns - 2).fill(WIDTHS.number)],
    rows: page.rows,
    chart: chartOf(months, locations, { language, over }),
    footer: `${PAGE_WORDS.title[language]} · ${periodText(report.kind, language)}`,
  };
}

/** By month; where there is but one, by location. Null where there is nothing to compare. */
function chartOf(
  months: Placed,
  locations: Placed,
  { language, over }: { readonly language: Language; readonly over: WrittenChart['over'] },
): WrittenChart | null {
  const byMonth = months.labels.length > 1;
  const shown = byMonth ? months : locations;
  const count = byMonth ? shown.labels.length : Math.min(BARS, shown.labels.length);
  if (count === 0) return null;
  const { firstRow, labelColumn, amountColumn, labels, amounts, labelFormat } = shown;
  return {
    title: (byMonth ? PAGE_WORDS.byMonth : PAGE_WORDS.byLocation)[language],
    bars: byMonth ? 'standing' : 'lying',
    categories: {
      ...{ column: labelColumn, firstRow, format: labelFormat },
      values: labels.slice(0, count),
    },
    amounts: {
      ...{ column: amountColumn, firstRow, format: '#,##0', name: PAGE_WORDS.revenue[language] },
      values: amounts.slice(0, count),
    },
    over,
  };
}
