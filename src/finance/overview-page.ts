import type { BigNumber } from 'bignumber.js';
import { columnLetters } from '../core/cell.ts';
import type { Bilingual, Language } from '../core/language.ts';
import { BOOLEAN_WORDS } from '../core/row-text.ts';
import { shownMinute } from '../core/shown-moment.ts';
import { serviceText } from '../run/service-text.ts';
import type { PageCell, WrittenChart, WrittenPage } from '../xlsx/write/written-book.ts';
import type { CountedAmount, GroupName } from './figures.ts';
import type { FinanceReport } from './finance-report.ts';
import { countedTexts, FINANCE_WORDS, periodText } from './finance-texts.ts';
import type { Criterion } from './formulas.ts';
import {
  COUNT,
  columnSum,
  criterionOf,
  figureCell,
  figureWidth,
  headCells,
  keysByAmount,
  monthCell,
  nameCells,
  PageBuilder,
  shareOf,
  textCell,
} from './page-cells.ts';

/** From the records to the revenue: what was added up and what was left out, line by line. */
function addResult(page: PageBuilder, report: FinanceReport): void {
  const { language, figures, cited, definition, elsewhere } = report;
  const { events, lines, trips } = cited;
  const { noRevenue, resource } = definition.events;
  const { price, cost } = figures.trips;
  const flag = `"${BOOLEAN_WORDS[language][0]}"`;
  const without: readonly Criterion[] = [[noRevenue, flag]];
  page.add(
    ...[textCell('', 'head'), textCell(FINANCE_WORDS.result[language], 'head')],
    ...headCells([FINANCE_WORDS.count, FINANCE_WORDS.amount], language),
  );
  const line = (label: Bilingual, count: Worked<number>, amount: Worked<BigNumber>, total = false): void => {
    const [look, labelLook] = total ? (['total', 'total-label'] as const) : (['figure', 'label'] as const);
    page.add(
      textCell('', labelLook),
      textCell(label[language], labelLook),
      figureCell(count[0], { formula: count[1], format: COUNT, look }),
      figureCell(amount[0], { formula: amount[1], look }),
    );
  };
  const first = page.next;
  const tripCount = trips.total(definition.trips.resource.id, 'COUNTA');
  const tripSum = trips.total(definition.trips.price);
  const lineCount = lines.total(definition.lines.resource.parent, 'COUNTA');
  line(
    FINANCE_WORDS.lines,
    [figures.lines.count, lineCount],
    [figures.lines.amount, lines.total('line-total')],
  );
  line(FINANCE_WORDS.trips, [price.count, tripCount], [price.amount, tripSum]);
  line(
    FINANCE_WORDS.elsewhere,
    [elsewhere.count, `${tripCount}-${events.total('trip-count')}`],
    [elsewhere.amount.negated(), `${events.total('trips')}-${tripSum}`],
  );
  const withoutSum = `${events.sumIf('arrangements', without)}+${events.sumIf('trips', without)}`;
  line(
    FINANCE_WORDS.excluded,
    [figures.noRevenue.count, events.countIf(without)],
    [figures.noRevenue.amount.negated(), `-(${withoutSum})`],
  );
  const { count, amount } = figures.events.revenue;
  const sum = `SUM(D${first}:D${page.next - 1})`;
  line(FINANCE_WORDS.revenueOf, [count, events.total(resource.id, 'COUNTA')], [amount, sum], true);
  page.skip();
  const costs = definition.trips.cost;
  const costCount = cost.count - cost.lacking;
  line(FINANCE_WORDS.tripCosts, [costCount, trips.total(costs, 'COUNT')], [cost.amount, trips.total(costs)]);
}

/** A figure, and the formula that it is the result of. */
type Worked<T> = readonly [T, string];

const SHARE = '0.0%';

/** A row of a table of revenue. */
interface RevenueRow {
  /** A key, and its name or first day. */
  readonly names: readonly [PageCell, PageCell];
  readonly sum: CountedAmount;
  /** The criteria of its events, for formulas in a row. */
  readonly where: (row: number) => readonly Criterion[];
}

/** A table of revenue on a page, for a chart of it. */
interface PlacedTable {
  readonly firstRow: number;
  readonly rows: readonly RevenueRow[];
}

