import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openDesk, type TestDesk } from '../../../desk/open-desk.ts';
import { axeFaults, type DeskPage, tooWide, useBrowser } from '../../../desk/page/open-page.ts';
import { makeWorkbook } from '../../../helpers/make-workbook.ts';
import { chromium } from '../../../import/report/chromium.ts';

const HEADERS = ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs', 'Actief'];
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

/** Presses Tab until something that matches has the focus. */
async function tabInto(page: Page, selector: string): Promise<void> {
  for (let press = 0; press < 60; press++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
  }
  throw new Error(`Tab never comes to ${selector}`);
}

/** Waits until an expression is true in the page. */
async function until(page: Page, expression: string): Promise<void> {
  const end = performance.now() + 15_000;
  while (!(await page.evaluate(`Boolean(${expression})`))) {
    if (performance.now() > end) throw new Error(`never true: ${expression}`);
    await page.waitForTimeout(20);
  }
}

async function broughtCatalogue(desk: TestDesk): Promise<string> {
  const file = join(desk.service.folder, 'catalogus.xlsx');
  await makeWorkbook(file, {
    Pakketten: [
      HEADERS,
      [71001, 'Buffet', 'Lentebuffet', 'nnb', 'Ja'],
      [71002, 'Buffet', 'Zomerbuffet', 'nnb', 'Ja'],
      [71003, 'Bufet', 'Herfstbuffet', 19.5, 'Ja'],
      [71004, 'Buffet', 'Winterbuffet', 'nnb', 'Ja'],
      [71005, 'Buffet', 'Paasbuffet', 21, 'Ja'],
    ],
  });
  const draft = await desk.bring(file);
  expect((await desk.planned(draft)).state).toBe('done');
  return draft;
}

const chips = async (page: Page): Promise<string> =>
  (await page.locator('.chip').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim()).join(', ');
const outcomeOf = (page: Page, row: number): Promise<string> =>
  page.locator(`.lines .line[aria-rowindex="${row}"] .pill`).innerText();
const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement.tagName');

test.skipIf(chromium === undefined)(
  'by keyboard alone: from bad row to bad row, a cell corrected in place, the same for the others, a name chosen',
  async () => {
    const desk = await openDesk();
    const draft = await broughtCatalogue(desk);
    const page = await openAt(desk, `/draft/${draft}/plan`);
    await page.waitForSelector('.lines .line:not(.waits)');
    expect(await chips(page)).toBe('5 All rows, 4 need work, 1 to create, 4 invalid');
    expect(await axeFaults(page)).toEqual([]);

    // Down to the first row that needs work, and into its cell.
    await tabInto(page, '.rows');
    await page.keyboard.press('End');
    await page.keyboard.press('p');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await until(page, 'document.activeElement.value === "nnb"');
    expect(await page.locator('.row-panel h2').innerText()).toBe('Lentebuffet');
    expect(await axeFaults(page)).toEqual([]);

    // Checked again at once; the next bad cell has the focus, and the same is offered for the others.
    await page.keyboard.type('24,50');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.same');
    await until(page, 'document.querySelector(".row-panel h2")?.textContent === "Zomerbuffet"');
    await until(page, 'document.activeElement.value === "nnb"');
    expect(await outcomeOf(page, 2)).toBe('to create');
    expect(await chips(page)).toBe('5 All rows, 3 need work, 2 to create, 3 invalid, corrected');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Correct all 2');
    await page.keyboard.press('Enter');
    await until(page, 'document.querySelector(".same") === null');
    await until(
      page,
      '[...document.querySelectorAll(".lines .pill")].filter((pill) => pill.textContent === "to create").length === 4',
    );

    // What is left is chosen from the names of the service.
    await page.keyboard.press('Escape');
    await tabInto(page, '.rows');
    await page.keyboard.press('n');
    await page.keyboard.press('Enter');
    await until(page, 'document.activeElement.value === "Bufet"');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('buf');
    await page.waitForSelector('[role=option]');
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await until(
      page,
      '[...document.querySelectorAll(".lines .pill")].every((pill) => pill.textContent === "to create")',
    );
    expect(await chips(page)).toBe('5 All rows, 5 to create, corrected');
    const { rows } = await desk.ask('planRows', { params: { draft }, body: { corrected: true } });
    expect(rows.map(({ row, corrected }) => [row, corrected])).toEqual(
      [2, 3, 4, 5].map((row) => [row, true]),
    );
    expect(page.wrong).toEqual([]);
    await page.context().close();
  },
);

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
    const page = await openAt(desk, `/draft/${draft}/plan`);
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
          line.querySelector('.place b').textContent,
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
    expect(await focused(page)).toBe('INPUT');
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
    const draft = await broughtCatalogue(desk);
    const { run } = await desk.ask('plan', { params: { draft } });
    await desk.ended((await desk.ask('send', { params: { draft }, body: { run, deletes: 0 } })).job);
    const months = { from: '2026-07-01', to: '2027-06-30', all: true };
    await desk.ended((await desk.ask('makeFinance', { body: months })).job);
    await desk.ended((await desk.ask('makeExport', { body: { what: ['packages'] } })).job);
    const page = await openAt(desk, '/runs');
    const places: readonly (readonly [string, string])[] = [
      ['/runs', '.runs-list'],
      [`/runs/${run}`, '.lines .line:not(.waits)'],
      ['/export', '.checks'],
      ['/export?part=finance', '.finance .sums'],
      ['/service', '#profiles'],
    ];
    for (const [place, shown] of places) {
      await goTo(page, place);
      if (place.includes('?')) await page.reload();
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
