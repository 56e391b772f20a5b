import type { PageCell } from '../../../workbook/write/written-page.ts';
import { monthSerial } from './finance-rows.ts';
import type { Criterion } from './formulas.ts';
import {
  byAmount,
  columnSum,
  criterionOf,
  nameCells,
  type Placed,
  share,
  stretchCell,
} from './overview-cells.ts';
import { COUNT, figure, type PageBuilder, said } from './page-builder.ts';
import type { FinanceReport, GroupName } from './report.ts';
import type { Sum } from './tally.ts';
import { PAGE_WORDS } from './texts.ts';
import { stretchFormat, type Timeline, within } from './timeline.ts';

const SHARE = '0.0%';

/** Revenue by month or year: events, amount, and the share of the whole. */
export function addTimeTable(
  page: PageBuilder,
  report: FinanceReport,
  { unit, stretches, leftOut }: Timeline,
): Placed {
  const { language, figures } = report;
  const title = PAGE_WORDS.over[unit][language];
  addHead(page, report, { title, number: '', what: PAGE_WORDS[unit][language] });
  const firstRow = page.next;
  const last = firstRow + stretches.length - 1;
  for (const stretch of stretches) {
    const cells = [said(''), stretchCell(stretch, unit, { language, look: 'label' })];
    const where = within(stretch, unit, `$B${page.next}`);
    addShare(page, report, cells, { sum: figures.sumIn(stretch.months), where, last });
  }
  addTotals(page, report, firstRow);
  if (leftOut) page.add(said(PAGE_WORDS.leftOut[unit][language], 'sentence', 5));
  const dated = stretches.filter(({ begin }) => begin !== null);
  return {
    ...{ firstRow, labelColumn: 2, amountColumn: 4, labelFormat: stretchFormat(unit, language) },
    labels: dated.map(({ begin }) => monthSerial(begin ?? '')),
    amounts: dated.map(({ months }) => figures.sumIn(months).amount.number),
  };
}

/** Revenue by location, type of event or account manager. */
export function addGroupTable(page: PageBuilder, report: FinanceReport, name: GroupName): Placed {
  const { language, figures } = report;
  const { title, member } = report.group(name);
  addHead(page, report, {
    title: PAGE_WORDS.by[language](title[language].toLowerCase()),
    ...{ number: PAGE_WORDS.number[language], what: title[language] },
  });
  const firstRow = page.next;
  const keys = byAmount(figures[name]);
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
  page.add(said(title, 'heading', 5));
  page.add(
    said(number, 'head'),
    said(what, 'head'),
    said(PAGE_WORDS.events[language], 'figure-head'),
    said(PAGE_WORDS.revenue[language], 'figure-head'),
    said(PAGE_WORDS.share[language], 'figure-head'),
  );
}

/** What a row of a table is of: by what the events are added up, and the table's last row. */
interface Shared {
  readonly sum: Sum;
  readonly where: readonly Criterion[];
  readonly last: number;
}

function addShare(
  page: PageBuilder,
  { cited, figures }: FinanceReport,
  names: readonly (PageCell | null)[],
  { sum, where, last }: Shared,
): void {
  const row = page.next;
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
