import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT } from '../../src/core/errors.ts';
import { exportRecords } from '../../src/index.ts';
import { events } from '../../src/resources/events.ts';
import { trips } from '../../src/resources/trips.ts';
import { runCli, tempFolder } from '../helpers/run-cli.ts';
import { plannerService } from './planner-service.ts';

const YEARS = ['--from', '2020-01-01', '--to', '2035-12-31'];

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

test('finance and other kinds in one export are refused with a next step', async () => {
  const done = await runCli(['export', 'events', 'finance', ...YEARS], { cwd: tempFolder() });
  expect(done).toMatchObject({
    code: EXIT.usage,
    stderr: expect.stringContaining('Export the others apart'),
  });
});
