// The page of the desk in a real Chromium as a person meets it, with a file of many rows: its size and first paint, time
// from the end of the plan until the table is there, frames and long tasks while scrolling, memory, how long it takes
// until a row shows its correction, all of them at once, and a new start. `node test/bench/desk-rows.mjs [ROWS]`, after
// `npm run build`.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';

const rows = Number(process.argv[2] ?? 100_000);
const main = fileURLToPath(new URL('../../dist/catersheet.js', import.meta.url));
const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const folder = mkdtempSync(join(tmpdir(), 'catersheet-desk-rows-'));

/** New packages, of which some have a cell to correct. */
function makeFile() {
  const lines = ['ExternalID;ProductTypeID;OmschrijvingIntern;Verkoopprijs;Actief;#action'];
  for (let at = 1; at <= rows; at++) {
    const price = at % 37 === 0 ? '12,5O' : `${at % 90},50`;
    lines.push(`${900_000 + at};1;Broodje kaas nummer ${at};${price};Ja;create`);
  }
  return lines.join('\n');
}

function startDesk() {
  const places = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder };
  const desk = spawn(process.execPath, [main, 'desk', '--no-open', '--port', '0'], {
    cwd: folder,
    env: { ...process.env, ...places },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return new Promise((resolve, reject) => {
    let said = '';
    desk.stdout.on('data', (part) => {
      said += part;
      const address = /http:\S+/.exec(said)?.[0];
      if (address !== undefined) resolve({ desk, address });
    });
    desk.on('exit', (code) => reject(new Error(`the desk ended with ${code}`)));
  });
}

/** In the page: when the plan was made, by the news of it, and when the first row was drawn after that. */
function watchPlan() {
  const seen = {};
  globalThis.plan = seen;
  const headers = {
    'x-catersheet-session': localStorage.getItem('catersheet-session'),
    'content-type': 'application/json',
  };
  const listen = async (since) => {
    const asked = { method: 'POST', headers, body: JSON.stringify({ since }) };
    const { at, jobs } = await (await fetch('/api/news', asked)).json();
    if (jobs.some(({ kind, endedAt }) => kind === 'plan' && endedAt !== null))
      seen.done ??= performance.now();
    else if (seen.table === undefined) await listen(at);
  };
  void listen(0);
  const look = () => {
    if (document.querySelector('.rows .lines .line:not(.waits)') === null) requestAnimationFrame(look);
    else seen.table = performance.now();
  };
  look();
}

/** Chooses the file as a person does, and waits for its rows; nothing is loaded anew. */
async function plan(page, file) {
  await page.evaluate(watchPlan);
  const begun = performance.now();
  await page.locator('input[type=file]').setInputFiles(file);
  await page.waitForSelector('.rows .lines .line:not(.waits)', { timeout: 300_000 });
  const { done, table } = await page.evaluate(() => globalThis.plan);
  console.log({
    fileToTableMs: Math.round(performance.now() - begun),
    planToTableMs: Math.round(table - done),
  });
  return /files\/([^/]+)/.exec(page.url())[1];
}

/** In the page: keeps the times between frames and the long tasks from now on. */
function watchFrames() {
  const seen = { frames: [], long: [], before: performance.now(), blank: 0, looks: 0 };
  globalThis.seen = seen;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.long.push(Math.round(duration));
  });
  observer.observe({ entryTypes: ['longtask'] });
  const frame = (now) => {
    seen.frames.push(now - seen.before);
    seen.before = now;
    seen.looks++;
    if (document.querySelector('.rows .lines .line.waits') !== null) seen.blank++;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

function readFrames() {
  const { frames, long, blank, looks } = globalThis.seen;
  globalThis.seen.frames = [];
  globalThis.seen.long = [];
  const times = frames.slice(1).toSorted((one, other) => one - other);
  const at = (part) => Math.round((times[Math.floor(times.length * part)] ?? 0) * 10) / 10;
  const sum = times.reduce((total, one) => total + one, 0);
  return {
    fps: Math.round((times.length / sum) * 1000),
    medianMs: at(0.5),
    p99Ms: at(0.99),
    worstMs: at(0.9999),
    longTasks: long,
    framesWithPlaceholders: `${blank} of ${looks}`,
  };
}

const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];

