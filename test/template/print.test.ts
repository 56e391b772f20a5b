import { describe, expect, test } from 'vitest';
import { resources } from '../../src/resources/registry.ts';
import { describeColumns } from '../../src/template/columns.ts';
import { printSetup } from '../../src/xlsx/write/write-template.ts';
import { partsOf, sheetParts } from './fill-in.ts';
import { template } from './fixtures.ts';

const widths = (...all: number[]) => all.map((width) => ({ width }));

test.each<[string, { width: number }[], object]>([
  ['one column', widths(20), { fitToPage: true, fitToWidth: 1, printTitlesRow: '1:1' }],
  ['what fits at full size', widths(...Array(8).fill(16)), { fitToPage: true }],
  ['what fits at two thirds', widths(...Array(9).fill(24)), { fitToPage: true }],
  [
    'more than that',
    widths(...Array(11).fill(24)),
    { fitToPage: false, scale: 70, printTitlesColumn: 'A:B' },
  ],
  ['a wide first column', widths(90, ...Array(20).fill(20)), { fitToPage: false, printTitlesColumn: 'A:A' }],
  ['narrow columns', widths(...Array(60).fill(6)), { fitToPage: false, printTitlesColumn: 'A:J' }],
])('a template prints %s legibly', (_, columns, setup) => {
  expect(printSetup(columns)).toMatchObject(setup);
});

describe('the sheets of a template', () => {
  test('repeat their first columns on each printed page where they are too wide for one', async () => {
    const parts = await partsOf(await template('nl'));
    const book = parts.get('xl/workbook.xml') ?? '';
    const sheets = [...sheetParts(parts)];
    const wide: string[] = [];
    for (const resource of resources) {
      const described = describeColumns(resource, { language: 'nl', resources, lists: [] });
      const { printTitlesColumn } = printSetup(described.map(({ column }) => column));
      const [, part = ''] = sheets.find(([name]) => name === resource.sheet) ?? [];
      const fits = /<pageSetUpPr[^>]*fitToPage="1"/.test(parts.get(part) ?? '');
      const titles = new RegExp(`'?${resource.sheet}'?!\\$([A-Z]+):\\$([A-Z]+),`).exec(
        book.replaceAll('&apos;', "'"),
      );
      expect([fits, titles?.slice(1).join(':')], resource.sheet).toEqual([
        printTitlesColumn === undefined,
        printTitlesColumn,
      ]);
      if (!fits) wide.push(resource.sheet);
    }
    expect(wide).toEqual(['Pakketten', 'Recepten', 'Evenementen']);
  });
});
