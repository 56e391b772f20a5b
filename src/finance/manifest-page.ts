import type { BigNumber } from 'bignumber.js';
import { decimalOf, ZERO } from '../core/codecs/number.ts';
import { type Bilingual, t } from '../core/language.ts';
import { shownMinute } from '../core/shown-moment.ts';
import { visibleLine } from '../core/visible-text.ts';
import { serviceText } from '../run/service-text.ts';
import type { WrittenPage } from '../xlsx/write/written-book.ts';
import { type FinanceReport, periodText } from './finance-report.ts';
import { COUNT, figureCell, figureWidth, headCells, PageBuilder, textCell } from './page-cells.ts';
import { type FinanceChanges, RECORD_SHEETS, type TableSheet } from './record-changes.ts';

const WORDS = {
  service: t('Service', 'Systeem'),
  period: t('Period', 'Periode'),
  made: t('Made on', 'Gemaakt op'),
  hash: t('Fingerprint (SHA-256)', 'Vingerafdruk (SHA-256)'),
  hashMeans: t(
    'Of what the service said of every record: the same records give the same fingerprint, whatever the order and the language. It is no checksum of this file.',
    'Van wat het systeem over elk record zei: dezelfde records geven dezelfde vingerafdruk, in welke volgorde en taal ook. Het is geen controlegetal van dit bestand.',
  ),
  last: t('Last export of this period', 'Vorige export van deze periode'),
  first: t('None is known on this computer.', 'Op deze computer is er geen bekend.'),
  contents: t('What this workbook holds', 'Wat er in deze werkmap staat'),
  sheet: t('Sheet', 'Werkblad'),
  what: t('What', 'Wat'),
  rows: t('Rows', 'Rijen'),
  revenue: t('Revenue', 'Omzet'),
  lineTotals: t('Line totals', 'Regeltotalen'),
  prices: t('Prices', 'Prijzen'),
  totals: t('Totals', 'Totalen'),
  costs: t('Costs', 'Kosten'),
  distance: t('Kilometres', 'Kilometers'),
  was: t('Last export', 'Vorige export'),
  written: t('As made', 'Bij het maken'),
  now: t('Now', 'Nu'),
  difference: t('Difference', 'Verschil'),
  changes: t('What changed since the last export', 'Wat er wijzigde sinds de vorige export'),
  record: t('Record (500 at most)', 'Record (hoogstens 500)'),
  columns: t('What changed', 'Wat er wijzigde'),
  added: t('added', 'erbij'),
  removed: t('removed', 'weg'),
  changed: t('changed', 'gewijzigd'),
} as const;

const COLUMNS = 7;

/** Says which columns of the bookings are empty in every row. */
export const emptyText = (columns: string): Bilingual =>
  t(`Empty in all bookings: ${columns}.`, `Leeg in alle boekingen: ${columns}.`);

/** The last sheet: the workbook's origin and contents, and what changed since the last export. */
export function manifestPage(report: FinanceReport): WrittenPage {
  const { language, definition, context, scope, made, hash, changes } = report;
  const page = new PageBuilder();
  page.add(textCell(definition.manifest[language], 'title', COLUMNS));
  page.skip();
  const fact = (name: Bilingual, value: string): void =>
    page.add(textCell(name[language]), textCell(value, 'label', COLUMNS - 1));
  fact(WORDS.service, serviceText(context.serviceName)[language]);
  fact(WORDS.period, periodText(scope, language));
  fact(WORDS.made, shownMinute(made)[language]);
  fact(WORDS.hash, hash);
  page.add(null, textCell(WORDS.hashMeans[language], 'sentence', COLUMNS - 1));
  const since = changes?.since;
  fact(WORDS.last, since ? `${shownMinute(since.at)[language]} · ${since.file}` : WORDS.first[language]);
  if (since) fact(WORDS.hash, since.hash);
  page.skip();
  addContents(page, report);
  if (changes !== null) addChanges(page, report, changes);
  return {
    widths: [26, 40, ...Array<number>(COLUMNS - 2).fill(figureWidth(page.rows, 18))],
    rows: page.rows,
    chart: null,
    footer: `${definition.manifest[language]} · ${periodText(scope, language)}`,
  };
}

