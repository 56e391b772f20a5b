import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call, eventBody, giveUp, idOf, mutationBody, open, PACKAGE, packageBody } from './client.ts';
import type { Failure } from './knobs.ts';
import { openSecondServiceInMemory, type SecondService, startSecondService } from './second-service.ts';

const MINUTE = 60_000;

/** The error of a request that got no answer. */
const lost = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    ({ cause }: { cause: NodeJS.ErrnoException }) => cause.code,
  );

describe.each([
  ['on a port', () => startSecondService()],
  ['in memory', async () => openSecondServiceInMemory()],
])('a connection %s', (_, start) => {
  let service: SecondService;
  beforeEach(async () => {
    service = await start();
  });
  afterEach(async () => {
    expect(service.faults).toEqual([]);
    await service.close();
  });

  const create = (values = {}) => call(service, 'PUT', PACKAGE, packageBody(values));
  const head = (length: number): string =>
    `PUT /api/v1/${PACKAGE} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.token}\r\nContent-Length: ${length}\r\n\r\n`;

  /** A bare connection to the service. */
  async function connected(): Promise<Socket> {
    if (service.isInMemory)
      return await new Promise((resolve, reject) =>
        service.connect({}, (error, socket) => (error ? reject(error) : resolve(socket))),
      );
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  }

  /** What comes of a connection until it ends, and how it ended. */
  function received(socket: Socket): Promise<{ text: string; end: string }> {
    let [text, end] = ['', 'FIN'];
    return new Promise((resolve) => {
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('error', ({ code }: NodeJS.ErrnoException) => (end = code ?? ''));
      socket.on('close', () => resolve({ text, end }));
    });
  }

  it('brings what is asked and answered, also when both are larger than what is on its way at once', async () => {
    const OmschrijvingExtern = 'Lente '.repeat(60_000);
    const { json } = await create({ OmschrijvingExtern });
    const read = await call(service, 'GET', `product/pakket/detail/${json.ProductID}`);
    expect(read.json.OmschrijvingExtern).toBe(OmschrijvingExtern);
  });

  it.each([
    ['before', 'RST', 'ECONNRESET'],
    ['before', 'FIN', 'UND_ERR_SOCKET'],
    ['after', 'FIN', 'UND_ERR_SOCKET'],
    ['half', 'RST', expect.any(String)],
  ] as const)('that is cut off %s the work by a %s is lost', async (when, how, code) => {
    service.failNext({ kind: 'reset', when, how });
    expect(await lost(create())).toEqual(code);
    const done = when === 'before' ? 'not done' : 'done';
    expect(service.journal.writes).toMatchObject([{ done, answered: 'lost', failure: 'reset' }]);
    expect(service.journal.ours).toHaveLength(done === 'done' ? 1 : 0);
  });

  it('ends when its sender hangs up, with nothing done of half a request', async () => {
    const socket = await connected();
    socket.write(`${head(500)}{"Omschrijving`);
    while (service.journal.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
    await service.settled();
    expect(service.journal.requests).toMatchObject([{ done: 'not done', answered: 'lost', body: undefined }]);
  });

  it.each(['before', 'after'] as const)('hangs until its sender gives up, %s the work', async (when) => {
    service.failNext({ kind: 'hang', when });
    await giveUp(service);
    await service.settled();
    const done = when === 'after' ? 'done' : 'not done';
    expect(service.journal.writes).toMatchObject([{ done, answered: 'lost' }]);
  });

  it('is refused while nobody listens, and ends with the service', async () => {
    const { url } = service;
    await service.refuse();
    expect(await lost(create())).toBe('ECONNREFUSED');
    await service.listenAgain();
    expect([service.url, (await create()).status]).toEqual([url, 200]);
    const got = received(await connected());
    await service.close();
    expect(await got).toEqual({ text: '', end: 'FIN' });
  });
});

describe('an answer that is not the service’s own', () => {
  const html = expect.stringMatching(/^<!DOCTYPE html>/);
  it.each<[Failure, number, unknown, 'done' | 'not done']>([
    [
      { kind: 'status', status: 503, when: 'before', retryAfter: 2, body: 'json' },
      503,
      '{"message":"Server Error"}',
      'not done',
    ],
    [{ kind: 'status', status: 504, when: 'after' }, 504, html, 'done'],
    [{ kind: 'status', status: 502, when: 'before', body: 'empty' }, 502, '', 'not done'],
    [{ kind: 'empty 200', when: 'after' }, 200, '', 'done'],
    [{ kind: 'login page', when: 'before' }, 200, expect.stringContaining('Inloggen'), 'not done'],
    [{ kind: 'redirect', when: 'before', status: 307 }, 307, html, 'not done'],
    [
      { kind: 'answer', when: 'after', status: 200, body: { success: false } },
      200,
      '{"success":false}',
      'done',
    ],
    [
      { kind: 'answer', when: 'before', status: 200, body: { success: true } },
      200,
      '{"success":true}',
      'not done',
    ],
  ])('is told by %j', async (failure, status, text, done) => {
    const { service, create } = open();
    service.failNext(failure);
    const reply = await create();
    expect([reply.status, reply.text]).toEqual([status, text]);
    expect(service.journal.writes).toMatchObject([{ done, answered: status }]);
    if (failure.kind === 'status')
      expect(reply.headers.get('retry-after')).toBe(failure.retryAfter ? '2' : null);
    if (failure.kind === 'redirect') expect(reply.headers.get('location')).toBe('/login');
  });

  it('is one of two where a proxy sends the request once more', async () => {
    const { service, create } = open();
    service.failNext({ kind: 'twice', againAfterMs: MINUTE });
    expect((await create()).status).toBe(200);
    await service.settled();
    expect(service.journal.by(1).map(({ late }) => late)).toEqual([false, true]);
  });

  it('is a 429 once there are too many requests in a second, and comes of which requests a test tells', async () => {
    const { service, create, time, send } = open({ failures: { perSecond: 2 } });
    const statuses = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await create()).status);
    await time.sleep(1001);
    expect([...statuses, (await create()).status]).toEqual([200, 200, 429, 200]);
    const failure = { kind: 'status', status: 500, when: 'before' } as const;
    service.set({
      failures: { choose: ({ endpoint }) => (endpoint === 'package.create' ? failure : undefined) },
    });
    expect([(await create()).status, (await send('GET', 'unit/all')).status]).toEqual([500, 200]);
  });
});

