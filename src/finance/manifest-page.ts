import type { BigNumber } from 'bignumber.js';
import { decimalOf, ZERO } from '../core/decimal.ts';
import { type Bilingual, t } from '../core/language.ts';
import { shownMinute } from '../core/shown-moment.ts';
import { visibleLine } from '../core/visible-text.ts';
import { serviceText } from '../run/service-text.ts';
import type { PageCell, WrittenPage } from '../xlsx/write/written-book.ts';
import { RECORD_SHEETS, type RecordSheet, SUM_NAMES } from './export-snapshot.ts';
import type { FinanceReport } from './finance-report.ts';
import { AMOUNT } from './finance-rows.ts';
import { FINANCE_WORDS, periodText } from './finance-texts.ts';
import { COUNT, figureCell, figureWidth, headCells, PageBuilder, textCell } from './page-cells.ts';

/** The words on the manifest. */
const WORDS = {
  service: t('Service', 'Systeem'),
  period: t('Period', 'Periode'),
  made: t('Made on', 'Gemaakt op'),
  hash: t('Fingerprint (SHA-256)', 'Vingerafdruk (SHA-256)'),
  hashMeans: t(
    'Made of what the service said of every record (the numbers of locations and customers, not the names looked up for them) and of what each comes to. The same records give the same fingerprint, whatever the language of the workbook and the order of its rows; the next export of this period on this computer compares with it. It is no checksum of this file: it does not change with it, and cannot be worked out from its cells. Sums that are no longer as made show below.',
    'Gemaakt van wat het systeem over elk record zei (de nummers van locaties en relaties, niet de namen die erbij zijn gezocht) en van wat elk record bedraagt. Dezelfde records geven dezelfde vingerafdruk, in welke taal de werkmap ook is en hoe de rijen ook staan; de volgende export van deze periode op deze computer vergelijkt ermee. Het is geen controlegetal van dit bestand: het verandert er niet mee en is niet uit de cellen te berekenen. Sommen die niet meer zijn als bij het maken, staan hieronder.',
  ),
  contents: t('What this workbook holds', 'Wat er in deze werkmap staat'),
  sheet: t('Sheet', 'Werkblad'),
  what: t('What', 'Wat'),
  rows: t('Rows', 'Rijen'),
  written: t('As made', 'Bij het maken'),
  now: t('Now', 'Nu'),
  difference: t('Difference', 'Verschil'),
  lineTotals: t('Line totals', 'Regeltotalen'),
  prices: t('Prices', 'Prijzen'),
  costs: t('Costs', 'Kosten'),
  distance: t('Kilometres', 'Kilometers'),
  changes: t(
    'Since the last finance export of this period',
    'Sinds de vorige financiële export van deze periode',
  ),
  first: t(
    'No earlier finance export of this period from this service is known on this computer.',
    'Op deze computer is geen eerdere financiële export van deze periode van dit systeem bekend.',
  ),
  since: t('Last export', 'Vorige export'),
  added: t('added', 'erbij'),
  removed: t('removed', 'weg'),
  changed: t('changed', 'gewijzigd'),
  was: t('Then', 'Toen'),
  is: t('Now', 'Nu'),
  record: t('Record', 'Record'),
  columns: t('What changed', 'Wat er wijzigde'),
  more: { en: (count: number) => `And ${count} more.`, nl: (count: number) => `En nog ${count}.` },
  sums: {
    revenue: t('Revenue', 'Omzet'),
    arrangements: t('Arrangements', 'Arrangementen'),
    tripPrices: t('Trips: prices', 'Ritten: prijzen'),
    tripCosts: t('Trips: costs', 'Ritten: kosten'),
    distance: t('Trips: kilometres', 'Ritten: kilometers'),
  },
} as const;

const COLUMNS = 7;

/** The last sheet: the workbook's origin and contents, and what changed since the last export. */
export function manifestPage(report: FinanceReport): WrittenPage {
  const { language, definition, context, scope, made, hash } = report;
  const page = new PageBuilder();
  page.add(textCell(definition.manifest[language], 'title', COLUMNS));
  page.skip();
  const facts: readonly (readonly [string, string])[] = [
    [WORDS.service[language], serviceText(context.serviceName)[language]],
    [WORDS.period[language], periodText(scope, language)],
    [WORDS.made[language], shownMinute(made)[language]],
    [WORDS.hash[language], hash],
  ];
  for (const [name, value] of facts) page.add(textCell(name), textCell(value, 'label', COLUMNS - 1));
  page.add(null, textCell(WORDS.hashMeans[language], 'sentence', COLUMNS - 1));
  page.skip();
  addContents(page, report);
  page.skip();
  addChanges(page, report);
  return {
    widths: [26, 40, ...Array<number>(3).fill(figureWidth(page.rows, 18)), 2, 44],
    rows: page.rows,
    chart: null,
    footer: `${definition.manifest[language]} · ${periodText(scope, language)}`,
  };
}

