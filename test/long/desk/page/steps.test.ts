import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDesk } from '../../../desk/open-desk.ts';
import { axeFaults, onScreen, tabTo, tooWide, useBrowser } from '../../../desk/page/open-page.ts';
import { makeWorkbook, packageRows } from '../../../helpers/make-workbook.ts';
import { chromium } from '../../../import/report/chromium.ts';

const openPage = useBrowser();
const LIMIT = 300_000;

test.skipIf(chromium === undefined)(
  'a file goes from the first page to its result by keyboard alone, and every step is clean to axe',
  async () => {
    const desk = await openDesk();
    const [old] = await desk.service.records('package');
    const file = await makeWorkbook(join(desk.service.folder, 'catalogus.xlsx'), {
      Pakketten: [
        ['#action', 'ProductID', 'ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Prijs', 'Kleur'],
        [null, null, 71001, 'Buffet', 'Lentebuffet', 12.5, 'groen'],
        [null, null, 71002, 'Buffet', 'Zomerbuffet', 'nnb', 'geel'],
        ['delete', Number(old?.id), null, null, null, null, null],
      ],
    });
    const page = await openPage(desk);
    await page.getByRole('heading', { name: 'Latest runs' }).waitFor();
    expect(page.url()).toBe(`${desk.origin}/#/`);
    expect(await axeFaults(page)).toEqual([]);

    const chosen = page.waitForEvent('filechooser');
    await tabTo(page, 'Choose a file');
    await page.keyboard.press('Enter');
    await (await chosen).setFiles(file);

    // A header that only a person knows is proposed, not taken.
    await onScreen(page, 'How the file is read');
    await page.getByText('1 proposal, for a header').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await tabTo(page, 'Take all proposals');
    await page.keyboard.press('Enter');
    await page.getByText('1 column isn’t used').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('heading', { level: 1 }).focus();
    await tabTo(page, 'Make the plan');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/plan/);
    await tabTo(page, 'On to sending').catch(async () => {
      await page.getByRole('link', { name: 'On to sending' }).focus();
    });
    await page.keyboard.press('Enter');

    // Deleting asks on its own: without that nothing can be sent.
    await onScreen(page, 'Send it?');
    const send = page.getByRole('button', { name: /^Send 2 rows to 127/ });
    await send.waitFor();
    expect(await axeFaults(page)).toEqual([]);
    expect(await send.getAttribute('aria-disabled')).toBe('true');
    await tabTo(page, 'Yes, delete 1 record');
    await page.keyboard.press('Space');
    expect(await send.getAttribute('aria-disabled')).toBe(null);
    await tabTo(page, (await send.textContent()) ?? '');
    await page.keyboard.press('Enter');

    await onScreen(page, 'Sent, and some rows need you');
    expect(await axeFaults(page)).toEqual([]);
    expect(await page.locator('.pills.big').innerText()).toMatch(/1 created[\s\S]*1 deleted[\s\S]*1 invalid/);
    const saved = page.waitForEvent('download');
    await tabTo(page, 'Download the workbook');
    await page.keyboard.press('Enter');
    expect((await saved).suggestedFilename()).toBe('catalogus.result.xlsx');

    // The other language is there at once, and after a reload too.
    await page.getByRole('button', { name: 'NL, Nederlands' }).click();
    await page.getByRole('heading', { name: 'Verstuurd, en sommige rijen vragen je aandacht' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Verstuurd, en sommige rijen vragen je aandacht' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('nl');

    // A phone: nothing to scroll sideways for.
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await tooWide(page)).toBe(0);
    await page.goto(`${desk.origin}/#/`);
    await page.getByRole('heading', { name: 'Laatste runs' }).waitFor();
    expect(await tooWide(page)).toBe(0);
    expect(page.wrong).toEqual([]);
  },
  LIMIT,
);

test.skipIf(chromium === undefined)(
  'sending is paused, found again by a new page, and goes on without sending twice',
  async () => {
    const desk = await openDesk();
    const file = await makeWorkbook(join(desk.service.folder, 'pakketten.xlsx'), {
      Pakketten: packageRows(120),
    });
    const draft = await desk.bring(file);
    expect((await desk.planned(draft)).state).toBe('done');
    await desk.service.faults({ latencyMs: 150 });
    const page = await openPage(desk);
    await page.getByRole('link', { name: 'Go on' }).click();
    await page.getByRole('link', { name: 'On to sending' }).click();
    await page.getByRole('button', { name: /^Send 120 rows/ }).click();
    await onScreen(page, 'Being sent');
    await page.getByText(/\d+ created/).waitFor();
    const faults = axeFaults(page);
    await page.getByRole('button', { name: 'Pause' }).click();
    expect(await faults).toEqual([]);
    await onScreen(page, 'Stopped half-way');
    await page.getByText(/\d+ rows are left to send/).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.close();

    const other = await openPage(desk);
    await other.getByText('Stopped half-way. Going on sends only what is left.').waitFor();
    expect(await axeFaults(other)).toEqual([]);
    await other.getByRole('link', { name: 'Go on' }).click();
    await other.getByRole('button', { name: 'Go on sending' }).click();
    await other.getByRole('heading', { name: 'All rows are done' }).waitFor();
    expect(await other.locator('.pills.big').innerText()).toBe('120 created');
    const made = (await desk.service.records('package')).filter(
      ({ ExternalID }) => Number(ExternalID) >= 600_000,
    );
    expect(made).toHaveLength(120);
    expect(other.wrong).toEqual([]);
  },
  LIMIT,
);
