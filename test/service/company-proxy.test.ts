import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { EXIT } from '../../src/core/errors.ts';
import { packages } from '../../src/resources/packages.ts';
import type { RequestError } from '../../src/service/request-error.ts';
import { runCli, tempFolder } from '../helpers/run-cli.ts';
import { open, TOKEN } from './open.ts';
import { json, startServer } from './scripted-server.ts';

const { findById, create } = packages.requests;
const read = { params: { ID: 5 } };
const body = { ProductTypeID: 1, OmschrijvingIntern: 'Lunch Klassiek', Verkoopprijs: 14.5 };

const VARIABLES = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'NODE_TLS_REJECT_UNAUTHORIZED'];
beforeEach(() => {
  for (const name of [...VARIABLES, ...VARIABLES.map((one) => one.toLowerCase())])
    vi.stubEnv(name, undefined);
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

/** A proxy that leads every address to the service of a test; what it was asked, and what it was sent to read. */
async function openProxy(target: number, answer?: (socket: Socket) => void) {
  const asked: string[] = [];
  const server = createHttp((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.end();
  });
  server.on('connect', ({ url, headers }, socket: Socket, head: Buffer) => {
    asked.push(
      ['CONNECT', url, headers['proxy-authorization'] ?? [], headers.authorization ?? []].flat().join(' '),
    );
    socket.on('error', () => {});
    if (answer !== undefined) return answer(socket);
    const onward = connect(target, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
  });
  return { address: `127.0.0.1:${await listening(server)}`, asked };
}

const portOf = (url: string): number => Number(new URL(url).port);

async function failureOf(baseUrl: string, options = {}): Promise<RequestError> {
  const service = open(baseUrl, { timeout: 1000, ...options });
  onTestFinished(() => service.close());
  return await service.send(findById, read).then(
    () => expect.fail('it went through'),
    (error: RequestError) => error,
  );
}

/** A service by https with a certificate that nobody knows, of that name. */
async function openSecure(name: string) {
  const folder = tempFolder();
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
  const make = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', cert];
  execFileSync('openssl', [...make, ...subject], { stdio: 'ignore' });
  const heard: string[] = [];
  const server = createHttps({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
    heard.push(String(request.headers.authorization));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ProductID: 5, OmschrijvingIntern: 'Lunch', success: true }));
  });
  return { port: await listening(server), cert, heard };
}

