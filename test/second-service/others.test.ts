import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call, idOf, mutationBody, packageBody } from './client.ts';
import type { Failure } from './knobs.ts';
import { type SecondService, startSecondService } from './second-service.ts';
import type { Received } from './types.ts';

let service: SecondService;

beforeEach(async () => {
  service = await startSecondService({ company: 'lookups' });
});

afterEach(async () => {
  expect(service.faults).toEqual([]);
  await service.close();
});

const send = (method: string, path: string, body?: unknown) => call(service, method, path, body);
const create = (values = {}) => send('PUT', 'product/pakket/create', packageBody(values));

describe('a colleague', () => {
  it('creates, changes and deletes records, with the service’s habits and in the journal', async () => {
    service.set({ values: { trim: true } });
    const id = service.other.create('package', { OmschrijvingIntern: ' Van een ander ', Verkoopprijs: 5 });
    expect(service.packages.get(id)).toMatchObject({ OmschrijvingIntern: 'Van een ander', Actief: true });
    service.other.change('package', id, { Verkoopprijs: 6 });
    expect((await send('GET', `product/pakket/detail/${id}`)).json.Verkoopprijs).toBe(6);
    service.other.remove('package', id);
    expect(service.packages.size).toBe(0);
    expect(service.journal.commits.map(({ by, what }) => [by, what])).toEqual([
      ['other', 'created'],
      ['other', 'updated'],
      ['other', 'deleted'],
    ]);
    expect(service.journal.ours).toEqual([]);
    expect(() => service.other.change('package', id, {})).toThrow('There is no package');
  });

  it('uses stock without a mutation, or posts one', async () => {
    const product = service.add.product();
    service.add.stock(product, 10);
    service.other.useStock(product, 2.5);
    expect([service.stockTotal(product), service.mutations.size]).toEqual([7.5, 0]);
    service.other.create('mutation', mutationBody(product) as Record<string, number>);
    expect([service.stockTotal(product), service.mutations.size]).toEqual([10, 1]);
  });

  it('does what a request asks for once more', async () => {
    await create({ OmschrijvingIntern: 'Twee keer' });
    const [entry] = service.journal.writes;
    if (entry) service.other.repeat(entry);
    expect(service.packages.doubles(['OmschrijvingIntern', 'Verkoopprijs'])).toHaveLength(1);
    expect(service.journal.requests).toHaveLength(1);
  });
});

describe('an action beside a request', () => {
  it('runs right before and right after the n-th write that is committed from now on', async () => {
    await create();
    const sizes: number[] = [];
    service.at(2, () => sizes.push(service.packages.size));
    service.at(2, () => sizes.push(service.packages.size), { side: 'after' });
    await create();
    await send('PUT', 'product/pakket/create', {});
    expect(sizes).toEqual([2]);
    await create();
    await create();
    expect(sizes).toEqual([2, 3]);
  });

  it('runs when a request fits, as often as it is told, until it is taken away', async () => {
    const seen: number[] = [];
    const isList = ({ endpoint }: Received) => endpoint === 'package.allModified';
    const list = () => send('POST', 'product/pakket/allModified', { LMT: '2000-01-01 00:00:00' });
    service.at(isList, ({ n }) => seen.push(n));
    const remove = service.at(isList, ({ n }) => seen.push(-n), { times: 2 });
    await list();
    await list();
    await list();
    expect(seen).toEqual([1, -1, -2]);
    remove();
  });

  it('places another’s change between two requests, and the request waits for it', async () => {
    const id = service.add.package();
    service.at(
      ({ endpoint }) => endpoint === 'package.detail',
      async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        service.other.change('package', id, { Verkoopprijs: 99 });
      },
    );
    expect((await send('GET', `product/pakket/detail/${id}`)).json.Verkoopprijs).toBe(99);
  });

  it('runs beside late writes too', async () => {
    const order: string[] = [];
    service.failNext({ kind: 'late', giveUp: 504, commitAfterMs: 30 });
    service.at(1, () => order.push('before'));
    service.at(1, () => order.push('after'), { side: 'after' });
    await create();
    await service.settled();
    expect(order).toEqual(['before', 'after']);
  });
});

