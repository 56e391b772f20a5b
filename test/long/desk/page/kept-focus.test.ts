import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDesk, type TestDesk } from '../../../desk/open-desk.ts';
import { axeFaults, type DeskPage, useBrowser } from '../../../desk/page/open-page.ts';
import { makeWorkbook } from '../../../helpers/make-workbook.ts';
import { chromium } from '../../../import/report/chromium.ts';

const open = useBrowser();
const LIMIT = 300_000;

/** A plan with prices that can't be read in the first two rows and the last. */
async function openPlan(desk: TestDesk, size?: { width: number; height: number }): Promise<DeskPage> {
  const file = await makeWorkbook(join(desk.service.folder, 'catalogus.xlsx'), {
    Pakketten: [
      ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'],
      [71_001, 'Buffet', 'Eerste', 'nnb'],
      [71_002, 'Buffet', 'Tweede', 'nnb'],
      [71_003, 'Buffet', 'Derde', 12],
      [71_004, 'Buffet', 'Vierde', 'n.t.b.'],
    ],
  });
  const draft = await desk.bring(file);
  await desk.planned(draft);
  const page = await open(desk, size);
  await page.waitForSelector('main h1');
  await page.evaluate(`location.hash = '#/draft/${draft}/plan'`);
  await page.locator('.lines .line[aria-rowindex="5"] .pill').waitFor();
  return page;
}

const FOCUSED = `(() => {
  const { tagName, value, textContent } = document.activeElement;
  return tagName + ' ' + (value ?? textContent);
})()`;
const focused = (page: DeskPage): Promise<string> => page.evaluate(FOCUSED);
const onFocus = async (page: DeskPage, wanted: string): Promise<void> => {
  await expect.poll(() => focused(page), { timeout: 60_000 }).toBe(wanted);
};

test.skipIf(chromium === undefined).each([
  ['beside the table', undefined],
  ['over it', { width: 800, height: 860 }],
])(
  'the focus stays with the row that is open (%s), and the next row that needs work is also one above',
  async (_, size) => {
    const desk = await openDesk();
    const page = await openPlan(desk, size);
    await page.locator('.rows').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await onFocus(page, 'INPUT n.t.b.');
    // From the last row on to the first.
    await page.keyboard.press('Control+a');
    await page.keyboard.type('14,50');
    await page.keyboard.press('Enter');
    await onFocus(page, 'INPUT nnb');
    expect(await page.locator('.panel-head').innerText()).toContain('Pakketten 2');

    await page.keyboard.press('Control+a');
    await page.keyboard.type('12,50');
    await page.keyboard.press('Enter');
    const all = page.getByRole('button', { name: 'Correct it too' });
    await all.focus();
    await page.keyboard.press('Enter');
    await all.waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toMatch(/^H2 /);
    expect(await axeFaults(page)).toEqual([]);
    // Nothing is left to do: the keys still work.
    await page.keyboard.press('n');
    await page.getByRole('status').getByText('No other row needs work.').waitFor({ state: 'attached' });
    expect(await focused(page)).toMatch(/^H2 /);
    await page.keyboard.press('Escape');
    await page.locator('.panel-body').waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.className')).toContain('rows');

    // Taken back, the cell is to be corrected again; of all with that problem too.
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    const both = page.getByRole('button', {
      name: 'Take back the corrections of all 2 cells with this problem',
    });
    await both.focus();
    await page.keyboard.press('Enter');
    await onFocus(page, 'INPUT nnb');
    await page.getByText('2 corrections taken back').waitFor({ state: 'attached' });
    await page.locator('.chip').getByText('invalid').waitFor();
    // What was opened to be changed and left, and an offer that is refused.
    await page.keyboard.press('Control+a');
    await page.keyboard.type('12,50');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'No', exact: true }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toMatch(/^H2 /);
    await page.locator('.cell-value').first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Cancel' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toMatch(/^H2 /);
    await page.keyboard.press('Escape');
    await page.locator('.panel-body').waitFor({ state: 'detached' });
    expect(page.wrong).toEqual([]);
    expect(page.refused).toEqual([]);
  },
  LIMIT,
);
