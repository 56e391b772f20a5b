import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDesk, openGatedDesk, paramsOf, type TestDesk } from '../../desk/open-desk.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';

const HEADERS = ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'];

async function plannedPackages(desk: TestDesk, rows: number, name = 'pakketten.xlsx'): Promise<string> {
  const lines = Array.from({ length: rows }, (_, at) => [71_001 + at, 'Buffet', `Buffet ${at}`, 10]);
  const file = await makeWorkbook(join(desk.service.folder, name), { Pakketten: [HEADERS, ...lines] });
  const draft = await desk.bring(file);
  expect((await desk.planned(draft)).state).toBe('done');
  return draft;
}

const runOf = async (desk: TestDesk, draft: string): Promise<string> => (await desk.plan(draft)).run;

/** The amounts that the service has for the packages of these tests. */
const pricesOf = async (desk: TestDesk): Promise<unknown[]> =>
  (await desk.service.records('package'))
    .filter(({ ExternalID }) => Number(ExternalID) > 71_000)
    .map(({ Verkoopprijs }) => Verkoopprijs);

test('corrections that come at once are all kept, and a plan is sent once, however often that is asked for', async () => {
  const desk = await openDesk();
  const draft = await plannedPackages(desk, 4);
  const params = paramsOf(draft);
  const correct = (row: number) => {
    const corrections = [{ sheet: 'Pakketten', row, column: 4, text: `${row},50` }];
    return desk.ask('correct', { ...params, corrections });
  };
  await Promise.all([2, 3, 4, 5].map(correct));
  expect((await desk.plan(draft)).corrections).toBe(4);
  await desk.planned(draft);
  const sending = { ...paramsOf(draft), deletes: 0 };
  const answers = await Promise.all([1, 2, 3].map(() => desk.fetch('send', sending)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  const sent = answers.find(({ ok }) => ok) ?? expect.fail('nothing was sent');
  const { job } = (await sent.json()) as { job: Parameters<TestDesk['ended']>[0] };
  expect((await desk.ended(job)).state).toBe('done');
  expect(await pricesOf(desk)).toEqual([2.5, 3.5, 4.5, 5.5]);
});

test('a plan that was not sent goes by its file alone, once it is as it was shown', async () => {
  const desk = await openDesk();
  const draft = await plannedPackages(desk, 1);
  const params = paramsOf(draft);
  const old = await runOf(desk, draft);
  const corrections = [{ sheet: 'Pakketten', row: 2, column: 4, text: '99' }];
  await desk.ask('correct', { ...params, corrections });
  const { rows } = await desk.ask('rows', { run: old });
  expect(rows[0]?.changes?.find(({ field }) => field === 'Verkoopprijs')?.to).toBe(99);
  const refused = async (run: string) => (await desk.fetch('send', { run, deletes: 0 })).status;
  expect((await desk.ask('run', { run: old })).run).toMatchObject({ stale: true, open: false });
  expect(await refused(old)).toBe(409);

  await desk.planned(draft);
  const run = await runOf(desk, draft);
  expect(run).not.toBe(old);
  // The plan from before is gone.
  expect(await refused(old)).toBe(400);
  expect(await pricesOf(desk)).toEqual([]);
  const { job } = await desk.ask('send', { run, deletes: 0 });
  expect((await desk.ended(job)).state).toBe('done');
  expect(await pricesOf(desk)).toEqual([99]);
});

test('records are deleted by a run only where so many are agreed to, also for what is left of it', async () => {
  const { desk, gate } = await openGatedDesk({ concurrency: 1 });
  const made = await plannedPackages(desk, 6);
  const sent = await desk.ask('send', { ...paramsOf(made), deletes: 0 });
  await desk.ended(sent.job);
  const back = await desk.ended((await desk.ask('takeBack', { run: await runOf(desk, made) })).job);
  const undo = back.source ?? '';
  const { jobs } = await desk.ask('news', { since: 0 });
  for (const job of jobs) if (job.source === undo) await desk.ended(job);
  const { drafts } = await desk.ask('home');
  const run = drafts.find((one) => one.run.source === undo)?.run.run ?? '';
  expect((await desk.ask('run', { run })).deletes).toBe(6);
  for (const body of [{}, { deletes: 5 }, { deletes: 7 }]) {
    const refused = await desk.fetch('send', { run, deletes: 0, ...body });
    expect([refused.status, await refused.text()]).toEqual([
      409,
      expect.stringContaining('Deleting was not agreed to'),
    ]);
  }
  expect(await pricesOf(desk)).toHaveLength(6);

  const isHalfway = gate.shut(2);
  const first = (await desk.ask('send', { run, deletes: 6 })).job;
  await isHalfway;
  await desk.ask('stopJob', { job: first.id });
  gate.open();
  expect((await desk.ended(first)).state).toBe('stopped');
  const { deletes, run: paused } = await desk.ask('run', { run });
  expect(paused.state).toBe('interrupted');
  expect(deletes).toBe(6 - (paused.counts?.deleted ?? 0));
  expect(deletes).toBeGreaterThan(0);
  expect((await desk.fetch('send', { run })).status).toBe(409);
  await desk.ended((await desk.ask('send', { run, deletes })).job);
  expect(await pricesOf(desk)).toEqual([]);
});
