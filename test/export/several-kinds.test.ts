import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { EXIT } from '../../src/core/errors.ts';
import { exportRecords, importWorkbook } from '../../src/index.ts';
import { arrangements } from '../../src/resources/arrangements.ts';
import { events } from '../../src/resources/events.ts';
import { packages } from '../../src/resources/packages.ts';
import { recipes } from '../../src/resources/recipes.ts';
import { trips } from '../../src/resources/trips.ts';
import { runCli, tempFolder } from '../helpers/run-cli.ts';
import { serviceOnly } from '../helpers/service-options.ts';
import { openTestService, optionsFor } from '../helpers/test-service.ts';
import { rewriteSheet } from '../import/baseline/fixtures.ts';
import { plannerService } from './planner-service.ts';

const YEARS = ['--from', '2020-01-01', '--to', '2035-12-31'];

test('several kinds go into one workbook, which reads the events once and comes back unchanged in one import', async () => {
  const service = await openTestService();
  const kinds = ['events', 'arrangements', 'Ritten', 'packages', 'recipes', 'events'];
  const done = await service.run(['export', ...kinds, ...YEARS, '-o', 'week.xlsx', '--json']);
  expect(done).toMatchObject({ code: EXIT.ok, stderr: '' });
  const { kinds: told, sheets, notes, ...document } = JSON.parse(done.stdout);
  expect(told.map(({ sheet, records }: { sheet: string; records: number }) => [sheet, records > 0])).toEqual([
    ['Evenementen', true],
    ['Arrangementen', true],
    ['Ritten', true],
    ['Pakketten', true],
    ['Recepten', true],
  ]);
  const records = told.reduce((sum: number, one: { records: number }) => sum + one.records, 0);
  expect(document).toMatchObject({ file: 'week.xlsx', resource: null, since: null, complete: true, records });
  expect(sheets.map(({ sheet }: { sheet: string }) => sheet)).toEqual(
    expect.arrayContaining(['planning', 'Pakketten productLinks', 'Recepten productLinks']),
  );
  expect(notes).toContain('Pakketten: all of them, as they have no days');
  // Sixteen years are read in twenty-four lists, by both kinds that go by them.
  const { requests } = await service.log();
  expect(requests.filter(({ path }) => path.endsWith('/event/all')).length).toBeLessThanOrEqual(24);
  const { stdout } = await service.run(['import', 'week.xlsx', '--yes']);
  expect(stdout).toMatch(new RegExp(`\\n +Total +${records} +${records}\\n`));
  // Columns and sheets of the program's own are not news.
  expect(stdout).not.toMatch(/passed over|only the service/);
});

test('a workbook of several kinds tells of each what was changed, also in columns that are only shown', async () => {
  const service = await openTestService();
  const out = join(service.folder, 'samen.xlsx');
  const options = optionsFor(service);
  const period = { from: '2020-01-01', to: '2035-12-31' };
  await exportRecords([trips, recipes, packages], { ...serviceOnly(options), ...period, out });
  let was: unknown;
  await rewriteSheet(out, 'Pakketten', ([first, ...rows]) => {
    was = first?.Artikelnummer;
    return first === undefined ? rows : [{ ...first, Verkoopprijs: 1, Artikelnummer: 'nieuw' }, ...rows];
  });
  const { rows, counts } = await importWorkbook(out, options);
  expect(counts).toMatchObject({ updated: 1, unchanged: counts.read - 1 });
  const warned = rows.flatMap(({ issues = [] }) => issues).filter(({ code }) => code === 'cell-not-sent');
  expect(warned.map(({ field, found }) => [field, found])).toEqual([
    ['Artikelnummer', `${was ?? ''} → nieuw`.trim()],
  ]);
});

