import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReportHead, ReportRow } from '../../../src/import/report/report-row.ts';
import { type ImportWorkbookOptions, importWorkbook } from '../../../src/index.ts';
import { makeWorkbook, PACKAGE_HEADER, packageRows } from '../../helpers/make-workbook.ts';
import type { TestService } from '../../helpers/test-service.ts';

type CellInput = string | number | boolean | null;

/** What the API needs to work with a test service. */
export function optionsFor(service: TestService): ImportWorkbookOptions {
  return {
    ...{ baseUrl: service.url, token: service.token },
    ledger: join(service.folder, 'ledger.db'),
    log: join(service.folder, 'run.log'),
  };
}

/** A name that a page must not take for more than text; no file on Windows has < in its name. */
export const FILE = process.platform === 'win32' ? 'week &lt;12.xlsx' : 'week <b>12.xlsx';

/** Texts that would do harm in a page that took them for anything but text. */
export const HOSTILE = [
  '<script>document.title = "taken"</script>',
  '</script><img src=x onerror="document.title=\'taken\'">',
  '<!--<script>',
  '\u202etxet sdrawkcab',
  '&lt;b&gt; "quoted" \'too\'',
  'Crème brûlée',
];

/** A workbook with new packages, changed ones, one that is as it was, hostile names, and prices that are none. */
export async function mixedWorkbook(service: TestService, fresh = 4): Promise<string> {
  const known = packageRows(4, 500_000).slice(1) as CellInput[][];
  const before = await makeWorkbook(join(service.folder, 'eerst.xlsx'), {
    Pakketten: [[...PACKAGE_HEADER], ...known],
  });
  await importWorkbook(before, optionsFor(service));
  const changed = known.map((row, at) => (at === 3 ? row : row.with(3, 99.5 + at)));
  const hostile = HOSTILE.map((name, at): CellInput[] => [510_000 + at, name, 1, 10, true]);
  const bad = ['twaalf', 'abc'].map((price, at): CellInput[] => [
    520_000 + at,
    `Zonder ${at}`,
    1,
    price,
    true,
  ]);
  const rows = [[...PACKAGE_HEADER], ...changed, ...hostile, ...bad, ...packageRows(fresh).slice(1)];
  return await makeWorkbook(join(service.folder, FILE), { Pakketten: rows });
}

/** A page's own data, read as its script reads it. */
export function dataOf(page: string): { head: ReportHead; rows: ReportRow[] } {
  const texts = (opening: RegExp): string[] =>
    [...page.matchAll(opening)].map(({ index, 0: { length } }) =>
      page.slice(index + length, page.indexOf('</script>', index)),
    );
  const [head = 'null'] = texts(/<script type="application\/json" id="report-head">/g);
  const parts = texts(/<script type="application\/json" class="report-rows">/g);
  return {
    head: JSON.parse(head) as ReportHead,
    rows: parts.flatMap((part) => JSON.parse(part) as ReportRow[]),
  };
}

/** A page, read. */
export function readPage(service: TestService, name = 'verslag.html'): string {
  return readFileSync(join(service.folder, name), 'utf8');
}
