import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SESSION_HEADER } from '../../src/desk/contract/answers.ts';
import { ASKED } from '../../src/desk/contract/asked.ts';
import { openDesk, rawAnswer, type TestDesk } from './open-desk.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** What comes of a key. */
const exchange = (desk: TestDesk, key: string) =>
  rawAnswer(desk.port, '/api/exchangeKey', {
    method: 'POST',
    headers: { origin: desk.origin, ...JSON_TYPE },
    body: JSON.stringify({ key }),
  });

/** What comes of a change. */
const change = async (desk: TestDesk, headers: Record<string, string>): Promise<number> =>
  (await rawAnswer(desk.port, '/api/chooseLanguage', { method: 'POST', headers, body: '{"language":"nl"}' }))
    .status;

describe('whoever has no session', () => {
  test('is refused by every route but the exchange of the key, with a cookie too', async () => {
    const desk = await openDesk();
    for (const name of Object.keys(ASKED).filter((name) => name !== 'exchangeKey')) {
      const cookie = `catersheet-session=${desk.session}; ${SESSION_HEADER}=${desk.session}`;
      const headers = { origin: desk.origin, cookie, ...JSON_TYPE };
      const asked = { method: 'POST', headers, body: '{}' };
      const { status } = await rawAnswer(desk.port, `/api/${name}`, asked);
      expect([name, status]).toEqual([name, 401]);
    }
  });

  test('gets one with the key that was told, once and without a cookie, and the next key is told', async () => {
    const [desk, other] = [await openDesk(), await openDesk()];
    for (const key of ['', 'a'.repeat(43), 'a'.repeat(201), other.key()]) {
      const { status, text } = await exchange(desk, key);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(text).not.toContain('session');
    }
    const used = desk.key();
    const { headers, text } = await exchange(desk, used);
    expect(headers['set-cookie']).toBeUndefined();
    expect((await exchange(desk, used)).status).toBe(401);
    const { session } = JSON.parse(text) as { session: string };
    const asked = async (port: number) => {
      const own = { [SESSION_HEADER]: session, origin: `http://127.0.0.1:${port}`, ...JSON_TYPE };
      return (await rawAnswer(port, '/api/home', { method: 'POST', headers: own, body: '{}' })).status;
    };
    expect([await asked(desk.port), await asked(other.port)]).toEqual([200, 401]);
    expect((await exchange(desk, desk.told.at(-1)?.split('#key=')[1] ?? '')).status).toBe(200);
    expect(await asked((await desk.again()).port)).toBe(401);
  });
});

describe('a request with the secret of a session', () => {
  test.each<[string, (desk: TestDesk) => Record<string, string>]>([
    ['a name that another site made lead here', () => ({ host: 'evil.example' })],
    [
      'a name that may lead elsewhere',
      ({ port }) => ({ host: `localhost:${port}`, origin: `http://localhost:${port}` }),
    ],
    ['a page without an origin of its own', () => ({ origin: 'null' })],
    [
      'another port, as the browser tells it',
      () => ({ 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }),
    ],
  ])('is refused where it comes by %s (33)', async (_, own) => {
    const desk = await openDesk();
    const headers = { ...desk.headers, ...own(desk) };
    const paths = 'host' in headers ? ['/api/home', '/', '/page.js'] : ['/api/home'];
    for (const path of paths) expect((await rawAnswer(desk.port, path, { headers })).status).toBe(403);
    expect(await change(desk, { ...headers, ...JSON_TYPE })).toBe(403);
    expect((await desk.ask('home')).language).toBe('en');
  });

  test('changes nothing without the origin that a browser sends with it', async () => {
    const desk = await openDesk();
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded'])
      expect(await change(desk, { [SESSION_HEADER]: desk.session, 'content-type': type })).toBe(403);
    expect((await desk.ask('home')).language).toBe('en');
  });

  test('is never told to be readable by others, and every answer keeps the page apart', async () => {
    const desk = await openDesk();
    for (const path of ['/', '/api/home', '/api/nothing', '/page.js']) {
      const { headers } = await rawAnswer(desk.port, path, { headers: desk.headers });
      expect(headers['access-control-allow-origin']).toBeUndefined();
      expect(headers['content-security-policy']).toMatch(/^(?!.*unsafe).*default-src 'none'/);
      expect(headers).toMatchObject({
        'x-frame-options': 'DENY',
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
      });
    }
  });
});

test('a file is no address that a link could lead to', async () => {
  const desk = await openDesk();
  for (const route of ['jobFile', 'result', 'report'])
    for (const method of ['GET', 'HEAD']) {
      const { headers } = desk;
      const { status } = await rawAnswer(desk.port, `/api/${route}?run=x&job=x`, { method, headers });
      expect([route, status]).toEqual([route, 404]);
    }
});

test('the service’s token is in no answer, and a file that is brought is for its owner alone', async () => {
  const desk = await openDesk();
  const draft = await desk.bring('fixtures/samples/telling-koelcel.csv');
  await desk.planned(draft);
  for (const route of ['home', 'listRuns', 'exports', 'service'] as const)
    expect(await (await desk.fetch(route)).text()).not.toContain(desk.service.token);
  if (process.platform === 'win32') return;
  const folder = join(desk.service.folder, 'desk');
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    expect([path, statSync(path).mode & 0o077]).toEqual([path, 0]);
    if (path.endsWith('.json')) expect(readFileSync(path, 'utf8')).not.toContain(desk.service.token);
  }
});