const hasOpenssl = (() => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe('a proxy of the environment', () => {
  test.each([
    ['HTTP_PROXY', (address: string) => `http://${address}`],
    ['http_proxy', (address: string) => `http://${address}/`],
    ['HTTP_PROXY', (address: string) => address],
  ])(
    'named by %s leads to a service that this machine can not reach, by one tunnel that is kept',
    async (name, as) => {
      const server = await startServer(json({ ProductID: 5, success: true }));
      onTestFinished(() => server.stop());
      const proxy = await openProxy(portOf(server.baseUrl));
      vi.stubEnv(name, as(proxy.address));
      const service = open('http://catering.example/', { allowHttp: true, concurrency: 1 });
      await service.send(findById, read);
      await service.send(create, { body });
      await service.close();
      expect(server.received.map(({ headers }) => headers.authorization)).toEqual(
        Array(2).fill(`Bearer ${TOKEN}`),
      );
      expect(server.received.map(({ headers }) => headers.host)).toEqual(Array(2).fill('catering.example'));
      expect(proxy.asked).toEqual(['CONNECT catering.example:80']);
    },
  );

  test('is given its own name and password, and never the token', async () => {
    const server = await startServer(json({ ProductID: 5, success: true }));
    onTestFinished(() => server.stop());
    const proxy = await openProxy(portOf(server.baseUrl));
    vi.stubEnv('HTTP_PROXY', `http://kok:ge%3Aheim@${proxy.address}`);
    const service = open('http://catering.example/', { allowHttp: true });
    await service.send(findById, read);
    await service.close();
    const basic = Buffer.from('kok:ge:heim').toString('base64');
    expect(proxy.asked).toEqual([`CONNECT catering.example:80 Basic ${basic}`]);
  });

  test.each([
    ['this machine', {}, 'http://127.0.0.1'],
    ['this machine by name', {}, 'http://localhost'],
    ['what NO_PROXY names', { NO_PROXY: 'elders.example, .localtest' }, 'http://keuken.localtest'],
    ['everything, by NO_PROXY=*', { no_proxy: '*' }, 'http://keuken.example'],
  ])('is not asked for %s', async (_, variables: Record<string, string>, host) => {
    const server = await startServer(json({ ProductID: 5, success: true }));
    onTestFinished(() => server.stop());
    const proxy = await openProxy(portOf(server.baseUrl));
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY']) vi.stubEnv(name, `http://${proxy.address}`);
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    const service = open(`${host}:${portOf(server.baseUrl)}`, { allowHttp: true, timeout: 1000, retries: 0 });
    await service.send(findById, read).catch(() => {});
    await service.close();
    expect(proxy.asked).toEqual([]);
  });

  test.each([
    [
      'asks for a password',
      (socket: Socket) => void socket.end('HTTP/1.1 407 Who\r\n\r\n'),
      /a name and a password.*\(407\)/,
      1,
    ],
    [
      'refuses',
      (socket: Socket) => void socket.end('HTTP/1.1 403 No\r\n\r\n'),
      /the proxy refuses to connect \(403\)/,
      1,
    ],
    [
      'reaches nothing',
      (socket: Socket) => void socket.end('HTTP/1.1 502 Bad\r\n\r\n'),
      /no connection by the proxy.*\(502\)/,
      3,
    ],
    [
      'closes the connection',
      (socket: Socket) => void socket.destroy(),
      /no connection by the proxy.*\(\w+\)/,
      3,
    ],
    ['says nothing', () => {}, /no connection by the proxy.*TIMEOUT/, 3],
  ])('that %s is named as what is wrong, in as many tries as help', async (_, answer, reason, tries) => {
    const proxy = await openProxy(1, answer);
    vi.stubEnv('HTTPS_PROXY', `http://${proxy.address}`);
    const error = await failureOf('https://catering.example/');
    expect(error).toMatchObject({ kind: 'unreachable', mayHaveTakenEffect: false, attempts: tries });
    expect(error.reason).toMatch(reason);
    expect(proxy.asked).toHaveLength(tries);
  });

  test('that is not there is named as what is wrong', async () => {
    vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:1');
    expect((await failureOf('https://catering.example/')).reason).toMatch(/by the proxy.*\(ECONNREFUSED\)/);
  });

  test.each(['keuken proxy', 'ftp://proxy.example:21', 'http://'])(
    'written as "%s" is refused, without what it holds',
    (value) => {
      vi.stubEnv('HTTPS_PROXY', value);
      expect(() => open('https://catering.example/')).toThrow(
        expect.objectContaining({ exit: EXIT.usage, message: 'HTTPS_PROXY is no address of a proxy.' }),
      );
    },
  );
});

describe('a service by https', () => {
  test
    .skipIf(!hasOpenssl)
    .each([
      [
        'is not trusted',
        'catering.example',
        /not trusted.*NODE_EXTRA_CA_CERTS \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
      ],
    ])(
    'whose certificate %s is named so, by a proxy and without, and is sent no token',
    async (_, name, reason) => {
      const { port, heard } = await openSecure(name);
      expect((await failureOf(`https://localhost:${port}/`)).reason).toMatch(reason);
      const proxy = await openProxy(port);
      vi.stubEnv('HTTPS_PROXY', `http://${proxy.address}`);
      const error = await failureOf('https://catering.example/');
      expect(error).toMatchObject({ kind: 'unreachable', attempts: 1 });
      expect(error.reason).toMatch(reason);
      expect(heard).toEqual([]);
    },
  );

  test.skipIf(!hasOpenssl)(
    'is reached by a proxy where NODE_EXTRA_CA_CERTS names its authority, and by its own name alone',
    async () => {
      const { port, cert, heard } = await openSecure('catering.example');
      const proxy = await openProxy(port);
      const env = {
        CATERSHEET_TOKEN: TOKEN,
        NODE_EXTRA_CA_CERTS: cert,
        HTTPS_PROXY: `http://${proxy.address}`,
        CATERSHEET_HOME: tempFolder(),
      };
      const tried = async (baseUrl: string) =>
        await runCli(['check', '--base-url', baseUrl, '--retries', '0'], { own: true, env });
      await tried('https://catering.example/');
      expect(heard).toContain(`Bearer ${TOKEN}`);
      heard.length = 0;
      const { code, stderr, stdout } = await tried('https://elders.example/');
      expect(`${stdout}${stderr}`).toContain('its certificate is of another address');
      expect([code, heard]).toEqual([EXIT.service, []]);
    },
  );

  test('that speaks http is called that', async () => {
    const server = await startServer(json({ ProductID: 5 }));
    onTestFinished(() => server.stop());
    const error = await failureOf(server.baseUrl.replace('http:', 'https:'));
    expect(error).toMatchObject({ kind: 'unreachable', attempts: 1 });
    expect(error.reason).toMatch(/^the service speaks http at this address, not https/);
  });

  test('is not asked while certificates are not looked at, unless it is of this machine', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    expect(() => open('https://catering.example/')).toThrow(
      expect.objectContaining({
        exit: EXIT.usage,
        message: expect.stringContaining('would be given the token'),
      }),
    );
    await open('https://localhost:1/').close();
  });
});
