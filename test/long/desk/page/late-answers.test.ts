import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDesk } from '../../../desk/open-desk.ts';
import { holdBack, useBrowser } from '../../../desk/page/open-page.ts';
import { makeWorkbook, packageRows } from '../../../helpers/make-workbook.ts';
import { chromium } from '../../../import/report/chromium.ts';

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

test.skipIf(chromium === undefined)(
  'the same correction for other cells waits for what the first still does, and the row that is open shows it',
  async () => {
    const desk = await openDesk();
    const file = await makeWorkbook(join(desk.service.folder, 'prijzen.xlsx'), {
      Pakketten: [
        ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'],
        ...['nnb', 'nnb', 'nnb'].map((price, at) => [72_001 + at, 'Buffet', `Gang ${at}`, price]),
      ],
    });
    const draft = await desk.bring(file);
    await desk.planned(draft);
    const page = await openPage(desk);
    await page.waitForSelector('main h1');
    await page.evaluate(`location.hash = '#/draft/${draft}/plan'`);
    await page.locator('.lines .line[aria-rowindex="4"] .pill').waitFor();
    await page.locator('.rows').focus();
    await page.keyboard.press('Enter');
    const focus = 'document.activeElement.value ?? document.activeElement.textContent';
    await expect.poll(() => page.evaluate(focus)).toBe('nnb');
    const held = await holdBack(page, '**/row?*row=3*');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('12,50');
    await page.keyboard.press('Enter');
    let same = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/same')) same++;
    });
    // The offer is there while the page still looks at what is next.
    await expect.poll(held.held).toBe(1);
    await page.getByRole('button', { name: 'Correct all 2' }).click();
    // What would not wait is done by then.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(same).toBe(0);
    held.letGo();
    await page.getByRole('status').getByText('No other row needs work.').waitFor({ state: 'attached' });
    await expect
      .poll(() => page.evaluate('document.activeElement.tagName + document.activeElement.textContent'))
      .toContain('H2');
    await expect.poll(() => page.locator('.lines .pill').allInnerTexts()).toEqual(Array(3).fill('to create'));
    expect(page.wrong).toEqual([]);
    expect(page.refused).toEqual([]);
  },
  300_000,
);

test.skipIf(chromium === undefined)(
  'an order that was looked at can be ticked and sent while other numbers are still looked at',
  async () => {
    const desk = await openDesk();
    const page = await openPage(desk);
    await page.waitForSelector('main h1');
    await page.evaluate("location.hash = '#/orders'");
    const numbers = page.getByLabel('Numbers of purchase orders');
    await numbers.fill('4501 4502');
    const both = page.getByRole('checkbox', { name: /^4502/ });
    await both.waitFor();
    const held = await holdBack(page, '**/api/orders/known');
    await numbers.fill('4501 4503');
    await expect.poll(held.held).toBe(1);
    await both.waitFor({ state: 'detached' });
    // A number that nothing is known of yet holds the rest up.
    const send = page.getByRole('button', { name: 'Send 1 order', exact: true });
    expect(await send.getAttribute('aria-disabled')).toBe('true');
    await numbers.fill('4501');
    await expect.poll(held.held).toBe(2);
    expect(await send.getAttribute('aria-disabled')).toBe(null);
    await page.getByRole('checkbox', { name: /^4501/ }).focus();
    held.letGo();
    await numbers.fill('4501 4503');
    await page.getByRole('checkbox', { name: /^4503/ }).waitFor();
    await page.getByRole('button', { name: 'Send 2 orders', exact: true, disabled: false }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).press('Enter');
    await page.getByRole('table').first().getByRole('row', { name: /^4503/ }).waitFor();
    expect(page.wrong).toEqual([]);
    expect(page.refused).toEqual([]);
  },
  300_000,
);
