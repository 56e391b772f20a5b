import type { PageCell } from '../../../workbook/write/written-page.ts';
import { MONTHS, monthSerial } from './finance-rows.ts';
import { byAmount, columnSum, monthCell, nameCells, type Placed, share } from './overview-cells.ts';
import { COUNT, figure, type PageBuilder, said } from './page-builder.ts';
import type { FinanceReport, GroupName } from './report.ts';
import type { Sum } from './tally.ts';
import { PAGE_WORDS } from './texts.ts';

const SHARE = '0.0%';

/** Revenue by month: events, amount, and the share of the whole. */
export function addMonthTable(page: PageBuilder, report: FinanceReport): Placed {
  const { language, months, figures } = report;
  addHead(page, report, {
    title: PAGE_WORDS.byMonth[language],
    number: '',
    what: PAGE_WORDS.month[language],
  });
  const firstRow = page.next;
  const last = firstRow + months.length - 1;
  for (const month of months) {
    const cells = [said(''), monthCell(month, report, 'label')];
    addShare(page, report, cells, { sum: figures.months.of(month), column: 'month', key: 'B', last });
  }
  addTotals(page, report, firstRow);
  const known = months.filter((month) => month !== null);
  return {
    ...{ firstRow, labelColumn: 2, amountColumn: 4, labelFormat: MONTHS[language] },
    labels: known.map(monthSerial),
    amounts: known.map((month) => figures.months.of(month).amount.number),
  };
}

/** Revenue by type of event or by account manager. */
export function addGroupTable(page: PageBuilder, report: FinanceReport, name: GroupName): void {
  const { language } = report;
  const { title, member } = report.group(name);
  addHead(page, report, {
    title: PAGE_WORDS.by[language](title[language].toLowerCase()),
    ...{ number: PAGE_WORDS.number[language], what: title[language] },
  });
  const firstRow = page.next;
  const keys = byAmount(report.figures[name]);
  const last = firstRow + keys.length - 1;
  for (const key of keys)
    addShare(page, report, nameCells(report, name, key), {
      ...{ sum: report.figures[name].of(key), column: member, key: 'A', last },
    });
  addTotals(page, report, firstRow);
  page.skip();
}

function addHead(
  page: PageBuilder,
  { language }: FinanceReport,
  { title, number, what }: Readonly<Record<'title' | 'number' | 'what', string>>,
): void {
  page.add(said(title, 'heading', 5));
  page.add(
    said(number, 'head'),
    said(what, 'head'),
    said(PAGE_WORDS.events[language], 'figure-head'),
    said(PAGE_WORDS.revenue[language], 'figure-head'),
    said(PAGE_WORDS.share[language], 'figure-head'),
  );
}

/** What a row of a table is of: the column of the events that equals the cell in `key`, and the table's last row. */
interface Shared {
  readonly sum: Sum;
  readonly column: string;
  readonly key: 'A' | 'B';
  readonly last: number;
}

function addShare(
  page: PageBuilder,
  { cited, figures }: FinanceReport,
  names: readonly (PageCell | null)[],
  { sum, column, key, last }: Shared,
): void {
  const row = page.next;
  const where = [[column, `$${key}${row}`]] as const;
  page.add(
    ...names,
    figure(sum.count, { formula: cited.events.countIf(where), format: COUNT }),
    figure(sum.amount, { formula: cited.events.sumIf('revenue', where) }),
    figure(share(sum.amount, figures.events.revenue.sum), {
      formula: `IF(D$${last + 1}=0,0,D${row}/D$${last + 1})`,
      format: SHARE,
    }),
  );
}

function addTotals(page: PageBuilder, { language, figures }: FinanceReport, first: number): void {
  const last = page.next - 1;
  const { count, revenue } = figures.events;
  page.add(
    said('', 'total-label'),
    said(PAGE_WORDS.total[language], 'total-label'),
    figure(count, { formula: columnSum('C', first, last), format: COUNT, look: 'total' }),
    figure(revenue.sum, { formula: columnSum('D', first, last), look: 'total' }),
    figure(share(revenue.sum, revenue.sum), {
      formula: `IF(D${last + 1}=0,0,1)`,
      format: SHARE,
      look: 'total',
    }),
  );
}
