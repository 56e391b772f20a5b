import type { Language } from '../../../schema/value.ts';
import type { WrittenChart, WrittenPage } from '../../../workbook/write/written-page.ts';
import type { Placed } from './overview-cells.ts';
import { ACROSS, addMatrix } from './overview-matrix.ts';
import { addResult } from './overview-result.ts';
import { addGroupTable, addTimeTable } from './overview-tables.ts';
import { figureWidth, PageBuilder, said } from './page-builder.ts';
import type { FinanceReport } from './report.ts';
import { countedTexts, momentText, PAGE_WORDS, periodText } from './texts.ts';

/** Columns of numbers on the page at least, so that the chart has room beside the first tables. */
const LEAST_COLUMNS = 12;
const WIDTHS = { id: 9, name: 36, number: 13.5 } as const;
/** The first column that the chart takes, and the rows it has at least and at most. */
const CHART = { column: 6, least: 15, most: 22 } as const;
/** So many locations a chart shows at most. */
const BARS = 12;

/** The first sheet: what came in, by month or year and location, type of event and account manager, worked out from the other sheets. */
export function overviewPage(report: FinanceReport): WrittenPage {
  const { language, context, made, timelines } = report;
  const page = new PageBuilder();
  const columns = Math.max(LEAST_COLUMNS, 3 + Math.min(ACROSS, timelines.across.stretches.length));
  page.add(said(PAGE_WORDS.title[language], 'title', columns));
  page.add(said(periodText(report.kind, language), 'subtitle', columns));
  page.add(
    said(`${context.serviceName} · ${PAGE_WORDS.made[language]} ${momentText(made)}`, 'subtitle', columns),
  );
  page.skip();
  const top = page.next;
  addResult(page, report);
  page.skip();
  const time = addTimeTable(page, report, timelines.across);
  const chartRows = Math.min(CHART.most, Math.max(CHART.least, page.next - top));
  page.skip(Math.max(1, top + chartRows + 1 - page.next));
  const locations = addGroupTable(page, report, 'locations');
  addMatrix(page, report);
  addGroupTable(page, report, 'types');
  addGroupTable(page, report, 'managers');
  if (timelines.across !== timelines.months) {
    addTimeTable(page, report, timelines.months);
    page.skip();
  }
  page.add(said(PAGE_WORDS.counted[language], 'heading', columns));
  for (const text of countedTexts(report)) page.add(said(text[language], 'sentence', columns));
  const over = { column: CHART.column, row: top, columns: columns - CHART.column + 1, rows: chartRows };
  const number = figureWidth(page.rows, WIDTHS.number);
  return {
    widths: [WIDTHS.id, WIDTHS.name, ...Array<number>(columns - 2).fill(number)],
    rows: page.rows,
    chart: time.labels.length > 1 ? timeChart(time, report, over) : locationChart(locations, report, over),
    footer: `${PAGE_WORDS.title[language]} · ${periodText(report.kind, language)}`,
  };
}

const timeChart = (
  placed: Placed,
  { language, timelines: { across } }: FinanceReport,
  over: WrittenChart['over'],
): WrittenChart => ({
  ...{ title: PAGE_WORDS.over[across.unit][language], bars: 'standing', over },
  ...chartCells(placed, language, placed.labels.length),
});

/** Null where there is none. */
function locationChart(
  placed: Placed,
  { language, definition }: FinanceReport,
  over: WrittenChart['over'],
): WrittenChart | null {
  const all = placed.labels.length;
  if (all === 0) return null;
  const title = PAGE_WORDS.by[language](definition.events.location.title[language].toLowerCase());
  const some = all > BARS ? `: ${PAGE_WORDS.largest[language](BARS)}` : '';
  return {
    ...{ title: `${title}${some}`, bars: 'lying', over },
    ...chartCells(placed, language, Math.min(BARS, all)),
  };
}

function chartCells(
  { firstRow, labelColumn, amountColumn, labels, amounts, labelFormat }: Placed,
  language: Language,
  count: number,
): Pick<WrittenChart, 'categories' | 'amounts'> {
  return {
    categories: {
      ...{ column: labelColumn, firstRow, format: labelFormat },
      values: labels.slice(0, count),
    },
    amounts: {
      ...{ column: amountColumn, firstRow, format: '#,##0', name: PAGE_WORDS.revenue[language] },
      values: amounts.slice(0, count),
    },
  };
}
