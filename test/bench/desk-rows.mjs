// The page of the desk in a real Chromium with a plan of many rows: its size and first paint, time until the table
// is there, frames and long tasks while scrolling, memory, and how long a correction takes. `node test/bench/desk-rows.mjs [ROWS]`, after `npm run build`.
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

/** Brings a file to the desk and has it planned; answers the draft's id. */
async function plan([name, text]) {
  const headers = { 'x-catersheet-desk': '1' };
  const ask = async (address, more) => await (await fetch(address, { headers, ...more })).json();
  const { draft } = await ask(`/api/files?name=${name}`, { method: 'POST', body: text });
  const json = { ...headers, 'content-type': 'application/json' };
  const begun = await ask(`/api/drafts/${draft.id}/plan`, { method: 'POST', headers: json, body: '{}' });
  for (;;) {
    const { job } = await ask(`/api/jobs/${begun.job.id}`);
    if (job.state === 'done') return draft.id;
    if (job.state === 'failed') throw new Error(JSON.stringify(job.stop));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
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

async function measure(page, session, draft) {
  const begun = performance.now();
  await page.evaluate((id) => {
    location.hash = `#/draft/${id}/plan`;
  }, draft);
  await page.waitForSelector('.rows .lines .line:not(.waits)');
  console.log({ tableAfterPlanMs: Math.round(performance.now() - begun) });
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

/** Corrects prices all over the file, as the page does; how long each takes until its row was checked, ms. */
async function corrections(page, draft) {
  const times = await page.evaluate(
    async ([id, last]) => {
      const taken = [];
      for (let time = 0; time < 40; time++) {
        const row = 2 + Math.floor((time * 0.381966 * last) % last);
        const corrections = [{ sheet: 'rows', row, column: 4, text: time % 4 === 0 ? 'x' : '12,75' }];
        const begun = performance.now();
        const answer = await fetch(`/api/drafts/${id}/correct`, {
          method: 'POST',
          headers: { 'x-catersheet-desk': '1', 'content-type': 'application/json' },
          body: JSON.stringify({ corrections }),
        });
        if (!answer.ok) throw new Error(await answer.text());
        await answer.json();
        taken.push(performance.now() - begun);
      }
      return taken;
    },
    [draft, rows],
  );
  const [first, ...others] = times;
  return {
    first: Math.round(first),
    median: Math.round(median(others)),
    worst: Math.round(Math.max(...others)),
  };
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

const { desk, address } = await startDesk();
const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
try {
  console.log({ packedKB: packedSize(), firstPaintMs: await firstPaints(browser, new URL(address).origin) });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await page.goto(address);
  await page.waitForSelector('.top');
  writeFileSync(join(folder, 'rows.csv'), makeFile());
  const draft = await page.evaluate(plan, ['rows.csv', readFileSync(join(folder, 'rows.csv'), 'utf8')]);
  // The page itself is measured without what brought the file.
  await page.reload();
  await page.waitForSelector('.top');
  await measure(page, session, draft);
  console.log({ correctionMs: await corrections(page, draft) });
} finally {
  await browser.close();
  desk.removeAllListeners('exit');
  const ended = new Promise((resolve) => desk.once('exit', resolve));
  desk.kill('SIGINT');
  await ended;
  rmSync(folder, { recursive: true, force: true });
}
