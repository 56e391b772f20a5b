import { expect, test } from 'vitest';
import { openDesk } from '../../../desk/open-desk.ts';
import { axeFaults, onScreen, useBrowser } from '../../../desk/page/open-page.ts';
import { makeWorkbook } from '../../../helpers/make-workbook.ts';
import { changePackage, packageOf, serviceOf, withBaseline } from '../../../import/baseline/fixtures.ts';
import { chromium } from '../../../import/report/chromium.ts';

const open = useBrowser();
const LIMIT = 300_000;

test.skipIf(chromium === undefined)(
  'a file that is gone is said to be, with a heading and the way home; a check says what each answer is about',
  async () => {
    const desk = await openDesk();
    const page = await open(desk);
    await page.waitForSelector('main h1');
    await page.goto(`${desk.origin}/#/draft/gone/plan`);
    await onScreen(page, 'This file is no longer here');
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'To the first page' }).click();
    await page.getByRole('heading', { name: 'Latest runs' }).waitFor();

    const { job } = await desk.ask('check', { body: {} });
    const { answer } = await desk.ended(job);
    if (answer?.kind !== 'check') throw new Error('no answer');
    await page.goto(`${desk.origin}/#/service`);
    const items = page.locator('.check-list li');
    await items.first().waitFor();
    const texts = await items.allInnerTexts();
    expect(texts).toHaveLength(answer.document.checks.length);
    for (const [at, { what, found }] of answer.document.checks.entries())
      expect(texts[at]?.toLowerCase()).toContain(`${what}: ${found}`.toLowerCase());
    expect(await axeFaults(page)).toEqual([]);

    // What can't be used can be read, also under the mouse.
    await page.goto(`${desk.origin}/#/export`);
    const off = page.getByRole('button', { name: 'Export', exact: true });
    await off.hover();
    expect(await off.getAttribute('aria-disabled')).toBe('true');
    expect(await axeFaults(page)).toEqual([]);
    expect(page.wrong).toEqual([]);
  },
  LIMIT,
);

test.skipIf(chromium === undefined)(
  'an amount in the table of a conflict stands on one line, also where there is little room',
  async () => {
    const desk = await openDesk({}, { lang: 'nl' });
    const { service } = desk;
    const id = Number((await service.records('package'))[0]?.id);
    const values = await packageOf(service, id);
    const record = { resource: 'packages', key: `id:${id}`, lmt: String(values.LMT), values };
    const file = `${service.folder}/export.xlsx`;
    const rows = [
      ['ProductID', 'Verkoopprijs'],
      [id, 10_100],
    ];
    await withBaseline(file, { Pakketten: rows }, serviceOf(service), [record]);
    await changePackage(service, id, { Verkoopprijs: 1040 });
    const draft = await desk.bring(file);
    await desk.planned(draft);
    const page = await open(desk);
    await page.waitForSelector('main h1');
    await page.evaluate(`location.hash = '#/draft/${draft}/plan'`);
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 860 });
      await page.locator('.lines .line[aria-rowindex="2"]').click({ force: true });
      await page.locator('.conflict td').first().waitFor();
      const lines = await page.evaluate<
        number[]
      >(`[...document.querySelectorAll('.conflict td')].map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return range.getClientRects().length;
      })`);
      expect(lines).toEqual([1, 1, 1]);
      await page.keyboard.press('Escape');
    }
    expect(page.wrong).toEqual([]);
  },
  LIMIT,
);

test.skipIf(chromium === undefined)(
  'a remark that is too long for its row ends with an ellipsis, however wide the table is',
  async () => {
    const desk = await openDesk();
    const headers = ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs', 'Actief'];
    const file = await makeWorkbook(`${desk.service.folder}/lang.xlsx`, {
      Pakketten: [headers, [71_001, 'Bufet', 'Lentebuffet', 'nog niet bekend', 'misschien']],
    });
    const draft = await desk.bring(file);
    await desk.planned(draft);
    const page = await open(desk);
    await page.waitForSelector('main h1');
    await page.goto(`${desk.origin}/#/draft/${draft}/plan`);
    const remark = page.locator('.lines .line[aria-rowindex="2"] .remarks > span');
    for (const width of [1280, 900]) {
      await page.setViewportSize({ width, height: 860 });
      await remark.waitFor();
      const [shown, whole, clamp, fits] = await page.evaluate<[number, number, string, boolean]>(`(() => {
        const one = document.querySelector('.lines .line[aria-rowindex="2"] .remarks > span');
        const end = one.parentElement.getBoundingClientRect().bottom;
        return [
          one.clientHeight,
          one.scrollHeight,
          getComputedStyle(one).webkitLineClamp,
          one.getBoundingClientRect().bottom <= end + 1,
        ];
      })()`);
      expect(whole).toBeGreaterThan(shown);
      expect([Number(clamp) > 0, fits]).toEqual([true, true]);
    }
    expect(page.wrong).toEqual([]);
  },
  LIMIT,
);
