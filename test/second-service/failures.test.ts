import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call, eventBody, giveUp, idOf, mutationBody, open, PACKAGE, packageBody } from './client.ts';
import type { Failure } from './knobs.ts';
import { openSecondServiceInMemory, type SecondService, startSecondService } from './second-service.ts';
import type { Received } from './types.ts';

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

  it('brings what is asked and answered, also when both are larger than what is on its way at once', async () => {
    const OmschrijvingExtern = 'Lente '.repeat(60_000);
    const id = idOf(await create({ OmschrijvingExtern }));
    const read = await call(service, 'GET', `product/pakket/detail/${id}`);
    expect(read.json.OmschrijvingExtern).toBe(OmschrijvingExtern);
  });

  it.each([
    ['before', 'RST', 'ECONNRESET'],
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
    const head = `PUT /api/v1/${PACKAGE} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.token}`;
    socket.write(`${head}\r\nContent-Length: 500\r\n\r\n{"Omschrijving`);
    while (service.journal.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
    await service.settled();
    expect(service.journal.requests).toMatchObject([{ done: 'not done', answered: 'lost', body: undefined }]);
  });

  it('hangs until its sender gives up', async () => {
    service.failNext({ kind: 'hang', when: 'after' });
    await giveUp(service);
    await service.settled();
    expect(service.journal.writes).toMatchObject([{ done: 'done', answered: 'lost' }]);
  });

  it('ends with the service, and no other one is made then', async () => {
    const socket = await connected();
    const closed = once(socket.resume(), 'close');
    await service.close();
    await closed;
    expect(await lost(create())).toBe('ECONNREFUSED');
  });
});

it.each<[Failure, number, unknown, 'done' | 'not done']>([
  [{ kind: 'status', status: 503, when: 'after' }, 503, /^<!DOCTYPE html>.*503/s, 'done'],
  [{ kind: 'status', status: 502, when: 'before', body: 'empty', retryAfter: 2 }, 502, /^$/, 'not done'],
  [{ kind: 'empty 200', when: 'after' }, 200, /^$/, 'done'],
  [{ kind: 'login page', when: 'before' }, 200, /Inloggen/, 'not done'],
  [{ kind: 'redirect', when: 'before', status: 307 }, 307, /^<!DOCTYPE html>/, 'not done'],
  [{ kind: 'answer', when: 'before', status: 200, body: { success: true } }, 200, /:true}$/, 'not done'],
])('an answer that is not the service’s own is told by %j', async (failure, status, text, done) => {
  const { service, create } = open();
  service.failNext(failure);
  const reply = await create();
  expect([reply.status, reply.text]).toEqual([status, expect.stringMatching(text as RegExp)]);
  expect(service.journal.writes).toMatchObject([{ done, answered: status }]);
  expect(reply.headers.get('retry-after')).toBe(failure.kind === 'status' && failure.retryAfter ? '2' : null);
  expect(reply.headers.get('location')).toBe(failure.kind === 'redirect' ? '/login' : null);
});

describe('time', () => {
  it('passes by what the service takes, and by nothing else', async () => {
    const { service, create, time } = open({ company: 'lookups' });
    const took = async () => {
      const from = time.steady();
      const { text } = await create();
      return { ms: time.steady() - from, text };
    };
    expect((await took()).ms).toBe(0);
    service.set({ speed: { beforeMs: MINUTE, afterMs: 2 * MINUTE } });
    expect((await took()).ms).toBe(3 * MINUTE);
    service.set({ speed: { beforeMs: [10, 20], afterMs: 0 } });
    expect((await took()).ms).toBeGreaterThan(9);
    service.set({ speed: { beforeMs: 0 } });
    service.failNext({ kind: 'trickle', bytes: 10, everyMs: MINUTE });
    const { ms, text } = await took();
    // Who asked has all of it before the last pause is over.
    expect(ms).toBe((Math.ceil(text.length / 10) - 1) * MINUTE);
  });

  it.each([
    [504, 504],
    ['RST', 'lost'],
    ['hang', 'lost'],
  ] as const)('goes on after a write that is given up by %s and done late', async (by, answered) => {
    const { service, create, time } = open();
    service.failNext({ kind: 'late', giveUp: by, commitAfterMs: MINUTE });
    if (by === 'hang') await giveUp(service);
    else expect((await create().catch(() => undefined))?.status ?? 'lost').toBe(answered);
    expect([service.journal.ours, service.journal.writes[0]?.done]).toEqual([[], 'waiting']);
    await service.settled();
    const times = { doneAt: time.now(), answeredAt: time.now() - MINUTE };
    expect(service.journal.writes).toMatchObject([{ done: 'done late', answered, ...times }]);
    expect(service.journal.ours).toMatchObject([{ by: 1, late: true, what: 'created', kind: 'package' }]);
  });

  it.each(['done', 'not done'] as const)(
    'is too long for a sender, whose write is %s',
    async (clientGone) => {
      const { service } = open({ speed: { beforeMs: 200, clientGone } });
      await giveUp(service);
      await service.settled();
      expect(service.journal.requests).toMatchObject([{ done: clientGone, answered: 'lost' }]);
    },
  );

  it('is what the lag of lists and lookups goes by, of new, changed and deleted records', async () => {
    const { service, send, create, time } = open({ company: 'lookups', speed: { lagMs: MINUTE } });
    const product = service.add.product();
    const gone = service.add.package({ ExternalID: 556 });
    service.add.stock(product, 10);
    const id = idOf(await create({ ExternalID: 555 }));
    await send('PUT', 'event', eventBody());
    await send('PUT', 'product/voorraadmutatie/create', mutationBody(product));
    await send('DELETE', 'product/pakket/delete', { ProductID: gone });
    const range = { EnkelEvenement: true, DatumVan: '2027-03-04', DatumTot: '2027-03-04' };
    const shown = async () => [
      (await send('POST', 'product/pakket/allModified', { LMT: '2027-02-20 00:00:00' })).json[0].data.length,
      (await send('GET', 'product/pakket/detailExternal/555')).status,
      (await send('GET', 'product/pakket/detailExternal/556')).status,
      (await send('POST', 'event/all', range)).json.length,
      (await send('GET', `product/voorraadmutatie/currenttotal/${product}`)).json.total[0].Aantal,
    ];
    const detail = async () => (await send('GET', `product/pakket/detail/${id}`)).status;
    expect([...(await shown()), await detail()]).toEqual([0, 404, 200, 0, 10, 200]);
    service.set({ speed: { detailLags: true } });
    expect(await detail()).toBe(404);
    await time.sleep(MINUTE);
    expect(await shown()).toEqual([1, 200, 404, 1, 12.5]);
  });
});

