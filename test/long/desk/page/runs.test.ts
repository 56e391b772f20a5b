import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDesk } from '../../../desk/open-desk.ts';
import { axeFaults, onScreen, useBrowser } from '../../../desk/page/open-page.ts';
import { makeWorkbook } from '../../../helpers/make-workbook.ts';
import { chromium } from '../../../import/report/chromium.ts';

const openPage = useBrowser();
const LIMIT = 300_000;
const HEADERS = ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'];

test.skipIf(chromium === undefined)(
  'a plan that was corrected says so on the page of its run, and leads to what is sent',
  async () => {
    const desk = await openDesk();
    const file = await makeWorkbook(join(desk.service.folder, 'pakketten.xlsx'), {
      Pakketten: [HEADERS, [71_001, 'Buffet', 'Lentebuffet', 10]],
    });
    const draft = await desk.bring(file);
    await desk.planned(draft);
    const { run } = await desk.ask('plan', { params: { draft } });
    await desk.ask('correct', {
      params: { draft },
      body: { corrections: [{ sheet: 'Pakketten', row: 2, column: 4, text: '99' }] },
    });
    const page = await openPage(desk);
    await page.goto(`${desk.origin}/#/runs`);
    await page.getByRole('link', { name: 'Plans that were not sent (1)' }).click();
    await page.getByRole('link', { name: 'pakketten.xlsx' }).click();
    await onScreen(page, 'pakketten.xlsx');
    await page.getByText('Cells were corrected since this plan was made.').waitFor();
    await page.getByText('10.00').first().waitFor();
    expect(await page.getByText('99.00').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Send it' }).count()).toBe(0);
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'To the file with its corrections' }).click();
    await page.getByRole('button', { name: 'Check all again and go on' }).click();
    await onScreen(page, 'Send it?');
    await page.getByRole('button', { name: /^Send 1 row to 127/ }).click();
    await onScreen(page, 'All rows are done');

    await page.goto(`${desk.origin}/#/runs/${run}`);
    await page.getByText('This plan was made anew since').waitFor();
    await page.getByRole('link', { name: 'To the newest plan' }).click();
    await page.getByText('done', { exact: true }).waitFor();
    const [made] = (await desk.service.records('package')).filter(({ ExternalID }) => ExternalID === 71_001);
    expect(made?.Verkoopprijs).toBe(99);
    expect(page.wrong).toEqual([]);
  },
  LIMIT,
);

test.skipIf(chromium === undefined)(
  'a plan of the command line that deletes is sent from its page once deleting is agreed to',
  async () => {
    const desk = await openDesk();
    const [one, other] = await desk.service.records('package');
    const file = await makeWorkbook(join(desk.service.folder, 'weg.xlsx'), {
      Pakketten: [
        ['#action', 'ProductID'],
        ['delete', Number(one?.id)],
        ['delete', Number(other?.id)],
      ],
    });
    const { document } = await desk.service.runJson(['import', file, '--dry-run', '--allow-delete']);
    const page = await openPage(desk);
    await page.goto(`${desk.origin}/#/runs/${document.run}`);
    await page.getByRole('button', { name: 'Send it' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 rows delete or unlink a record').waitFor();
    const send = dialog.getByRole('button', { name: /^Send 2 rows to 127/ });
    expect(await send.getAttribute('aria-disabled')).toBe('true');
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByText('Yes, delete 2 records').click();
    await send.click();
    await page.getByText('2 deleted').first().waitFor();
    expect(page.wrong).toEqual([]);
  },
  LIMIT,
);

test.skipIf(chromium === undefined)(
  'a file of which nothing is to be sent is finished from its plan',
  async () => {
    const desk = await openDesk();
    const file = await makeWorkbook(join(desk.service.folder, 'pakketten.xlsx'), {
      Pakketten: [HEADERS, [71_001, 'Buffet', 'Lentebuffet', 10]],
    });
    const first = await desk.bring(file);
    await desk.planned(first);
    const { run } = await desk.ask('plan', { params: { draft: first } });
    const sent = await desk.ask('send', { params: { draft: first }, body: { run, deletes: 0 } });
    await desk.ended(sent.job);
    const draft = await desk.bring(file);
    await desk.planned(draft);
    const page = await openPage(desk);
    await page.goto(`${desk.origin}/#/draft/${draft}/plan`);
    await page.getByRole('button', { name: 'On to the result' }).click();
    await onScreen(page, 'All rows are done');
    const saved = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download the workbook' }).click();
    expect((await saved).suggestedFilename()).toBe('pakketten.result.xlsx');
    expect(page.wrong).toEqual([]);
  },
  LIMIT,
);
