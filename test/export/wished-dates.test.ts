import { join } from 'node:path';
import { expect, test } from 'vitest';
import { kindsOf } from '../../src/export/selection-options.ts';
import { exportFinance, exportRecords } from '../../src/index.ts';
import { packages } from '../../src/resources/packages.ts';
import { trips } from '../../src/resources/trips.ts';
import { plannerService } from './planner-service.ts';

const DAYS = { from: '2026-11-01', to: '2026-11-05' };

test.each<[string, object, 'nl' | 'en', object, string[]]>([
  ['ISO', DAYS, 'en', DAYS, []],
  ['dates with dots', { from: '1.11.2026', to: '5.11.2026' }, 'en', DAYS, []],
  ['a month by name', { from: '1 november 2026', to: '5 nov 2026' }, 'en', DAYS, []],
  [
    'both ways',
    { from: '1/11/2026', to: '5-11-2026' },
    'nl',
    DAYS,
    [
      '--from 1/11/2026 is gelezen als 1 november 2026; --from 2026-11-01 is maar op één manier te lezen',
      '--to 5-11-2026 is gelezen als 5 november 2026; --to 2026-11-05 is maar op één manier te lezen',
    ],
  ],
  [
    'the one as the other',
    { from: '1/11/2026', to: '30/11/2026' },
    'en',
    { from: '2026-11-01', to: '2026-11-30' },
    ['--from 1/11/2026 is gelezen als 1 november 2026', '--to 30/11/2026 is gelezen als 30 november 2026'],
  ],
  [
    'one that shows that of the locale',
    { from: '1/11/2026', to: '30/11/2026' },
    'nl',
    { from: '2026-11-01', to: '2026-11-30' },
    [],
  ],
])(
  'the days of a period are read, with a note where they are ambiguous: %s',
  (_, wishes, locale, days, said) => {
    const { kinds, notes } = kindsOf([trips], wishes, locale);
    expect(kinds).toEqual([{ resource: trips, selection: { way: 'period', days }, declaration: false }]);
    expect(notes.map(({ nl }) => nl)).toEqual(said.map((text) => expect.stringContaining(text)));
  },
);

test('an export notes how an ambiguous date was read', async () => {
  const service = await plannerService();
  const options = { ...service.options, lang: 'en' as const, locale: 'en' as const };
  const out = (name: string): string => join(service.folder, name);
  const { notes, since } = await exportRecords(packages, {
    ...{ ...options, out: out('a.csv'), since: '1/11/2026 6:00' },
  });
  expect([notes[0], since]).toEqual([
    '--since 1/11/2026 6:00 was read as 11 January 2026 06:00; --since "2026-01-11 06:00:00" can be read in one way only',
    '2026-01-11 06:00:00',
  ]);
  const period = { from: '1/11/2026', to: '2026-01-31' };
  const sums = await exportFinance({ ...options, ...period, out: out('a.xlsx') });
  expect(sums.notes[0]).toMatch(/^--from 1\/11\/2026 was read as 11 January 2026;/);
});
