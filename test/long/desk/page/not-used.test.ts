import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDesk } from '../../../desk/open-desk.ts';
import { axeFaults, onScreen, useBrowser } from '../../../desk/page/open-page.ts';
import { makeWorkbook } from '../../../helpers/make-workbook.ts';
import { chromium } from '../../../import/report/chromium.ts';

const open = useBrowser();

test.skipIf(chromium === undefined)(
  'a column that is said not to be used is not asked about again, and a missing column is',
  async () => {
    const desk = await openDesk();
    const headers = ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs', 'Kleur'];
    const row = [71_001, 'Buffet', 'Lentebuffet', 12.5, 'geel'];
    const bring = async (name: string, columns: number): Promise<string> =>
      await makeWorkbook(join(desk.service.folder, name), {
        Pakketten: [headers, row].map((cells) => [...cells.slice(0, 1), ...cells.slice(columns)]),
      });
    const page = await open(desk);
    const drop = async (file: string): Promise<void> => {
      await page.goto(`${desk.origin}/#/`);
      const chosen = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Choose a file' }).click();
      await (await chosen).setFiles(file);
    };
    const file = await bring('catalogus.xlsx', 1);
    await drop(file);
    await onScreen(page, 'How the file is read');
    const colour = page.getByRole('combobox', { name: /Kleur/ });
    expect(await colour.inputValue()).toBe('');
    await colour.selectOption('– not used –');
    await page.getByText('Everything was recognised.').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Make the plan' }).click();
    await onScreen(page, 'What would change');
    await drop(file);
    await onScreen(page, 'What would change');
    expect(page.url()).toContain('/plan');

    await drop(await bring('zonder-soort.xlsx', 2));
    await onScreen(page, 'How the file is read');
    await page.getByText('1 column is missing that a new record needs').waitFor();
    expect(await page.getByText('Everything was recognised.').count()).toBe(0);
    expect(page.wrong).toEqual([]);
  },
  300_000,
);
