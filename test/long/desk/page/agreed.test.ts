import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDesk } from '../../../desk/open-desk.ts';
import { axeFaults, onScreen, tooWide, useBrowser } from '../../../desk/page/open-page.ts';
import { makeWorkbook } from '../../../helpers/make-workbook.ts';
import { chromium } from '../../../import/report/chromium.ts';

const open = useBrowser();
const PACKAGES = ['ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs', 'ProductID', 'ExternalID'];
const EVENTS = ['ExternalID', 'RelatieID', 'ContactpersoonID', 'Datum', 'Starttijd', 'Eindtijd'];

test.skipIf(chromium === undefined)(
  'rows without a key are asked about, warnings agreed to before sending, and what an undo leaves is named to the end',
  async () => {
    const desk = await openDesk();
    const file = await makeWorkbook(join(desk.service.folder, 'seizoen.xlsx'), {
      Pakketten: [
        PACKAGES,
        [1, 'Zomerbuffet', '1.125'],
        [1, 'Soep', 4.5],
        [1, 'Salade', '1.250', null, 660_003],
      ],
      Evenementen: [
        EVENTS,
        [760_001, 1, 1, '21-06-2027', '17:00', '23:00'],
        [760_002, 1, 1, '06/13/2027', '17:00', '23:00'],
      ],
    });
    const page = await open(desk, { width: 390, height: 844 });
    const draft = await desk.bring(file);
    await desk.planned(draft);
    const faults: string[] = [];
    const look = async (): Promise<void> => {
      faults.push(...(await axeFaults(page)));
      expect(await tooWide(page)).toBe(0);
    };
    await page.waitForSelector('main h1');
    await page.goto(`${desk.origin}/#/draft/${draft}/plan`);
    await page.getByText('2 rows of Pakketten name no record. Are they new?').waitFor();
    await look();
    await page.getByRole('button', { name: 'Create them as new' }).click();
    await page.getByText('Rows that name no record are created as new').waitFor();
    await page.getByRole('button', { name: '3 with a warning' }).click();
    await page.getByText('3 of 5 rows').waitFor();

    await page.goto(`${desk.origin}/#/draft/${draft}/send`);
    await page.getByRole('heading', { name: '3 rows have warnings' }).waitFor();
    await look();
    const send = page.getByRole('button', { name: /^Send 5 rows/ });
    expect(await send.getAttribute('aria-disabled')).toBe('true');
    await page.getByLabel('Yes, send these 3 rows with their warnings').check();
    await send.click();
    await onScreen(page, 'All rows are done');
    await page.getByRole('heading', { name: '3 rows have warnings' }).waitFor();
    await look();
    await page.getByRole('link', { name: 'look at these' }).click();
    await page.getByText('3 of 5 rows').waitFor();
    await look();
    await page.goBack();

    await page.getByRole('button', { name: 'Take this run back' }).click();
    await onScreen(page, 'What would change');
    await page.getByText('2 rows are not taken back').waitFor();
    await look();
    await page.getByRole('link', { name: 'On to sending' }).click();
    await page
      .getByText(/cancel it by hand/)
      .first()
      .waitFor();
    await look();
    await page.getByLabel('Yes, delete 3 records').check();
    await page.getByRole('button', { name: /^Send 3 rows/ }).click();
    await onScreen(page, 'Taken back, but for some rows');
    await page
      .getByText(/cancel it by hand/)
      .first()
      .waitFor();
    await look();
    expect(faults).toEqual([]);
    expect(page.wrong).toEqual([]);
  },
  300_000,
);