/** Rows and sums as written, beside formulas of what the workbook holds now. */
function addContents(page: PageBuilder, report: FinanceReport): void {
  const { language, cited, definition, figures } = report;
  const { events, trips } = figures;
  page.add(textCell(WORDS.contents[language], 'heading', COLUMNS));
  page.add(
    ...headCells([WORDS.sheet, WORDS.what], language, 'head'),
    ...headCells([WORDS.written, WORDS.now, WORDS.difference], language),
  );
  const lines: readonly (readonly [RecordSheet, Bilingual, was: BigNumber | number, column: string])[] = [
    ['events', WORDS.rows, events.revenue.count, definition.events.resource.id],
    ['events', FINANCE_WORDS.revenue, events.revenue.amount, 'revenue'],
    ['lines', WORDS.rows, figures.lines.count, definition.lines.resource.parent],
    ['lines', WORDS.lineTotals, figures.lines.amount, 'line-total'],
    ['trips', WORDS.rows, trips.price.count, definition.trips.resource.id],
    ['trips', WORDS.prices, trips.price.amount, definition.trips.price],
    ['trips', WORDS.costs, trips.cost.amount, definition.trips.cost],
    ['trips', WORDS.distance, trips.distance.amount, definition.trips.distance],
    ['mutations', WORDS.rows, figures.mutations.count, 'at'],
  ];
  for (const [sheet, what, was, column] of lines) {
    const [by, format] = what === WORDS.rows ? (['COUNTA', COUNT] as const) : (['SUM', AMOUNT] as const);
    const row = page.next;
    page.add(
      ...[textCell(definition[sheet].name[language]), textCell(what[language])],
      figureCell(was, { format }),
      figureCell(was, { formula: cited[sheet].total(column, by), format }),
      figureCell(0, { formula: `ROUND(D${row}-C${row},6)`, format }),
    );
  }
}

function addChanges(page: PageBuilder, report: FinanceReport): void {
  const { language, changes, definition, sums } = report;
  page.add(textCell(WORDS.changes[language], 'heading', COLUMNS));
  if (changes === null) {
    page.add(textCell(WORDS.first[language], 'sentence', COLUMNS));
    return;
  }
  const { since, counts, records } = changes;
  page.add(
    textCell(WORDS.since[language]),
    textCell(`${shownMinute(since.at)[language]} · ${since.file}`, 'label', COLUMNS - 1),
  );
  page.add(textCell(WORDS.hash[language]), textCell(since.hash, 'label', COLUMNS - 1));
  page.skip();
  page.add(
    ...[textCell(WORDS.sheet[language], 'head'), textCell('', 'head')],
    ...headCells([WORDS.added, WORDS.removed, WORDS.changed], language),
  );
  for (const sheet of RECORD_SHEETS) {
    const { added, removed, changed } = counts[sheet];
    const cells = [added, removed, changed].map((count) => figureCell(count, { format: COUNT }));
    page.add(textCell(definition[sheet].name[language]), textCell(''), ...cells);
  }
  page.skip();
  const compared = headCells([WORDS.was, WORDS.is, WORDS.difference], language);
  page.add(textCell(WORDS.what[language], 'head', 2), null, ...compared);
  for (const name of SUM_NAMES) {
    const label = textCell(WORDS.sums[name][language], 'label', 2);
    page.add(label, null, ...comparison(page.next, since.sums[name], sums[name]));
  }
  if (records.length === 0) return;
  page.skip();
  page.add(
    ...headCells([WORDS.sheet, WORDS.record], language, 'head'),
    ...compared,
    ...[textCell('', 'head'), textCell(WORDS.columns[language], 'head')],
  );
  for (const [at, { sheet, key, label, what, was, now }] of records.entries()) {
    const called = label === undefined ? key : `${visibleLine(label)} (${key})`;
    const changed = report.changedTexts[at] ?? '';
    page.add(
      textCell(definition[sheet].name[language]),
      textCell(`${called} · ${WORDS[what][language]}`),
      ...comparison(page.next, was, now),
      ...(changed === '' ? [] : [null, textCell(changed, 'sentence')]),
    );
  }
  const all = Object.values(counts).flatMap((one) => Object.values(one));
  const more = all.reduce((sum, count) => sum + count, 0) - records.length;
  if (more > 0) page.add(textCell(WORDS.more[language](more), 'sentence', COLUMNS));
}

/** An amount then and now, in columns C and D, and the difference. */
function comparison(row: number, was: string | null, now: string | null): PageCell[] {
  const [then, is] = [decimalOf(was), decimalOf(now)];
  const difference = (is ?? ZERO).minus(then ?? ZERO);
  return [figureCell(then), figureCell(is), figureCell(difference, { formula: `D${row}-C${row}` })];
}
