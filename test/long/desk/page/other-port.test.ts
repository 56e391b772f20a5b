import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openDesk } from '../../../desk/open-desk.ts';
import { useBrowser } from '../../../desk/page/open-page.ts';
import { chromium } from '../../../import/report/chromium.ts';

const open = useBrowser();

/** A page that another user of this machine serves on another port, and all that comes to it. */
async function otherUser() {
  const came: string[] = [];
  const server = createServer((asked, answer) => {
    came.push(JSON.stringify([asked.url, asked.headers]));
    answer.setHeader('access-control-allow-origin', '*');
    answer.setHeader('content-type', 'text/html').end('<!doctype html><title>Lunchlijst</title><p>Lunch');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { came, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Runs in the page of the other user: all that a page can try, and what it got to read. */
const attack = (desk: string): string => `(async () => {
  const desk = ${JSON.stringify(desk)};
  const read = [];
  const soon = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const own = { 'x-catersheet-session': localStorage.getItem('catersheet-session') ?? '' };
  for (const path of ['/api/home', '/api/runs', '/api/events', '/']) {
    for (const asking of [{}, { mode: 'no-cors' }, { headers: own }])
      await fetch(desk + path, { credentials: 'include', ...asking })
        .then((answer) => answer.text()).then((text) => text !== '' && read.push(path + text), () => {});
    const frame = document.createElement('iframe');
    frame.src = desk + path;
    document.body.append(frame);
    const script = document.createElement('script');
    script.src = desk + path;
    document.body.append(script);
    const image = new Image();
    image.src = desk + path;
    const opened = window.open(desk + path);
    await soon(300);
    // Until it has gone there it is empty, and this page's own.
    for (const other of [frame.contentWindow, opened])
      for (let tries = 0; tries < 100; tries++)
        try {
          if (other.location.href === 'about:blank') {
            await soon(50);
            continue;
          }
          read.push(path + other.localStorage.length + other.document.body.textContent);
          break;
        } catch {
          break;
        }
  }
  for (const type of ['text/plain', 'application/json', 'application/x-www-form-urlencoded'])
    for (const mode of ['no-cors', 'cors'])
      await fetch(desk + '/api/language', {
        ...{ method: 'POST', mode, credentials: 'include', headers: { 'content-type': type } },
        body: '{"language":"nl"}',
      }).then((answer) => answer.ok && read.push('changed'), () => {});
  const form = document.createElement('form');
  Object.assign(form, { method: 'POST', action: desk + '/api/language', enctype: 'text/plain', target: 'there' });
  const field = document.createElement('input');
  Object.assign(field, { name: '{"language":"nl","x":"', value: '"}' });
  form.append(field);
  const there = document.createElement('iframe');
  there.name = 'there';
  document.body.append(there, form);
  form.submit();
  navigator.sendBeacon(desk + '/api/language', '{"language":"nl"}');
  for (const begin of [() => new EventSource(desk + '/api/events', { withCredentials: true }),
    () => new WebSocket(desk.replace('http', 'ws') + '/api/events')]) {
    const stream = begin();
    await new Promise((resolve) => {
      stream.onopen = () => { read.push('opened ' + stream.url); resolve(); };
      stream.onmessage = (told) => { read.push(told.data); resolve(); };
      stream.onerror = resolve;
      setTimeout(resolve, 2000);
    });
    stream.close();
  }
  await soon(500);
  return read;
})()`;

test.skipIf(chromium === undefined)(
  'a page of another user on another port gets nothing of the session, reads nothing and changes nothing',
  async () => {
    const desk = await openDesk();
    const other = await otherUser();
    const page = await open(desk);
    await page.getByRole('heading', { name: 'Latest runs' }).waitFor();
    const session = await page.evaluate<string>("localStorage.getItem('catersheet-session')");
    expect(session.length).toBeGreaterThan(40);

    // From there a link is pressed, and the page is left open in another tab.
    const beside = await page.context().newPage();
    await beside.goto(`${desk.origin}/#/runs`);
    await beside.getByRole('heading', { level: 1, name: 'Runs', exact: true }).waitFor();
    await page.goto(other.origin);
    expect(await page.context().cookies()).toEqual([]);
    const read = await page.evaluate<string[]>(attack(desk.origin));
    expect(read).toEqual([]);
    expect(other.came.length).toBeGreaterThan(0);
    expect(other.came.filter((one) => one.includes(session) || /cookie/i.test(one))).toEqual([]);
    expect((await desk.ask('home')).language).toBe('en');
  },
  300_000,
);

test.skipIf(chromium === undefined)(
  'every tab of the browser that had the key has access, after a reload too, and a browser of its own has none',
  async () => {
    const desk = await openDesk();
    const page = await open(desk);
    const onRuns = (tab: typeof page) =>
      tab.getByRole('heading', { level: 1, name: 'Runs', exact: true }).waitFor();
    await page.getByText(/^catersheet, version \d+\.\d+\.\d+/).waitFor();
    await page.goto(`${desk.origin}/#/runs`);
    await page.reload();
    await onRuns(page);
    const beside = await page.context().newPage();
    await beside.goto(`${desk.origin}/#/runs`);
    await onRuns(beside as typeof page);
    // A bookmark in another browser, and the name that may lead to another user's program.
    const stranger = await open({ origin: desk.origin, key: () => 'none' });
    await stranger.getByRole('heading', { name: 'This browser has no access yet' }).waitFor();
    await stranger.getByText('Open the address that the terminal shows last').waitFor();
    expect(page.wrong).toEqual([]);
  },
  300_000,
);

test.skipIf(chromium === undefined)(
  'files and the report of a run are followed from the page by any button, once each',
  async () => {
    const desk = await openDesk();
    const draft = await desk.bring('fixtures/samples/catalogus-voorjaar.xlsx');
    await desk.planned(draft);
    const { run } = await desk.ask('plan', { params: { draft } });
    await desk.ended((await desk.ask('send', { params: { draft }, body: { run, deletes: 0 } })).job);
    const page = await open(desk);
    await page.getByRole('heading', { name: 'Latest runs' }).waitFor();
    await page.goto(`${desk.origin}/#/draft/${draft}/done`);
    const workbook = page.getByRole('link', { name: 'Download the workbook' });
    for (const button of ['left', 'middle'] as const) {
      const saved = page.waitForEvent('download');
      await workbook.click({ button });
      const file = await saved;
      expect(file.suggestedFilename()).toMatch(/xlsx$/);
      expect(await file.failure()).toBeNull();
    }
    const opened = page.context().waitForEvent('page');
    await page
      .getByRole('link', { name: /report/i })
      .first()
      .click();
    const report = await opened;
    await report.getByText('catalogus-voorjaar').first().waitFor();
    expect(await report.evaluate('origin')).toBe('null');
    await report.reload();
    await report.getByText('This address works once').waitFor();
    expect(page.wrong).toEqual([]);
    expect(page.refused).toEqual([]);
  },
  300_000,
);
