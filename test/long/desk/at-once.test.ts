import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { JobDocument } from '../../../src/desk/contract/documents.ts';
import { openDesk, type TestDesk } from '../../desk/open-desk.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { openTestService } from '../../helpers/test-service.ts';

const HEADERS = ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs', 'Actief'];
const PRICE = 4;

async function planned(desk: TestDesk): Promise<string> {
  const file = join(desk.service.folder, 'catalogus.xlsx');
  const rows = [71001, 71002, 71003, 71004].map((id) => [id, 'Buffet', `Buffet ${id}`, 'nnb', 'Ja']);
  await makeWorkbook(file, { Pakketten: [HEADERS, ...rows] });
  const draft = await desk.bring(file);
  expect((await desk.planned(draft)).state).toBe('done');
  return draft;
}

const correction = (row: number) => ({
  corrections: [{ sheet: 'Pakketten', row, column: PRICE, text: `${row},50` }],
});

/** A desk on the sandbox of its own, with settings in a folder of its own, and a service to choose. */
async function openHome() {
  const service = await openTestService();
  const before = { ...process.env };
  process.env.CATERSHEET_HOME = service.folder;
  delete process.env.CATERSHEET_BASE_URL;
  delete process.env.CATERSHEET_TOKEN;
  onTestFinished(() => {
    process.env = before;
  });
  const desk = await openDesk({}, { baseUrl: undefined, token: undefined, lang: undefined });
  return { desk, service };
}

test('corrections that come at once are all kept', async () => {
  const desk = await openDesk();
  const params = { draft: await planned(desk) };
  await Promise.all([2, 3, 4, 5].map((row) => desk.ask('correct', { params, body: correction(row) })));
  expect((await desk.ask('draft', { params })).draft.corrections).toBe(4);
  const { counts } = await desk.ask('planRows', { params, body: {} });
  expect(counts).toMatchObject({ created: 4, invalid: 0 });
});

test('a plan that is asked for during a correction holds it', async () => {
  const desk = await openDesk();
  const params = { draft: await planned(desk) };
  const correcting = desk.ask('correct', { params, body: correction(2) });
  const planning = desk.ask('makePlan', { params, body: {} });
  await correcting;
  expect((await desk.ended((await planning).job)).state).toBe('done');
  const { counts, stale } = await desk.ask('plan', { params });
  expect([stale, counts.created]).toEqual([false, 1]);
});

test('a plan is sent once, however often that is asked for at once', async () => {
  const desk = await openDesk();
  const params = { draft: await planned(desk) };
  await desk.ask('correct', { params, body: correction(2) });
  await desk.planned(params.draft);
  const { run, deletes } = await desk.ask('plan', { params });
  const body = { run, deletes };
  const answers = await Promise.all([1, 2, 3].map(() => desk.fetch('send', { params, body })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
});

test('a plan for another service is refused before it counts as sent, and can be made anew', async () => {
  const { desk, service } = await openHome();
  const params = { draft: await planned(desk) };
  await desk.ask('correct', { params, body: correction(2) });
  await desk.planned(params.draft);
  const { run, deletes } = await desk.ask('plan', { params });
  const { url: address, token } = service;
  await desk.ask('saveProfile', { body: { name: 'keuken', address, token } });
  await desk.ask('useProfile', { body: { profile: 'keuken' } });
  const refused = await desk.fetch('send', { params, body: { run, deletes } });
  expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('another service')]);
  expect((await desk.ask('draft', { params })).draft.stage).toBe('planned');
  expect((await desk.planned(params.draft)).state).toBe('done');
});

test('the service is not changed while a file is planned or sent', async () => {
  const { desk, service } = await openHome();
  const { url: address, token } = service;
  await desk.ask('saveProfile', { body: { name: 'keuken', address, token } });
  const params = { draft: await planned(desk) };
  const { job } = await desk.ask('makePlan', { params, body: {} });
  expect((await desk.fetch('useProfile', { body: { profile: 'keuken' } })).status).toBe(409);
  await desk.ended(job);
  await desk.ask('useProfile', { body: { profile: 'keuken' } });
});

test('settings that are broken while the program runs fail what needs them, and the program stays', async () => {
  const { desk, service } = await openHome();
  const params = { draft: await planned(desk) };
  const file = join(service.folder, 'catersheet.config.json');
  writeFileSync(file, '{');
  const asked = await desk.fetch('makePlan', { params, body: {} });
  const { job } = (await asked.json()) as { job: JobDocument };
  expect((await desk.ended(job)).state).toBe('failed');
  rmSync(file);
  expect((await desk.planned(params.draft)).state).toBe('done');
});

test('a run that is taken back twice at once gives one workbook for it', async () => {
  const desk = await openDesk();
  const draft = await desk.bring('fixtures/samples/catalogus-voorjaar.xlsx');
  await desk.planned(draft);
  const { run } = await desk.ask('plan', { params: { draft } });
  await desk.ended((await desk.ask('send', { params: { draft }, body: { run, deletes: 0 } })).job);
  const asked = await Promise.all([1, 2].map(() => desk.fetch('takeBack', { params: { run }, body: {} })));
  expect(asked.map(({ status }) => status).sort()).toEqual([200, 409]);
});
