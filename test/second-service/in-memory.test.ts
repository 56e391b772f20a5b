import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VirtualTime } from '../helpers/virtual-time.ts';
import { call, giveUp, packageBody } from './client.ts';
import { openSecondServiceInMemory, type SecondService, startSecondService } from './second-service.ts';

const MINUTE = 60_000;

let service: SecondService;

afterEach(async () => {
  expect(service.faults).toEqual([]);
  await service.close();
});

const path = 'product/pakket/create';
const create = () => call(service, 'PUT', path, packageBody());

/** A bare connection to the service. */
async function connected(): Promise<Socket> {
  if (!service.isInMemory) {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  }
  return await new Promise((resolve, reject) =>
    service.connect({}, (error, socket) => (error ? reject(error) : resolve(socket))),
  );
}

/** What comes of a connection until it ends, and how it ended. */
function received(socket: Socket): Promise<{ text: string; end: string }> {
  let [text, end] = ['', 'FIN'];
  return new Promise((resolve) => {
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      end = code ?? '';
    });
    socket.on('close', () => resolve({ text, end }));
  });
}

const head = (length: number): string =>
  `PUT /api/v1/${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.token}\r\nContent-Length: ${length}\r\n\r\n`;

/** The error of a request that got no answer. */
const lost = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    ({ cause }: { cause: NodeJS.ErrnoException }) => cause.code,
  );

describe.each([
  ['on a port', () => startSecondService()],
  ['in memory', async () => openSecondServiceInMemory()],
])('a connection %s', (_, open) => {
  beforeEach(async () => {
    service = await open();
  });

  it('brings what is asked and answered, also when both are larger than what is on its way at once', async () => {
    const OmschrijvingExtern = 'Lente '.repeat(60_000);
    const made = await call(service, 'PUT', path, packageBody({ OmschrijvingExtern }));
    const read = await call(service, 'GET', `product/pakket/detail/${made.json.ProductID}`);
    expect(read.json.OmschrijvingExtern).toBe(OmschrijvingExtern);
  });

  it.each([
    ['RST', 'ECONNRESET'],
    ['FIN', 'UND_ERR_SOCKET'],
  ] as const)('that is cut off by a %s before an answer, or amidst it, is lost', async (how, code) => {
    for (const when of ['before', 'half'] as const) {
      service.failNext({ kind: 'reset', when, how });
      expect(await lost(create())).toBe(code);
    }
  });

  it.each([
    ['RST', 'ECONNRESET'],
    ['FIN', 'FIN'],
  ] as const)('that is cut off by a %s has brought half of the answer', async (how, end) => {
    service.failNext({ kind: 'reset', when: 'half', how });
    const socket = await connected();
    const body = JSON.stringify(packageBody());
    socket.write(head(body.length));
    socket.write(body);
    const got = await received(socket);
    expect(got.end).toBe(end);
    expect(got.text).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.+\r\n)+\r\n\{"ProductID/);
    expect(() => JSON.parse(got.text.split('\r\n\r\n')[1] ?? '')).toThrow();
  });

  it('ends when its sender hangs up, with nothing done of half a request', async () => {
    const socket = await connected();
    socket.write(`${head(500)}{"Omschrijving`);
    while (service.journal.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
    await service.settled();
    expect(service.journal.requests).toMatchObject([{ done: 'not done', answered: 'lost', body: undefined }]);
  });

  it('hangs until its sender gives up', async () => {
    service.failNext({ kind: 'hang', when: 'after' });
    await giveUp(service, 'PUT', path, packageBody());
    await service.settled();
    expect(service.journal.writes).toMatchObject([{ done: 'done', answered: 'lost' }]);
  });

  it('is closed without a word, and made anew for the next request', async () => {
    service.set({ answers: { keepAlive: 'silently closed' } });
    for (let n = 0; n < 3; n += 1) expect((await create()).status).toBe(200);
  });

  it('is refused while nobody listens', async () => {
    await service.refuse();
    expect(await lost(create())).toBe('ECONNREFUSED');
    await service.listenAgain();
    expect((await create()).status).toBe(200);
  });

  it('ends with the service', async () => {
    const got = received(await connected());
    await service.close();
    expect(await got).toEqual({ text: '', end: 'FIN' });
  });
});

describe('time that a test lets pass', () => {
  let time: VirtualTime;

  beforeEach(() => {
    time = new VirtualTime();
    service = openSecondServiceInMemory({ company: 'lookups' }, { time });
  });

  const took = async (work: () => Promise<unknown>): Promise<number> => {
    const from = time.steady();
    await work();
    return time.steady() - from;
  };

  it('passes by what the service takes, and by nothing else', async () => {
    expect(await took(create)).toBe(0);
    service.set({ speed: { beforeMs: MINUTE, afterMs: 2 * MINUTE } });
    expect(await took(create)).toBe(3 * MINUTE);
    service.set({ speed: { beforeMs: 0, afterMs: 0 } });
    service.failNext({ kind: 'trickle', bytes: 10, everyMs: MINUTE });
    const { text } = await create();
    expect(await took(async () => {})).toBe(0);
    expect(time.steady()).toBe((2 + Math.ceil(text.length / 10)) * MINUTE);
  });

  it('goes on after a write that is done late, and not before it', async () => {
    service.failNext({ kind: 'late', giveUp: 504, commitAfterMs: MINUTE });
    expect((await create()).status).toBe(504);
    expect(service.journal.ours).toEqual([]);
    await service.settled();
    const [entry] = service.journal.writes;
    expect(entry).toMatchObject({ done: 'done late', doneAt: time.now(), answeredAt: time.now() - MINUTE });
  });

  it('does not pass while requests come one after the other', async () => {
    service.failNext({ kind: 'late', giveUp: 504, commitAfterMs: 1 });
    await create();
    for (let n = 0; n < 50; n += 1) await call(service, 'GET', 'unit/all');
    expect(service.journal.ours).toEqual([]);
  });

  it('shows in lists what was made when their lag is over', async () => {
    service.set({ speed: { lagMs: MINUTE } });
    await create();
    const isListed = async () =>
      (
        await call(service, 'POST', 'product/pakket/allModified', { LMT: '2020-01-01 00:00:00' })
      ).text.includes('Lentepakket');
    expect(await isListed()).toBe(false);
    await time.sleep(MINUTE);
    expect(await isListed()).toBe(true);
  });

  it('is what the service’s clock, its rate and its closed door go by', async () => {
    service.set({ failures: { perSecond: 2 }, clock: { skewMs: 1000 } });
    const statuses = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await create()).status);
    await time.sleep(1001);
    statuses.push((await create()).status);
    expect(statuses).toEqual([200, 200, 429, 200]);
    const LMT = new Date(time.now() + 1000).toISOString().replace('T', ' ').replace('Z', '');
    expect(service.packages.all().at(-1)).toMatchObject({ LMT });
    await service.refuse(MINUTE);
    expect(await lost(create())).toBe('ECONNREFUSED');
    await time.sleep(MINUTE);
    expect((await create()).status).toBe(200);
  });
});
