import { columnLetters } from '../core/cell.ts';
import type { Language } from '../core/language.ts';
import { BOOLEAN_WORDS } from '../schema/cell-type.ts';
import type { PageCell, WrittenChart, WrittenPage } from '../xlsx/write/written-book.ts';
import { Decimal } from './decimal.ts';
import type { CountedAmount, GroupKey } from './figures.ts';
import type { FinanceReport, GroupName } from './finance-report.ts';
import { monthSerial } from './finance-rows.ts';
import { countedTexts, FINANCE_WORDS, momentText, periodText } from './finance-texts.ts';
import type { Criterion } from './formulas.ts';
import {
  COUNT,
  columnSum,
  criterionOf,
  figureCell,
  figureWidth,
  keysByAmount,
  nameCells,
  PageBuilder,
  type PlacedTable,
  shareOf,
  stretchCell,
  sumOver,
  textCell,
} from './page-cells.ts';
import { type Stretch, stretchesText, stretchFormat, type Timeline, within } from './timeline.ts';

/** From what the sheets hold to the revenue: what was added up and what was left out, line by line. */
function addResult(page: PageBuilder, report: FinanceReport): void {
  const { language, figures, cited, definition } = report;
  const { events, lines, trips } = cited;
  const { noRevenue, resource } = definition.events;
  const words = FINANCE_WORDS;
  const flag = language === 'en' ? 'TRUE' : `"${BOOLEAN_WORDS.nl[0]}"`;
  const without: [string, string] = [noRevenue, flag];
  page.add(
    textCell('', 'head'),
    textCell(words.result[language], 'head'),
    textCell(words.count[language], 'figure-head'),
    textCell(words.amount[language], 'figure-head'),
  );
  const line = (...cells: ResultLine) => addResultLine(page, ...cells);
  const { elsewhere, excluded } = report;
  const first = page.next;
  line(
    words.lines[language],
    [figures.lines.count, lines.count(definition.lines.resource.parent)],
    [figures.lines.sum, lines.sum('line-total')],
    'figure',
  );
  line(
    words.trips[language],
    [figures.trips.count, trips.count(definition.trips.resource.id)],
    [figures.trips.price.sum, trips.sum(definition.trips.price)],
    'figure',
  );
  line(
    words.elsewhere[language],
    [elsewhere.count, `${trips.count(definition.trips.resource.id)}-${events.sum('trip-count')}`],
    [Decimal.ZERO.minus(elsewhere.amount), `${events.sum('trips')}-${trips.sum(definition.trips.price)}`],
    'figure',
  );
  line(
    words.excluded[language],
    [figures.noRevenue.count, events.countIf([without])],
    [
      Decimal.ZERO.minus(excluded),
      `-(${events.sumIf('arrangements', [without])}+${events.sumIf('trips', [without])})`,
    ],
    'figure',
  );
  line(
    words.revenueOf[language],
    [figures.events.count, events.count(resource.id)],
    [figures.events.revenue.sum, `SUM(D${first}:D${page.next - 1})`],
    'total',
  );
  page.skip();
  line(
    words.tripCosts[language],
    [figures.trips.cost.count - figures.trips.cost.lacking, trips.countNumbers(definition.trips.cost)],
    [figures.trips.cost.sum, trips.sum(definition.trips.cost)],
    'figure',
  );
}

type ResultLine = [
  label: string,
  count: [number, formula: string],
  amount: [Decimal, formula: string],
  look: 'figure' | 'total',
];

function addResultLine(page: PageBuilder, ...[label, count, amount, look]: ResultLine): void {
  page.add(
    textCell('', look === 'total' ? 'total-label' : 'label'),
    textCell(label, look === 'total' ? 'total-label' : 'label'),
    figureCell(count[0], { formula: count[1], format: COUNT, look }),
    figureCell(amount[0], { formula: amount[1], look }),
  );
}

const SHARE = '0.0%';

/** Revenue by month or year: events, amount, and the share of the whole. */
function addTimeTable(
  page: PageBuilder,
  report: FinanceReport,
  { unit, stretches, leftOut }: Timeline,
): PlacedTable {
  const { language, figures } = report;
  const title = FINANCE_WORDS.over[unit][language];
  addHead(page, report, { title, number: '', what: FINANCE_WORDS[unit][language] });
  const firstRow = page.next;
  const last = firstRow + stretches.length - 1;
  for (const stretch of stretches) {
    const cells = [textCell(''), stretchCell(stretch, unit, { language, look: 'label' })];
    const where = within(stretch, unit, `$B${page.next}`);
    addShare(page, report, cells, { sum: figures.sumIn(stretch.months), where, last });
  }
  addTotals(page, report, firstRow);
  if (leftOut) page.add(textCell(FINANCE_WORDS.leftOut[unit][language], 'sentence', 5));
  const dated = stretches.filter(({ begin }) => begin !== null);
  return {
    ...{ firstRow, labelColumn: 2, amountColumn: 4, labelFormat: stretchFormat(unit, language) },
    labels: dated.map(({ begin }) => monthSerial(begin ?? '')),
    amounts: dated.map(({ months }) => figures.sumIn(months).amount.number),
  };
}

