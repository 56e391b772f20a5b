import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { visibleText } from '../../../src/core/visible-text.ts';
import { chromium, openPage } from './chromium.ts';
import { FILE, HOSTILE, openReports } from './make-report.ts';

/** What can be seen of a page, read in the browser. */
const SEEN = {
  text: 'document.body.innerText',
  open: "[...document.querySelectorAll('details')].filter(({ open }) => open).length",
  target: "document.querySelector('tr:target')?.getBoundingClientRect().height ?? 0",
  tooWide: 'document.documentElement.scrollWidth - document.documentElement.clientWidth',
} as const;

test.skipIf(chromium === undefined)('a report in Chromium, on a desk, on a phone and on paper', async () => {
  const { send, report, folder } = await openReports(400);
  await send({ dryRun: true });
  const profile = join(folder, 'profile');
  mkdirSync(profile);
  const page = await openPage(profile);
  const own = pathToFileURL(report).href;
  try {
    await page.open(own);

    // Texts stay texts, and long lists are closed.
    const text = await page.value<string>(SEEN.text);
    for (const name of HOSTILE.slice(1, 4))
      expect(await page.value('document.body.textContent')).toContain(visibleText(name));
    expect(text).toContain('to create (406)');
    expect(text).not.toContain(HOSTILE[5]);
    expect(await page.value(SEEN.open)).toBe(2);
    expect(await page.value('document.title')).toBe(`Import of ${FILE}`);
    expect(await page.value("document.querySelectorAll('main img, main script, main b').length")).toBe(0);

    // A cell leads to its row.
    await page.value("document.querySelector('section a').click()");
    expect(await page.value<number>(SEEN.target)).toBeGreaterThan(0);

    // A phone: nothing to scroll sideways for.
    const phone = { width: 360, height: 740, deviceScaleFactor: 2, mobile: true };
    await page.send('Emulation.setDeviceMetricsOverride', phone);
    expect(await page.value(SEEN.tooWide)).toBe(0);
    await page.send('Emulation.clearDeviceMetricsOverride');

    // Paper: the closed rows too.
    const { data } = await page.send('Page.printToPDF');
    const pages = Buffer.from(data as string, 'base64')
      .toString('latin1')
      .match(/\/Type\s*\/Page\b/g);
    expect(pages?.length).toBeGreaterThan(5);

    // Nothing was asked for but the page, and nothing can be.
    const asked = (page.events.get('Network.requestWillBeSent') ?? []).map(
      ({ request }) => (request as { url: string }).url,
    );
    expect(asked.every((url) => url.startsWith(own))).toBe(true);
    expect(page.events.get('Log.entryAdded') ?? []).toEqual([]);
    const ask = `new Promise((refused) => {
      addEventListener('securitypolicyviolation', ({ effectiveDirective }) => refused(effectiveDirective));
      fetch('http://127.0.0.1:9/').catch(() => {});
    })`;
    expect(await page.value(ask)).toBe('connect-src');
  } finally {
    await page.close();
  }
});
