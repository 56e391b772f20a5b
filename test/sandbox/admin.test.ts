import { describe, expect, test } from 'vitest';
import { open, TOKEN } from './open.ts';

const DETAIL = '/api/v1/product/pakket/detail/5001';

test('the log holds what was asked since it was cleared, and never the token', async () => {
  const service = await open();
  await service.call('GET', DETAIL);
  await service.call('DELETE', '/_sandbox/log');
  await service.call('GET', DETAIL, undefined, { authorization: `Basic ${TOKEN}` });
  await service.call('GET', DETAIL);
  const { body } = await service.call('GET', '/_sandbox/log');
  expect(body).toMatchObject({ requests: [{ status: 401 }, { status: 200 }], inFlight: 0 });
  expect(JSON.stringify(body)).not.toContain(TOKEN);
});

describe('the sandbox itself', () => {
  test('asks for the token', async () => {
    const service = await open();
    for (const route of ['GET log', 'DELETE log', 'GET dump', 'PUT faults']) {
      const [method = '', name = ''] = route.split(' ');
      const answer = await service.call(method, `/_sandbox/${name}`, undefined, { authorization: '' });
      expect(answer.status, route).toBe(401);
    }
  });
});
