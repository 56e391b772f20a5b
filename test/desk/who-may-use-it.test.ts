import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { addressOf, PATHS, SESSION_HEADER } from '../../src/desk/contract/paths.ts';
import { DeskKeys } from '../../src/desk/server/desk-keys.ts';
import { openDesk, rawAnswer } from './open-desk.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const routes = Object.entries(PATHS).filter(([name]) => name !== 'exchangeKey');

describe('whoever has no session', () => {
  test('is refused by every route but the exchange of the key', async () => {
    const desk = await openDesk();
    for (const [name, route] of routes) {
      const [method = '', path = ''] = route.split(' ');
      const headers = { origin: desk.origin, ...JSON_TYPE };
      const { status } = await rawAnswer(desk.port, path.replace(/:\w+/g, 'x'), {
        method,
        headers,
        body: method === 'POST' ? '{}' : '',
      });
      expect([name, status]).toEqual([name, 401]);
    }
  });

  test.each([
    ['no key', ''],
    ['another key', 'a'.repeat(43)],
    ['a key that is too long', 'a'.repeat(201)],
  ])('gets none with %s', async (_, key) => {
    const desk = await openDesk();
    const { status, text } = await rawAnswer(desk.port, '/api/key', {
      method: 'POST',
      headers: { origin: desk.origin, ...JSON_TYPE },
      body: JSON.stringify({ key }),
    });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).not.toContain('session');
  });

  test('gets none with a key that was used, and the next key is told', async () => {
    const desk = await openDesk();
    expect(desk.told).toHaveLength(1);
    const used = desk.key();
    const open = async (key: string): Promise<number> =>
      (
        await rawAnswer(desk.port, '/api/key', {
          method: 'POST',
          headers: { origin: desk.origin, ...JSON_TYPE },
          body: JSON.stringify({ key }),
        })
      ).status;
    expect(await open(used)).toBe(200);
    expect(await open(used)).toBe(401);
    expect(desk.told).toHaveLength(2);
    expect(await open(desk.told[1]?.split('#key=')[1] ?? '')).toBe(200);
  });

  test('may load the files of the page, which hold nothing of the user', async () => {
    const desk = await openDesk();
    for (const path of ['/', '/page.js', '/page.css']) {
      const { status, text } = await rawAnswer(desk.port, path, {
        headers: { host: `127.0.0.1:${desk.port}` },
      });
      expect([path, status]).toEqual([path, 200]);
      expect(text).not.toContain(desk.service.token);
      expect(text).not.toContain(desk.key());
    }
  });
});

describe('a session', () => {
  test('sets no cookie, which would go to every port of this machine, and none is taken for it', async () => {
    const desk = await openDesk();
    const { headers, text } = await rawAnswer(desk.port, '/api/key', {
      method: 'POST',
      headers: { origin: desk.origin, ...JSON_TYPE },
      body: JSON.stringify({ key: desk.key() }),
    });
    expect(headers['set-cookie']).toBeUndefined();
    const { session } = JSON.parse(text) as { session: string };
    for (const name of ['catersheet-session', SESSION_HEADER, `catersheet_desk_${desk.port}`]) {
      const cookie = `${name}=${session}`;
      expect((await rawAnswer(desk.port, '/api/home', { headers: { cookie } })).status).toBe(401);
    }
    const own = { [SESSION_HEADER]: session };
    expect((await rawAnswer(desk.port, '/api/home', { headers: own })).status).toBe(200);
  });

  test('of one desk opens no other, nor the same one when it was started anew', async () => {
    const [one, other] = [await openDesk(), await openDesk()];
    const ask = (port: number, session: string) =>
      rawAnswer(port, '/api/home', { headers: { [SESSION_HEADER]: session } });
    expect((await ask(other.port, one.session)).status).toBe(401);
    const again = await one.again();
    expect((await ask(again.port, one.session)).status).toBe(401);
  });
});

