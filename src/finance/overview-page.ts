import { columnLetters } from '../core/cell.ts';
import type { Bilingual, Language } from '../core/language.ts';
import { BOOLEAN_WORDS } from '../core/row-text.ts';
import type { PageCell, WrittenChart, WrittenPage } from '../xlsx/write/written-book.ts';
import { Decimal } from './decimal.ts';
import type { CountedAmount, GroupKey } from './figures.ts';
import type { FinanceReport, GroupName } from './finance-report.ts';
import { monthSerial } from './finance-rows.ts';
import { countedTexts, FINANCE_WORDS, momentText, periodText } from './finance-texts.ts';
import type { Criterion } from './formulas.ts';
import {
  bucketCell,
  COUNT,
  columnSum,
  criterionOf,
  figureCell,
  figureWidth,
  headCells,
  keysByAmount,
  nameCells,
  PageBuilder,
  type PlacedTable,
  shareOf,
  textCell,
} from './page-cells.ts';
import { type Bucket, bucketFormat, bucketsText, type Timeline, within } from './timeline.ts';

/** From the records to the revenue: what was added up and what was left out, line by line. */
function addResult(page: PageBuilder, report: FinanceReport): void {
  const { language, figures, cited, definition, elsewhere, excluded } = report;
  const { events, lines, trips } = cited;
  const { noRevenue, resource } = definition.events;
  const { price, cost } = figures.trips;
  const flag = language === 'en' ? 'TRUE' : `"${BOOLEAN_WORDS.nl[0]}"`;
  const without: [string, string] = [noRevenue, flag];
  page.add(
    ...[textCell('', 'head'), textCell(FINANCE_WORDS.result[language], 'head')],
    ...headCells([FINANCE_WORDS.count, FINANCE_WORDS.amount], language),
  );
  const line = (
    label: Bilingual,
    [count, countFormula]: readonly [number, string],
    [amount, formula]: readonly [Decimal, string],
    look: 'figure' | 'total' = 'figure',
  ): void => {
    const labelLook = look === 'total' ? 'total-label' : 'label';
    page.add(
      textCell('', labelLook),
      textCell(label[language], labelLook),
      figureCell(count, { formula: countFormula, format: COUNT, look }),
      figureCell(amount, { formula, look }),
    );
  };
  const first = page.next;
  const [tripCount, tripSum] = [trips.count(definition.trips.resource.id), trips.sum(definition.trips.price)];
  line(
    FINANCE_WORDS.lines,
    [figures.lines.count, lines.count(definition.lines.resource.parent)],
    [figures.lines.sum, lines.sum('line-total')],
  );
  line(FINANCE_WORDS.trips, [figures.trips.count, tripCount], [price.sum, tripSum]);
  line(
    FINANCE_WORDS.elsewhere,
    [elsewhere.count, `${tripCount}-${events.sum('trip-count')}`],
    [Decimal.ZERO.minus(elsewhere.amount), `${events.sum('trips')}-${tripSum}`],
  );
  line(
    FINANCE_WORDS.excluded,
    [figures.noRevenue.count, events.countIf([without])],
    [
      Decimal.ZERO.minus(excluded),
      `-(${events.sumIf('arrangements', [without])}+${events.sumIf('trips', [without])})`,
    ],
  );
  line(
    FINANCE_WORDS.revenueOf,
    [figures.events.count, events.count(resource.id)],
    [figures.events.revenue.sum, `SUM(D${first}:D${page.next - 1})`],
    'total',
  );
  page.skip();
  line(
    FINANCE_WORDS.tripCosts,
    [cost.count - cost.lacking, trips.countNumbers(definition.trips.cost)],
    [cost.sum, trips.sum(definition.trips.cost)],
  );
}

const SHARE = '0.0%';

/** Revenue by month or year: events, amount, and the share of the whole. */
function addTimeTable(
  page: PageBuilder,
  report: FinanceReport,
  { unit, buckets, leftOut }: Timeline,
): PlacedTable {
  const { language, figures } = report;
  const title = FINANCE_WORDS.over[unit][language];
  addHead(page, report, { title, number: '', what: FINANCE_WORDS[unit][language] });
  const firstRow = page.next;
  const last = firstRow + buckets.length - 1;
  for (const bucket of buckets) {
    const cells = [textCell(''), bucketCell(bucket, unit, { language, look: 'label' })];
    const where = within(bucket, unit, `$B${page.next}`);
    addShare(page, report, cells, { sum: figures.sumIn(bucket.months), where, last });
  }
  addTotals(page, report, firstRow);
  if (leftOut) page.add(textCell(FINANCE_WORDS.leftOut[unit][language], 'sentence', 5));
  const dated = buckets.filter(({ start }) => start !== null);
  return {
    ...{ firstRow, labelColumn: 2, amountColumn: 4, labelFormat: bucketFormat(unit, language) },
    labels: dated.map(({ start }) => monthSerial(start ?? '')),
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
    ...headCells([FINANCE_WORDS.events, FINANCE_WORDS.revenue, FINANCE_WORDS.share], language),
  );
}

