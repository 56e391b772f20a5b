import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readWorkbook } from '../../../../src/index.ts';
import { openDesk } from '../../../desk/open-desk.ts';
import { axeFaults, onScreen, tooWide, useBrowser } from '../../../desk/page/open-page.ts';
import { chromium } from '../../../import/report/chromium.ts';

const open = useBrowser();
const LIMIT = 300_000;
const PHONE = { width: 360, height: 740 };

test.skipIf(chromium === undefined)(
  'a template comes with the numbers of a period, where its user asks for that',
  async () => {
    const desk = await openDesk({}, { lang: 'nl' });
    const page = await open(desk, PHONE);
    await page.waitForSelector('main h1');
    const part = page.getByRole('region', { name: 'Begin met een sjabloon' });
    await part.getByRole('checkbox', { name: 'Evenementen' }).check();
    await part.getByRole('checkbox', { name: /nummers van een periode/ }).check();
    const make = part.getByRole('button', { name: 'Sjabloon maken' });
    expect(await make.getAttribute('aria-disabled')).toBe('true');
    await part.getByLabel('Van', { exact: true }).fill('2026-10-01');
    await part.getByLabel('Tot en met').fill('2026-10-31');
    expect(await axeFaults(page)).toEqual([]);
    expect(await tooWide(page)).toBe(0);
    const download = page.waitForEvent('download');
    await make.press('Enter');
    const file = join(desk.service.folder, 'sjabloon.xlsx');
    await (await download).saveAs(file);
    const { sheets } = await readWorkbook(file);
    expect(sheets.map(({ name }) => name)).toContain('Opzoeken');
    // Without the service there is nothing to look up.
    await part.getByRole('checkbox', { name: /^Zonder lijsten/ }).check();
    expect(await part.getByLabel('Tot en met').count()).toBe(0);
    expect(page.wrong).toEqual([]);
    expect(page.refused).toEqual([]);
  },
  LIMIT,
);

test.skipIf(chromium === undefined)(
  'stock is exported of the products that a chosen file names',
  async () => {
    const desk = await openDesk();
    const body = { what: ['stock'], format: 'csv' };
    const { id } = await desk.ended((await desk.ask('makeExport', { body })).job);
    const stock = await (await desk.fetch('jobFile', { params: { job: id } })).text();
    const product = /^(\d+)/m.exec(stock)?.[1];
    const file = join(desk.service.folder, 'koelcel.csv');
    writeFileSync(file, `ProductID\r\n${product}\r\n`);
    const page = await open(desk, PHONE);
    await page.waitForSelector('main h1');
    await page.getByRole('link', { name: 'Export', exact: true }).click();
    await onScreen(page, 'Export');
    await page.getByRole('checkbox', { name: 'Stock count', exact: true }).check();
    await page.getByRole('radio', { name: 'Only those that a file names' }).check();
    await page.getByText('Choose the file.').waitFor();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a file' }).press('Enter');
    await (await chooser).setFiles(file);
    await page.getByText('koelcel.csv').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    expect(await tooWide(page)).toBe(0);
    await page.getByRole('button', { name: 'Export', exact: true }).press('Enter');
    await page.getByText(/: 1 record$/).waitFor();
    // Of several kinds no file names the records.
    await page.getByRole('checkbox', { name: 'Packages', exact: true }).check();
    expect(await page.getByRole('radio', { name: 'Only those that a file names' }).count()).toBe(0);
    expect(page.wrong).toEqual([]);
    expect(page.refused).toEqual([]);
  },
  LIMIT,
);
