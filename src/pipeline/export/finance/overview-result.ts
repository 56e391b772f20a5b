import { BOOLEAN_WORDS } from '../../template/cell-type.ts';
import { Exact } from './exact.ts';
import { COUNT, figure, type PageBuilder, said } from './page-builder.ts';
import type { FinanceReport } from './report.ts';
import { PAGE_WORDS } from './texts.ts';

/** From what the sheets hold to the revenue: what was added up and what was left out, line by line. */
export function addResult(page: PageBuilder, report: FinanceReport): void {
  const { language, figures, cited, definition } = report;
  const { events, lines, trips } = cited;
  const { noRevenue, resource } = definition.events;
  const words = PAGE_WORDS;
  const flag = language === 'en' ? 'TRUE' : `"${BOOLEAN_WORDS.nl[0]}"`;
  const without: [string, string] = [noRevenue, flag];
  page.add(
    said('', 'head'),
    said(words.result[language], 'head'),
    said(words.count[language], 'figure-head'),
    said(words.amount[language], 'figure-head'),
  );
  const line = (label: string, count: [number, string], amount: [Exact, string], look: 'figure' | 'total') =>
    page.add(
      said('', look === 'total' ? 'total-label' : 'label'),
      said(label, look === 'total' ? 'total-label' : 'label'),
      figure(count[0], { formula: count[1], format: COUNT, look }),
      figure(amount[0], { formula: amount[1], look }),
    );
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
    [Exact.ZERO.minus(elsewhere.amount), `${events.sum('trips')}-${trips.sum(definition.trips.price)}`],
    'figure',
  );
  line(
    words.excluded[language],
    [figures.noRevenue.count, events.countIf([without])],
    [
      Exact.ZERO.minus(excluded),
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