describe('beside a request', () => {
  it('a colleague works with the service’s habits and in the journal, right before or after the n-th write', async () => {
    const { service, create } = open({ company: 'lookups', values: { trim: true } });
    const { other, packages } = service;
    await create();
    const sizes: number[] = [];
    let theirs = 0;
    service.at(2, () => {
      theirs = other.create('package', { OmschrijvingIntern: ' Van een ander ' });
      sizes.push(packages.size);
    });
    service.at(2, () => sizes.push(packages.size), { side: 'after' });
    await create();
    service.failNext({ kind: 'late', giveUp: 504, commitAfterMs: 30 });
    await create();
    expect(sizes).toEqual([]);
    await service.settled();
    expect(sizes).toEqual([3, 4]);
    expect(packages.get(theirs)).toMatchObject({ OmschrijvingIntern: 'Van een ander', Actief: true });
    other.change('package', theirs, { Verkoopprijs: 6 });
    other.remove('package', theirs);
    expect(() => other.change('package', theirs, {})).toThrow('There is no package');
    const told = service.journal.commits.filter(({ by }) => by === 'other').map(({ what }) => what);
    expect([told, service.journal.ours.length]).toEqual([['created', 'updated', 'deleted'], 3]);
  });

  it('an action runs once, when one fits and waits for it, unless it was taken away', async () => {
    const { service, send, time } = open();
    const isDetail = ({ endpoint }: Received) => endpoint === 'package.detail';
    const read = async () => (await send('GET', 'product/pakket/detail/1001')).json.Verkoopprijs;
    service.at(isDetail, () => expect.unreachable())();
    service.at(isDetail, async () => {
      await time.sleep(20);
      service.other.change('package', 1001, { Verkoopprijs: 99 });
    });
    await send('GET', 'unit/all');
    expect(service.packages.get(1001)?.Verkoopprijs).toBe(18.75);
    expect(await read()).toBe(99);
    service.other.change('package', 1001, { Verkoopprijs: 98 });
    expect(await read()).toBe(98);
  });
});

describe('the journal', () => {
  it('holds every request with what was done and answered, and what was done twice, whatever was made of it', async () => {
    const { service, send, create } = open({ company: 'lookups', values: { cutAt: 3 } });
    const id = idOf(await create());
    await send('POST', 'product/pakket/update', packageBody({ ProductID: id, Verkoopprijs: 2 }));
    await send('GET', 'product/pakket/detail/1');
    service.failNext({ kind: 'reset', when: 'after' });
    await create().catch(() => undefined);
    await create({ OmschrijvingIntern: 'Lente' });
    const { journal } = service;
    const path = { method: 'PUT', path: `api/v1/${PACKAGE}`, endpoint: 'package.create', write: true };
    expect(journal.requests).toMatchObject([
      { n: 1, ...path, body: packageBody(), done: 'done', answered: 200 },
      { endpoint: 'package.update' },
      { write: false, answered: 404 },
      { ...path, done: 'done', answered: 'lost' },
      path,
    ]);
    const change = { before: { Verkoopprijs: 9.95 }, after: { Verkoopprijs: 2 } };
    expect(journal.ours[1]).toMatchObject({ by: 2, kind: 'package', what: 'updated', ...change });
    expect(journal.of('package.create')).toHaveLength(3);
    expect(journal.doubled().map((group) => group.map(({ by }) => by))).toEqual([[1, 4]]);
  });
});
