import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OWN_HEADER, PATHS } from '../../src/desk/contract/paths.ts';
import { openDesk, rawAnswer } from './open-desk.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const routes = Object.entries(PATHS).filter(([name]) => name !== 'exchangeKey');

describe('whoever has no session', () => {
  test('is refused by every route but the exchange of the key', async () => {
    const desk = await openDesk();
    for (const [name, route] of routes) {
      const [method = '', path = ''] = route.split(' ');
      const headers = { host: `127.0.0.1:${desk.port}`, [OWN_HEADER]: '1', ...JSON_TYPE };
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
    const { status, headers } = await rawAnswer(desk.port, '/api/key', {
      method: 'POST',
      headers: { host: `127.0.0.1:${desk.port}`, [OWN_HEADER]: '1', ...JSON_TYPE },
      body: JSON.stringify({ key }),
    });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(headers['set-cookie']).toBeUndefined();
  });

  test('gets none with a key that was used, and the next key is told', async () => {
    const desk = await openDesk();
    expect(desk.told).toHaveLength(1);
    const used = desk.key();
    const open = async (key: string): Promise<number> =>
      (
        await rawAnswer(desk.port, '/api/key', {
          method: 'POST',
          headers: { host: `127.0.0.1:${desk.port}`, [OWN_HEADER]: '1', ...JSON_TYPE },
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

describe('the cookie of a session', () => {
  test('is kept from scripts and from other sites', async () => {
    const desk = await openDesk();
    const { headers } = await rawAnswer(desk.port, '/api/key', {
      method: 'POST',
      headers: { host: `127.0.0.1:${desk.port}`, [OWN_HEADER]: '1', ...JSON_TYPE },
      body: JSON.stringify({ key: desk.key() }),
    });
    expect(String(headers['set-cookie'])).toMatch(/; HttpOnly/);
    expect(String(headers['set-cookie'])).toMatch(/; SameSite=Strict/);
  });

  test('has a name of its own for each port, so that two desks keep apart', async () => {
    const [one, other] = [await openDesk(), await openDesk()];
    expect(one.cookie.split('=')[0]).not.toBe(other.cookie.split('=')[0]);
  });
});

describe('a request with the cookie of a session', () => {
  test.each([
    ['by a name that another site made lead here', { host: 'evil.example' }],
    ['by that name and the right port', { host: 'evil.example:PORT' }],
    ['by the address of another machine', { host: '192.168.1.5:PORT' }],
    ['by the name of the machine itself with a dot', { host: 'localhost.:PORT' }],
  ])('is refused %s', async (_, headers) => {
    const desk = await openDesk();
    const host = headers.host.replace('PORT', String(desk.port));
    for (const path of ['/', '/api/home', '/page.js']) {
      const { status, text } = await rawAnswer(desk.port, path, { headers: { host, cookie: desk.cookie } });
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
    const own = { host: `127.0.0.1:${desk.port}`, cookie: desk.cookie, [OWN_HEADER]: '1', ...headers };
    expect((await rawAnswer(desk.port, '/api/home', { headers: own })).status).toBe(403);
    const posted = { method: 'POST', headers: { ...own, ...JSON_TYPE }, body: '{"language":"nl"}' };
    expect((await rawAnswer(desk.port, '/api/language', posted)).status).toBe(403);
    expect((await desk.ask('home')).language).toBe('en');
  });

  test('changes nothing without the header that only the page can send', async () => {
    const desk = await openDesk();
    const own = { host: `127.0.0.1:${desk.port}`, cookie: desk.cookie };
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
      const posted = { method: 'POST', headers: { ...own, 'content-type': type }, body: '{"language":"nl"}' };
      expect((await rawAnswer(desk.port, '/api/language', posted)).status).toBe(403);
    }
    expect((await desk.ask('home')).language).toBe('en');
  });

  test('is never told to be readable by others, and every answer keeps the page apart', async () => {
    const desk = await openDesk();
    for (const path of ['/', '/api/home', '/api/nothing', '/page.js']) {
      const { headers } = await rawAnswer(desk.port, path, {
        headers: { host: `127.0.0.1:${desk.port}`, cookie: desk.cookie },
      });
      expect(headers['access-control-allow-origin']).toBeUndefined();
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(headers['x-frame-options']).toBe('DENY');
      expect(headers['cross-origin-resource-policy']).toBe('same-origin');
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
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
