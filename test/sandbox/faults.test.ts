import { describe, expect, test } from 'vitest';
import type { SandboxSettings } from '../../src/sandbox/options.ts';
import { EVER, type Opened, open, PACKAGE } from './open.ts';

const CREATE = '/api/v1/product/pakket/create';
const DETAIL = '/api/v1/product/pakket/detail/5001';

/** What came of a request: its status, or the code of the connection's error. */
async function outcome(request: Promise<{ status: number }>): Promise<number | string> {
  try {
    return (await request).status;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

const create = (service: Opened) => service.call('PUT', CREATE, PACKAGE);
const written = async (service: Opened): Promise<number> => (await service.records('package')).length - 30;

describe('a fault', () => {
  test.each([
    ['lostAnswer', { lostAnswer: 1 }, 'UND_ERR_SOCKET', 1],
    ['reset', { reset: 1 }, 'UND_ERR_SOCKET', 0],
    ['status503', { status503: 1 }, 503, 0],
  ] as const)('%s is met with its work done or not done', async (fault, faults, met, done) => {
    const service = await open({ faults });
    expect(await outcome(create(service))).toBe(met);
    expect(await written(service)).toBe(done);
    const { requests } = (await service.call('GET', '/_sandbox/log')).body;
    expect(requests).toMatchObject([{ endpoint: 'packages.create', fault }]);
  });

  test('leaves reads alone when only writes are meant', async () => {
    const service = await open({ faults: { status503: 1, onlyWrites: true } });
    expect((await service.call('GET', DETAIL)).status).toBe(200);
    expect((await service.call('POST', '/api/v1/product/pakket/allModified', { LMT: EVER })).status).toBe(
      200,
    );
    expect((await service.call('GET', '/api/v1/edi/purchaseorder/sendAll')).status).toBe(503);
    expect((await create(service)).status).toBe(503);
  });
});

/** For how many requests a service that takes so many a second got room since a moment. */
const gained = (rate: number, since: number): number =>
  Math.ceil(((performance.now() - since) / 1000) * rate);

describe('the rate limit', () => {
  test('lets a second’s worth through and refuses the rest with Retry-After', async () => {
    const service = await open({ faults: { rateLimit: 5 } });
    const started = performance.now();
    const answers = await Promise.all(Array.from({ length: 12 }, () => service.call('GET', DETAIL)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(Math.max(1, 7 - gained(5, started)));
    expect(refused.length).toBeLessThanOrEqual(7);
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
  });
});

test.each([
  [{ latencyMs: -1 }, 'latencyMs'],
  [{ lostAnswer: 2 }, 'lostAnswer'],
  [{ storing: 1 } as SandboxSettings['faults'], 'storing'],
] as [SandboxSettings['faults'], string][])(
  'a fault that does not exist is refused: %j',
  async (faults, named) => {
    const service = await open();
    const answer = await service.call('PUT', '/_sandbox/faults', faults);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.errors)).toEqual([named]);
    await expect(open({ faults })).rejects.toThrow(named);
  },
);