describe('time that a test lets pass', () => {
  it('passes by what the service takes, and by nothing else', async () => {
    const { service, create, time } = open({ company: 'lookups' });
    const took = async () => {
      const from = time.steady();
      const { text } = await create();
      return { ms: time.steady() - from, text };
    };
    expect((await took()).ms).toBe(0);
    service.set({ speed: { beforeMs: MINUTE, afterMs: ({ write }) => (write ? 2 * MINUTE : 0) } });
    expect((await took()).ms).toBe(3 * MINUTE);
    service.set({ speed: { beforeMs: [10, 20], afterMs: 0 } });
    expect((await took()).ms).toBeGreaterThan(9);
    service.set({ speed: { beforeMs: 0 } });
    service.failNext({ kind: 'trickle', bytes: 10, everyMs: MINUTE });
    const { ms, text } = await took();
    // Who asked has all of it before the last pause is over.
    expect(ms).toBe((Math.ceil(text.length / 10) - 1) * MINUTE);
  });

  it.each<[Extract<Failure, { kind: 'late' }>['giveUp'], number | 'lost']>([
    [504, 504],
    ['RST', 'lost'],
    ['FIN', 'lost'],
    ['hang', 'lost'],
  ])('goes on after a write that is given up by %s and done late', async (by, answered) => {
    const { service, create, time } = open({ speed: { commitAfterMs: MINUTE } });
    service.failNext({ kind: 'late', giveUp: by });
    if (by === 'hang') await giveUp(service);
    else expect((await create().catch(() => undefined))?.status ?? 'lost').toBe(answered);
    expect([service.journal.ours, service.journal.writes[0]?.done]).toEqual([[], 'waiting']);
    await service.settled();
    expect(service.journal.writes).toMatchObject([
      { done: 'done late', answered, doneAt: time.now(), answeredAt: time.now() - MINUTE },
    ]);
    expect(service.journal.ours).toMatchObject([{ by: 1, late: true, what: 'created', kind: 'package' }]);
  });

  it('does the work of a sender that hung up meanwhile, or does not', async () => {
    for (const clientGone of ['done', 'not done'] as const) {
      const { service } = open({ speed: { beforeMs: 200, clientGone } });
      await giveUp(service);
      await service.settled();
      expect(service.journal.requests).toMatchObject([{ done: clientGone, answered: 'lost' }]);
    }
  });

  it('is what the lag of lists and lookups goes by, of new, changed and deleted records', async () => {
    const { service, send, create, time } = open({ company: 'lookups' });
    const [event, product, gone] = [
      service.add.event(),
      service.add.product(),
      service.add.package({ ExternalID: 556 }),
    ];
    service.add.stock(product, 10);
    service.set({ speed: { lagMs: MINUTE } });
    const id = idOf(await create({ ExternalID: 555 }));
    await send('PUT', 'event', eventBody());
    await send('PUT', 'event/package', {
      PartijID: event,
      ArrangementID: gone,
      Aantal: 1,
      Datum: '2027-01-01',
    });
    await send('PUT', 'product/voorraadmutatie/create', mutationBody(product));
    await send('DELETE', 'product/pakket/delete', { ProductID: gone });
    const range = { EnkelEvenement: true, DatumVan: '2027-03-04', DatumTot: '2027-03-04' };
    const shown = async () => [
      (await send('POST', 'product/pakket/allModified', { LMT: '2027-02-20 00:00:00' })).json[0].data.length,
      (await send('GET', 'product/pakket/detailExternal/555')).status,
      (await send('GET', 'product/pakket/detailExternal/556')).status,
      (await send('POST', 'event/all', range)).json.length,
      (await send('GET', `event/${event}/packages`)).json.length,
      (await send('GET', `product/voorraadmutatie/currenttotal/${product}`)).json.total[0].Aantal,
    ];
    const detail = async () => (await send('GET', `product/pakket/detail/${id}`)).status;
    expect(await shown()).toEqual([0, 404, 200, 0, 0, 10]);
    expect(await detail()).toBe(200);
    service.set({ speed: { detailLags: true } });
    expect(await detail()).toBe(404);
    await time.sleep(MINUTE);
    expect(await shown()).toEqual([1, 200, 404, 1, 1, 12.5]);
  });
});
