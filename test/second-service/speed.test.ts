import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call, eventBody, giveUp, idOf, mutationBody, packageBody } from './client.ts';
import { type SecondService, startSecondService } from './second-service.ts';

let service: SecondService;

beforeEach(async () => {
  service = await startSecondService();
});

afterEach(async () => {
  expect(service.faults).toEqual([]);
  await service.close();
});

const send = (method: string, path: string, body?: unknown) => call(service, method, path, body);
const create = (values = {}) => send('PUT', 'product/pakket/create', packageBody(values));

async function took(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

describe('latency', () => {
  it('is fixed, random between two bounds, or told by the request', async () => {
    service.set({ speed: { beforeMs: 60 } });
    expect(await took(() => create())).toBeGreaterThanOrEqual(59);
    service.set({ speed: { beforeMs: [40, 50] } });
    expect(await took(() => create())).toBeGreaterThanOrEqual(39);
    service.set({ speed: { beforeMs: 0, afterMs: ({ write }) => (write ? 1000 : 0) } });
    const ended: string[] = [];
    const writing = took(() => create()).finally(() => ended.push('write'));
    await send('GET', 'unit/all').then(() => ended.push('read'));
    expect(await writing).toBeGreaterThanOrEqual(999);
    expect(ended).toEqual(['read', 'write']);
  });

  it('does the work of a sender that hung up meanwhile, or does not', async () => {
    const hangUp = async () => {
      await giveUp(service, 'PUT', 'product/pakket/create', packageBody());
      await service.settled();
      return service.journal.requests.at(-1);
    };
    service.set({ speed: { beforeMs: 200 } });
    expect(await hangUp()).toMatchObject({ done: 'done', answered: 'lost' });
    service.set({ speed: { clientGone: 'not done' } });
    expect(await hangUp()).toMatchObject({ done: 'not done', answered: 'lost' });
    expect(service.journal.ours).toHaveLength(1);
  });
});

describe('a late write', () => {
  it('is done some time after its answer was given up with a status', async () => {
    service.set({ speed: { commitAfterMs: 200 } });
    service.failNext({ kind: 'late', giveUp: 504 });
    expect((await create({ OmschrijvingIntern: 'Laat' })).status).toBe(504);
    expect(service.packages.where({ OmschrijvingIntern: 'Laat' })).toEqual([]);
    expect(service.journal.writes.at(-1)).toMatchObject({ done: 'waiting', answered: 504 });
    await service.settled();
    expect(service.packages.where({ OmschrijvingIntern: 'Laat' })).toHaveLength(1);
    const [entry] = service.journal.writes;
    expect(entry).toMatchObject({ done: 'done late', answered: 504 });
    expect((entry?.doneAt ?? 0) - (entry?.answeredAt ?? 0)).toBeGreaterThanOrEqual(195);
    expect(service.journal.ours).toMatchObject([
      { by: entry?.n, late: true, what: 'created', kind: 'package' },
    ]);
  });

  it.each(['RST', 'FIN'] as const)(
    'is done some time after the connection was cut by a %s',
    async (giveUp) => {
      service.failNext({ kind: 'late', giveUp, giveUpAfterMs: 20, commitAfterMs: 200 });
      await expect(create()).rejects.toThrow();
      expect(service.journal.ours).toEqual([]);
      await service.settled();
      expect(service.journal.ours).toHaveLength(1);
      expect(service.journal.writes.at(-1)).toMatchObject({ done: 'done late', answered: 'lost' });
    },
  );

  it('is done some time after its sender gave up waiting', async () => {
    service.failNext({ kind: 'late', giveUp: 'hang', commitAfterMs: 200 });
    await giveUp(service, 'PUT', 'event', eventBody());
    expect(service.journal.ours).toEqual([]);
    await service.settled();
    expect(service.journal.ours).toHaveLength(1);
  });

  it('is never done when the service is closed before', async () => {
    service.failNext({ kind: 'late', giveUp: 503, commitAfterMs: 60_000 });
    await create();
    await service.close();
    expect(service.journal.writes.at(-1)).toMatchObject({ done: 'not done', answered: 503 });
    expect(service.journal.ours).toEqual([]);
  });
});

describe('the lag of lists and lookups', () => {
  it('hides a new record from them for a while, and not from the read by its id', async () => {
    service.set({ speed: { lagMs: 60_000 } });
    const id = idOf(await create({ ExternalID: 555 }));
    const range = { EnkelEvenement: true, DatumVan: '2027-03-04', DatumTot: '2027-03-04' };
    await send('PUT', 'event', eventBody());
    const late = async () => [
      (await send('POST', 'product/pakket/allModified', { LMT: '2026-02-01 00:00:00' })).text.includes(
        'Lente',
      ),
      (await send('GET', 'product/pakket/detailExternal/555')).status === 200,
      (await send('POST', 'event/all', range)).json.length === 1,
    ];
    expect(await late()).toEqual([false, false, false]);
    expect((await send('GET', `product/pakket/detail/${id}`)).status).toBe(200);
    service.set({ speed: { detailLags: true } });
    expect((await send('GET', `product/pakket/detail/${id}`)).status).toBe(404);
    service.set({ speed: { lagMs: 10 } });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await late()).toEqual([true, true, true]);
  });

  it('is another one at each read where it has two bounds', async () => {
    await create({ ExternalID: 557 });
    const status = async () => (await send('GET', 'product/pakket/detailExternal/557')).status;
    service.set({ speed: { lagMs: [0, 0.001] } });
    expect(await status()).toBe(200);
    service.set({ speed: { lagMs: [30_000, 60_000] } });
    expect(await status()).toBe(404);
  });

  it('shows the older links, stock and deleted records of before', async () => {
    const event = service.add.event();
    const product = service.add.product();
    const gone = service.add.package({ ExternalID: 556 });
    service.add.stock(product, 10);
    service.set({ speed: { lagMs: 60_000 } });
    await send('PUT', 'event/package', {
      PartijID: event,
      ArrangementID: gone,
      Aantal: 1,
      Datum: '2027-01-01',
    });
    await send('PUT', 'product/voorraadmutatie/create', mutationBody(product));
    await send('DELETE', 'product/pakket/delete', { ProductID: gone });
    expect((await send('GET', `event/${event}/packages`)).json).toEqual([]);
    const total = await send('GET', `product/voorraadmutatie/currenttotal/${product}`);
    expect(total.json.total[0].Aantal).toBe(10);
    expect(service.stockTotal(product)).toBe(12.5);
    expect((await send('GET', 'product/pakket/detailExternal/556')).json.ProductID).toBe(gone);
    expect((await send('GET', `product/pakket/detail/${gone}`)).status).toBe(404);
  });
});
