import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDesk, type TestDesk } from '../../../desk/open-desk.ts';
import { axeFaults, type DeskPage, tooWide, useBrowser } from '../../../desk/page/open-page.ts';
import { makeWorkbook } from '../../../helpers/make-workbook.ts';
import { chromium } from '../../../import/report/chromium.ts';
import { MORNING, MUTATION_HEADER, recipeIds } from '../../../kinds/posting/stock-fixtures.ts';

const openPage = useBrowser();
const LIMIT = 300_000;

const FILLED = Array.from({ length: 40 }, (_, at) => [
  ...[71_001 + at, 'Buffet', 'Lentebuffet', 12.5],
  ...['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'],
]);
const OTHERS = ['Kleur', 'Maat', 'Vorm', 'Rek', 'Vak', 'Doos', 'Glas', 'Bord', 'Mes'];

/** A catalogue with a header that is proposed where nothing else is said, others that nobody knows, and a row that deletes. */
async function broughtCatalogue(desk: TestDesk, price = 'Prijs'): Promise<string> {
  const [old] = await desk.service.records('package');
  const file = await makeWorkbook(join(desk.service.folder, 'catalogus.xlsx'), {
    Pakketten: [
      ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', price, ...OTHERS, '#action', 'ProductID'],
      ...FILLED.map((row) => [...row, null, null]),
      [null, null, null, null, ...OTHERS.map(() => null), 'delete', Number(old?.id)],
    ],
  });
  return await desk.bring(file);
}

/** Whether something is whole in the window. */
async function isInView(page: DeskPage, role: 'button' | 'link', name: RegExp): Promise<boolean> {
  const box = await page.getByRole(role, { name }).boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  return box !== null && box.y >= 0 && box.y + box.height <= height;
}

const toEnd = (page: DeskPage) => page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
const toBegin = (page: DeskPage) => page.evaluate('scrollTo(0, 0)');

test.skipIf(chromium === undefined).each(['en', 'nl'] as const)(
  'on a phone the head takes two lines, and what a step is for stays in view (%s)',
  async (lang) => {
    const desk = await openDesk({}, { lang });
    const draft = await broughtCatalogue(desk, 'Verkoopprijs');
    const page = await openPage(desk);
    for (const width of [320, 360, 430]) {
      await page.setViewportSize({ width, height: 740 });
      await page.goto(`${desk.origin}/#/draft/${draft}/read`);
      await page.getByRole('heading', { name: 'Pakketten' }).waitFor();
      const lines = await page.evaluate<number>(`(() => {
        const shown = [...document.querySelectorAll('.top a, .top button, .top .service')];
        const middles = shown.map((one) => one.getBoundingClientRect()).filter(({ width }) => width > 0)
          .map(({ y, height }) => Math.round((y + height / 2) / 12));
        return new Set(middles).size;
      })()`);
      expect(lines, `${width}`).toBeLessThanOrEqual(2);
      expect(await tooWide(page)).toBe(0);
      const make = lang === 'en' ? /^Make the plan$/ : /^Plan maken$/;
      for (const go of [toEnd, toBegin]) {
        await go(page);
        expect(await isInView(page, 'button', make), `${width}`).toBe(true);
      }
    }
    expect(await axeFaults(page)).toEqual([]);
    await desk.planned(draft);
    await page.goto(`${desk.origin}/#/draft/${draft}/plan`);
    const on = lang === 'en' ? /^On to sending$/ : /^Verder naar versturen$/;
    await page.getByRole('link', { name: on }).waitFor();
    for (const go of [toEnd, toBegin]) {
      await go(page);
      expect(await isInView(page, 'link', on)).toBe(true);
    }
    expect(await axeFaults(page)).toEqual([]);
    await page.goto(`${desk.origin}/#/draft/${draft}/send`);
    const send = lang === 'en' ? /^Send \d+ rows/ : /^\d+ rijen versturen/;
    await page.getByRole('button', { name: send }).waitFor();
    for (const go of [toEnd, toBegin]) {
      await go(page);
      expect(await isInView(page, 'button', send)).toBe(true);
    }
    expect(await tooWide(page)).toBe(0);
    expect(await axeFaults(page)).toEqual([]);
    expect(page.wrong).toEqual([]);
  },
  LIMIT,
);

test.skipIf(chromium === undefined)(
  'open proposals are asked about before a plan is made, and a column that is not used is shown',
  async () => {
    const desk = await openDesk();
    const draft = await broughtCatalogue(desk);
    const page = await openPage(desk);
    await page.goto(`${desk.origin}/#/draft/${draft}/read`);
    await page.setViewportSize({ width: 1280, height: 600 });
    const make = page.getByRole('button', { name: 'Make the plan', exact: true });
    await make.click();
    await page.getByRole('heading', { name: '1 proposal is still open' }).waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('1 proposal is still open');
    expect(page.url()).toContain('/read');
    expect(await axeFaults(page)).toEqual([]);
    // Without the price that was proposed no row could be sent.
    await page.getByRole('button', { name: 'Make the plan without them' }).click();
    await page.waitForURL(/\/plan/);
    // While it is being made, nothing else is chosen.
    await page.locator('.chip').first().waitFor();
    await page.goto(`${desk.origin}/#/draft/${draft}/read`);
    await make.click();
    await page.getByRole('button', { name: 'Take them, and make the plan' }).click();
    await page.waitForURL(/\/plan/);
    await page.locator('.chip').getByText('to create').waitFor();

    await page.goto(`${desk.origin}/#/draft/${draft}/read`);
    await page.getByText('9 columns aren’t used').waitFor();
    await page.locator('.sheet-card > summary').click();
    await page.getByRole('button', { name: 'Show the first' }).focus();
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toContain('Kleur');
    const box = await page.getByRole('combobox', { name: /Kleur/ }).boundingBox();
    expect(box?.y).toBeGreaterThan(0);
    expect(box?.y).toBeLessThan(600);
    expect(page.wrong).toEqual([]);
  },
  LIMIT,
);

test.skipIf(chromium === undefined)(
  'rows that are created are called as the sheets that create some call them',
  async () => {
    const desk = await openDesk();
    const { service } = desk;
    const ids = await recipeIds(service, 2);
    const [old] = await service.records('package');
    const mutations = [[...MUTATION_HEADER], ...ids.map((id) => [id, 12, MORNING, 2, 4901, 'Levering'])];
    const same = [
      ['ProductID', 'OmschrijvingIntern'],
      [Number(old?.id), String(old?.OmschrijvingIntern)],
    ];
    const created = [
      ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'],
      [71_001, 'Buffet', 'Lentebuffet', 12.5],
    ];
    const wordOf = async (packages: readonly (readonly (string | number)[])[]): Promise<string> => {
      const file = await makeWorkbook(join(service.folder, 'alles.xlsx'), {
        Pakketten: packages.map((row) => [...row]),
        Voorraadmutaties: mutations,
      });
      const draft = await desk.bring(file);
      await desk.planned(draft);
      const page = await openPage(desk);
      await page.goto(`${desk.origin}/#/draft/${draft}/plan`);
      const chip = page.locator('.chip', { hasText: 'to ' });
      await chip.first().waitFor();
      const text = await chip.first().innerText();
      await page.close();
      return text;
    };
    expect(await wordOf(same)).toBe('2 to post');
    expect(await wordOf(created)).toBe('3 to create or to post');
  },
  LIMIT,
);