async function measure(page, session) {
  await page.waitForTimeout(500);
  await page.evaluate(watchFrames);
  const box = await page.locator('.rows').boundingBox();
  const middle = { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) };
  const scroll = async (speed, distance) => {
    const gesture = { ...middle, yDistance: -distance, speed, gestureSourceType: 'mouse' };
    await session.send('Input.synthesizeScrollGesture', { ...gesture, preventFling: true });
    return await page.evaluate(readFrames);
  };
  await page.evaluate(readFrames);
  console.log('scrolling 1,000 px/s', await scroll(1000, 5000));
  console.log('scrolling 5,000 px/s', await scroll(5000, 25_000));
  console.log('scrolling 20,000 px/s', await scroll(20_000, 100_000));
  const jumps = [];
  for (let jump = 0; jump < 40; jump++) {
    jumps.push(
      await page.evaluate(
        async (part) => {
          const table = document.querySelector('.rows');
          const start = performance.now();
          table.scrollTop = Math.round((table.scrollHeight - table.clientHeight) * part);
          const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
          for (;;) {
            await frame();
            const line = document.elementFromPoint(700, 600)?.closest('.line');
            if (line !== null && line !== undefined && !line.classList.contains('waits')) break;
          }
          return performance.now() - start;
        },
        (jump * 0.381966) % 1,
      ),
    );
  }
  console.log('40 jumps', await page.evaluate(readFrames), {
    rowsThereAfterMs: { median: Math.round(median(jumps)), worst: Math.round(Math.max(...jumps)) },
  });
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const metric = (name) => metrics.find((one) => one.name === name)?.value ?? 0;
  console.log({
    rows: await page.getAttribute('.rows', 'aria-rowcount'),
    heapMB: Math.round(metric('JSHeapUsedSize') / 1e5) / 10,
    nodes: metric('Nodes'),
    rendererMB: rendererSize(),
  });
}

/** How long it takes until anything is drawn, by a browser that has nothing of the page yet, ms. */
async function firstPaints(browser, origin) {
  const paints = [];
  for (let time = 0; time < 9; time++) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await page.goto(origin);
    await page.waitForSelector('h1');
    paints.push(
      await page.evaluate(
        () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      ),
    );
    await context.close();
  }
  return { median: Math.round(median(paints)), worst: Math.round(Math.max(...paints)) };
}

/** In the page: how long it takes from Enter in a cell until the row in the table says that it was corrected. */
function watchCorrections() {
  const taken = [];
  globalThis.taken = taken;
  const onKey = ({ key, target }) => {
    if (key !== 'Enter' || !target.matches('.cell.bad input')) return;
    const begun = performance.now();
    const line = document.querySelector('.rows .line.open');
    const look = () => {
      if (line.querySelector('.status small') === null) requestAnimationFrame(look);
      else taken.push(performance.now() - begun);
    };
    requestAnimationFrame(look);
  };
  addEventListener('keydown', onKey, true);
}

const CELL = '.cell.bad input:focus';

/** Corrects one bad price after the other by keyboard: each leads to the next. */
async function corrections(page) {
  await page.evaluate(watchCorrections);
  await page.locator('.rows').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('n');
  await page.waitForFunction(
    () => document.querySelector('.rows .line.active .pill')?.textContent === 'invalid',
  );
  await page.keyboard.press('Enter');
  for (let time = 0; time < 25; time++) {
    await page.waitForSelector(CELL);
    const heading = await page.locator('.row-panel > header').innerText();
    await page.keyboard.press('Control+a');
    await page.keyboard.type(`12,${10 + time}`);
    await page.keyboard.press('Enter');
    await page.waitForFunction((before) => {
      const head = document.querySelector('.row-panel > header');
      return head !== null && head.innerText !== before && document.querySelector('.cell.bad input:focus');
    }, heading);
  }
  const [first, ...others] = await page.evaluate(() => globalThis.taken);
  return {
    first: Math.round(first),
    median: Math.round(median(others)),
    worst: Math.round(Math.max(...others)),
  };
}

