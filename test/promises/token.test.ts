import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { EXIT, importWorkbook } from '../../src/index.ts';
import { runCli } from '../helpers/run-cli.ts';
import { serviceOnly } from '../helpers/service-options.ts';
import type { Failure, KnobChanges } from '../second-service/knobs.ts';
import { partsOf } from '../template/fill-in.ts';
import { newPackages, openWorld } from './world.ts';

const TOKEN = 'geheim/Zq9x+4w==';

/** Where requests of this process go until the test is over, whoever makes them. */
function watchRequests(): Set<unknown> {
  const asked = new Set<unknown>();
  const note = (message: unknown) => asked.add((message as { request: { origin: unknown } }).request.origin);
  subscribe('undici:request:create', note);
  onTestFinished(() => void unsubscribe('undici:request:create', note));
  return asked;
}

const redirect = (status: number, when: 'before' | 'after' = 'before'): Failure => ({
  ...{ kind: 'redirect', when, status },
  to: `http://elders.example:81/?t=${encodeURIComponent(TOKEN)}`,
});

describe('the token goes to its own address only (22)', () => {
  test.each<[string, KnobChanges]>([
    ['a list names its next page on another host', { answers: { links: 'other host', pageSize: 2 } }],
    ['a list names its next page by another protocol', { answers: { links: 'other scheme', pageSize: 2 } }],
    ...[301, 302, 307, 308].map((status): [string, KnobChanges] => [
      `every request is answered ${status} to elsewhere`,
      { failures: { choose: () => redirect(status) } },
    ]),
  ])('where %s', async (_, knobs) => {
    const asked = watchRequests();
    const { service, folder, sheet, machine, exportRecords, importWorkbook } = openWorld({
      token: TOKEN,
      ...knobs,
    });
    const out = join(folder, 'p.xlsx');
    await exportRecords('packages', { ...serviceOnly(machine()), out }).catch(() => {});
    await importWorkbook(sheet(newPackages(3)), machine()).catch(() => {});
    expect([...asked]).toEqual([service.url.replace(/\/$/, '')]);
    expect(service.journal.requests.length).toBeGreaterThan(1);
  });

  test('where a proxy leads to it, which is asked for a tunnel alone', async () => {
    let heard = '';
    const proxy = createServer((socket) =>
      socket.on('data', (bytes) => {
        heard += bytes.toString();
        socket.end('HTTP/1.1 403 No\r\n\r\n');
      }),
    ).listen(0, '127.0.0.1');
    onTestFinished(() => void proxy.close());
    await new Promise((resolve) => proxy.once('listening', resolve));
    vi.stubEnv('http_proxy', `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { sheet, machine } = openWorld();
    const options = {
      ...machine(),
      baseUrl: 'http://elders.example/',
      allowHttp: true,
      token: TOKEN,
      retries: 0,
    };
    await expect(importWorkbook(sheet(newPackages(1)), options)).rejects.toMatchObject({
      exit: EXIT.service,
    });
    expect(heard).toMatch(/^CONNECT elders.example:80 /);
    expect(heard).not.toContain(TOKEN);
  });
});

/** Everything in the files of a folder, workbooks unpacked. */
async function contents(folder: string): Promise<string> {
  const texts: string[] = [];
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = readFileSync(join(entry.parentPath, entry.name));
    texts.push(entry.name, bytes.toString('latin1'), bytes.toString('utf16le'));
    if (bytes.toString('latin1', 0, 2) === 'PK') texts.push(...(await partsOf(bytes)).values());
  }
  return texts.join('\n');
}

describe('the token is in no log, file, ledger, result, message or argument (22)', () => {
  const echo = `Authorization: Bearer ${TOKEN}`;
  test.each<[string, Failure]>([
    ['all goes well', { kind: 'status', status: 503, when: 'before' }],
    [
      'a refusal echoes it',
      { kind: 'answer', when: 'before', status: 422, body: { message: echo, errors: { [echo]: [echo] } } },
    ],
    [
      'a refusal echoes it encoded',
      { kind: 'answer', when: 'before', status: 400, body: { message: encodeURIComponent(TOKEN) } },
    ],
    [
      'a refusal echoes it in base64',
      {
        kind: 'answer',
        when: 'before',
        status: 400,
        body: { message: Buffer.from(TOKEN).toString('base64') },
      },
    ],
    [
      'an answer of another shape echoes it',
      { kind: 'answer', when: 'after', status: 200, body: { [TOKEN]: { [TOKEN]: echo } } },
    ],
    ['it is refused', { kind: 'answer', when: 'before', status: 401, body: { message: echo } }],
    ['it is redirected', redirect(307, 'after')],
  ])('where %s', async (_, failure) => {
    const { service, folder, sheet, machine, tellImport } = openWorld({ token: TOKEN });
    service.failNext(failure, ({ endpoint }) => endpoint === 'package.create');
    const given = { ...machine(), report: join(folder, 'r.html'), out: join(folder, 'r.xlsx') };
    const options = { ...given, ledger: join(folder, 'ledger.db'), log: join(folder, 'log') };
    const end = await tellImport(sheet(newPackages(3)), options).catch((error: unknown) => error);
    const shown = `${inspect(end, { depth: 20, showHidden: true })}${JSON.stringify(end)}${await contents(folder)}`;
    const found = (...parts: string[]): string[] => parts.filter((part) => shown.includes(part));
    expect(found('packages.create', 'Lunch 1')).toEqual(['packages.create', 'Lunch 1']);
    const base64 = Buffer.from(TOKEN).toString('base64');
    expect(found(TOKEN, encodeURIComponent(TOKEN), base64, TOKEN.slice(0, 9))).toEqual([]);
  });

  test('no option takes it, and what was typed is not repeated', async () => {
    const { code, stdout, stderr } = await runCli(['check', '--token', TOKEN]);
    expect([code, stdout]).toEqual([EXIT.usage, '']);
    expect(stderr).toContain('CATERSHEET_TOKEN');
    expect(stderr).not.toContain(TOKEN);
  });
});
