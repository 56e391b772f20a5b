import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTestService, type TestService } from '../helpers/test-service.ts';

interface CheckDocument {
  readonly ok: boolean;
  readonly checks: readonly {
    readonly what: string;
    readonly needed: boolean;
    readonly ok: boolean;
    readonly found: string;
    readonly advice?: string;
  }[];
}

/** Passes everything on to the test service, but answers paths that match in a way of its own. */
async function spoil(service: TestService, path: RegExp, status: number, body: unknown): Promise<string> {
  const server = createServer((incoming, response) => {
    if (path.test(incoming.url ?? '')) {
      incoming.resume().on('end', () => response.writeHead(status).end(JSON.stringify(body)));
      return;
    }
    const { method, headers } = incoming;
    const passed = request(new URL(incoming.url ?? '/', service.url), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(passed);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function check(service: TestService, ...flags: string[]) {
  const { code, stdout } = await service.run(['check', '--json', '--retries', '0', ...flags]);
  return { code, document: JSON.parse(stdout) as CheckDocument };
}

describe('catersheet check', () => {
  it('says yes to a service that can be imported into, and names what to set for more names', async () => {
    const service = await openTestService();
    const { code, document } = await check(service);
    expect(code).toBe(0);
    expect(document.ok).toBe(true);
    expect(document.checks.filter(({ needed }) => needed).map(({ what }) => what)).toEqual([
      'packages',
      'packages detail',
      'recipes',
      'recipes detail',
    ]);
    expect(document.checks.find(({ what }) => what === 'lookup producteenheid')).toEqual({
      what: 'lookup producteenheid',
      needed: false,
      ok: false,
      found: expect.stringContaining('not known'),
      advice:
        'ids still work in ProductEenheidWaardeID; set dialect.dropdowns.producteenheid in catersheet.config.json to use names',
    });
    const { stdout } = await service.run(['check']);
    expect(stdout).toMatch(/^ {2}! {3}lookup producteenheid/m);
    expect(stdout).toMatch(/^ {2}lookup producteenheid: ids still work in ProductEenheidWaardeID/m);
    expect(stdout.trim().split('\n').at(-1)).toBe('Workbooks can be imported here.');
  });

  it('speaks one language, in JSON too', async () => {
    const service = await openTestService();
    const { document } = await check(service, '--lang', 'nl');
    expect(document.checks.map(({ found }) => found)).toContain('leesbaar');
    expect(document.checks.map(({ what }) => what)).toContain('lookup unit');
    const { stdout } = await service.run(['check', '--lang', 'nl']);
    expect(stdout).toMatch(/^ {2}! +keuzelijst producteenheid/m);
    expect(stdout).toContain('id’s werken nog in ProductEenheidWaardeID');
  });

  it.each([
    [
      'a list that breaks down',
      /product\/pakket\/allModified/,
      500,
      { message: 'kapot' },
      'packages',
      /kapot/,
    ],
    ['a list that is forbidden', /recept\/allModified/, 403, {}, 'recipes', /not allowed/],
    ['a detail that is empty', /product\/pakket\/detail\//, 200, null, 'packages detail', /not readable/],
    [
      'a detail of another shape',
      /product\/pakket\/detail\//,
      200,
      [[1]],
      'packages detail',
      /not as expected/,
    ],
  ])('says no to a service with %s, and ends with 4', async (_, path, status, body, what, found) => {
    const service = await openTestService();
    const address = await spoil(service, path, status, body);
    const [{ code, document }, { stdout }] = await Promise.all([
      check(service, '--base-url', address),
      service.run(['check', '--base-url', address, '--retries', '0']),
    ]);
    expect(code).toBe(4);
    expect(document.ok).toBe(false);
    const failed = document.checks.filter(({ needed, ok }) => needed && !ok);
    expect(failed).toEqual([{ what, needed: true, ok: false, found: expect.stringMatching(found) }]);
    expect(stdout).toMatch(new RegExp(`^ {2}no {2}${what} `, 'm'));
    expect(stdout).toContain('No workbook can be imported here.');
  });

  it('does without a lookup that cannot be read', async () => {
    const service = await openTestService();
    const address = await spoil(service, /unit\/all/, 500, {});
    const { code, document } = await check(service, '--base-url', address);
    expect(code).toBe(0);
    expect(document.checks.find(({ what }) => what === 'lookup unit')).toMatchObject({
      needed: false,
      ok: false,
      found: expect.stringContaining('broke down'),
      advice: expect.stringContaining('names do not'),
    });
  });
});