/** Corrects all that are left at once; then how long the plan is asked for, and another row opened. */
async function allAtOnce(page, draft) {
  const all = page.getByRole('button', { name: /^Correct all/ });
  const name = await all.innerText();
  const begun = performance.now();
  await all.click();
  await all.waitFor({ state: 'detached', timeout: 120_000 });
  const ms = Math.round(performance.now() - begun);
  const asked = await page.evaluate(async (id) => {
    const headers = {
      'x-catersheet-session': localStorage.getItem('catersheet-session'),
      'content-type': 'application/json',
    };
    const times = [];
    for (let time = 0; time < 9; time++) {
      const at = performance.now();
      const asked = { method: 'POST', headers, body: JSON.stringify({ file: id }) };
      await (await fetch('/api/run', asked)).json();
      times.push(performance.now() - at);
    }
    return times;
  }, draft);
  return { [name]: ms, planMs: { median: Math.round(median(asked)), worst: Math.round(Math.max(...asked)) } };
}

/** Stops the desk as a crash does, starts it again, and opens the plan; answers the new desk. */
async function startAgain(page, before, draft) {
  before.removeAllListeners('exit');
  const ended = new Promise((resolve) => before.once('exit', resolve));
  before.kill('SIGKILL');
  await ended;
  const { desk: next, address: shown } = await startDesk();
  await page.goto(shown);
  await page.waitForSelector('.top .service');
  const begun = performance.now();
  await page.evaluate((id) => {
    location.hash = `#/files/${id}/check`;
  }, draft);
  await page.waitForSelector('.rows .lines .line:not(.waits)', { timeout: 120_000 });
  console.log({ tableAfterNewStartMs: Math.round(performance.now() - begun) });
  return next;
}

/** The files of the page, compressed, kB. */
function packedSize() {
  const files = ['index.html', 'page.js', 'page.css'].map((name) =>
    readFileSync(fileURLToPath(new URL(`../../dist/desk-page/${name}`, import.meta.url))),
  );
  return Math.round(files.reduce((sum, file) => sum + gzipSync(file).length, 0) / 100) / 10;
}

/** What the processes that draw pages hold by themselves, MB. */
function rendererSize() {
  const sizes = rendererIds().map((id) => {
    const text = readFileSync(`/proc/${id}/smaps_rollup`, 'utf8');
    return Number(/Private_Dirty:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024;
  });
  return Math.round(Math.max(0, ...sizes));
}

function rendererIds() {
  if (!existsSync('/proc/self/smaps_rollup')) return [];
  const own = [];
  const visit = (id) => {
    const task = `/proc/${id}/task/${id}/children`;
    for (const child of readFileSync(task, 'utf8').split(' ').filter(Boolean)) {
      if (readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('--type=renderer')) own.push(child);
      visit(child);
    }
  };
  visit(process.pid);
  return own;
}

const { desk: started, address } = await startDesk();
let desk = started;
const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
try {
  console.log({ packedKB: packedSize(), firstPaintMs: await firstPaints(browser, new URL(address).origin) });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await page.goto(address);
  await page.waitForSelector('input[type=file]', { state: 'attached' });
  const file = join(folder, 'rows.csv');
  writeFileSync(file, makeFile());
  const draft = await plan(page, file);
  // At once, as who sees the rows begins: what makes the next ones quick may not be there yet.
  console.log({ correctionSeenMs: await corrections(page) });
  console.log(await allAtOnce(page, draft));
  await page.keyboard.press('Escape');
  await measure(page, session);
  desk = await startAgain(page, desk, draft);
} finally {
  await browser.close();
  desk.removeAllListeners('exit');
  const ended = new Promise((resolve) => desk.once('exit', resolve));
  desk.kill('SIGINT');
  await ended;
  rmSync(folder, { recursive: true, force: true });
}
