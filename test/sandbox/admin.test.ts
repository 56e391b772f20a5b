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
  test('asks for the token', async () => {
    const service = await open();
    for (const route of ['GET log', 'DELETE log', 'GET dump', 'PUT faults', 'PUT dialect']) {
      const [method = '', name = ''] = route.split(' ');
      const answer = await service.call(method, `/_sandbox/${name}`, undefined, { authorization: '' });
      expect(answer.status, route).toBe(401);
    }
  });

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
});
