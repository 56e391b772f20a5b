import { describe, expect, test } from 'vitest';
import type { LoggedRequest } from '../../src/sandbox/requests/request-log.ts';
import { open, PACKAGE, TOKEN } from './open.ts';

const DETAIL = '/api/v1/product/pakket/detail/5001';

describe('the log', () => {
  test('holds every request of the interface and none of its own', async () => {
    const service = await open();
    await service.call('PUT', '/api/v1/product/pakket/create', PACKAGE);
    await service.call('GET', `${DETAIL}?x=1`);
    await service.call('GET', '/api/v1/niets');
    await service.call('GET', DETAIL, undefined, { authorization: 'Bearer anders' });
    const { body } = await service.call('GET', '/_sandbox/log');
    expect(body.requests).toMatchObject([
      {
        method: 'PUT',
        path: '/api/v1/product/pakket/create',
        endpoint: 'packages.create',
        effect: 'each',
        status: 200,
        inFlight: 1,
      },
      { method: 'GET', path: `${DETAIL}?x=1`, endpoint: 'packages.detail', effect: 'none', status: 200 },
      { method: 'GET', path: '/api/v1/niets', endpoint: null, status: 404 },
      { endpoint: 'packages.detail', status: 401 },
    ]);
    expect(body.counts).toEqual({ 'packages.create': 1, 'packages.detail': 2, unknown: 1 });
    for (const { at, ms } of body.requests) {
      expect(Math.abs(Date.now() - at)).toBeLessThan(60_000);
      expect(ms).toBeGreaterThan(0);
    }
  });

  test('can be of the writes alone, in short, and cleared', async () => {
    const service = await open();
    await service.call('PUT', '/api/v1/product/pakket/create', PACKAGE);
    await service.call('GET', DETAIL);
    const writes = await service.call('GET', '/_sandbox/log?writes&summary');
    expect(writes.body).toEqual({
      counts: { 'packages.create': 1 },
      refused: 0,
      inFlight: { average: 1, max: 1 },
    });
    await service.call('DELETE', '/_sandbox/log');
    expect((await service.call('GET', '/_sandbox/log')).body).toEqual({
      requests: [],
      counts: {},
      refused: 0,
      inFlight: { average: 0, max: 0 },
    });
  });

  test('knows how many requests were in flight', async () => {
    const service = await open({ faults: { latencyMs: 20 } });
    const lane = async () => {
      for (let turn = 0; turn < 10; turn += 1) await service.call('GET', DETAIL);
    };
    await Promise.all(Array.from({ length: 8 }, lane));
    const { average, max } = (await service.call('GET', '/_sandbox/log')).body.inFlight;
    expect(max).toBe(8);
    expect(average).toBeGreaterThan(4);
    expect(average).toBeLessThanOrEqual(8);
  });

  test('is passed to the log option, and never holds the token', async () => {
    const told: LoggedRequest[] = [];
    const service = await open({ log: (request) => told.push(request) });
    await service.call('GET', DETAIL);
    await service.call('GET', DETAIL, undefined, { authorization: `Basic ${TOKEN}` });
    expect(told.map(({ status }) => status)).toEqual([200, 401]);
    expect(JSON.stringify(told)).not.toContain(TOKEN);
  });
});

describe('the sandbox itself', () => {
  test.each(['GET log', 'DELETE log', 'GET dump', 'GET faults', 'PUT faults', 'GET dialect', 'PUT dialect'])(
    '%s asks for the token',
    async (route) => {
      const service = await open();
      const [method = '', name = ''] = route.split(' ');
      const answer = await service.call(method, `/_sandbox/${name}`, undefined, { authorization: '' });
      expect(answer.status).toBe(401);
    },
  );

  test('is set while it runs, piece by piece', async () => {
    const service = await open({ dialect: { missing: 'null' } });
    const { body } = await service.call('PUT', '/_sandbox/dialect', { externalId: 'never' });
    expect(body).toEqual({
      externalId: 'never',
      missing: 'null',
      listShape: 'list',
      download: 'array',
      types: 'mixed',
    });
    expect((await service.call('GET', '/_sandbox/dialect')).body).toEqual(body);
    expect((await service.call('GET', DETAIL)).body.ExternalID).toBeNull();
    expect((await service.call('PUT', '/_sandbox/dialect', { missing: 'soms' })).status).toBe(400);
    expect((await service.call('PUT', '/_sandbox/dialect', '{')).status).toBe(400);
  });

  test('shows all its records, without those that were deleted', async () => {
    const service = await open();
    await service.call('DELETE', '/api/v1/product/pakket/delete', { ProductID: 5001 });
    const { body } = await service.call('GET', '/_sandbox/dump');
    const counts = Object.fromEntries(
      Object.entries(body).map(([kind, records]) => [kind, (records as []).length]),
    );
    expect(counts).toEqual({
      package: 29,
      recipe: 30,
      stock: 15,
      mutation: 0,
      event: 40,
      link: 60,
      trip: 60,
      document: 0,
      order: 6,
      orderCall: 0,
    });
    expect(body.event[0]).toMatchObject({
      id: 9001,
      ExternalID: 70001,
      Starttijd: '2026-10-02 14:00:00',
      LMT: expect.any(String),
    });
  });

  test('has no other routes', async () => {
    const service = await open();
    expect((await service.call('POST', '/_sandbox/dump')).status).toBe(404);
  });
});