/** Revenue by location, type of event or account manager. */
function addGroupTable(page: PageBuilder, report: FinanceReport, name: GroupName): PlacedTable {
  const { language, figures } = report;
  const { title, member } = report.group(name);
  addHead(page, report, {
    title: FINANCE_WORDS.by[language](title[language].toLowerCase()),
    ...{ number: FINANCE_WORDS.number[language], what: title[language] },
  });
  const firstRow = page.next;
  const keys = keysByAmount(figures[name]);
  const last = firstRow + keys.length - 1;
  for (const key of keys) {
    const where: Criterion[] = [[member, criterionOf(key, page.next)]];
    addShare(page, report, nameCells(report, name, key), { sum: figures[name].of(key), where, last });
  }
  addTotals(page, report, firstRow);
  page.skip();
  return {
    ...{ firstRow, labelColumn: 2, amountColumn: 4, labelFormat: 'General' },
    labels: keys.map((key) => report.nameOf(name, key)),
    amounts: keys.map((key) => figures[name].of(key).amount.number),
  };
}

function addHead(
  page: PageBuilder,
  { language }: FinanceReport,
  { title, number, what }: Readonly<Record<'title' | 'number' | 'what', string>>,
): void {
  page.add(textCell(title, 'heading', 5));
  page.add(
    textCell(number, 'head'),
    textCell(what, 'head'),
    textCell(FINANCE_WORDS.events[language], 'figure-head'),
    textCell(FINANCE_WORDS.revenue[language], 'figure-head'),
    textCell(FINANCE_WORDS.share[language], 'figure-head'),
  );
}

/** What a row of a table is of: by what the events are added up, and the table's last row. */
interface ShareRow {
  readonly sum: CountedAmount;
  readonly where: readonly Criterion[];
  readonly last: number;
}

function addShare(
  page: PageBuilder,
  { cited, figures }: FinanceReport,
  names: readonly (PageCell | null)[],
  { sum, where, last }: ShareRow,
): void {
  const row = page.next;
  page.add(
    ...names,
    figureCell(sum.count, { formula: cited.events.countIf(where), format: COUNT }),
    figureCell(sum.amount, { formula: cited.events.sumIf('revenue', where) }),
    figureCell(shareOf(sum.amount, figures.events.revenue.sum), {
      formula: `IF(D$${last + 1}=0,0,D${row}/D$${last + 1})`,
      format: SHARE,
    }),
  );
}

function addTotals(page: PageBuilder, { language, figures }: FinanceReport, first: number): void {
  const last = page.next - 1;
  const { count, revenue } = figures.events;
  page.add(
    textCell('', 'total-label'),
    textCell(FINANCE_WORDS.total[language], 'total-label'),
    figureCell(count, { formula: columnSum('C', first, last), format: COUNT, look: 'total' }),
    figureCell(revenue.sum, { formula: columnSum('D', first, last), look: 'total' }),
    figureCell(shareOf(revenue.sum, revenue.sum), {
      formula: `IF(D${last + 1}=0,0,1)`,
      format: SHARE,
      look: 'total',
    }),
  );
}

/** So many months or years stand side by side. */
const ACROSS = 12;

/** Some of the months or years, and what they and their total are called. */
interface MatrixPart {
  readonly stretches: readonly Stretch[];
  readonly heading: string;
  readonly total: string;
  /** Over their column, which is narrow: of two lines where they are not all. */
  readonly totalHead: string;
}

/** Revenue by location and month or year, twelve side by side; of but one there is nothing to set side by side. */
function addMatrix(page: PageBuilder, report: FinanceReport): void {
  const { across } = report.timelines;
  if (across.stretches.length < 2) return;
  const keys = keysByAmount(report.figures.locations);
  for (const part of partsOf(report)) {
    addPart(page, report, keys, part);
    page.skip();
  }
}

/** A total of some of the months must not be taken for that of all. */
function partsOf({ language, timelines: { across } }: FinanceReport): MatrixPart[] {
  const { unit, stretches } = across;
  const [heading, total] = [FINANCE_WORDS.matrix[unit][language], FINANCE_WORDS.total[language]];
  if (stretches.length <= ACROSS) return [{ stretches, heading, total, totalHead: total }];
  return Array.from({ length: Math.ceil(stretches.length / ACROSS) }, (_, at) => {
    const some = stretches.slice(at * ACROSS, (at + 1) * ACROSS);
    const when = stretchesText(some, unit, language);
    return {
      ...{ stretches: some, heading: `${heading}: ${when}`, total: `${total} ${when}` },
      totalHead: `${total} ${when.replace(' – ', '\n– ')}`,
    };
  });
}

