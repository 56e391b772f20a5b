import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { chromium, openPage, type Page } from './chromium.ts';
import { FILE, HOSTILE, openReports } from './make-report.ts';

/** What can be seen of a page, read in the browser. */
const SEEN = {
  rows: "document.querySelectorAll('#rows tr').length",
  told: "document.getElementById('told').textContent",
  names: "[...document.querySelectorAll('#rows strong')].map((name) => name.textContent)",
  places: "[...document.querySelectorAll('#rows th')].map((place) => place.textContent)",
  formHidden: "document.getElementById('filter').hidden",
  tooWide: 'document.documentElement.scrollWidth - document.documentElement.clientWidth',
} as const;

const clear = (page: Page): Promise<unknown> =>
  page.value(
    "document.getElementById('search').value = '', document.getElementById('filter').requestSubmit()",
  );

async function click(page: Page, selector: string): Promise<void> {
  const place = await page.value<{ x: number; y: number }>(
    `(() => { const at = document.querySelector(${JSON.stringify(selector)}); at.scrollIntoView({ block: 'center' });
      const { x, y, width, height } = at.getBoundingClientRect(); return { x: x + width / 2, y: y + height / 2 }; })()`,
  );
  for (const type of ['mousePressed', 'mouseReleased'])
    await page.send('Input.dispatchMouseEvent', { type, ...place, button: 'left', clickCount: 1 });
}

test.skipIf(chromium === undefined)(
  'a report in Chromium, on a desk, on a phone, on paper and without scripts',
  async () => {
    const { send, report, folder } = await openReports(140);
    await send({ dryRun: true });
    const profile = join(folder, 'profile');
    mkdirSync(profile);
    const page = await openPage(profile);
    const own = pathToFileURL(report).href;
    try {
      await page.open(own);

      // All of it is there; rows are made as they are looked at.
      expect(await page.value(SEEN.told)).toBe('151 rows');
      expect(await page.value(SEEN.formHidden)).toBe(false);
      expect(await page.value<number>(SEEN.rows)).toBeLessThan(151);
      await page.value('scrollTo(0, document.body.scrollHeight)');
      await page.until(`${SEEN.rows} > 100`);
      expect(await page.value(SEEN.names)).toEqual(expect.arrayContaining(HOSTILE));

      // What is typed is searched for, whatever its case and accents.
      await page.value("document.getElementById('search').focus()");
      await page.type('CREME');
      await page.until(`${SEEN.rows} === 1`);
      expect(await page.value(SEEN.told)).toBe('1 of 151 rows');
      expect(await page.value(SEEN.names)).toEqual(['Crème brûlée']);
      expect(await page.value("CSS.highlights.get('found').size")).toBe(1);
      await clear(page);

      // A count leads to its rows, a cell to its row.
      await click(page, '.counts a.bad');
      expect(await page.value(SEEN.told)).toBe('2 of 151 rows');
      await click(page, '.problems a');
      expect(await page.value(SEEN.places)).toEqual(['Pakketten 12']);
      expect(await page.value('document.activeElement.id')).toBe('list-title');
      await page.value("document.querySelector('[type=reset]').click()");
      await page.until(`${SEEN.rows} > 1`);

      // A phone: nothing to scroll sideways for.
      const phone = { width: 360, height: 740, deviceScaleFactor: 2, mobile: true };
      await page.send('Emulation.setDeviceMetricsOverride', phone);
      expect(await page.value(SEEN.tooWide)).toBe(0);
      await page.send('Emulation.clearDeviceMetricsOverride');

      // Paper: all rows that are chosen, then as it was.
      await page.value(
        "addEventListener('beforeprint', () => (globalThis.printed = document.querySelectorAll('#rows tr').length))",
      );
      const { data } = await page.send('Page.printToPDF');
      const pages = Buffer.from(data as string, 'base64')
        .toString('latin1')
        .match(/\/Type\s*\/Page\b/g);
      expect(pages?.length).toBeGreaterThan(2);
      expect(await page.value('globalThis.printed')).toBe(151);
      expect(await page.value<number>(SEEN.rows)).toBeLessThan(151);

      // Texts stayed texts, and nothing was asked for but the page.
      expect(await page.value('document.title')).toBe(`Import of ${FILE}`);
      expect(await page.value("document.querySelectorAll('main img, main script, main b b').length")).toBe(0);
      const asked = (page.events.get('Network.requestWillBeSent') ?? []).map(
        ({ request }) => (request as { url: string }).url,
      );
      expect(asked).toEqual([own]);
      expect(page.events.get('Log.entryAdded') ?? []).toEqual([]);
      expect(page.events.get('Runtime.exceptionThrown') ?? []).toEqual([]);

      // Nor can anything be: what asks all the same is refused.
      const ask = `new Promise((refused) => {
        addEventListener('securitypolicyviolation', ({ effectiveDirective }) => refused(effectiveDirective));
        fetch('http://127.0.0.1:9/').catch(() => {});
      })`;
      expect(await page.value(ask)).toBe('connect-src');

      // Without scripts the counts, the problems and the first rows.
      await page.send('Emulation.setScriptExecutionDisabled', { value: true });
      await page.open(own);
      expect(await page.value(SEEN.rows)).toBe(100);
      expect(await page.value(SEEN.formHidden)).toBe(true);
      expect(await page.value("document.querySelector('noscript').innerText")).toContain(
        'first 100 of 151 rows',
      );
      expect(await page.value("document.querySelector('.problems.bad').innerText")).toContain(
        'expected a number',
      );
    } finally {
      await page.close();
    }
  },
);
