import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call, giveUp, packageBody } from './client.ts';
import { type SecondService, startSecondService } from './second-service.ts';

let service: SecondService;

beforeEach(async () => {
  service = await startSecondService();
});

afterEach(async () => {
  expect(service.faults).toEqual([]);
  await service.close();
});

const create = () => call(service, 'PUT', 'product/pakket/create', packageBody());

describe('a connection that is cut', () => {
  it.each([
    ['before', 'RST', 'not done'],
    ['before', 'FIN', 'not done'],
    ['after', 'RST', 'done'],
    ['after', 'FIN', 'done'],
    ['half', 'RST', 'done'],
    ['half', 'FIN', 'done'],
  ] as const)('%s the work with a %s leaves it %s', async (when, how, done) => {
    service.failNext({ kind: 'reset', when, how });
    await expect(create()).rejects.toThrow();
    expect(service.journal.writes.at(-1)).toMatchObject({ done, answered: 'lost', failure: 'reset' });
    expect(service.journal.ours).toHaveLength(done === 'done' ? 1 : 0);
  });

  it('is one that hangs until the sender gives up, with the work done or not', async () => {
    for (const when of ['before', 'after'] as const) {
      service.failNext({ kind: 'hang', when });
      await giveUp(service, 'PUT', 'product/pakket/create', packageBody());
      await service.settled();
      const done = when === 'after' ? 'done' : 'not done';
      expect(service.journal.writes.at(-1)).toMatchObject({ done, answered: 'lost' });
    }
  });

  it('is refused for a while and then taken again on the same port', async () => {
    const { url } = service;
    await service.refuse(300);
    await expect(create()).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(service.url).toBe(url);
    expect((await create()).status).toBe(200);
    await service.refuse();
    await expect(create()).rejects.toThrow();
    await service.listenAgain();
    expect((await create()).status).toBe(200);
    expect(service.journal.requests).toHaveLength(2);
  });
});

describe('an answer that is not the service\u2019s own', () => {
  it.each([500, 502, 503, 504, 408, 425, 429])('is a %s before or after the work', async (status) => {
    service.failNext({ kind: 'status', status, when: 'before', retryAfter: 2, body: 'json' });
    const before = await create();
    expect([before.status, before.headers.get('retry-after')]).toEqual([status, '2']);
    expect(before.json).toHaveProperty('message');
    service.failNext({ kind: 'status', status, when: 'after' });
    const after = await create();
    expect([after.status, after.headers.get('retry-after')]).toEqual([status, null]);
    expect(after.text).toMatch(/^<!DOCTYPE html>/);
    expect(service.journal.writes.map(({ done, answered }) => [done, answered])).toEqual([
      ['not done', status],
      ['done', status],
    ]);
  });

  it('is an empty body, a login page or a redirect', async () => {
    service.failNext({ kind: 'empty 200', when: 'after' });
    expect(await create()).toMatchObject({ status: 200, text: '' });
    service.failNext({ kind: 'login page', when: 'before' });
    expect((await create()).text).toContain('Inloggen');
    service.failNext({ kind: 'redirect', when: 'before', status: 307 });
    const redirect = await create();
    expect([redirect.status, redirect.headers.get('location')]).toEqual([307, '/login']);
    service.failNext({ kind: 'status', status: 502, when: 'before', body: 'empty' });
    expect((await create()).text).toBe('');
    expect(service.journal.ours).toHaveLength(1);
  });

  it('is whatever a test makes up, with the work done or not', async () => {
    service.failNext({ kind: 'answer', when: 'after', status: 200, body: { success: false } });
    expect((await create()).json).toEqual({ success: false });
    expect(service.journal.writes.at(-1)?.done).toBe('done');
    service.failNext({ kind: 'answer', when: 'before', status: 200, body: { ProductID: 1, success: true } });
    expect((await create()).json.success).toBe(true);
    expect(service.journal.writes.at(-1)?.done).toBe('not done');
  });

  it('is one of two where a proxy sends the request once more', async () => {
    service.failNext({ kind: 'twice', againAfterMs: 20 });
    expect((await create()).status).toBe(200);
    await service.settled();
    expect(service.journal.by(1).map(({ late }) => late)).toEqual([false, true]);
  });

  it('trickles in slowly', async () => {
    service.failNext({ kind: 'trickle', bytes: 8, everyMs: 15 });
    const start = performance.now();
    expect((await create()).json.success).toBe(true);
    expect(performance.now() - start).toBeGreaterThan(40);
  });

  it('is a 429 once there are too many requests in a second', async () => {
    service.set({ failures: { perSecond: 3 } });
    const statuses = [];
    for (let n = 0; n < 5; n += 1) statuses.push((await create()).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  });
});

describe('which requests fail', () => {
  it('is told by a function of the request', async () => {
    service.set({
      failures: {
        choose: ({ endpoint, body }) =>
          endpoint === 'package.create' && (body as { Verkoopprijs: number }).Verkoopprijs > 5
            ? { kind: 'status', status: 503, when: 'before' }
            : undefined,
      },
    });
    expect((await create()).status).toBe(503);
    expect((await call(service, 'GET', 'unit/all')).status).toBe(200);
  });

  it('is told by probability, the same for the same seed', async () => {
    const run = async () => {
      const other = await startSecondService({
        seed: 7,
        failures: {
          mix: [
            { probability: 0.3, failure: { kind: 'status', status: 500, when: 'before' } },
            { probability: 0.3, failure: { kind: 'status', status: 502, when: 'after' } },
          ],
        },
      });
      const statuses = [];
      for (let n = 0; n < 40; n += 1) statuses.push((await call(other, 'GET', 'unit/all')).status);
      await other.close();
      return statuses;
    };
    const first = await run();
    expect(new Set(first)).toEqual(new Set([200, 500, 502]));
    expect(await run()).toEqual(first);
  });
});