/** A table of revenue: events, amount, and the share of the whole. */
function addRevenue(
  page: PageBuilder,
  { language, figures, cited }: FinanceReport,
  { title, number, what }: Readonly<Record<'title' | 'number' | 'what', string>>,
  rows: readonly RevenueRow[],
): PlacedTable {
  const { count, amount } = figures.events.revenue;
  page.add(textCell(title, 'heading', 5));
  page.add(
    ...[textCell(number, 'head'), textCell(what, 'head')],
    ...headCells([FINANCE_WORDS.events, FINANCE_WORDS.revenue, FINANCE_WORDS.share], language),
  );
  const firstRow = page.next;
  const total = firstRow + rows.length;
  for (const { names, sum, where } of rows) {
    const row = page.next;
    const share = `IF(D$${total}=0,0,D${row}/D$${total})`;
    page.add(
      ...names,
      figureCell(sum.count, { formula: cited.events.countIf(where(row)), format: COUNT }),
      figureCell(sum.amount, { formula: cited.events.sumIf('revenue', where(row)) }),
      figureCell(shareOf(sum.amount, amount), { formula: share, format: SHARE }),
    );
  }
  const look = 'total';
  page.add(
    ...[textCell('', 'total-label'), textCell(FINANCE_WORDS.total[language], 'total-label')],
    figureCell(count, { formula: columnSum('C', firstRow, total - 1), format: COUNT, look }),
    figureCell(amount, { formula: columnSum('D', firstRow, total - 1), look }),
    figureCell(shareOf(amount, amount), { formula: `IF(D${total}=0,0,1)`, format: SHARE, look }),
  );
  return { firstRow, rows };
}

/** Revenue by month; the chart is without the events that have no day. */
function addTimeTable(page: PageBuilder, report: FinanceReport): PlacedTable {
  const { language, figures, months } = report;
  const rows = months.map(
    (month): RevenueRow => ({
      names: [textCell(''), monthCell(month, language)],
      sum: figures.months.of(month),
      where: (row) => [['month', `$B${row}`]],
    }),
  );
  const [title, what] = [FINANCE_WORDS.over[language], FINANCE_WORDS.month[language]];
  const table = addRevenue(page, report, { title, number: '', what }, rows);
  return { ...table, rows: rows.filter((_, at) => months[at] !== null) };
}

/** Revenue by location, type of event or account manager. */
function addGroupTable(page: PageBuilder, report: FinanceReport, name: GroupName): PlacedTable {
  const { language, figures, definition } = report;
  const { title, member } = definition.events[name];
  const rows = keysByAmount(figures[name]).map(
    (key): RevenueRow => ({
      names: nameCells(report, name, key),
      sum: figures[name].of(key),
      where: (row) => [[member, criterionOf(key, row)]],
    }),
  );
  const by = FINANCE_WORDS.by[language](title[language].toLowerCase());
  const number = FINANCE_WORDS.number[language];
  const table = addRevenue(page, report, { title: by, number, what: title[language] }, rows);
  page.skip();
  return table;
}

/** Revenue by location and month; nothing where there is only one. */
function addMatrix(page: PageBuilder, report: FinanceReport): void {
  const { language, figures, cited, definition, months } = report;
  if (months.length < 2) return;
  const { member, title } = definition.events.location;
  page.add(textCell(FINANCE_WORDS.matrix[language], 'heading', 3 + months.length));
  const head = page.next;
  const all = columnLetters(2 + months.length);
  const total = FINANCE_WORDS.total[language];
  page.add(
    ...headCells([FINANCE_WORDS.number, title], language, 'head'),
    ...months.map((month) => monthCell(month, language, 'figure-head')),
    textCell(total, 'figure-head'),
  );
  const first = page.next;
  for (const key of keysByAmount(figures.location)) {
    const row = page.next;
    page.add(
      ...nameCells(report, 'location', key),
      ...months.map((month, at) => {
        const where: Criterion[] = [
          [member, criterionOf(key, row)],
          ['month', `${columnLetters(3 + at)}$${head}`],
        ];
        return figureCell(figures.revenueIn(key, month), { formula: cited.events.sumIf('revenue', where) });
      }),
      figureCell(figures.location.of(key).amount, { formula: `SUM(C${row}:${all}${row})`, look: 'strong' }),
    );
  }
  const last = page.next - 1;
  const sums = [...months.map((month) => figures.months.of(month)), figures.months.total()];
  page.add(
    ...[textCell('', 'total-label'), textCell(total, 'total-label')],
    ...sums.map(({ amount }, at) =>
      figureCell(amount, { look: 'total', formula: columnSum(columnLetters(3 + at), first, last) }),
    ),
  );
  page.skip();
}

