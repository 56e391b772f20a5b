import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openDesk, type TestDesk } from '../../../desk/open-desk.ts';
import { axeFaults, tabTo, tooWide, useBrowser } from '../../../desk/page/open-page.ts';
import { makeWorkbook } from '../../../helpers/make-workbook.ts';
import { chromium } from '../../../import/report/chromium.ts';

const open = useBrowser();
const LIMIT = 300_000;

/** A plan with problems of several kinds, a sheet that is left out, and notes. */
async function broughtPlan(desk: TestDesk): Promise<string> {
  const rows = Array.from({ length: 60 }, (_, at) => [
    ...[71_001 + at, at % 3 === 0 ? 'Bufet' : 'Buffet', `Buffet ${at}`],
    ...[at % 2 === 0 ? 'nnb' : 12.5, at % 5 === 0 ? 'misschien' : 'Ja', 'geel'],
  ]);
  const file = await makeWorkbook(join(desk.service.folder, 'catalogus.xlsx'), {
    Pakketten: [
      ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs', 'Actief', 'Kleur'],
      ...rows,
    ],
    Afspraken: [['Bellen'], ['Mailen']],
  });
  const draft = await desk.bring(file);
  await desk.planned(draft);
  return draft;
}

/** Keeps how much what is shown jumps, from before anything is. */
const WATCH = `(() => {
  window.jumps = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput) window.jumps.push([value, ...sources.map(({ node }) => node?.className)]);
  }).observe({ type: 'layout-shift', buffered: true });
})()`;

async function jumped(page: Page): Promise<number> {
  await page.waitForTimeout(500);
  const jumps = await page.evaluate<[number, ...string[]][]>('window.jumps');
  const sum = jumps.reduce((total, [value]) => total + value, 0);
  if (sum >= 0.01) console.log(JSON.stringify(jumps));
  return sum;
}

test.skipIf(chromium === undefined).each([
  { width: 1280, height: 860 },
  { width: 640, height: 430 },
])(
  'nothing on the page jumps when a plan is opened (%o)',
  async (size) => {
    const desk = await openDesk();
    const draft = await broughtPlan(desk);
    const page = await open(desk, size);
    await page.waitForSelector('main h1');
    await page.addInitScript(WATCH);
    // The plan itself comes last.
    await page.route('**/plan', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 400));
      await route.continue();
    });
    await page.goto(`${desk.origin}/?again#/draft/${draft}/plan`);
    await page.locator('.lines .line:not(.waits)').first().waitFor();
    expect(await jumped(page)).toBeLessThan(0.01);
    // From another place of the page too.
    await page.evaluate("location.hash = '#/runs'");
    await page.locator('h1').getByText('Runs').waitFor();
    await page.evaluate('window.jumps = []');
    await page.evaluate(`location.hash = '#/draft/${draft}/plan'`);
    await page.locator('.lines .line:not(.waits)').first().waitFor();
    expect(await jumped(page)).toBeLessThan(0.01);
    expect(page.wrong).toEqual([]);
  },
  LIMIT,
);

test.skipIf(chromium === undefined).each(['en', 'nl'] as const)(
  'enlarged twice the window shows rows of the plan, and what chooses from them can be unfolded (%s)',
  async (lang) => {
    const desk = await openDesk({}, { lang });
    const draft = await broughtPlan(desk);
    const page = await open(desk, { width: 640, height: 430 });
    await page.waitForSelector('main h1');
    await page.goto(`${desk.origin}/#/draft/${draft}/plan`);
    await page.locator('.lines .line:not(.waits)').first().waitFor();
    const seen = await page.evaluate<number>(`(() => {
      const bar = document.querySelector('.stays').getBoundingClientRect();
      const end = Math.min(innerHeight, bar.top);
      return [...document.querySelectorAll('.lines .line:not(.waits)')]
        .filter((line) => { const { top, bottom } = line.getBoundingClientRect(); return top >= 0 && bottom <= end; })
        .length;
    })()`);
    expect(seen).toBeGreaterThanOrEqual(2);
    expect(await tooWide(page)).toBe(0);
    expect(await axeFaults(page)).toEqual([]);
    await page.locator('.which > summary').focus();
    await page.keyboard.press('Enter');
    const invalid = page.locator('.chip').getByText(lang === 'en' ? 'invalid' : 'ongeldig');
    await invalid.waitFor();
    await tabTo(page, (await page.locator('.chip.bad').first().innerText()).replace(/\s+/g, ' '));
    await page.keyboard.press('Enter');
    await page.locator('.chip[aria-pressed="true"]').first().waitFor();
    expect(await axeFaults(page)).toEqual([]);
    expect(await tooWide(page)).toBe(0);
    expect(page.wrong).toEqual([]);
  },
  LIMIT,
);