/** Rows and sums as written, beside formulas of what the workbook holds now, and what the last export held. */
function addContents(page: PageBuilder, report: FinanceReport): void {
  const { language, cited, definition, figures, changes } = report;
  const { events, lines, trips, mutations, bookings } = figures;
  const { id } = definition.trips.resource;
  page.add(textCell(WORDS.contents[language], 'heading', COLUMNS));
  page.add(
    ...headCells([WORDS.sheet, WORDS.what], language, 'head'),
    ...headCells([WORDS.written, WORDS.now, WORDS.difference], language),
    ...(changes === null ? [] : headCells([WORDS.was, WORDS.difference], language)),
  );
  const line = (
    sheet: TableSheet,
    what: Bilingual,
    now: BigNumber | number,
    column: string,
    then: BigNumber | number | null | undefined,
  ): void => {
    const row = page.next;
    const of = typeof now === 'number' ? { format: COUNT } : {};
    const formula = cited[sheet].total(column, typeof now === 'number' ? 'COUNTA' : 'SUM');
    page.add(
      ...[textCell(definition[sheet].name[language]), textCell(what[language])],
      figureCell(now, of),
      figureCell(now, { ...of, formula }),
      figureCell(0, { ...of, formula: `ROUND(D${row}-C${row},6)` }),
      ...(then === undefined || then === null
        ? []
        : [
            figureCell(then, of),
            figureCell(ZERO.plus(now).minus(then), { ...of, formula: `D${row}-F${row}` }),
          ]),
    );
  };
  const count = (sheet: TableSheet, { count }: { readonly count: number }, column: string): void => {
    const { added = 0, removed = 0 } = (sheet !== 'bookings' && changes?.counts[sheet]) || {};
    line(sheet, WORDS.rows, count, column, sheet === 'bookings' ? null : changes && count - added + removed);
  };
  const sums = changes?.since.sums;
  const then = (name: keyof NonNullable<typeof sums>) => sums && decimalOf(sums[name]);
  count('events', events, definition.events.resource.id);
  line('events', WORDS.revenue, events.amount, 'revenue', then('revenue'));
  count('lines', lines, definition.lines.resource.parent);
  line('lines', WORDS.lineTotals, lines.amount, 'line-total', then('arrangements'));
  count('trips', trips.price, id);
  line('trips', WORDS.prices, trips.price.amount, definition.trips.price, then('tripPrices'));
  line('trips', WORDS.costs, trips.cost.amount, definition.trips.cost, then('tripCosts'));
  line('trips', WORDS.distance, trips.distance.amount, definition.trips.distance, then('distance'));
  count('mutations', mutations, 'at');
  count('bookings', bookings, 'id');
  line('bookings', WORDS.totals, bookings.amount, 'total', then('revenue'));
  if (report.emptyColumns !== '')
    page.add(textCell(emptyText(report.emptyColumns)[language], 'sentence', COLUMNS));
}

/** The records that changed, the first of them in words. */
function addChanges(page: PageBuilder, report: FinanceReport, { counts, records }: FinanceChanges): void {
  const { language, definition } = report;
  page.skip();
  page.add(textCell(WORDS.changes[language], 'heading', COLUMNS));
  page.add(
    ...headCells([WORDS.sheet, WORDS.record], language, 'head'),
    ...headCells([WORDS.was, WORDS.now, WORDS.difference], language),
    textCell(WORDS.columns[language], 'head', 2),
  );
  for (const sheet of RECORD_SHEETS) {
    const said = (['added', 'removed', 'changed'] as const).map(
      (what) => `${counts[sheet][what]} ${WORDS[what][language]}`,
    );
    page.add(textCell(definition[sheet].name[language]), textCell(said.join(', ')));
  }
  for (const [at, { sheet, key, label, what, was, now }] of records.entries()) {
    const called = label === undefined ? key : `${visibleLine(label)} (${key})`;
    const [then, is] = [decimalOf(was), decimalOf(now)];
    const difference = (is ?? ZERO).minus(then ?? ZERO);
    page.add(
      textCell(definition[sheet].name[language]),
      textCell(`${called} · ${WORDS[what][language]}`),
      ...[figureCell(then), figureCell(is)],
      figureCell(difference, { formula: `D${page.next}-C${page.next}` }),
      textCell(report.changed[at] ?? '', 'sentence', 2),
    );
  }
}