/** A row of a table: the criteria of its events, and the table's last row. */
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

/** Months or years side by side, at most. */
const ACROSS = 12;

/** Some of the buckets, and the words over them. */
interface MatrixPart {
  readonly buckets: readonly Bucket[];
  readonly heading: string;
  readonly total: string;
  /** The head of the total's narrow column: two lines where the buckets are not all. */
  readonly totalHead: string;
}

/** Revenue by location and month or year, twelve side by side; nothing where there is only one. */
function addMatrix(page: PageBuilder, report: FinanceReport): void {
  const { across } = report.timelines;
  if (across.buckets.length < 2) return;
  const keys = keysByAmount(report.figures.locations);
  for (const part of partsOf(report)) {
    addPart(page, report, keys, part);
    page.skip();
  }
}

/** Names each part's range, so that its total is not taken for that of all. */
function partsOf({ language, timelines: { across } }: FinanceReport): MatrixPart[] {
  const { unit, buckets } = across;
  const [heading, total] = [FINANCE_WORDS.matrix[unit][language], FINANCE_WORDS.total[language]];
  if (buckets.length <= ACROSS) return [{ buckets, heading, total, totalHead: total }];
  return Array.from({ length: Math.ceil(buckets.length / ACROSS) }, (_, at) => {
    const some = buckets.slice(at * ACROSS, (at + 1) * ACROSS);
    const when = bucketsText(some, unit, language);
    return {
      ...{ buckets: some, heading: `${heading}: ${when}`, total: `${total} ${when}` },
      totalHead: `${total} ${when.replace(' – ', '\n– ')}`,
    };
  });
}

function addPart(
  page: PageBuilder,
  report: FinanceReport,
  keys: readonly GroupKey[],
  { buckets, heading, total, totalHead }: MatrixPart,
): void {
  const { language, figures, cited, definition } = report;
  const { unit } = report.timelines.across;
  const { member, title } = definition.events.location;
  page.add(textCell(heading, 'heading', 3 + buckets.length));
  const head = page.next;
  const all = columnLetters(2 + buckets.length);
  page.add(
    textCell(FINANCE_WORDS.number[language], 'head'),
    textCell(title[language], 'head'),
    ...buckets.map((bucket) => bucketCell(bucket, unit, { language, look: 'figure-head' })),
    textCell(totalHead, 'figure-head'),
  );
  const first = page.next;
  for (const key of keys) {
    const row = page.next;
    const amounts = buckets.map(({ months }) => figures.revenueIn(key, months));
    page.add(
      ...nameCells(report, 'locations', key),
      ...buckets.map((bucket, at) => {
        const time = within(bucket, unit, `${columnLetters(3 + at)}$${head}`);
        const formula = cited.events.sumIf('revenue', [[member, criterionOf(key, row)], ...time]);
        return figureCell(amounts[at] ?? Decimal.ZERO, { formula });
      }),
      figureCell(Decimal.sum(amounts), { formula: `SUM(C${row}:${all}${row})`, look: 'strong' }),
    );
  }
  const last = page.next - 1;
  const sums = buckets.map(({ months }) => figures.sumIn(months).amount);
  sums.push(Decimal.sum(sums));
  page.add(
    textCell('', 'total-label'),
    textCell(total, 'total-label'),
    ...sums.map((sum, at) =>
      figureCell(sum, { look: 'total', formula: columnSum(columnLetters(3 + at), first, last) }),
    ),
  );
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
  const { language, context, made, timelines } = report;
  const page = new PageBuilder();
  const columns = Math.max(LEAST_COLUMNS, 3 + Math.min(ACROSS, timelines.across.buckets.length));
  page.add(textCell(FINANCE_WORDS.title[language], 'title', columns));
  page.add(textCell(periodText(report.scope, language), 'subtitle', columns));
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
    chart: chartOf(report, time, locations, over),
    footer: `${FINANCE_WORDS.title[language]} · ${periodText(report.scope, language)}`,
  };
}

/** Revenue over time, or by location where there is one bucket only; null where there are no events. */
function chartOf(
  { language, definition, timelines: { across } }: FinanceReport,
  time: PlacedTable,
  locations: PlacedTable,
  over: WrittenChart['over'],
): WrittenChart | null {
  if (time.labels.length > 1) {
    const title = FINANCE_WORDS.over[across.unit][language];
    return { ...{ title, bars: 'standing', over }, ...chartCells(time, language) };
  }
  const all = locations.labels.length;
  if (all === 0) return null;
  const title = FINANCE_WORDS.by[language](definition.events.location.title[language].toLowerCase());
  const some = all > BARS ? `: ${FINANCE_WORDS.largest[language](BARS)}` : '';
  return { ...{ title: `${title}${some}`, bars: 'lying', over }, ...chartCells(locations, language, BARS) };
}

function chartCells(
  { firstRow, labelColumn, amountColumn, labels, amounts, labelFormat }: PlacedTable,
  language: Language,
  count = labels.length,
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
