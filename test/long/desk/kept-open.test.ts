import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDesk, type TestDesk } from '../../desk/open-desk.ts';
import { canCount, openFiles, until } from '../../desk/open-files.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { openTestService } from '../../helpers/test-service.ts';

const HEADERS = ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'];

/** Brings a catalogue with a price to correct and has it planned. */
async function planned(desk: TestDesk, name = 'catalogus.xlsx', rows = 4): Promise<string> {
  const lines = Array.from({ length: rows }, (_, at) => [71_001 + at, 'Buffet', `Buffet ${at}`, 'nnb']);
  const file = await makeWorkbook(join(desk.service.folder, name), { Pakketten: [HEADERS, ...lines] });
  const draft = await desk.bring(file);
  expect((await desk.planned(draft)).state).toBe('done');
  return draft;
}

const suggest = { sheet: 'Pakketten', column: 2, search: 'buf' };
const row = { sheet: 'Pakketten', row: 2 };

test('another language closes nothing under the requests that are being answered', async () => {
  const desk = await openDesk();
  const params = { draft: await planned(desk, 'catalogus.xlsx', 6000) };
  for (const language of ['nl', 'en', 'nl'] as const) {
    const looks = [1, 2, 3].map(() => desk.fetch('planRows', { params, body: { search: language } }));
    await desk.ask('chooseLanguage', { body: { language } });
    const more = [desk.fetch('home'), desk.fetch('listRuns'), desk.fetch('plan', { params })];
    const answers = await Promise.all([...looks, ...more]);
    const told = await Promise.all(answers.map(async (one) => (one.ok ? 'ok' : await one.text())));
    expect(told).toEqual(told.map(() => 'ok'));
  }
});

test.runIf(canCount)('first looks that come at once open the ledger and the checks once', async () => {
  const desk = await openDesk();
  const params = { draft: await planned(desk) };
  const again = await desk.again();
  const ledger = join(desk.service.folder, 'ledger.db');
  await Promise.all([1, 2, 3].map(() => again.fetch('home')));
  const answers = await Promise.all([1, 2, 3].map(() => again.fetch('suggest', { params, query: suggest })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  // One for the runs, and one for the checks; each has the file twice, to write and to wait for the disk.
  await until(() => openFiles(`${ledger}-wal`), 4);
  await again.close();
  await until(() => openFiles(ledger), 0);
});

test('checks of more files than are kept open at once all end well', async () => {
  const desk = await openDesk();
  const drafts: string[] = [];
  for (const name of ['a.xlsx', 'b.xlsx', 'c.xlsx', 'd.xlsx']) drafts.push(await planned(desk, name));
  const again = await desk.again();
  await again.service.faults({ latencyMs: 40 });
  const corrections = [{ sheet: 'Pakketten', row: 2, column: 4, text: '2,50' }];
  const asked = drafts.flatMap((draft) => [
    again.fetch('correct', { params: { draft }, body: { corrections } }),
    again.fetch('suggest', { params: { draft }, query: suggest }),
    again.fetch('planRow', { params: { draft }, query: row }),
  ]);
  const answers = await Promise.all(asked);
  const told = await Promise.all(answers.map(async (one) => (one.ok ? 'ok' : await one.text())));
  expect(told).toEqual(told.map(() => 'ok'));
});

test('settings that change while a row is checked or a file is planned take nothing from under them', async () => {
  const desk = await openDesk();
  const draft = await planned(desk, 'catalogus.xlsx', 3000);
  const params = { draft };
  const { dropdowns } = await desk.ask('service');
  const numbers = Object.fromEntries(
    dropdowns.flatMap(({ name, number }) => (number ? [[name, number]] : [])),
  );
  await desk.service.faults({ latencyMs: 60 });
  const correcting = desk.fetch('correct', {
    params,
    body: { corrections: [{ sheet: 'Pakketten', row: 2, column: 4, text: '2,50' }] },
  });
  const changing = [1, 2, 3].map(() => desk.fetch('chooseLists', { body: { numbers } }));
  expect((await correcting).status).toBe(200);
  await Promise.all(changing);
  await desk.service.faults({});
  const { job } = await desk.ask('makePlan', { params, body: {} });
  while ((await desk.ask('job', { params: { job: job.id } })).job.state !== 'done') {
    await desk.fetch('chooseLists', { body: { numbers } });
    expect((await desk.ask('job', { params: { job: job.id } })).job.stop).toBeNull();
  }
  const { cells } = await desk.ask('planRow', { params, query: row });
  expect(cells.find(({ column }) => column === 4)).toMatchObject({ text: '2.50', before: 'nnb' });
});

test('runs of two ledgers are each read from their own, however the profile goes back and forth', async () => {
  const service = await openTestService();
  const before = { ...process.env };
  process.env.CATERSHEET_HOME = service.folder;
  delete process.env.CATERSHEET_BASE_URL;
  delete process.env.CATERSHEET_TOKEN;
  onTestFinished(() => {
    process.env = before;
  });
  const own = { baseUrl: undefined, token: undefined, lang: undefined, ledger: undefined };
  const desk = await openDesk({}, own);
  const profiles = {
    een: { baseUrl: service.url, ledger: join(service.folder, 'een.db') },
    twee: { baseUrl: service.url, ledger: join(service.folder, 'twee.db') },
  };
  writeFileSync(join(service.folder, 'catersheet.config.json'), JSON.stringify({ profiles }));
  for (let turn = 0; turn < 6; turn++) {
    const profile = turn % 2 === 0 ? 'een' : 'twee';
    const looks = [1, 2, 3, 4].map(() => desk.fetch('listRuns'));
    const used = desk.fetch('useProfile', { body: { profile } });
    const answers = await Promise.all([...looks, used, desk.fetch('listRuns')]);
    const told = await Promise.all(answers.map(async (one) => (one.ok ? 'ok' : await one.text())));
    expect(told).toEqual(told.map(() => 'ok'));
  }
  await desk.ask('listRuns');
  if (canCount) await until(() => openFiles(profiles.een.ledger), 0);
});
