import { sep } from 'node:path';
import { expect, test } from 'vitest';
import { countsTable, troubleLines } from '../../../src/cli/view/import-lines.ts';
import { broken, runByName, throughNpx } from '../../../src/cli/view/lines.ts';
import { noCounts } from '../../../src/core/counts.ts';
import { issueAt } from '../../../src/core/issue.ts';
import type { Outcome, RowResult } from '../../../src/core/plan.ts';
import { plannedRow } from '../../ledger/fixtures.ts';

test('a line breaks between words, with the rest further in, and a command to copy does not', () => {
  expect(broken('  Pakketten D3: gevonden "veel"', 18)).toEqual([
    ['plain', '  Pakketten D3:'],
    ['plain', '    gevonden'],
    ['plain', '    "veel"'],
  ]);
  const command = ['command', 'catersheet import een-lange-naam.xlsx', '  '] as const;
  expect(broken(command, 18)).toEqual([command]);
});

test('records that are created and counts that are posted stand in columns of their own', () => {
  const sheets = [
    { sheet: 'Pakketten', resource: 'packages', counts: { ...noCounts(), read: 3, created: 2, invalid: 1 } },
    { sheet: 'Telling', resource: 'stock-count', counts: { ...noCounts(), read: 4, created: 4 } },
  ];
  expect(countsTable(sheets, false, 'en')).toEqual([
    '  Sheet      rows  created  posted  invalid',
    '  Pakketten     3        2       0        1',
    '  Telling       4        0       4        0',
    '  Total         7        2       4        1',
  ]);
  expect(countsTable(sheets, true, 'nl')[0]).toMatch(/aan te maken +te boeken/);
});

const both = (text: string) => ({ en: text, nl: text });
const price = issueAt(
  { code: 'service-refused', found: '', hint: 'Te hoog.' },
  { field: 'Verkoopprijs', address: 'D12' },
);

test.each<[string, Partial<Outcome> | null, string | RegExp | undefined]>([
  [
    'a refused field by its cell',
    { message: both('The given data was invalid.'), issues: [price] },
    '  Pakketten 12: mislukt: The given data was invalid. D12 Verkoopprijs: Het systeem weigert dit: Te hoog. Verbeter het, en importeer het bestand opnieuw.',
  ],
  [
    'a refusal without fields as it was said',
    { message: both('Niet toegestaan.') },
    '  Pakketten 12: mislukt: Niet toegestaan.',
  ],
  [
    'what is unknown before its cells',
    { status: 'unknown', message: both('stil'), issues: [price] },
    /12: onbekend: stil; D12/,
  ],
  ['nothing of a row that is fine', { status: 'created' }, undefined],
  ['nothing of a row that was not sent', null, undefined],
])('what needs attention tells %s', async (_, told, line) => {
  const planned = { ...plannedRow(0), row: 12, issues: [], message: null };
  const outcome = told && {
    seq: 0,
    status: 'failed' as const,
    id: null,
    message: null,
    issues: [],
    at: null,
    ...told,
  };
  async function* rows(): AsyncGenerator<RowResult> {
    yield { planned, outcome };
  }
  const [shown] = await troubleLines(rows(), false, 'nl');
  if (line instanceof RegExp) expect(shown).toMatch(line);
  else expect(shown).toBe(line);
});

test.each([
  ['/usr/local/bin/catersheet', undefined, '/home/jan', true],
  ['/home/jan/.npm/_npx/1/node_modules/.bin/catersheet', 'npx', '/home/jan', false],
  ['/home/jan/catersheet/dist/catersheet.js', undefined, '/home/jan/catersheet/docs', false],
  ['/home/jan/catersheet/dist/catersheet.js', undefined, '/home/jan/catersheet-2', true],
])('started as %s by %s in %s the program is found by its name: %s', (script, event, folder, found) => {
  const environment = event === undefined ? {} : { npm_lifecycle_event: event };
  expect(runByName(script.replaceAll('/', sep), environment, folder.replaceAll('/', sep))).toBe(found);
});

test('commands to copy begin with npx where that finds the program, and nothing else does', () => {
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
