import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startDesk } from '../../../../src/desk/server/start-desk.ts';
import { openDesk } from '../../../desk/open-desk.ts';
import { axeFaults, onScreen, useBrowser } from '../../../desk/page/open-page.ts';
import { makeWorkbook } from '../../../helpers/make-workbook.ts';
import { openTestService } from '../../../helpers/test-service.ts';
import { chromium } from '../../../import/report/chromium.ts';

const open = useBrowser();
const LIMIT = 300_000;

test.skipIf(chromium === undefined)(
  'a profile is saved with its token, used, its lists chosen, and removed; its token is never shown again',
  async () => {
    const service = await openTestService();
    const before = { ...process.env };
    process.env.CATERSHEET_HOME = service.folder;
    delete process.env.CATERSHEET_BASE_URL;
    delete process.env.CATERSHEET_TOKEN;
    const desk = await startDesk({ lang: 'en' }, { port: 0 });
    onTestFinished(async () => {
      await desk.close();
      process.env = before;
    });
    const { origin, hash } = new URL(desk.address());
    const page = await open({ origin, key: () => hash.replace('#key=', '') });
    await page.getByRole('link', { name: 'Service' }).click();
    await onScreen(page, 'Service');
    await page.getByRole('button', { name: 'Add a service' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add a service' });
    await dialog.getByLabel('Name').focus();
    await page.keyboard.type('keuken');
    await page.keyboard.press('Tab');
    await page.keyboard.type(service.url);
    await page.keyboard.press('Tab');
    await page.keyboard.type(service.token);
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByText('token kept').waitFor();
    await page.getByRole('button', { name: 'Use keuken' }).click();
    await page.locator('.top .service.real').getByText('keuken').waitFor();

    await page.getByRole('button', { name: 'Change keuken' }).click();
    const change = page.getByRole('dialog', { name: 'Change keuken' });
    expect(await change.getByLabel('Token').inputValue()).toBe('');
    await page.keyboard.press('Escape');
    await change.waitFor({ state: 'detached' });

    await page.getByLabel('Also look which dropdown number is which list').check();
    await page.getByRole('button', { name: 'Check it' }).click();
    const first = page.locator('.list-choice').first();
    const radio = first.getByRole('radio').last();
    await radio.check();
    await page.getByRole('button', { name: 'Keep these lists' }).click();
    await page.getByText('The lists are kept.').first().waitFor();
    await page.reload();
    await first.waitFor();
    expect(await first.getByRole('radio').last().isChecked()).toBe(true);
    expect(await page.content()).not.toContain(service.token);

    await page.getByRole('button', { name: 'Remove keuken' }).click();
    const remove = page.getByRole('dialog', { name: 'Remove the profile keuken?' });
    await remove.getByRole('button', { name: 'Remove' }).click();
    await page.locator('.top .service.sandbox').waitFor();
    await page.getByRole('button', { name: 'Remove keuken' }).waitFor({ state: 'detached' });
    expect(page.wrong).toEqual([]);
    expect(page.refused).toEqual([]);
  },
  LIMIT,
);

test.skipIf(chromium === undefined)(
  'a CSV is read otherwise than it was found: what stands between columns, its letters, its numbers',
  async () => {
    const desk = await openDesk();
    const file = join(desk.service.folder, 'Pakketten.csv');
    const text = [
      'ExternalID|ProductTypeID|OmschrijvingIntern|Verkoopprijs',
      '71001|Buffet|Café, soirée|1,234.50',
      '71002|Buffet|Ontbijt, één|12.50',
    ].join('\r\n');
    writeFileSync(file, Buffer.from(text, 'latin1'));
    const draft = await desk.bring(file);
    const page = await open(desk);
    await page.waitForSelector('main h1');
    await page.goto(`${desk.origin}/#/draft/${draft}/read`);
    const choose = async (label: string, value: string): Promise<void> => {
      await page.getByLabel(label).selectOption(value);
      await page.locator('.reading:not(.busy)').waitFor();
      expect(await page.getByLabel(label).inputValue()).toBe(value);
    };
    await choose('Between columns stands', '|');
    await choose('Letters are written as', 'windows-1252');
    await choose('Numbers are written as', 'en');
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Make the plan' }).click();
    await page.locator('.lines .line[aria-rowindex="2"]').getByText('Café, soirée').waitFor();
    const { rows } = await desk.ask('planRows', { params: { draft }, body: {} });
    const prices = rows.map(({ changes }) => changes?.find(({ field }) => field === 'Verkoopprijs')?.to);
    expect(prices.map(String), JSON.stringify(rows)).toEqual(['1234.5', '12.5']);
    expect(page.wrong).toEqual([]);
    expect(page.refused).toEqual([]);
  },
  LIMIT,
);

test.skipIf(chromium === undefined)(
  'what was typed while the server was gone is kept and saved again, and ? tells the keys in both languages',
  async () => {
    const desk = await openDesk();
    const file = await makeWorkbook(join(desk.service.folder, 'catalogus.xlsx'), {
      Pakketten: [
        ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'],
        [71001, 'Buffet', 'Lentebuffet', 'nnb'],
      ],
    });
    const draft = await desk.bring(file);
    await desk.planned(draft);
    const page = await open(desk);
    await page.waitForSelector('main h1');
    await page.evaluate(`location.hash = '#/draft/${draft}/plan'`);
    await page.locator('.lines .line[aria-rowindex="2"] .pill').waitFor();
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keys' });
    await keys.getByText('To the next or previous row that needs work').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });

    await page.locator('.rows').focus();
    await page.keyboard.press('Enter');
    const field = page.getByRole('textbox', { name: 'Verkoopprijs' });
    await field.fill('24,50');
    // A question mark that is typed is a letter.
    await field.press('?');
    await field.press('Backspace');
    expect(await keys.count()).toBe(0);
    await page.route('**/api/**', (route) => route.abort());
    await field.press('Enter');
    await page.getByText('What you typed is kept; save it again in a moment.').waitFor();
    expect(await field.inputValue()).toBe('24,50');
    await page.unroute('**/api/**');
    await page.getByRole('button', { name: 'Save again' }).click();
    await page.locator('.lines .line[aria-rowindex="2"]').getByText('to create').waitFor();

    await page.getByRole('button', { name: 'NL, Nederlands' }).click();
    await page.getByRole('button', { name: 'Toetsen: wat elke toets doet' }).click();
    await page.getByRole('dialog', { name: 'Toetsen' }).getByText('De rij openen').waitFor();
    expect(page.wrong).toEqual([]);
    expect(page.refused).toEqual([]);
  },
  LIMIT,
);