describe('the journal', () => {
  it('holds every request with its body, what was done and what was answered', async () => {
    const id = idOf(await create());
    await send('GET', `product/pakket/detail/${id}`);
    await send('GET', 'product/pakket/detail/1');
    service.failNext({ kind: 'reset', when: 'after' });
    await create().catch(() => undefined);
    const [first, read, missing, lost] = service.journal.requests;
    expect(first).toMatchObject({
      n: 1,
      method: 'PUT',
      path: 'api/v1/product/pakket/create',
      endpoint: 'package.create',
      write: true,
      body: packageBody(),
      done: 'done',
      answered: 200,
    });
    expect(read).toMatchObject({ write: false, answered: 200 });
    expect(missing).toMatchObject({ answered: 404 });
    expect(lost).toMatchObject({ done: 'done', answered: 'lost' });
    expect(service.journal.by(4)).toMatchObject([{ kind: 'package', what: 'created', before: undefined }]);
    expect(service.journal.of('package.create')).toEqual([first, lost]);
    expect(service.journal.lines()[0]).toMatch(
      /^1 PUT api\/v1\/product\/pakket\/create: done after \d+ ms, 200 \{.*\}$/,
    );
  });

  it('holds a request that broke off amidst its body as not done', async () => {
    const { connect } = await import('node:net');
    const { port } = new URL(service.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('PUT /api/v1/event HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n{"Relatie');
    while (service.journal.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    socket.destroy();
    await service.settled();
    expect(service.journal.requests).toMatchObject([{ done: 'not done', answered: 'lost', body: undefined }]);
  });

  it('tells which bodies were done twice, whatever was made of their values', async () => {
    service.set({ values: { cutAt: 3 } });
    service.failNext({ kind: 'status', status: 503, when: 'after' });
    await create({ OmschrijvingIntern: 'Eerste' });
    await create({ OmschrijvingIntern: 'Eerste' });
    await create({ OmschrijvingIntern: 'Eerder' });
    expect(service.packages.size).toBe(3);
    expect(service.journal.doubled().map((group) => group.map(({ by }) => by))).toEqual([[1, 2]]);
  });

  it('agrees with the records and the answers after many failures of every kind', async () => {
    const failures: Failure[] = [
      { kind: 'reset', when: 'before' },
      { kind: 'reset', when: 'after' },
      { kind: 'reset', when: 'half', how: 'FIN' },
      { kind: 'status', status: 502, when: 'after', body: 'empty' },
      { kind: 'late', giveUp: 'RST', commitAfterMs: 15 },
      { kind: 'late', giveUp: 504, commitAfterMs: 5 },
    ];
    const mix = failures.map((failure) => ({ probability: 0.1, failure }));
    service.set({
      failures: { mix },
      values: { newIds: 'random' },
      speed: { beforeMs: [0, 4], lagMs: [0, 20] },
    });
    const bodies = Array.from({ length: 120 }, (_, n) => packageBody({ ExternalID: n + 1 }));
    const sent = bodies.map((body) => send('PUT', 'product/pakket/create', body).catch(() => undefined));
    const replies = await Promise.all(sent);
    await service.settled();
    for (const [n, reply] of replies.entries()) {
      const entry = service.journal.writes.find(
        ({ body }) => (body as (typeof bodies)[0])?.ExternalID === n + 1,
      );
      const records = service.packages.where({ ExternalID: n + 1 });
      expect(entry?.answered).toBe(reply?.status ?? 'lost');
      expect(records).toHaveLength(entry?.done === 'not done' ? 0 : 1);
      if (reply?.status === 200) expect(records[0]?.ProductID).toBe(reply.json.ProductID);
    }
    expect(new Set(service.journal.writes.map(({ done }) => done)).size).toBe(3);
  });

  it('holds each state of a record, so that a test can tell what was there before', async () => {
    const id = idOf(await create({ Verkoopprijs: 1 }));
    await send('POST', 'product/pakket/update', packageBody({ ProductID: id, Verkoopprijs: 2 }));
    const [, update] = service.journal.ours;
    expect([update?.before?.Verkoopprijs, update?.after?.Verkoopprijs, update?.by]).toEqual([1, 2, 2]);
  });
});
