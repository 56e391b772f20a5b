import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ImportWorkbookOptions } from '../../../src/index.ts';
import { makeWorkbook, PACKAGE_HEADER, packageRows } from '../../helpers/make-workbook.ts';
import { openWorld } from '../../promises/world.ts';

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

/** A world, and reports of its imports of one file: new packages, changed ones, hostile names, prices that are none. */
export async function openReports(fresh = 4) {
  const world = openWorld({ company: 'lookups' });
  const { service, folder, machine } = world;
  const known = packageRows(4, 500_000).slice(1) as (string | number | boolean)[][];
  for (const row of known)
    service.add.package(Object.fromEntries(PACKAGE_HEADER.map((name, at) => [name, row[at] ?? null])));
  const changed = known.map((row, at) => (at === 3 ? row : row.with(3, 99.5 + at)));
  const named = (first: number, texts: readonly string[], price?: string) =>
    texts.map((text, at) => [
      first + at,
      price === undefined ? text : `Zonder ${at}`,
      1,
      price === undefined ? 10 : text,
      true,
    ]);
  const rows = [...changed, ...named(510_000, HOSTILE), ...named(520_000, ['twaalf', 'abc'], 'bad')];
  const file = await makeWorkbook(join(folder, FILE), {
    Pakketten: [[...PACKAGE_HEADER], ...rows, ...packageRows(fresh).slice(1)],
  });
  const report = join(folder, 'verslag.html');
  const options = { ...machine(), report, lang: 'en' } as const;
  return {
    ...{ ...world, file, options, report },
    send: (more: object = {}) => world.importWorkbook(file, { ...options, ...more } as ImportWorkbookOptions),
    page: (): string => readFileSync(report, 'utf8'),
  };
}

/** The rows of a page as they are read: outcome, row, and all its text. */
export function rowsOf(page: string): { outcome: string; row: number; text: string }[] {
  const text = (markup: string): string =>
    markup.replace(/<[^>]+>/g, '').replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => SIGNS[name] ?? '');
  return [...page.matchAll(/<summary[^>]*>(.*?) \([\d,.]+\)<\/summary>([\s\S]*?)<\/details>/g)].flatMap(
    ([, outcome = '', lines = '']) =>
      [...lines.matchAll(/<tr id="[^"]*?-(\d+)">([\s\S]*?)<\/tr>/g)].map(([, row, line = '']) => ({
        ...{ outcome, row: Number(row), text: text(line) },
      })),
  );
}

const SIGNS: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
