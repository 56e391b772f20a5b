import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deskOn, openDesk, type TestDesk } from '../../desk/open-desk.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { postgresFolder, usePostgres } from '../../helpers/postgres.ts';
import { openTestService } from '../../helpers/test-service.ts';
import { FIRST, once, setUp, until } from '../../queue/company.ts';

const MISSING = postgresFolder() === undefined;
const server = usePostgres();

/** A company with a desk and workers on one ledger in a database, and a plan of so many packages. */
async function planned(rows: number, latency = 0) {
  const company = await setUp(server, rows, latency);
  const desk = await deskOn(company.service, { ledger: company.ledger });
  const draft = await desk.bring(company.file);
  expect((await desk.planned(draft)).state).toBe('done');
  const { run } = await desk.ask('plan', { params: { draft } });
  return { ...company, desk, draft, run };
}

const handOver = async (desk: TestDesk, draft: string, run: string) =>
  (await desk.ask('send', { params: { draft }, body: { run, deletes: 0, workers: true } })).job;
const jobOf = async (desk: TestDesk, id: string) => (await desk.ask('job', { params: { job: id } })).job;
const runOf = async (desk: TestDesk, run: string) => (await desk.ask('run', { params: { run } })).run;
const created = async (desk: TestDesk, id: string) => (await jobOf(desk, id)).outcomes.created ?? 0;

describe.skipIf(MISSING)('with PostgreSQL, a page', () => {
  test('hands a run over, is started anew, and follows it to its end and result', async () => {
    const { desk, draft, run, begin, times } = await planned(40, 40);
    expect((await desk.ask('home')).workers).toEqual({ usual: false });
    expect((await desk.ask('plan', { params: { draft } })).workers).toBe(true);
    expect(await desk.ask('workers')).toEqual({ running: 0 });
    const job = await handOver(desk, draft, run);
    expect(job).toMatchObject({ workers: 'waiting', state: 'running', kind: 'send', run, draft });
    await until(async () => (await jobOf(desk, job.id)).notes.length > 0);
    expect((await jobOf(desk, job.id)).notes).toEqual([
      `Run ${run} waits for a worker. No worker is running that is known: it waits until one is started.`,
    ]);
    // Whoever looks sees where it is, and it is sent by workers alone.
    await until(async () => (await runOf(desk, run)).workers === 'waiting');
    expect((await desk.ask('home')).runs).toMatchObject([{ run, state: 'planned', workers: 'waiting' }]);
    expect((await desk.ask('home')).drafts).toEqual([]);
    expect((await desk.fetch('goOn', { params: { run }, body: {} })).status).toBe(409);

    const next = await desk.again();
    expect((await next.ask('listJobs')).jobs).toEqual([]);
    const other = await next.fetch('send', { params: { draft }, body: { run, deletes: 0 } });
    expect([other.status, ((await other.json()) as { message: string }).message]).toEqual([
      409,
      'Workers have this run, and send it.',
    ]);
    const found = (await runOf(next, run)).job;
    expect(found).toMatchObject({ workers: 'waiting', run, draft });
    const worker = begin('worker');
    await until(async () => (await next.ask('workers')).running === 1);
    await until(async () => (await jobOf(next, found?.id ?? '')).workers === 'working');
    await until(async () => (await created(next, found?.id ?? '')) > 0);
    const done = await next.ended(found as never);
    expect(done).toMatchObject({ state: 'done', outcomes: { created: 40 }, problems: { count: 0 } });
    expect(done.file?.name).toBe('catalogus.result.xlsx');
    expect(await runOf(next, run)).toMatchObject({ state: 'done', workers: null, result: true, job: null });
    expect((await next.fetch('result', { params: { run } })).status).toBe(200);
    expect(await times()).toEqual(once(40));
    worker.send('SIGTERM');
    expect((await worker.end).code).toBe(0);
    expect(await next.ask('workers')).toEqual({ running: 0 });
  }, 120_000);
});

test('a page whose ledger is a file has no workers, and refuses to hand anything over', async () => {
  const desk = await openDesk();
  expect((await desk.ask('home')).workers).toBeNull();
  expect(await desk.ask('workers')).toEqual({ running: 0 });
  const file = await makeWorkbook(join(desk.service.folder, 'a.xlsx'), {
    Pakketten: [
      ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'],
      [FIRST, 'Buffet', 'Lentebuffet', 12.5],
    ],
  });
  const draft = await desk.bring(file);
  await desk.planned(draft);
  const plan = await desk.ask('plan', { params: { draft } });
  expect(plan.workers).toBe(false);
  const body = { run: plan.run, deletes: 0, workers: true };
  expect((await desk.fetch('send', { params: { draft }, body })).status).toBe(409);
  const { run } = await desk.ask('run', { params: { run: plan.run } });
  expect(run).toMatchObject({ state: 'planned', workers: null });
  await expect(deskOn(await openTestService(), {}, true)).rejects.toThrow('Workers need a ledger');
});
