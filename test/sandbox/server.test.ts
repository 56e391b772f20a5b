import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { open, PACKAGE } from './open.ts';

describe('the server', () => {
  test('listens on loopback alone', async () => {
    const service = await open();
    expect(new URL(service.url).hostname).toBe('127.0.0.1');
    const socket = connect(Number(new URL(service.url).port), '127.0.0.2');
    const [error] = await once(socket, 'error').catch((cause: unknown) => [cause]);
    expect((error as { code: string }).code).toBe('ECONNREFUSED');
  });

  test.each([
    ['localhost', 200],
    ['127.0.0.1', 200],
    ['[::1]:4010', 200],
    ['catering.example', 421],
    ['127.0.0.1.catering.example', 421],
    ['catering.example:127', 421],
    ['', 421],
  ])(
    'answers what is meant for this machine, as a page can lead its own name here: host %j',
    async (host, status) => {
      const service = await open();
      for (const path of ['/api/v1/unit/all', '/_sandbox/log'])
        expect((await service.call('GET', path, undefined, { host })).status).toBe(status);
      expect((await service.call('GET', '/_sandbox/log')).body.requests).toHaveLength(status === 200 ? 1 : 0);
    },
  );

  test('finishes what is in flight before it closes', async () => {
    const service = await open({ faults: { latencyMs: 200 } });
    const answer = service.call('PUT', '/api/v1/product/pakket/create', PACKAGE);
    while ((await service.call('GET', '/_sandbox/log')).body.inFlight === 0);
    await service.close();
    expect((await answer).status).toBe(200);
    // A connection that was kept open may only learn of the end by being used.
    const code = expect.toBeOneOf(['ECONNREFUSED', 'UND_ERR_SOCKET']);
    await expect(service.call('GET', '/api/v1/unit/all')).rejects.toMatchObject({ code });
  });
});
