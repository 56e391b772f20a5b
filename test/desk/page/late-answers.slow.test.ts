import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeWorkbook, packageRows } from '../../helpers/make-workbook.ts';
import { chromium } from '../../import/report/chromium.ts';
import { openDesk } from '../open-desk.ts';
import { useBrowser } from './open-page.ts';

const openPage = useBrowser();

test.skipIf(chromium === undefined)(
  'a plan that is ready before the answer comes that it was begun is shown, and nothing waits for it',
  async () => {
    const desk = await openDesk();
    const { service } = desk;
    const file = await makeWorkbook(join(service.folder, 'a.xlsx'), { Pakketten: packageRows(2) });
    const draft = await desk.bring(file);
    const page = await openPage(desk);
    await page.waitForSelector('main h1');
    // Events and answers come by connections of their own: a busy machine gives any order.
    let ended = 0;
    await page.route('**/api/drafts/*/plan', async (route) => {
      if (route.request().method() !== 'POST') {
        await route.continue();
        return;
      }
      const answer = await route.fetch();
      await desk.ended(
        ((await answer.json()) as { job: { id: string } & Parameters<typeof desk.ended>[0] }).job,
      );
      await new Promise((resolve) => setTimeout(resolve, 500));
      ended++;
      await route.fulfill({ response: answer });
    });
    await page.evaluate(`location.hash = '#/draft/${draft}/plan'`);
    await page.getByRole('button', { name: 'Make the plan', exact: true }).click();
    await page.getByRole('link', { name: 'On to sending' }).waitFor();
    await expect.poll(() => ended).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await page.getByRole('progressbar').count()).toBe(0);
    await page.getByRole('link', { name: 'On to sending' }).waitFor();
    expect(page.wrong).toEqual([]);
    expect(page.refused).toEqual([]);
  },
  300_000,
);