/** Columns at least, so that the chart has room beside the first tables. */
const LEAST_COLUMNS = 12;
const WIDTHS = { id: 9, name: 36, number: 13.5 } as const;
/** The first column of the chart, and its rows at least and at most. */
const CHART = { column: 6, least: 15, most: 22 } as const;
/** Locations in a chart, at most. */
const BARS = 12;

/** The first sheet: revenue by month, location, type and manager, by formulas over the other sheets. */
export function overviewPage(report: FinanceReport): WrittenPage {
  const { language, context, made, months } = report;
  const page = new PageBuilder();
  const columns = Math.max(LEAST_COLUMNS, 3 + months.length);
  page.add(textCell(FINANCE_WORDS.title[language], 'title', columns));
  page.add(textCell(periodText(report.scope, language), 'subtitle', columns));
  const origin = `${serviceText(context.serviceName)[language]} · ${FINANCE_WORDS.made[language]} ${shownMinute(made)[language]}`;
  page.add(textCell(origin, 'subtitle', columns));
  page.skip();
  const top = page.next;
  addResult(page, report);
  page.skip();
  const time = addTimeTable(page, report);
  const chartRows = Math.min(CHART.most, Math.max(CHART.least, page.next - top));
  page.skip(Math.max(1, top + chartRows + 1 - page.next));
  const locations = addGroupTable(page, report, 'location');
  addMatrix(page, report);
  addGroupTable(page, report, 'type');
  addGroupTable(page, report, 'manager');
  page.add(textCell(FINANCE_WORDS.counted[language], 'heading', columns));
  for (const text of countedTexts(report)) page.add(textCell(text[language], 'sentence', columns));
  const over = { column: CHART.column, row: top, columns: columns - CHART.column + 1, rows: chartRows };
  const number = figureWidth(page.rows, WIDTHS.number);
  return {
    widths: [WIDTHS.id, WIDTHS.name, ...Array<number>(columns - 2).fill(number)],
    rows: page.rows,
    chart: chartOf(report, time, locations, over),
    footer: `${FINANCE_WORDS.title[language]} · ${periodText(report.scope, language)}`,
  };
}

/** Revenue by month, or by location where there is one only; null where there are no events. */
function chartOf(
  { language, definition }: FinanceReport,
  time: PlacedTable,
  locations: PlacedTable,
  over: WrittenChart['over'],
): WrittenChart | null {
  if (time.rows.length > 1) {
    const title = FINANCE_WORDS.over[language];
    return { ...{ title, bars: 'standing', over }, ...chartCells(time, language) };
  }
  const all = locations.rows.length;
  if (all === 0) return null;
  const title = FINANCE_WORDS.by[language](definition.events.location.title[language].toLowerCase());
  const some = all > BARS ? `: ${FINANCE_WORDS.largest[language](BARS)}` : '';
  const shown = { ...locations, rows: locations.rows.slice(0, BARS) };
  return { ...{ title: `${title}${some}`, bars: 'lying', over }, ...chartCells(shown, language) };
}

/** The cells of a table's second and fourth columns. */
function chartCells(
  { firstRow, rows }: PlacedTable,
  language: Language,
): Pick<WrittenChart, 'categories' | 'amounts'> {
  const labels = rows.map(({ names: [, label] }) => label);
  return {
    categories: {
      ...{ column: 2, firstRow, format: labels[0]?.format ?? 'General' },
      values: labels.map(({ value }) => value as string | number),
    },
    amounts: {
      ...{ column: 4, firstRow, format: '#,##0', name: FINANCE_WORDS.revenue[language] },
      values: rows.map(({ sum }) => sum.amount.toNumber()),
    },
  };
}
