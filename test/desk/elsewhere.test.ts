import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { openTestService } from '../helpers/test-service.ts';
import { openDesk } from './open-desk.ts';
import { openTwo } from './two-services.ts';

test('a plan of another service says which one it is, and is neither sent nor corrected', async () => {
  const { desk, use, params, service } = await openTwo();
  const here = await desk.ask('plan', { params });
  expect(here).toMatchObject({ here: true, service: { profile: 'keuken', kind: 'real' } });
  await use('winkel');
  const plan = await desk.ask('plan', { params });
  expect(plan).toMatchObject({ here: false, service: { profile: 'keuken', address: `${service.url}/` } });
  expect((await desk.ask('run', { params: { run: plan.run } })).plan).toMatchObject({ here: false });
  const corrections = [{ sheet: 'Pakketten', row: 3, column: 4, text: '14,50' }];
  for (const asked of [
    desk.fetch('send', { params, body: { run: plan.run, deletes: 0 } }),
    desk.fetch('correct', { params, body: { corrections } }),
    desk.fetch('goOn', { params: { run: plan.run }, body: {} }),
  ]) {
    const refused = await asked;
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      {
        message: expect.stringContaining('another service (keuken)'),
        next: expect.stringContaining('keuken'),
      },
    ]);
  }
  await use(null);
  const alone = await desk.fetch('send', { params, body: { run: plan.run, deletes: 0 } });
  expect(alone.status).toBe(409);
  await use('winkel');
  await desk.planned(params.draft);
  expect(await desk.ask('plan', { params })).toMatchObject({ here: true, service: { profile: 'winkel' } });
});

test('a run of another service is neither settled nor taken back here, and the way to its service is told', async () => {
  const { desk, use, params } = await openTwo();
  const { run } = await desk.ask('plan', { params });
  await desk.ended((await desk.ask('send', { params, body: { run, deletes: 0 } })).job);
  const undo =
    (await desk.ended((await desk.ask('takeBack', { params: { run }, body: {} })).job)).draft ?? '';
  for (let busy = true; busy; await new Promise((wait) => setTimeout(wait, 20)))
    busy = (await desk.ask('listJobs')).jobs.some(({ endedAt }) => endedAt === null);
  await use('winkel');
  const jobs = (await desk.ask('listJobs')).jobs.length;
  const rows = [{ sheet: 'Pakketten', row: 2 }];
  for (const asked of [
    desk.fetch('settle', { params: { run }, body: { rows, as: 'resend' } }),
    desk.fetch('settle', { params: { run }, body: { rows, as: 'done' } }),
    desk.fetch('takeBack', { params: { run }, body: {} }),
    desk.fetch('goOn', { params: { run }, body: {} }),
    desk.fetch('again', { params, body: {} }),
    desk.fetch('makePlan', { params: { draft: undo }, body: {} }),
    desk.fetch('report', { params: { run } }),
  ]) {
    const refused = await asked;
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      {
        message: 'This run is for another service (keuken) than the one in use.',
        next: 'Choose the profile keuken under Service.',
      },
    ]);
  }
  expect((await desk.ask('listJobs')).jobs).toHaveLength(jobs);
  await use('keuken');
  expect((await desk.planned(undo)).state).toBe('done');
});

test('a run of the command line shows the name of its file, and not where that is', async () => {
  const service = await openTestService();
  const file = await makeWorkbook(join(service.folder, 'catalogus.xlsx'), {
    Pakketten: [
      ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'],
      [71001, 'Buffet', 'Lentebuffet', 12.5],
    ],
  });
  const desk = await openDesk({}, { baseUrl: service.url, token: service.token });
  const ledger = join(desk.service.folder, 'ledger.db');
  const told = await service.run(['import', file, '--dry-run', '--ledger', ledger]);
  expect(told.code).toBe(0);
  const [run] = (await desk.ask('listRuns', { query: { what: 'plans' } })).runs;
  const shown = await (await desk.fetch('run', { params: { run: run?.run ?? '' } })).text();
  expect(JSON.parse(shown)).toMatchObject({
    run: { file: 'catalogus.xlsx' },
    plan: { file: 'catalogus.xlsx' },
  });
  expect(shown).not.toContain(service.folder);
});
