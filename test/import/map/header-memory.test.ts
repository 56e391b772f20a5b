import { expect, test } from 'vitest';
import type { ImportWorkbookOptions } from '../../../src/api/import-workbook.ts';
import { openWorld } from '../../promises/world.ts';

const ROWS = [
  ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs', 'Opmerking'],
  [900_001, 'Lunch', 1, 15, 'koud'],
];

test.each([
  [false, [1, 0, 0, 1]],
  [true, [1, 0, 0, 1]],
])(
  'headers that are proposed are asked about once, be they taken or not (%s), until --map none',
  async (isTaken, expected) => {
    const { sheet, machine, importWorkbook } = openWorld();
    const own = machine();
    const times: number[] = [];
    const notes: unknown[] = [];
    for (const more of [{}, {}, { set: { Actief: 'ja' } }, { map: 'none' }]) {
      let asked = 0;
      const questions = {
        takeHeaders: async () => {
          asked++;
          return isTaken;
        },
        createUnnamed: async () => null,
      };
      const options = { ...own, ...more, dryRun: true, as: 'packages', questions };
      notes.push((await importWorkbook(sheet(ROWS), options as ImportWorkbookOptions)).notes);
      times.push(asked);
    }
    expect(times).toEqual(expected);
    expect(JSON.stringify(notes[1] ?? []).includes('Headers as remembered')).toBe(true);
  },
);
