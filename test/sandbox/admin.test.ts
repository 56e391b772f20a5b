import { describe, expect, test } from 'vitest';
import { type LoggedRequest, measureInFlight } from '../../src/sandbox/requests/request-log.ts';
import { open, TOKEN } from './open.ts';

const DETAIL = '/api/v1/product/pakket/detail/5001';

describe('the log', () => {
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
});

test('how many requests are in flight is measured while they come, without a long tail', () => {
  const spans = [0, 0, 10].map((at, nth) => ({ at, ms: nth === 2 ? 1000 : 10 }));
  expect(measureInFlight(spans)).toEqual({ average: 2, max: 2 });
  expect(measureInFlight([0, 20, 40].map((at) => ({ at, ms: 10 })))).toEqual({ average: 0.5, max: 1 });
});
