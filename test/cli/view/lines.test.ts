import { expect, test } from 'vitest';
import { broken } from '../../../src/cli/view/lines.ts';
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
  const sheets = [{ sheet: 'Pakketten', counts }];
  const wording = { would: false, language: 'nl' } as const;
  expect(countsTable(sheets, counts, { ...wording, width: 60 })).toEqual([
    '  Werkblad   rijen  aangemaakt  ongewijzigd  ongeldig',
    '  Pakketten     12           3            8         1',
  ]);
  expect(countsTable(sheets, counts, { ...wording, width: 40 })).toEqual([
    '  Pakketten: 12 rijen, 3 aangemaakt, 8 ongewijzigd, 1 ongeldig',
  ]);
});
