import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDesk } from '../../../desk/open-desk.ts';
import { axeFaults, useBrowser } from '../../../desk/page/open-page.ts';
import { makeWorkbook } from '../../../helpers/make-workbook.ts';
import { chromium } from '../../../import/report/chromium.ts';

const open = useBrowser();

test.skipIf(chromium === undefined).each([
  {
    language: 'en',
    ...{ title: 'What to do with this row', out: 'Leave out', back: 'Take back the correction of #action' },
    ...{ needed: 'What is needed', skipped: 'skipped', invalid: 'invalid', corrected: 'corrected' },
  },
  {
    language: 'nl',
    ...{ title: 'Wat er met deze rij moet gebeuren', out: 'Overslaan' },
    ...{ back: 'De verbetering van #action terugnemen', needed: 'Wat nodig is' },
    ...{ skipped: 'overgeslagen', invalid: 'ongeldig', corrected: 'verbeterd' },
  },
] as const)(
  'a row that can’t be read is left out from its panel, stays so after a reload, and is taken back, in $language',
  async ({ language, title, out, back, needed, skipped, invalid, corrected }) => {
    const desk = await openDesk();
    const file = await makeWorkbook(join(desk.service.folder, 'a.xlsx'), {
      Pakketten: [
        ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'],
        [71001, 'Buffet', 'Lentebuffet', 'nnb'],
        [71002, 'Buffet', 'Zomerbuffet', 15],
      ],
    });
    const draft = await desk.bring(file);
    await desk.planned(draft);
    const page = await open(desk);
    await page.locator('#content h1').waitFor();
    await desk.ask('chooseLanguage', { body: { language } });
    await page.goto(`${desk.origin}/#/draft/${draft}/plan`);
    await page.reload();
    const line = page.locator('.lines .line[aria-rowindex="2"]');
    await line.getByText(invalid, { exact: true }).waitFor();
    await line.click();
    const panel = page.locator('.row-panel');
    await panel.getByRole('heading', { name: title }).waitFor();
    const button = (name: string) => panel.getByRole('button', { name, exact: true });
    expect(await button(needed).getAttribute('aria-pressed')).toBe('true');
    expect(await axeFaults(page)).toEqual([]);

    await button(out).click();
    await line.getByText(skipped, { exact: true }).waitFor();
    await line.getByText(corrected, { exact: true }).waitFor();
    await page.reload();
    await line.getByText(skipped, { exact: true }).waitFor();
    await line.click();
    await page.waitForFunction(
      `[...document.querySelectorAll('.row-panel button')].some((one) => one.textContent === ${JSON.stringify(out)} && one.ariaPressed === 'true')`,
    );
    expect(await axeFaults(page)).toEqual([]);
    await button(back).click();
    await line.getByText(invalid, { exact: true }).waitFor();
    expect(page.wrong).toEqual([]);
    expect(page.refused).toEqual([]);
  },
  300_000,
);
