import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importWorkbook } from '../../../../src/index.ts';
import { openTestService, optionsFor } from '../../../helpers/test-service.ts';

const HEADER = 'ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs';
const WAYS = '; correct those (mostly it is the same fault) and import again';

const cases: readonly {
  name: string;
  rows: (at: number) => string;
  count: number;
  counted: object;
  cut: boolean;
}[] = [
  {
    name: 'that can’t be read',
    rows: (at) => `${700_000 + at};Soep;1;veel`,
    ...{ count: 50_000, counted: { created: 0 }, cut: true },
  },
  {
    name: 'that can’t be read, behind one that can be sent',
    rows: (at) => `${700_000 + at};Soep;1;${at > 0 ? 'veel' : '1'}`,
    ...{ count: 20_000, counted: { created: 1, invalid: 19_999 }, cut: false },
  },
];

test.each(cases)('rows $name end the reading of their sheet where they are too many: $cut', async (one) => {
  const service = await openTestService();
  const file = join(service.folder, 'in.csv');
  writeFileSync(file, [HEADER, ...Array.from({ length: one.count }, (_, at) => one.rows(at))].join('\n'));
  const told: number[] = [];
  const plan = await importWorkbook(file, {
    ...optionsFor(service),
    ...{ dryRun: true, lang: 'en' },
    onProgress: ({ stage, done }) => {
      if (stage === 'reading') told.push(done);
    },
  });
  const notes = plan.sheets
    .flatMap((sheet) => sheet.notes ?? [])
    .filter((text) => text.startsWith('not read'));
  expect(plan.counts).toMatchObject(one.counted);
  expect(notes.every((text) => text.endsWith(WAYS))).toBe(true);
  expect(notes.length > 0).toBe(one.cut);
  expect(plan.counts.read < one.count).toBe(one.cut);
  // It is told how far the reading is, whatever becomes of the rows.
  expect(told.at(-1)).toBeGreaterThanOrEqual(plan.counts.read);
});
