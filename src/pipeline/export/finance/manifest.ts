import type { FinanceSheet } from '../../../schema/finance.ts';
import type { Language } from '../../../schema/value.ts';
import type { PageCell, WrittenPage } from '../../../workbook/write/written-page.ts';
import { Exact } from './exact.ts';
import type { Changed } from './finance-changes.ts';
import { AMOUNT } from './finance-rows.ts';
import { MANIFEST_WORDS as WORDS } from './manifest-words.ts';
import { COUNT, figure, figureWidth, PageBuilder, said } from './page-builder.ts';
import { RECORD_SHEETS, type RecordSheet, SUM_NAMES } from './remembered.ts';
import type { FinanceReport } from './report.ts';
import { momentText, PAGE_WORDS, periodText } from './texts.ts';

const COLUMNS = 7;

/** The last sheet: what this workbook is, what it holds, and what changed since the last one of the same days. */
export function manifestPage(report: FinanceReport): WrittenPage {
  const { language, definition, context, kind, made, hash } = report;
  const page = new PageBuilder();
  page.add(said(definition.manifest[language], 'title', COLUMNS));
  page.skip();
  const facts: readonly (readonly [string, string])[] = [
    [WORDS.service[language], context.serviceName],
    [WORDS.period[language], periodText(kind, language)],
    [WORDS.made[language], momentText(made)],
    [WORDS.hash[language], hash],
  ];
  for (const [name, value] of facts) page.add(said(name), said(value, 'label', COLUMNS - 1));
  page.add(null, said(WORDS.hashMeans[language], 'sentence', COLUMNS - 1));
  page.skip();
  addContents(page, report);
  page.skip();
  addChanges(page, report);
  return {
    widths: [26, 40, ...Array<number>(3).fill(figureWidth(page.rows, 18)), 2, 44],
    rows: page.rows,
    chart: null,
    footer: `${definition.manifest[language]} · ${periodText(kind, language)}`,
  };
}

/** Rows and sums as they were written, beside what the workbook holds now. */
function addContents(page: PageBuilder, report: FinanceReport): void {
  const { language, cited, definition, figures } = report;
  const { events, lines, trips, mutations } = cited;
  const { price, cost, distance } = definition.trips;
  page.add(said(WORDS.contents[language], 'heading', COLUMNS));
  page.add(
    said(WORDS.sheet[language], 'head'),
    said(WORDS.what[language], 'head'),
    ...[WORDS.written, WORDS.now, WORDS.difference].map((word) => said(word[language], 'figure-head')),
  );
  const line = (sheet: RecordSheet, what: string, was: Exact, formula: string, format = AMOUNT): void => {
    const row = page.next;
    page.add(
      said(definition[sheet].name[language]),
      said(what),
      figure(was, { format }),
      figure(was, { formula, format }),
      figure(Exact.ZERO, { formula: `ROUND(D${row}-C${row},6)`, format }),
    );
  };
  const rows = (sheet: RecordSheet, count: number, formula: string): void =>
    line(sheet, WORDS.rows[language], Exact.of(count) ?? Exact.ZERO, formula, COUNT);
  const { resource } = definition.events;
  rows('events', figures.events.count, events.count(resource.id));
  line('events', PAGE_WORDS.revenue[language], figures.events.revenue.sum, events.sum('revenue'));
  rows('lines', figures.lines.count, lines.count(definition.lines.resource.parent));
  line('lines', WORDS.lineTotals[language], figures.lines.sum, lines.sum('line-total'));
  rows('trips', figures.trips.count, trips.count(definition.trips.resource.id));
  line('trips', WORDS.prices[language], figures.trips.price.sum, trips.sum(price));
  line('trips', WORDS.costs[language], figures.trips.cost.sum, trips.sum(cost));
  line('trips', WORDS.distance[language], figures.trips.distance.sum, trips.sum(distance));
  rows('mutations', figures.mutations.count, mutations.count('at'));
}

function addChanges(page: PageBuilder, report: FinanceReport): void {
  const { language, changes, definition, sums } = report;
  page.add(said(WORDS.changes[language], 'heading', COLUMNS));
  if (changes === null) {
    page.add(said(WORDS.first[language], 'sentence', COLUMNS));
    return;
  }
  const { since, counts, listed } = changes;
  page.add(
    said(WORDS.since[language]),
    said(`${momentText(since.at)} · ${since.file}`, 'label', COLUMNS - 1),
  );
  page.add(said(WORDS.hash[language]), said(since.hash, 'label', COLUMNS - 1));
  page.skip();
  page.add(
    said(WORDS.sheet[language], 'head'),
    said('', 'head'),
    ...(['added', 'removed', 'changed'] as const).map((what) => said(WORDS[what][language], 'figure-head')),
  );
  for (const sheet of RECORD_SHEETS) {
    const { added, removed, changed } = counts[sheet];
    const cells = [added, removed, changed].map((count) => figure(count, { format: COUNT }));
    page.add(said(definition[sheet].name[language]), said(''), ...cells);
  }
  page.skip();
  page.add(
    said(WORDS.what[language], 'head', 2),
    null,
    ...[WORDS.was, WORDS.is, WORDS.difference].map((word) => said(word[language], 'figure-head')),
  );
  for (const name of SUM_NAMES)
    page.add(
      said(WORDS.sums[name][language], 'label', 2),
      null,
      ...comparison(page.next, Exact.of(since.sums[name]), Exact.of(sums[name])),
    );
  addListed(page, report, listed);
}

function addListed(page: PageBuilder, report: FinanceReport, listed: readonly Changed[]): void {
  const { language, changes, definition } = report;
  if (listed.length === 0) return;
  page.skip();
  page.add(
    said(WORDS.sheet[language], 'head'),
    said(WORDS.record[language], 'head'),
    ...[WORDS.was, WORDS.is, WORDS.difference].map((word) => said(word[language], 'figure-head')),
    said('', 'head'),
    said(WORDS.columns[language], 'head'),
  );
  for (const { sheet, key, what, columns, was, now } of listed) {
    const headers = columns.map((column) => headerOf(definition[sheet], column, language));
    page.add(
      said(definition[sheet].name[language]),
      said(`${key} · ${WORDS[what][language]}`),
      ...comparison(page.next, was, now),
      ...(headers.length === 0 ? [] : [null, said(headers.join(', '), 'sentence')]),
    );
  }
  const all = Object.values(changes?.counts ?? {}).flatMap((counts) => Object.values(counts));
  const more = all.reduce((sum, count) => sum + count, 0) - listed.length;
  if (more > 0) page.add(said(WORDS.more[language](more), 'sentence', COLUMNS));
}

/** What a column is called where people read it: by the name of what it is the id of, where both stand there. */
function headerOf({ columns }: FinanceSheet, column: string, language: Language): string {
  const same = columns.filter(({ member, worked, told }) => [member, worked, told].includes(column));
  return (same.find(({ names }) => names !== undefined) ?? same[0])?.header[language] ?? column;
}

/** What an amount was and is, in the third and fourth column, and the difference. */
function comparison(row: number, was: Exact | null, now: Exact | null): PageCell[] {
  const cell = (amount: Exact | null): PageCell =>
    amount === null ? { value: null, look: 'figure', format: AMOUNT } : figure(amount);
  const difference = (now ?? Exact.ZERO).minus(was ?? Exact.ZERO);
  return [cell(was), cell(now), figure(difference, { formula: `D${row}-C${row}` })];
}
