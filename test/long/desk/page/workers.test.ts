import { describe, expect, test } from 'vitest';
import { deskOn, type TestDesk } from '../../../desk/open-desk.ts';
import { axeFaults, type DeskPage, tabTo, useBrowser } from '../../../desk/page/open-page.ts';
import { postgresFolder, usePostgres } from '../../../helpers/postgres.ts';
import { chromium } from '../../../import/report/chromium.ts';
import { once, setUp, until } from '../../../queue/company.ts';

const MISSING = postgresFolder() === undefined || chromium === undefined;
const server = usePostgres();

/** A company with a desk on a ledger in a database, and a plan of so many packages. */
async function planned(rows: number, latency: number, usual = false) {
  const company = await setUp(server, rows, latency);
  const desk = await deskOn(company.service, { ledger: company.ledger }, usual);
  const draft = await desk.bring(company.file);
  await desk.planned(draft);
  const { run } = await desk.ask('plan', { params: { draft } });
  return { ...company, desk, draft, run };
}

const screen = async (page: DeskPage, name: string): Promise<void> =>
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const stateOf = async (desk: TestDesk, run: string) => (await desk.ask('run', { params: { run } })).run;

describe.skipIf(MISSING)('with PostgreSQL, on the page', () => {
  const open = useBrowser();

  test('a plan is handed over by keyboard, paused before a worker began, and sent after that', async () => {
    const { desk, draft, run, begin, times } = await planned(12, 50);
    const page = await open(desk);
    await page.goto(`${desk.origin}/#/draft/${draft}/send`);
    await screen(page, 'Send it?');
    await page.getByRole('group', { name: 'Who sends it' }).waitFor();
    expect(await page.getByRole('radio', { name: 'This computer' }).isChecked()).toBe(true);
    await tabTo(page, 'This computer: it goes on as long as catersheet runs here');
    await page.keyboard.press('ArrowDown');
    await page.getByText('As far as is known no worker is running now.').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await tabTo(page, 'Hand 12 rows over to workers');
    await page.keyboard.press('Enter');
    await screen(page, 'Being sent');
    await page.getByText('Waiting for a worker').waitFor();
    await page.getByText('No worker has begun. Pausing takes it back').waitFor();
    await page.getByText('No worker is running that is known: it waits until one is started.').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.reload();
    await page.getByText('Waiting for a worker').waitFor();
    await tabTo(page, 'Pause');
    await page.keyboard.press('Enter');
    await screen(page, 'Send it?');
    await page.getByText(`Run ${run} was withdrawn: workers send nothing more of it.`).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    expect(await stateOf(desk, run)).toMatchObject({ state: 'planned', workers: null, open: true });
    begin('worker');
    await page.getByRole('radio', { name: 'Workers' }).check();
    await page.getByText('1 worker is running.').waitFor();
    await page.getByRole('button', { name: 'Hand 12 rows over to workers' }).click();
    await screen(page, 'All rows are done');
    expect(await times()).toEqual(once(12));
    expect(page.wrong).toEqual([]);
  }, 120_000);

  test('what a terminal handed over is found on the first page and among runs, and followed live', async () => {
    const { service, ledger, file, begin, times } = await setUp(server, 300, 500);
    const desk = await deskOn(service, { ledger });
    const page = await open(desk);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const person = begin('import', file, '--queue', '--yes');
    // The page hears of it by itself.
    await page.getByText('Waits for a worker', { exact: true }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    const [{ run = '' } = {}] = (await desk.ask('home')).runs;
    await page.goto(`${desk.origin}/#/runs?what=plans`);
    await page.getByText('waits for a worker').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'catalogus.xlsx' }).click();
    await page.getByText('Waiting for a worker').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    begin('worker');
    await page.getByText(/^\d+ of 300 ·.* a second/).waitFor();
    await page.getByText('workers send it').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Go on with it' }).click();
    await page.getByRole('radio', { name: 'Workers' }).check();
    expect(await axeFaults(page)).toEqual([]);
    expect((await person.end).code).toBe(130);
    await service.faults({ latencyMs: 0 });
    await page.getByRole('button', { name: /^Hand \d+ rows over to workers$/ }).click();
    await page.getByRole('button', { name: 'Take back' }).waitFor();
    await until(async () => (await stateOf(desk, run)).state === 'done');
    expect(await times()).toEqual(once(300));
    expect(page.wrong).toEqual([]);
  }, 120_000);

  test('an export is handed over, found after a reload, and downloaded once a worker made it', async () => {
    const { service, ledger, begin } = await setUp(server, 1);
    const desk = await deskOn(service, { ledger });
    const page = await open(desk);
    await page.goto(`${desk.origin}/#/export`);
    await page.getByRole('checkbox', { name: 'Packages' }).check();
    await page.getByRole('radio', { name: 'Workers' }).check();
    await page.getByText('As far as is known no worker is running now.').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByText('Stopping takes it back').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.reload();
    await page.getByText('Waiting for a worker').waitFor();
    begin('worker');
    const link = page.getByRole('link', { name: 'Download packages.xlsx' });
    await link.waitFor();
    expect(await axeFaults(page)).toEqual([]);
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toBe('packages.xlsx');
    expect(page.wrong).toEqual([]);
  }, 90_000);

  test('handing over is the default where the program was started so, and is kept to while the page is open', async () => {
    const { desk, draft } = await planned(3, 0, true);
    const page = await open(desk);
    await page.goto(`${desk.origin}/#/draft/${draft}/send`);
    await screen(page, 'Send it?');
    expect(await page.getByRole('radio', { name: 'Workers' }).isChecked()).toBe(true);
    await page.getByRole('radio', { name: 'This computer' }).check();
    await page.getByRole('link', { name: 'Look at the rows' }).click();
    await page.goBack();
    await screen(page, 'Send it?');
    expect(await page.getByRole('radio', { name: 'This computer' }).isChecked()).toBe(true);
    expect(await page.getByRole('button', { name: /^Send 3 rows to / }).isVisible()).toBe(true);
  }, 60_000);
});