test('each kind of a workbook goes on where it ended itself, with --since last', async () => {
  const service = await plannerService();
  const record = (LMT: string) => ({ Datum: '2024-06-15 00:00:00', LMT });
  service.events = [{ PartijID: 1, ...record('2024-01-02 03:04:05.678') }];
  service.trips = [{ RitID: 1, ...record('2024-01-02 03:04:05.678') }];
  const take = async (kinds: Parameters<typeof exportRecords>[0]) => {
    const wishes = { ...service.options, out: join(service.folder, 'uit.xlsx'), overwrite: true };
    const done = await exportRecords(kinds, { ...wishes, since: 'last' });
    return done.kinds.map(({ resource, records }) => `${resource} ${records}`);
  };
  expect(await take([events, trips])).toEqual(['events 1', 'trips 1']);
  service.trips.push({ RitID: 2, ...record('2024-01-03 03:04:05.678') });
  expect(await take(trips)).toEqual(['trips 1']);
  service.events.push({ PartijID: 2, ...record('2024-01-04 03:04:05.678') });
  service.trips.push({ RitID: 3, ...record('2024-01-04 03:04:05.678') });
  // A list that fails leaves both where they were.
  service.onRequest = (path) =>
    path === 'ritten/allByLMT' ? { status: 400, body: { message: 'nee' } } : undefined;
  await expect(take([events, trips])).rejects.toThrow('nee');
  service.onRequest = () => undefined;
  expect(await take([events, trips])).toEqual(['events 1', 'trips 1']);
});

const DAYS = { from: '2027-03-01', to: '2027-03-31' };

test.each<[string, Parameters<typeof exportRecords>[0], object, string, string]>([
  [
    'a CSV',
    [events, trips],
    { ...DAYS, out: 'week.csv' },
    'A file in CSV holds one kind of records, not Evenementen, Ritten.',
    'Name a workbook',
  ],
  [
    'stdout',
    [events, trips],
    { ...DAYS, out: '-', format: 'ndjson' },
    'A file in NDJSON holds one kind of records',
    'Name a workbook',
  ],
  [
    'a kind without a moment',
    [trips, arrangements],
    { since: 'last' },
    'An export of Arrangementen takes no --since.',
    'Leave it out',
  ],
  [
    'a period that none has',
    [packages, recipes],
    DAYS,
    'An export of Pakketten takes no --from D --to D.',
    'Leave it out',
  ],
  [
    'a declaration that none has',
    [events, trips],
    { ...DAYS, declaration: true },
    'An export of Evenementen takes no --declaration.',
    'Leave it out',
  ],
])('several kinds in one export are refused with a next step: %s', async (_, kinds, wishes, says, next) => {
  const service = await plannerService();
  await expect(exportRecords(kinds, { ...service.options, ...wishes })).rejects.toMatchObject({
    exit: EXIT.usage,
    texts: { message: { en: expect.stringContaining(says) }, next: { en: expect.stringContaining(next) } },
  });
  expect(service.asked).toEqual([]);
});

test('finance and other kinds in one export are refused with a next step', async () => {
  const done = await runCli(['export', 'events', 'finance', ...YEARS], { cwd: tempFolder() });
  expect(done).toMatchObject({
    code: EXIT.usage,
    stderr: expect.stringContaining('Export the others apart'),
  });
});

test('an export of no kind at all is refused, and the declaration is of the kinds that have one', async () => {
  const service = await openTestService();
  const out = join(service.folder, 'samen.xlsx');
  const options = { ...serviceOnly(optionsFor(service)), out, from: '2020-01-01', to: '2035-12-31' };
  await expect(exportRecords([], options)).rejects.toThrow('No kind of records is named.');
  const { notes } = await exportRecords([arrangements, recipes], { ...options, declaration: true });
  expect(notes.join('\n')).not.toContain('--declaration asks for it');
});

test('a kind goes to a stream as it goes to a file', async () => {
  const service = await openTestService();
  const options = serviceOnly(optionsFor(service));
  const out = join(service.folder, 'p.ndjson');
  const written = await exportRecords('packages', { ...options, out });
  const stream = new PassThrough();
  const read = text(stream);
  const done = await exportRecords('packages', { ...options, stream, format: 'ndjson' });
  stream.end();
  expect(await read).toBe(readFileSync(out, 'utf8'));
  expect(done).toMatchObject({ file: null, format: 'ndjson', records: written.records, complete: true });
  const both = exportRecords('stock', { ...options, stream, out: 'a.csv' });
  await expect(both).rejects.toMatchObject({
    exit: EXIT.usage,
    message: 'An export goes to a file or to a stream, not to both.',
  });
  const full = new Writable({ write: (_, __, done) => done(new Error('the disk is full')) });
  const failed = exportRecords('recipes', { ...options, stream: full });
  await expect(failed).rejects.toMatchObject({
    name: 'StopError',
    message: expect.stringContaining('the disk is full'),
  });
});
