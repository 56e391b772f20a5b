import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { EXIT } from '../../src/core/errors.ts';
import type { RequestError } from '../../src/service/request-error.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { body, create, findById, open, read, TOKEN } from './open.ts';

const SERVICE = 'http://catering.example/';

beforeEach(() => {
  for (const name of ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'NODE_TLS_REJECT_UNAUTHORIZED'])
    for (const one of [name, name.toLowerCase()]) vi.stubEnv(one, undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
});

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A service, and a proxy that leads every address to it; what each was asked. */
async function openProxied(answer?: (socket: Socket) => void, tls?: { key: Buffer; cert: Buffer }) {
  const [asked, heard]: [string[], string[]] = [[], []];
  const serve = (headers: NodeJS.Dict<string | string[]>): string => {
    heard.push(`${headers.host} ${headers.authorization}`);
    return '{"ProductID":5,"success":true}';
  };
  const service =
    tls === undefined
      ? createHttp(({ headers }, response) => void response.end(serve(headers)))
      : createHttps(tls, ({ headers }, response) => void response.end(serve(headers)));
  const port = await listening(service);
  const proxy = createHttp();
  proxy.on('connect', ({ url, headers }, socket: Socket, head: Buffer) => {
    asked.push(
      ['CONNECT', url, headers['proxy-authorization'] ?? [], headers.authorization ?? []].flat().join(' '),
    );
    socket.on('error', () => {});
    if (answer !== undefined) return answer(socket);
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
  });
  return { asked, heard, port, proxy: `127.0.0.1:${await listening(proxy)}` };
}

function service(baseUrl: string, options = {}) {
  const opened = open(baseUrl, { allowHttp: true, timeout: 1000, concurrency: 1, ...options });
  onTestFinished(() => opened.close());
  return opened;
}

const failureOf = (baseUrl: string): Promise<RequestError> =>
  service(baseUrl)
    .read()
    .then(
      () => expect.fail('it went through'),
      (error: RequestError) => error,
    );

test.each([
  ['HTTP_PROXY', 'http://', '', 'catering.example:80'],
  ['http_proxy', '', '/', 'catering.example:80'],
  [
    'HTTP_PROXY',
    'http://kok:ge%3Aheim@',
    '',
    `catering.example:80 Basic ${Buffer.from('kok:ge:heim').toString('base64')}`,
  ],
])(
  'a proxy of the environment leads to a service by one tunnel, and is given its own password and never the token: %s=%s',
  async (name, before, after, asked) => {
    const opened = await openProxied();
    vi.stubEnv(name, `${before}${opened.proxy}${after}`);
    const { send } = service(SERVICE);
    await send(findById, read);
    await send(create, { body });
    expect(opened.heard).toEqual(Array(2).fill(`catering.example Bearer ${TOKEN}`));
    expect(opened.asked).toEqual([`CONNECT ${asked}`]);
  },
);

test.each([
  ['this machine', {}, 'http://127.0.0.1'],
  ['this machine by name', {}, 'http://localhost'],
  ['what NO_PROXY names', { NO_PROXY: 'elders.example, .localtest' }, 'http://keuken.localtest'],
  ['everything, by NO_PROXY=*', { no_proxy: '*' }, 'http://keuken.invalid'],
])('a proxy is not asked for %s', async (_, variables: Record<string, string>, host) => {
  const { asked, port, proxy } = await openProxied();
  for (const [name, value] of Object.entries({ HTTP_PROXY: `http://${proxy}`, ...variables }))
    vi.stubEnv(name, value);
  await service(`${host}:${port}`, { retries: 0 })
    .read()
    .catch(() => {});
  expect(asked).toEqual([]);
});

const says = (line: string) => (socket: Socket) => void socket.end(`HTTP/1.1 ${line}\r\n\r\n`);

test.each<[string, (socket: Socket) => void, RegExp, number]>([
  ['asks for a password', says('407 Who'), /a name and a password.*\(407\)/, 1],
  ['refuses', says('403 No'), /the proxy refuses to connect \(403\)/, 1],
  ['reaches nothing', says('502 Bad'), /no connection by the proxy.*\(502\)/, 3],
  ['closes the connection', (socket) => void socket.destroy(), /no connection by the proxy.*\(\w+\)/, 3],
])(
  'a proxy that %s is named as what is wrong, in as many tries as help',
  async (_, answer, reason, tries) => {
    const { asked, proxy } = await openProxied(answer);
    vi.stubEnv('HTTPS_PROXY', `http://${proxy}`);
    const error = await failureOf('https://catering.example/');
    expect(error).toMatchObject({ kind: 'unreachable', mayHaveTakenEffect: false, attempts: tries });
    expect([error.reason, asked.length]).toEqual([expect.stringMatching(reason), tries]);
  },
);

test.each(['keuken proxy', 'ftp://proxy.example:21', 'http://'])(
  'a proxy written as "%s" is refused, without what it holds',
  (value) => {
    vi.stubEnv('HTTPS_PROXY', value);
    expect(() => open('https://catering.example/')).toThrow(
      expect.objectContaining({ exit: EXIT.usage, message: 'HTTPS_PROXY is no address of a proxy.' }),
    );
  },
);

test('a service by https whose certificate nobody knows, or that speaks http, is named so and is sent no token', async (context) => {
  const folder = tempFolder();
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const make = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', cert];
  try {
    execFileSync('openssl', [...make, '-subj', '/CN=catering.example'], { stdio: 'ignore' });
  } catch {
    context.skip();
  }
  const tls = { key: readFileSync(key), cert: readFileSync(cert) };
  const { heard, port, proxy } = await openProxied(undefined, tls);
  const untrusted = /not trusted.*NODE_EXTRA_CA_CERTS \(DEPTH_ZERO_SELF_SIGNED_CERT\)/;
  expect((await failureOf(`https://localhost:${port}/`)).reason).toMatch(untrusted);
  vi.stubEnv('HTTPS_PROXY', `http://${proxy}`);
  const error = await failureOf('https://catering.example/');
  expect(error).toMatchObject({ kind: 'unreachable', attempts: 1, reason: expect.stringMatching(untrusted) });
  const plain = await openProxied();
  expect((await failureOf(`https://localhost:${plain.port}/`)).reason).toMatch(
    /^the service speaks http at this address, not https/,
  );
  expect([heard, plain.heard]).toEqual([[], []]);
});

test('a service by https is not asked while certificates are not looked at, unless it is of this machine', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  expect(() => open('https://catering.example/')).toThrow(
    expect.objectContaining({
      ...{ exit: EXIT.usage, message: expect.stringContaining('would be given the token') },
    }),
  );
  await open('https://localhost:1/').close();
});
