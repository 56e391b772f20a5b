import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openDesk, type TestDesk } from '../../../desk/open-desk.ts';
import { axeFaults, type DeskPage, tooWide, useBrowser } from '../../../desk/page/open-page.ts';
import { makeWorkbook, packageRows } from '../../../helpers/make-workbook.ts';
import { chromium } from '../../../import/report/chromium.ts';

const open = useBrowser();

async function openAt(desk: TestDesk, place: string): Promise<DeskPage> {
  const page = await open(desk);
  await page.waitForSelector('main h1');
  await goTo(page, place);
  return page;
}

/** Goes to a place by its address. */
async function goTo(page: Page, place: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(`#${place}`)}`);
  await page.waitForSelector('main h1');
}

/** Waits until an expression is true in the page. */
const until = (page: Page, expression: string): Promise<void> =>
  expect.poll(() => page.evaluate(`Boolean(${expression})`), { timeout: 15_000 }).toBe(true);

test.skipIf(chromium === undefined)(
  'a table of 100,000 rows shows the right ones at any place, and draws few of them',
  async () => {
    const desk = await openDesk();
    const file = join(desk.service.folder, 'veel.csv');
    const lines = Array.from(
      { length: 100_000 },
      (_, at) => `${800_000 + at};1;Broodje nr${at + 2};3,50;create`,
    );
    writeFileSync(
      file,
      `ExternalID;ProductTypeID;OmschrijvingIntern;Verkoopprijs;#action\n${lines.join('\n')}\n`,
    );
    const draft = await desk.bring(file);
    expect((await desk.planned(draft)).state).toBe('done');
    const page = await openAt(desk, `/runs/${(await desk.plan(draft)).run}`);
    await page.waitForSelector('.lines .line:not(.waits)');
    expect(await page.getAttribute('.rows', 'aria-rowcount')).toBe('100001');
    for (const part of [0.5, 0.123, 1, 0.999, 0.0001, 0]) {
      await page.evaluate(
        `(() => { const rows = document.querySelector('.rows');
          rows.scrollTop = Math.round((rows.scrollHeight - rows.clientHeight) * ${part}); })()`,
      );
      await until(
        page,
        `(() => {
        const { top, bottom } = document.querySelector('.rows').getBoundingClientRect();
        const seen = [...document.querySelectorAll('.lines .line')].filter((line) => {
          const at = line.getBoundingClientRect();
          return at.bottom > top + 40 && at.top < bottom;
        });
        return seen.length > 5 && seen.every((line) => !line.classList.contains('waits'));
      })()`,
      );
      const seen = await page.evaluate<[number, string, string][]>(`
        [...document.querySelectorAll('.lines .line:not(.waits)')].map((line) => [
          Number(line.getAttribute('aria-rowindex')),
          line.querySelector('b.place').textContent,
          line.querySelector('.record strong').textContent,
        ])`);
      // The heads are the first row of the sheet, and of the table.
      expect(seen).toEqual(seen.map(([index]) => [index, String(index), `Broodje nr${index}`]));
      expect(await page.locator('.line').count()).toBeLessThan(60);
    }
    // The same by keyboard: the last row, and the one before the page above it.
    await page.focus('.rows');
    await page.keyboard.press('End');
    await until(page, 'document.querySelector(".line.active b")?.textContent === "100001"');
    expect(await page.evaluate('document.querySelector(".rows").getAttribute("aria-activedescendant")')).toBe(
      await page.locator('.line.active').getAttribute('id'),
    );
    // A search leaves its rows alone.
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('INPUT');
    await page.keyboard.type('NR77777');
    await until(page, 'document.querySelector(".rows").getAttribute("aria-rowcount") === "2"');
    expect(await page.locator('.told').innerText()).toBe('1 of 100,000 rows');
    expect(page.wrong).toEqual([]);
    await page.context().close();
  },
);

test.skipIf(chromium === undefined)(
  'runs, one run, exports, revenue and the service have no fault that axe finds, in either colour, and fit a phone',
  async () => {
    const desk = await openDesk();
    const file = await makeWorkbook(join(desk.service.folder, 'catalogus.xlsx'), {
      Pakketten: packageRows(5),
    });
    const draft = await desk.bring(file);
    expect((await desk.planned(draft)).state).toBe('done');
    const { run } = await desk.plan(draft);
    await desk.ended((await desk.ask('send', { run, deletes: 0 })).job);
    const months = { from: '2026-07-01', to: '2027-06-30', all: true };
    await desk.ended((await desk.ask('makeFinance', months)).job);
    await desk.ended((await desk.ask('makeExport', { what: ['packages'] })).job);
    const page = await openAt(desk, '/runs');
    const places: readonly (readonly [string, string])[] = [
      ['/runs', '.runs-list'],
      [`/runs/${run}`, '.lines .line:not(.waits)'],
      ['/export', '.finance table'],
      ['/service', '#profiles'],
    ];
    for (const [place, shown] of places) {
      await goTo(page, place);
      await page.waitForSelector(shown);
      expect([place, await axeFaults(page)]).toEqual([place, []]);
      await page.setViewportSize({ width: 360, height: 740 });
      expect([place, await tooWide(page)]).toEqual([place, 0]);
      await page.setViewportSize({ width: 1280, height: 860 });
    }
    expect(page.wrong).toEqual([]);
    await page.context().close();
  },
);
