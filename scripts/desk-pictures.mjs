/**
 * Draws the screens of the page for docs/tour.md: a file on its way from the first page to its result, and revenue.
 * Run by `npm run tour`. Drives the built program in its own sandbox, in a folder that goes again; needs Chromium.
 */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const PICTURES = 'docs/tour';
const VIEW = { width: 1280, height: 800 };
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const folder = mkdtempSync(join(tmpdir(), 'catersheet-pictures-'));
cpSync('fixtures/docs', folder, { recursive: true });
const env = { ...process.env, CATERSHEET_HOME: join(folder, 'home') };
delete env.CATERSHEET_BASE_URL;
const words = ['dist/catersheet.js', 'desk', '--no-open', '--port', '0', '--lang', 'en'];
const desk = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'inherit'] });
const address = await new Promise((resolve) => {
  let said = '';
  desk.stdout.on('data', (part) => {
    said += part;
    const found = /http:\S+/.exec(said)?.[0];
    if (found !== undefined) resolve(found);
  });
});
const browser = await chromium.launch({ executablePath: BROWSERS.find(existsSync), args: ['--no-sandbox'] });
try {
  const context = await browser.newContext({
    viewport: VIEW,
    locale: 'en-GB',
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  await page.goto(address);
  await draw(page);
} finally {
  await browser.close();
  desk.kill();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Goes through the screens as a person does. */
async function draw(page) {
  const keep = (name) => page.screenshot({ path: join(PICTURES, `desk-${name}.png`) });
  const heading = (name) => page.getByRole('heading', { name, exact: true }).waitFor();
  await heading('Latest runs');
  await keep('home');
  await page.locator('input[type=file]').setInputFiles(join(folder, 'zomerkaart.xlsx'));
  await page.waitForURL(/#\/files\//);
  if (page.url().endsWith('/check')) await page.getByRole('link', { name: 'Read', exact: true }).click();
  await heading('How the file is read');
  await page.locator('.columns-table').first().waitFor();
  await keep('read');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.locator('.lines .line:not(.waits)').first().waitFor();
  await page.locator('.lines .line', { hasText: 'Salade van het huis' }).click();
  await page.locator('.row-panel .cell.bad').first().waitFor();
  await keep('plan');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  const send = page.getByRole('button', { name: /^Send \d/ });
  await send.waitFor();
  await keep('send');
  await send.click();
  await page.getByRole('button', { name: 'Download the report' }).waitFor();
  await page.locator('.lines .line:not(.waits)').first().waitFor();
  await keep('done');
  await page.getByRole('link', { name: 'Export' }).click();
  await page.getByLabel('From', { exact: true }).last().fill('2026-07-01');
  await page.getByLabel('Up to and including').last().fill('2027-06-30');
  await page.getByRole('checkbox', { name: /^All events/ }).check();
  await page.getByRole('button', { name: 'Make the overview' }).click();
  await page.locator('.finance table').first().waitFor();
  await page.evaluate("document.querySelector('.finance').scrollIntoView()");
  await keep('finance');
}
