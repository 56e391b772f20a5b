import { expect, test } from 'vitest';
import { axeFaults, onScreen, useBrowser } from '../../../desk/page/open-page.ts';
import { openTwo } from '../../../desk/two-services.ts';
import { chromium } from '../../../import/report/chromium.ts';

const open = useBrowser();

test.skipIf(chromium === undefined)(
  'a plan of another service says so, offers no sending, and is made anew for the one in use',
  async () => {
    const { desk, use, draft } = await openTwo();
    const page = await open(desk);
    await page.waitForSelector('main h1');
    await page.evaluate(`location.hash = '#/draft/${draft}/send'`);
    await onScreen(page, 'Send it?');
    await page.getByRole('button', { name: /^Send 1 row/ }).waitFor();
    await use('winkel');
    const told = page.getByText('This plan is for another service than the one in use');
    await told.waitFor();
    expect(await page.getByRole('button', { name: /^Send/ }).count()).toBe(0);
    expect(await axeFaults(page)).toEqual([]);

    await page.evaluate(`location.hash = '#/draft/${draft}/plan'`);
    await onScreen(page, 'What would change');
    await told.waitFor();
    expect(await page.getByRole('link', { name: 'On to sending' }).count()).toBe(0);
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'Choose the service' }).waitFor();
    await page.getByRole('button', { name: 'Make the plan anew' }).click();
    await page.getByRole('link', { name: 'On to sending' }).click();
    await onScreen(page, 'Send it?');
    await page.locator('.facts .service').getByText('winkel').waitFor();
    expect(page.wrong).toEqual([]);
    expect(page.refused).toEqual([]);
  },
  300_000,
);
