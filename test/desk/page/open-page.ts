import axe from 'axe-core';
import { type Browser, type Page, chromium as playwright } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { chromium } from '../../import/report/chromium.ts';
import type { TestDesk } from '../open-desk.ts';

/** One browser for all tests of a file. */
export function launchBrowser(): () => Browser {
  let browser: Browser;
  beforeAll(async () => {
    if (chromium !== undefined)
      browser = await playwright.launch({
        executablePath: chromium,
        args: ['--no-sandbox', '--disable-gpu'],
      });
  });
  afterAll(async () => {
    await browser?.close();
  });
  return () => browser;
}

/** The same; each test opens pages with a session of their own. */
export function useBrowser(): (
  desk: Pick<TestDesk, 'origin' | 'key'>,
  size?: { width: number; height: number },
) => Promise<DeskPage> {
  const browser = launchBrowser();
  return async (desk, viewport = { width: 1280, height: 860 }) => {
    const context = await browser().newContext({ viewport, locale: 'en-GB', reducedMotion: 'reduce' });
    const page = await context.newPage();
    // Only ends what hangs.
    page.setDefaultTimeout(120_000);
    const wrong: string[] = [];
    page.on('pageerror', (error) => wrong.push(error.message));
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) wrong.push(message.text());
    });
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(`${desk.origin}/#key=${desk.key()}`);
    return Object.assign(page, { wrong, refused });
  };
}

/** A page with what it threw, or what its policy refused, and the requests that its server refused. */
export type DeskPage = Page & { readonly wrong: readonly string[]; readonly refused: readonly string[] };

/** What axe finds wrong with a page as it is, in light and in dark: the rule and the first element. */
export async function axeFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(`if (!window.axe) { ${axe.source} }`);
    const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
    for (const { id, nodes } of violations)
      faults.push(`${colorScheme}: ${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary ?? ''}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  return faults;
}

/** Whether anything stands outside the width of the window. */
export const tooWide = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
