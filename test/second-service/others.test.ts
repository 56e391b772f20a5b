import { describe, expect, it } from 'vitest';
import { idOf, mutationBody, open, packageBody } from './client.ts';
import type { Failure } from './knobs.ts';
import type { Received } from './types.ts';

describe('a colleague', () => {
  it('creates, changes and deletes records, with the service’s habits and in the journal', () => {
    const { service } = open({ company: 'lookups', values: { trim: true } });
    const id = service.other.create('package', { OmschrijvingIntern: ' Van een ander ', Verkoopprijs: 5 });
    service.other.change('package', id, { Verkoopprijs: 6 });
    expect(service.packages.get(id)).toMatchObject({
      OmschrijvingIntern: 'Van een ander',
      Actief: true,
      Verkoopprijs: 6,
    });
    service.other.remove('package', id);
    expect(service.packages.size).toBe(0);
    const told = service.journal.commits.map(({ by, what }) => `${by} ${what}`);
    expect(told).toEqual(['other created', 'other updated', 'other deleted']);
    expect(service.journal.ours).toEqual([]);
    expect(() => service.other.change('package', id, {})).toThrow('There is no package');
  });

  it('uses stock without a mutation, or posts one, and does what a request asks for once more', async () => {
    const { service, create } = open({ company: 'lookups' });
    const product = service.add.product();
    service.add.stock(product, 10);
    service.other.useStock(product, 2.5);
    expect([service.stockTotal(product), service.mutations.size]).toEqual([7.5, 0]);
    service.other.create('mutation', mutationBody(product) as Record<string, number>);
    expect([service.stockTotal(product), service.mutations.size]).toEqual([10, 1]);
    await create({ OmschrijvingIntern: 'Twee keer' });
    for (const entry of service.journal.writes) service.other.repeat(entry);
    expect(service.packages.doubles(['OmschrijvingIntern', 'Verkoopprijs'])).toHaveLength(1);
    expect(service.journal.requests).toHaveLength(1);
  });
});

describe('an action beside a request', () => {
  it('runs right before and right after the n-th write that is committed from now on, late ones too', async () => {
    const { service, create } = open({ company: 'lookups' });
    await create();
    const sizes: number[] = [];
    service.at(2, () => sizes.push(service.packages.size));
    service.at(2, () => sizes.push(service.packages.size), { side: 'after' });
    await create();
    service.failNext({ kind: 'late', giveUp: 504, commitAfterMs: 30 });
    await create();
    expect(sizes).toEqual([]);
    await service.settled();
    expect(sizes).toEqual([2, 3]);
  });

  it('runs when a request fits, as often as it is told, until it is taken away, and the request waits for it', async () => {
    const { service, send, time } = open();
    const seen: number[] = [];
    const isDetail = ({ endpoint }: Received) => endpoint === 'package.detail';
    const read = async () => (await send('GET', 'product/pakket/detail/1001')).json.Verkoopprijs;
    const remove = service.at(isDetail, ({ n }) => seen.push(n), { times: 2 });
    service.at(isDetail, async () => {
      await time.sleep(20);
      service.other.change('package', 1001, { Verkoopprijs: 99 });
    });
    expect([await read(), await read(), await read()]).toEqual([99, 99, 99]);
    expect(seen).toEqual([1, 2]);
    remove();
  });
});

describe('the journal', () => {
  it('holds every request with its body, what was done, what was answered, and each state of a record', async () => {
    const { service, send, create } = open({ company: 'lookups' });
    const id = idOf(await create({ Verkoopprijs: 1 }));
    await send('POST', 'product/pakket/update', packageBody({ ProductID: id, Verkoopprijs: 2 }));
    await send('GET', 'product/pakket/detail/1');
    service.failNext({ kind: 'reset', when: 'after' });
    await create().catch(() => undefined);
    const [first, update, missing, lost] = service.journal.requests;
    const path = {
      method: 'PUT',
      path: 'api/v1/product/pakket/create',
      endpoint: 'package.create',
      write: true,
    };
    expect(first).toMatchObject({
      n: 1,
      ...path,
      body: packageBody({ Verkoopprijs: 1 }),
      done: 'done',
      answered: 200,
    });
    expect([missing, lost]).toMatchObject([
      { write: false, answered: 404 },
      { done: 'done', answered: 'lost' },
    ]);
    expect(service.journal.by(update?.n ?? 0)).toMatchObject([
      { kind: 'package', what: 'updated', before: { Verkoopprijs: 1 }, after: { Verkoopprijs: 2 } },
    ]);
    expect(service.journal.of('package.create')).toEqual([first, lost]);
    expect(service.journal.lines()[0]).toMatch(
      /^1 PUT api\/v1\/product\/pakket\/create: done after \d+ ms, 200 \{.*\}$/,
    );
  });

  it('tells which bodies were done twice, whatever was made of their values', async () => {
    const { service, create } = open({ company: 'lookups', values: { cutAt: 3 } });
    service.failNext({ kind: 'status', status: 503, when: 'after' });
    for (const OmschrijvingIntern of ['Eerste', 'Eerste', 'Eerder']) await create({ OmschrijvingIntern });
    expect(service.packages.size).toBe(3);
    expect(service.journal.doubled().map((group) => group.map(({ by }) => by))).toEqual([[1, 2]]);
  });

  it('agrees with the records and the answers after many failures of every kind', async () => {
    const failures: Failure[] = [
      { kind: 'reset', when: 'before' },
      { kind: 'reset', when: 'half', how: 'FIN' },
      { kind: 'status', status: 502, when: 'after', body: 'empty' },
      { kind: 'late', giveUp: 'RST', commitAfterMs: 15 },
      { kind: 'late', giveUp: 504, commitAfterMs: 5 },
    ];
    const { service, create } = open({
      company: 'lookups',
      failures: { mix: failures.map((failure) => ({ probability: 0.1, failure })) },
      ...{ values: { newIds: 'random' }, speed: { beforeMs: [0, 4], lagMs: [0, 20] } },
    });
    const sent = Array.from({ length: 80 }, (_, n) => create({ ExternalID: n + 1 }).catch(() => undefined));
    const replies = await Promise.all(sent);
    await service.settled();
    for (const [n, reply] of replies.entries()) {
      const entry = service.journal.writes.find(
        ({ body }) => (body as { ExternalID: number }).ExternalID === n + 1,
      );
      const records = service.packages.where({ ExternalID: n + 1 });
      expect(entry?.answered).toBe(reply?.status ?? 'lost');
      expect(records).toHaveLength(entry?.done === 'not done' ? 0 : 1);
      if (reply?.status === 200) expect(records[0]?.ProductID).toBe(reply.json.ProductID);
    }
    expect(new Set(service.journal.writes.map(({ done }) => done)).size).toBe(3);
  });
});
