import type { BigNumber } from 'bignumber.js';
import { decimalOf, ZERO } from '../core/codecs/number.ts';
import { type Bilingual, t } from '../core/language.ts';
import { BOOLEAN_WORDS } from '../core/row-text.ts';
import { shownMinute } from '../core/shown-moment.ts';
import { serviceText } from '../run/service-text.ts';
import type { PageCell, WrittenChart, WrittenPage } from '../xlsx/write/written-book.ts';
import { type FinanceReport, type FinanceTotals, periodText } from './finance-report.ts';
import { MONTHS, monthSerial, NONE } from './finance-rows.ts';
import { COUNT, figureCell, figureWidth, headCells, PageBuilder, textCell } from './page-cells.ts';

const WORDS = {
  title: t('Revenue', 'Omzet'),
  made: t('made on', 'gemaakt op'),
  result: t('From records to revenue', 'Van records naar omzet'),
  count: t('Number', 'Aantal'),
  amount: t('Amount', 'Bedrag'),
  lines: t('Arrangements', 'Arrangementen'),
  trips: t('Trips in the period', 'Ritten in de periode'),
  elsewhere: t('Less: trips of other events', 'Af: ritten van andere evenementen'),
  excluded: t('Less: events without revenue', 'Af: evenementen zonder omzet'),
  revenueOf: t('Revenue of the events', 'Omzet van de evenementen'),
  tripCosts: t('Cost of the trips', 'Kosten van de ritten'),
  bookings: t('The same, line by line in Bookings', 'Hetzelfde, regel voor regel in Boekingen'),
  by: t('Revenue by', 'Omzet per'),
  month: t('Month', 'Maand'),
  number: t('No.', 'Nr.'),
  events: t('Events', 'Evenementen'),
  revenue: t('Revenue', 'Omzet'),
  share: t('Share', 'Aandeel'),
  total: t('Total', 'Totaal'),
  counted: t('How it was counted', 'Hoe er is geteld'),
} as const;

/** A figure, and the formula that it is the result of. */
type Worked<T> = readonly [T, string];

