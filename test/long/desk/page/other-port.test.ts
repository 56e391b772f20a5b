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
  for (const path of ['/api/home', '/api/listRuns', '/api/news?since=0', '/']) {
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
      await fetch(desk + '/api/chooseLanguage', {
        ...{ method: 'POST', mode, credentials: 'include', headers: { 'content-type': type } },
        body: '{"language":"nl"}',
      }).then((answer) => answer.ok && read.push('changed'), () => {});
  const form = document.createElement('form');
  Object.assign(form, { method: 'POST', action: desk + '/api/chooseLanguage', enctype: 'text/plain', target: 'there' });
  const field = document.createElement('input');
  Object.assign(field, { name: '{"language":"nl","x":"', value: '"}' });
  form.append(field);
  const there = document.createElement('iframe');
  there.name = 'there';
  document.body.append(there, form);
  form.submit();
  navigator.sendBeacon(desk + '/api/chooseLanguage', '{"language":"nl"}');
  for (const begin of [() => new EventSource(desk + '/api/news?since=0', { withCredentials: true }),
    () => new WebSocket(desk.replace('http', 'ws') + '/api/news?since=0')]) {
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
