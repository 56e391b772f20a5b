import { columnLetters } from '../../../schema/cell.ts';
import type { GroupKey } from './figures.ts';
import { byAmount, columnSum, monthCell, nameCells, over, type Placed } from './overview-cells.ts';
import { figure, type PageBuilder, said } from './page-builder.ts';
import type { FinanceReport } from './report.ts';
import { PAGE_WORDS } from './texts.ts';

/** So many months stand side by side. */
const ACROSS = 12;

/** Revenue by location and month, twelve months side by side. Answers where the first of its parts stands. */
export function addMatrix(page: PageBuilder, report: FinanceReport): Placed {
  const { months, figures } = report;
  const keys = byAmount(figures.locations);
  let placed: Placed | undefined;
  for (let at = 0; at < Math.max(1, months.length); at += ACROSS) {
    const some = months.slice(at, at + ACROSS);
    const part = addPart(page, report, keys, some);
    placed ??= {
      ...{ firstRow: part, labelColumn: 2, amountColumn: 3 + some.length, labelFormat: 'General' },
      labels: keys.map((key) => report.nameOf('locations', key)),
      amounts: keys.map((key) => over(some, (month) => figures.revenueOf(key, month)).number),
    };
    page.skip();
  }
  return placed as Placed;
}

function addPart(
  page: PageBuilder,
  report: FinanceReport,
  keys: readonly GroupKey[],
  months: readonly (string | null)[],
): number {
  const { language, figures, cited, definition } = report;
  const { member } = definition.events.location;
  const title = definition.events.location.title[language];
  page.add(said(PAGE_WORDS.matrix[language], 'heading', 3 + months.length));
  const head = page.next;
  const all = columnLetters(2 + months.length);
  page.add(
    said(PAGE_WORDS.number[language], 'head'),
    said(title, 'head'),
    ...months.map((month) => monthCell(month, report, 'figure-head')),
    said(PAGE_WORDS.total[language], 'figure-head'),
  );
  const first = page.next;
  for (const key of keys) {
    const row = page.next;
    page.add(
      ...nameCells(report, 'locations', key),
      ...months.map((month, at) =>
        figure(figures.revenueOf(key, month), {
          formula: cited.events.sumIf('revenue', [
            [member, `$A${row}`],
            ['month', `${columnLetters(3 + at)}$${head}`],
          ]),
        }),
      ),
      figure(
        over(months, (month) => figures.revenueOf(key, month)),
        { formula: `SUM(C${row}:${all}${row})`, look: 'strong' },
      ),
    );
  }
  const last = page.next - 1;
  const sums = [...months.map((month) => figures.months.of(month).amount)];
  sums.push(over(sums, (sum) => sum));
  page.add(
    said('', 'total-label'),
    said(PAGE_WORDS.total[language], 'total-label'),
    ...sums.map((sum, at) =>
      figure(sum, { look: 'total', formula: columnSum(columnLetters(3 + at), first, last) }),
    ),
  );
  return first;
}