/** From the records to the revenue: what was added up and what was left out, line by line. */
function addResult(page: PageBuilder, report: FinanceReport): void {
  const { language, figures, cited, definition } = report;
  const { events, lines, trips } = cited;
  const { noRevenue, resource } = definition.events;
  const { price, cost } = figures.trips;
  const without = [noRevenue, `"${BOOLEAN_WORDS[language][0]}"`] as const;
  page.add(
    ...[textCell('', 'head'), textCell(WORDS.result[language], 'head')],
    ...headCells([WORDS.count, WORDS.amount], language),
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
  line(WORDS.lines, [figures.lines.count, lineCount], [figures.lines.amount, lines.total('line-total')]);
  line(WORDS.trips, [price.count, tripCount], [price.amount, tripSum]);
  const { elsewhere } = figures;
  line(
    WORDS.elsewhere,
    [elsewhere.count, `${tripCount}-${events.total('trip-count')}`],
    [elsewhere.amount.negated(), `${events.total('trips')}-${tripSum}`],
  );
  const withoutSum = `${events.sumIf('arrangements', without)}+${events.sumIf('trips', without)}`;
  line(
    WORDS.excluded,
    [figures.noRevenue.count, events.countIf(without)],
    [figures.noRevenue.amount.negated(), `-(${withoutSum})`],
  );
  const { count, amount } = figures.events;
  const sum = `SUM(D${first}:D${page.next - 1})`;
  line(WORDS.revenueOf, [count, events.total(resource.id, 'COUNTA')], [amount, sum], true);
  const { bookings } = figures;
  line(
    WORDS.bookings,
    [bookings.count, cited.bookings.total('id', 'COUNTA')],
    [bookings.amount, cited.bookings.total('total')],
  );
  page.skip();
  const costs = definition.trips.cost;
  const costCount = cost.count - cost.lacking;
  line(WORDS.tripCosts, [costCount, trips.total(costs, 'COUNT')], [cost.amount, trips.total(costs)]);
}

const SHARE = '0.0%';

/** A table of revenue by one of the totals: events, amount, and the share of the whole. Tells its first row. */
function addRevenue(page: PageBuilder, report: FinanceReport, by: keyof FinanceTotals): number {
  const { language, figures, cited, definition, totals } = report;
  const { location, type, manager } = definition.events;
  const group = { months: null, locations: location, types: type, managers: manager }[by];
  const what = (group?.title ?? WORDS.month)[language];
  page.add(textCell(`${WORDS.by[language]} ${what.toLowerCase()}`, 'heading', 5));
  page.add(
    ...[textCell(group === null ? '' : WORDS.number[language], 'head'), textCell(what, 'head')],
    ...headCells([WORDS.events, WORDS.revenue, WORDS.share], language),
  );
  const { count, amount } = figures.events;
  const shareOf = (part: BigNumber): number => (amount.isZero() ? 0 : part.dividedBy(amount).toNumber());
  const firstRow = page.next;
  const total = firstRow + totals[by].length;
  for (const { key, name, ...sum } of totals[by]) {
    const row = page.next;
    const part = decimalOf(sum.amount) ?? ZERO;
    const where = group === null ? (['month', `$B${row}`] as const) : ([group.member, `$A${row}`] as const);
    const id: PageCell = { value: key ?? NONE[language], look: 'muted', format: '0' };
    const month = { value: key === null ? name : monthSerial(String(key)), format: MONTHS[language] };
    page.add(
      ...(group === null ? [textCell(''), { ...month, look: 'label' as const }] : [id, textCell(name)]),
      figureCell(sum.count, { formula: cited.events.countIf(where), format: COUNT }),
      figureCell(part, { formula: cited.events.sumIf('revenue', where) }),
      figureCell(shareOf(part), { formula: `IF(D$${total}=0,0,D${row}/D$${total})`, format: SHARE }),
    );
  }
  const look = 'total';
  const sumOf = (column: string): string =>
    total === firstRow ? '0' : `SUM(${column}${firstRow}:${column}${total - 1})`;
  page.add(
    ...[textCell('', 'total-label'), textCell(WORDS.total[language], 'total-label')],
    figureCell(count, { formula: sumOf('C'), format: COUNT, look }),
    figureCell(amount, { formula: sumOf('D'), look }),
    figureCell(shareOf(amount), { formula: `IF(D${total}=0,0,1)`, format: SHARE, look }),
  );
  return firstRow;
}

/** Wide enough for the chart beside the first tables. */
const COLUMNS = 12;
const WIDTHS = { id: 9, name: 36, number: 13.5 } as const;
/** The first column of the chart, and its rows at least and at most. */
const CHART = { column: 6, least: 15, most: 22 } as const;
/** Locations in a chart, at most. */
const BARS = 12;

/** The first sheet: revenue by month, location, type and manager, by formulas over the other sheets. */
export function overviewPage(report: FinanceReport): WrittenPage {
  const { language, context, made, scope } = report;
  const page = new PageBuilder();
  page.add(textCell(WORDS.title[language], 'title', COLUMNS));
  page.add(textCell(periodText(scope, language), 'subtitle', COLUMNS));
  const origin = `${serviceText(context.serviceName)[language]} · ${WORDS.made[language]} ${shownMinute(made)[language]}`;
  page.add(textCell(origin, 'subtitle', COLUMNS));
  page.skip();
  const top = page.next;
  addResult(page, report);
  page.skip();
  const months = addRevenue(page, report, 'months');
  const chartRows = Math.min(CHART.most, Math.max(CHART.least, page.next - top));
  page.skip(Math.max(1, top + chartRows + 1 - page.next));
  const locations = addRevenue(page, report, 'locations');
  for (const by of ['types', 'managers'] as const) {
    page.skip();
    addRevenue(page, report, by);
  }
  page.skip();
  page.add(textCell(WORDS.counted[language], 'heading', COLUMNS));
  for (const text of [...scopeTexts(report), ...report.notes])
    page.add(textCell(text[language], 'sentence', COLUMNS));
  const over = { column: CHART.column, row: top, columns: COLUMNS - CHART.column + 1, rows: chartRows };
  const number = figureWidth(page.rows, WIDTHS.number);
  return {
    widths: [WIDTHS.id, WIDTHS.name, ...Array<number>(COLUMNS - 2).fill(number)],
    rows: page.rows,
    chart: chartOf(report, { months, locations }, over),
    footer: `${WORDS.title[language]} · ${periodText(scope, language)}`,
  };
}

/** Revenue by month, or by location where there is one month only; null where there are no events. */
function chartOf(
  { language, definition, totals }: FinanceReport,
  firstRows: Readonly<Record<'months' | 'locations', number>>,
  over: WrittenChart['over'],
): WrittenChart | null {
  // Events that have no day are not in it.
  const months = totals.months.filter(({ key }) => key !== null);
  const byMonth = months.length > 1;
  const shown = byMonth ? months : totals.locations.slice(0, BARS);
  if (shown.length === 0) return null;
  const [firstRow, what, format] = byMonth
    ? [firstRows.months, WORDS.month, MONTHS[language]]
    : [firstRows.locations, definition.events.location.title, 'General'];
  return {
    title: `${WORDS.by[language]} ${what[language].toLowerCase()}`,
    ...{ bars: byMonth ? 'standing' : 'lying', over },
    categories: {
      ...{ column: 2, firstRow, format },
      values: shown.map(({ key, name }) => (byMonth ? monthSerial(String(key)) : name)),
    },
    amounts: {
      ...{ column: 4, firstRow, format: '#,##0', name: WORDS.revenue[language] },
      values: shown.map(({ amount }) => Number(amount)),
    },
  };
}

/** How every export of these events is counted. */
function scopeTexts({ definition, scope }: FinanceReport): Bilingual[] {
  const { lines, trips } = definition;
  return [
    t(
      `Revenue of an event: its arrangements (${lines.quantity} × ${lines.price}) and its trips of the period (${trips.price}). The interface gives no amount of an event itself.`,
      `Omzet van een evenement: de arrangementen ervan (${lines.quantity} × ${lines.price}) en de ritten ervan in de periode (${trips.price}). De interface geeft geen bedrag van een evenement zelf.`,
    ),
    t(
      'Amounts are as the service gives them, added up in decimals and not rounded; the interface does not say whether VAT is included.',
      'Bedragen zijn zoals het systeem ze geeft, decimaal opgeteld en niet afgerond; de interface zegt niet of er btw in zit.',
    ),
    scope.all
      ? t(
          'All events of the period, whatever their status.',
          'Alle evenementen van de periode, wat hun status ook is.',
        )
      : t('Only the definitive events of the period.', 'Alleen de definitieve evenementen van de periode.'),
  ];
}