describe('a request with the secret of a session', () => {
  test.each([
    ['by a name that another site made lead here', { host: 'evil.example' }],
    ['by that name and the right port', { host: 'evil.example:PORT' }],
    ['by the address of another machine', { host: '192.168.1.5:PORT' }],
    ['by a name that may lead to another user’s program', { host: 'localhost:PORT' }],
    ['by the name of the machine itself with a dot', { host: 'localhost.:PORT' }],
  ])('is refused %s', async (_, headers) => {
    const desk = await openDesk();
    const host = headers.host.replace('PORT', String(desk.port));
    for (const origin of [desk.origin, `http://${host}`])
      for (const path of ['/', '/api/home', '/page.js']) {
        const own = { ...desk.headers, host, origin };
        const { status, text } = await rawAnswer(desk.port, path, { headers: own });
        expect([path, status]).toEqual([path, 403]);
        expect(text).not.toContain('"runs"');
      }
  });

  test.each([
    ['another site', { origin: 'https://evil.example' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['a page without an origin of its own', { origin: 'null' }],
    ['a script of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
    ['another port, as the browser tells it', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }],
    ['a frame of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
  ])('is refused where it comes from %s', async (_, headers) => {
    const desk = await openDesk();
    const own = { ...desk.headers, ...headers };
    expect((await rawAnswer(desk.port, '/api/home', { headers: own })).status).toBe(403);
    const posted = { method: 'POST', headers: { ...own, ...JSON_TYPE }, body: '{"language":"nl"}' };
    expect((await rawAnswer(desk.port, '/api/language', posted)).status).toBe(403);
    expect((await desk.ask('home')).language).toBe('en');
  });

  test('changes nothing without the origin that a browser sends with it', async () => {
    const desk = await openDesk();
    const own = { [SESSION_HEADER]: desk.session };
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
      const posted = { method: 'POST', headers: { ...own, 'content-type': type }, body: '{"language":"nl"}' };
      expect((await rawAnswer(desk.port, '/api/language', posted)).status).toBe(403);
    }
    expect((await desk.ask('home')).language).toBe('en');
  });

  test('is never told to be readable by others, and every answer keeps the page apart', async () => {
    const desk = await openDesk();
    for (const path of ['/', '/api/home', '/api/nothing', '/page.js']) {
      const { headers } = await rawAnswer(desk.port, path, { headers: desk.headers });
      expect(headers['access-control-allow-origin']).toBeUndefined();
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(headers['x-frame-options']).toBe('DENY');
      expect(headers['cross-origin-resource-policy']).toBe('same-origin');
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
  });
});

describe('a ticket', () => {
  const files = ['jobFile', 'result', 'report', 'invoice', 'invoicesZip'] as const;
  const params = { job: 'x', run: 'x', draft: 'x', invoice: 'Factuur 2026’1.pdf' };
  const addresses = [
    ...files.map((route) => addressOf(route, { params })[1]),
    addressOf('result', { params, query: { problems: '1' } })[1],
  ];

  test('opens the address it was made for, once, to a browser that follows a link', async () => {
    const desk = await openDesk();
    for (const address of addresses) {
      const { ticket } = await desk.ask('ticket', { body: { address } });
      const once = `${address}${address.includes('?') ? '&' : '?'}ticket=${ticket}`;
      const headers = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' };
      // It got to the route, which knows no such file.
      expect([400, 404]).toContain((await rawAnswer(desk.port, once, { headers })).status);
      const again = await rawAnswer(desk.port, once, { headers });
      expect([address, again.status]).toEqual([address, 401]);
      expect(again.text).toContain('This address works once');
    }
  });

  test('opens nothing else, changes nothing, and is made for nobody without a session', async () => {
    const desk = await openDesk();
    const [, address] = addressOf('report', { params });
    const make = async () => (await desk.ask('ticket', { body: { address } })).ticket;
    for (const [method, path] of [
      ['GET', '/api/home'],
      ['GET', `${address}/`],
      ['GET', `${address}?problems=1`],
      ['POST', '/api/ticket'],
      ['POST', address],
      ['HEAD', address],
    ] as const) {
      const once = `${path}${path.includes('?') ? '&' : '?'}ticket=${await make()}`;
      const asked = { method, headers: { origin: desk.origin, ...JSON_TYPE } };
      expect([method, path, (await rawAnswer(desk.port, once, asked)).status]).toEqual([method, path, 401]);
    }
    const elsewhere = { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' };
    const led = await rawAnswer(desk.port, `${address}?ticket=${await make()}`, { headers: elsewhere });
    expect(led.status).toBe(403);
    for (const other of ['/', 'http://evil.example/api/home', '//evil.example/api/home'])
      expect((await desk.fetch('ticket', { body: { address: other } })).status).toBe(400);
  });

  test('is good for half a minute', () => {
    let now = 0;
    const keys = new DeskKeys(undefined, () => now);
    const [soon, late] = [keys.ticketFor('/api/events'), keys.ticketFor('/api/events')];
    now = 30_000;
    expect(keys.takeTicket(soon, 'http://127.0.0.1:4747/api/events?ticket=x')).toBe(true);
    now = 30_001;
    expect(keys.takeTicket(late, 'http://127.0.0.1:4747/api/events?ticket=x')).toBe(false);
  });
});

test('the service’s token is in no answer, and a file that is brought is for its owner alone', async () => {
  const desk = await openDesk();
  const draft = await desk.bring('fixtures/samples/catalogus-voorjaar.xlsx');
  await desk.planned(draft);
  for (const route of ['home', 'listRuns', 'listDrafts', 'exports', 'listJobs'] as const)
    expect(await (await desk.fetch(route)).text()).not.toContain(desk.service.token);
  if (process.platform === 'win32') return;
  const folder = join(desk.service.folder, 'desk');
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    expect([path, statSync(path).mode & 0o077]).toEqual([path, 0]);
    if (entry.isFile() && path.endsWith('.json'))
      expect(readFileSync(path, 'utf8')).not.toContain(desk.service.token);
  }
});
