import { describe, expect, test } from 'vitest';
import { deskOn, type TestDesk } from '../../../desk/open-desk.ts';
import { axeFaults, type DeskPage, tabTo, useBrowser } from '../../../desk/page/open-page.ts';
import { postgresFolder, usePostgres } from '../../../helpers/postgres.ts';
import { chromium } from '../../../import/report/chromium.ts';
import { once, setUp } from '../../../queue/company.ts';

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
});
