import { columnLetters } from '../../../schema/cell.ts';
import type { GroupKey } from './figures.ts';
import { byAmount, columnSum, criterionOf, nameCells, over, stretchCell } from './overview-cells.ts';
import { figure, type PageBuilder, said } from './page-builder.ts';
import type { FinanceReport } from './report.ts';
import { PAGE_WORDS } from './texts.ts';
import { type Stretch, stretchesText, within } from './timeline.ts';

/** So many months or years stand side by side. */
export const ACROSS = 12;

/** Some of the months or years, and what they and their total are called. */
interface Part {
  readonly stretches: readonly Stretch[];
  readonly heading: string;
  readonly total: string;
  /** Over their column, which is narrow: of two lines where they are not all. */
  readonly totalHead: string;
}

/** Revenue by location and month or year, twelve side by side; of but one there is nothing to set side by side. */
export function addMatrix(page: PageBuilder, report: FinanceReport): void {
  const { across } = report.timelines;
  if (across.stretches.length < 2) return;
  const keys = byAmount(report.figures.locations);
  for (const part of partsOf(report)) {
    addPart(page, report, keys, part);
    page.skip();
  }
}

/** A total of some of the months must not be taken for that of all. */
function partsOf({ language, timelines: { across } }: FinanceReport): Part[] {
  const { unit, stretches } = across;
  const [heading, total] = [PAGE_WORDS.matrix[unit][language], PAGE_WORDS.total[language]];
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
  { stretches, heading, total, totalHead }: Part,
): void {
  const { language, figures, cited, definition } = report;
  const { unit } = report.timelines.across;
  const { member, title } = definition.events.location;
  page.add(said(heading, 'heading', 3 + stretches.length));
  const head = page.next;
  const all = columnLetters(2 + stretches.length);
  page.add(
    said(PAGE_WORDS.number[language], 'head'),
    said(title[language], 'head'),
    ...stretches.map((stretch) => stretchCell(stretch, unit, { language, look: 'figure-head' })),
    said(totalHead, 'figure-head'),
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
        return figure(figures.revenueIn(key, stretch.months), { formula });
      }),
      figure(
        over(amounts, (amount) => amount),
        { formula: `SUM(C${row}:${all}${row})`, look: 'strong' },
      ),
    );
  }
  const last = page.next - 1;
  const sums = stretches.map(({ months }) => figures.sumIn(months).amount);
  sums.push(over(sums, (sum) => sum));
  page.add(
    said('', 'total-label'),
    said(total, 'total-label'),
    ...sums.map((sum, at) =>
      figure(sum, { look: 'total', formula: columnSum(columnLetters(3 + at), first, last) }),
    ),
  );
}
