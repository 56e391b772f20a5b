import { sep } from 'node:path';
import { expect, test } from 'vitest';
import { broken, runByName, throughNpx } from '../../../src/cli/view/lines.ts';
import { countsTable } from '../../../src/cli/view/problems.ts';
import { noCounts } from '../../../src/core/counts.ts';
import type { Line } from '../../../src/core/standard-streams.ts';

test.each<[Line, Line[]]>([
  [
    '  Pakketten D3: gevonden "veel", verwacht een getal',
    ['  Pakketten D3: gevonden "veel",', '    verwacht een getal'],
  ],
  [
    ['red', 'Het bestand prijzen.xlsx bestaat nog niet.'],
    [
      ['red', 'Het bestand prijzen.xlsx bestaat', ''],
      ['red', 'nog niet.', '  '],
    ],
  ],
  [
    ['plain', '4 namen: Soepen, Salades, Barbecue', '  ok  lijst  '],
    [
      ['plain', '4 namen: Soepen,', '  ok  lijst  '],
      ['plain', 'Salades, Barbecue', '             '],
    ],
  ],
  [
    ['command', 'catersheet import een-lange-naam.xlsx --as packages', '  '],
    [['command', 'catersheet import een-lange-naam.xlsx --as packages', '  ']],
  ],
])('%j is broken between words, with the rest further in', (line, lines) => {
  expect(broken(line, 32)).toEqual(lines);
});

test('counts that are too wide for the screen follow one another, sheet by sheet', () => {
  const counts = { ...noCounts(), read: 12, created: 3, unchanged: 8, invalid: 1 };
  const sheets = [{ sheet: 'Pakketten', resource: 'packages', counts }];
  const wording = { would: false, language: 'nl' } as const;
  expect(countsTable(sheets, { ...wording, width: 60 })).toEqual([
    '  Werkblad   rijen  aangemaakt  ongewijzigd  ongeldig',
    '  Pakketten     12           3            8         1',
  ]);
  expect(countsTable(sheets, { ...wording, width: 40 })).toEqual([
    '  Pakketten: 12 rijen, 3 aangemaakt, 8 ongewijzigd, 1 ongeldig',
  ]);
});

test.each([
  ['stock-count', 'posted', 'geboekt', 'te boeken'],
  ['stock-mutations', 'posted', 'geboekt', 'te boeken'],
  ['invoices', 'fetched', 'opgehaald', 'op te halen'],
  ['documents', 'uploaded', 'geüpload', 'te uploaden'],
  ['events', 'created', 'aangemaakt', 'aan te maken'],
])('what became of %s is counted as %s', (resource, en, nl, would) => {
  const sheets = [{ sheet: 'Lijst', resource, counts: { ...noCounts(), read: 2, created: 2 } }];
  const head = (language: 'en' | 'nl', dryRun: boolean) =>
    countsTable(sheets, { would: dryRun, language, width: null })[0]?.trim().split(/ {2,}/);
  expect(head('en', false)).toEqual(['Sheet', 'rows', en]);
  expect(head('nl', false)).toEqual(['Werkblad', 'rijen', nl]);
  expect(head('nl', true)).toEqual(['Werkblad', 'rijen', would]);
});

test('records that are created and counts that are posted stand in columns of their own', () => {
  const created = { ...noCounts(), read: 3, created: 2, invalid: 1 };
  const sheets = [
    { sheet: 'Pakketten', resource: 'packages', counts: created },
    { sheet: 'Telling', resource: 'stock-count', counts: { ...noCounts(), read: 4, created: 4 } },
  ];
  expect(countsTable(sheets, { would: false, language: 'en', width: null })).toEqual([
    '  Sheet      rows  created  posted  invalid',
    '  Pakketten     3        2       0        1',
    '  Telling       4        0       4        0',
    '  Total         7        2       4        1',
  ]);
});

test.each([
  ['/usr/local/bin/catersheet', undefined, '/home/jan', true],
  ['/home/jan/.npm/_npx/1/node_modules/.bin/catersheet', 'npx', '/home/jan', false],
  ['/home/jan/catersheet/dist/catersheet.js', 'start', '/home/jan/catersheet', false],
  ['/home/jan/catersheet/dist/catersheet.js', undefined, '/home/jan/catersheet/docs', false],
  ['/home/jan/catersheet/dist/catersheet.js', undefined, '/home/jan/catersheet-2', true],
  ['/usr/lib/node_modules/catersheet/dist/catersheet.js', undefined, '/usr/lib', true],
  ['/home/jan/app/server.js', undefined, '/home/jan/app', true],
])('started as %s by %s in %s the program is found by its name: %s', (script, event, folder, found) => {
  const own = script.replaceAll('/', sep);
  const environment = event === undefined ? {} : { npm_lifecycle_event: event };
  expect(runByName(own, environment, folder.replaceAll('/', sep))).toBe(found);
});

test('commands to copy begin with npx where that finds the program, and nothing else does', () => {
  expect(throughNpx(['command', 'catersheet undo 1', '  '])).toEqual([
    'command',
    'npx catersheet undo 1',
    '  ',
  ]);
  expect(throughNpx('Zie catersheet --help, of `catersheet check`.')).toBe(
    'Zie npx catersheet --help, of `npx catersheet check`.',
  );
  for (const plain of [
    'catersheet.config.json',
    '/opt/catersheet import',
    'npx catersheet runs',
    'catersheet 0.2',
  ])
    expect(throughNpx(plain)).toBe(plain);
});