function addPart(
  page: PageBuilder,
  report: FinanceReport,
  keys: readonly GroupKey[],
  { stretches, heading, total, totalHead }: MatrixPart,
): void {
  const { language, figures, cited, definition } = report;
  const { unit } = report.timelines.across;
  const { member, title } = definition.events.location;
  page.add(textCell(heading, 'heading', 3 + stretches.length));
  const head = page.next;
  const all = columnLetters(2 + stretches.length);
  page.add(
    textCell(FINANCE_WORDS.number[language], 'head'),
    textCell(title[language], 'head'),
    ...stretches.map((stretch) => stretchCell(stretch, unit, { language, look: 'figure-head' })),
    textCell(totalHead, 'figure-head'),
  );
  const first = page.next;
  for (const key of keys) {
    const row = page.next;
    const amounts = stretches.map(({ months }) => figures.revenueIn(key, months));
    page.add(
      ...nameCells(report, 'locations', key),
      ...stretches.map((stretch, at) => {
        const time = within(stretch, unit, `${columnLetters(3 + at)}$${head}`);
        const formula = cited.events.sumIf('revenue', [[member, criterionOf(key, row)], ...time]);
        return figureCell(figures.revenueIn(key, stretch.months), { formula });
      }),
      figureCell(
        sumOver(amounts, (amount) => amount),
        { formula: `SUM(C${row}:${all}${row})`, look: 'strong' },
      ),
    );
  }
  const last = page.next - 1;
  const sums = stretches.map(({ months }) => figures.sumIn(months).amount);
  sums.push(sumOver(sums, (sum) => sum));
  page.add(
    textCell('', 'total-label'),
    textCell(total, 'total-label'),
    ...sums.map((sum, at) =>
      figureCell(sum, { look: 'total', formula: columnSum(columnLetters(3 + at), first, last) }),
    ),
  );
}

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
  page.add(textCell(FINANCE_WORDS.title[language], 'title', columns));
  page.add(textCell(periodText(report.kind, language), 'subtitle', columns));
  page.add(
    textCell(
      `${context.serviceName} · ${FINANCE_WORDS.made[language]} ${momentText(made)}`,
      'subtitle',
      columns,
    ),
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
  page.add(textCell(FINANCE_WORDS.counted[language], 'heading', columns));
  for (const text of countedTexts(report)) page.add(textCell(text[language], 'sentence', columns));
  const over = { column: CHART.column, row: top, columns: columns - CHART.column + 1, rows: chartRows };
  const number = figureWidth(page.rows, WIDTHS.number);
  return {
    widths: [WIDTHS.id, WIDTHS.name, ...Array<number>(columns - 2).fill(number)],
    rows: page.rows,
    chart: time.labels.length > 1 ? timeChart(time, report, over) : locationChart(locations, report, over),
    footer: `${FINANCE_WORDS.title[language]} · ${periodText(report.kind, language)}`,
  };
}

const timeChart = (
  placed: PlacedTable,
  { language, timelines: { across } }: FinanceReport,
  over: WrittenChart['over'],
): WrittenChart => ({
  ...{ title: FINANCE_WORDS.over[across.unit][language], bars: 'standing', over },
  ...chartCells(placed, language, placed.labels.length),
});

/** Null where there is none. */
function locationChart(
  placed: PlacedTable,
  { language, definition }: FinanceReport,
  over: WrittenChart['over'],
): WrittenChart | null {
  const all = placed.labels.length;
  if (all === 0) return null;
  const title = FINANCE_WORDS.by[language](definition.events.location.title[language].toLowerCase());
  const some = all > BARS ? `: ${FINANCE_WORDS.largest[language](BARS)}` : '';
  return {
    ...{ title: `${title}${some}`, bars: 'lying', over },
    ...chartCells(placed, language, Math.min(BARS, all)),
  };
}

function chartCells(
  { firstRow, labelColumn, amountColumn, labels, amounts, labelFormat }: PlacedTable,
  language: Language,
  count: number,
): Pick<WrittenChart, 'categories' | 'amounts'> {
  return {
    categories: {
      ...{ column: labelColumn, firstRow, format: labelFormat },
      values: labels.slice(0, count),
    },
    amounts: {
      ...{ column: amountColumn, firstRow, format: '#,##0', name: FINANCE_WORDS.revenue[language] },
      values: amounts.slice(0, count),
    },
  };
}
