import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Time } from '../../src/core/time.ts';
import { packages } from '../../src/resources/packages.ts';
import { openConcurrencyLimit, openPace } from '../../src/service/pace.ts';
import { VirtualTime } from '../helpers/virtual-time.ts';
import { open } from './open.ts';
import { type Behaviour, json, type ScriptedServer, startServer } from './scripted-server.ts';

let server: ScriptedServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.stop());

const { create, update } = packages.requests;
const body = { ProductTypeID: 1, OmschrijvingIntern: 'Lunch Klassiek', Verkoopprijs: 14.5 };
/** An update may be sent again after a 503. */
const changed = { ...body, ProductID: 5 };
const done = json({ ProductID: 1, success: true });

/** Turns away what exceeds a bucket of `perSecond`, naming the seconds to wait. */
function limited(time: Time, perSecond: number, retryAfter: string): Behaviour {
  let tokens = perSecond;
  let filled = time.steady();
  return (...request) => {
    const now = time.steady();
    tokens = Math.min(perSecond, tokens + ((now - filled) / 1000) * perSecond);
    filled = now;
    if (tokens < 1)
      return json({ message: 'Too Many Attempts.' }, 429, { 'retry-after': retryAfter })(...request);
    tokens -= 1;
    return done(...request);
  };
}

// That a pace was found: a service whose push-back is ignored turns most away.
const SOME = 0.3;

describe('a real service with a limit', () => {
  test('takes 150 creates at 40 a second: none fails, few are refused, the limit is used', {
    timeout: 20_000,
  }, async () => {
    const time = new VirtualTime();
    server.script(limited(time, 40, '1'));
    const service = open(server.baseUrl, { concurrency: 16, retries: 5, time });
    const results = await Promise.allSettled(
      Array.from({ length: 150 }, () => service.send(create, { body })),
    );
    const seconds = time.steady() / 1000;
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(0);
    expect(service.stats.refused / service.stats.requests).toBeLessThan(SOME);
    expect(service.stats.refused).toBeGreaterThan(0);
    expect(seconds).toBeLessThan(15);
    await service.close();
  });

  test('is never sent more than the user’s own rate', async () => {
    const sent: number[] = [];
    server.script(done);
    // Where requests leave, by a clock on which only the pauses of the pace pass: no stall moves it.
    let now = 0;
    const time: Time = {
      now: () => now,
      steady: () => now,
      async sleep(ms) {
        await new Promise(setImmediate);
        now += ms;
      },
    };
    const service = open(server.baseUrl, { concurrency: 16, rate: 100, time });
    const nothing = async () => {};
    const marks = { ready: async () => void sent.push(now), sending() {}, unsent: nothing, doubted: nothing };
    await Promise.all(Array.from({ length: 60 }, () => service.send(create, { body, marks })));
    expect(sent).toHaveLength(60);
    // 59 intervals of 10 ms, less the little that lateness may be made up for.
    expect((sent.at(-1) ?? 0) - (sent[0] ?? 0)).toBeGreaterThan(540);
    await service.close();
  });

  test('is left alone by all requests during a pause', async () => {
    const [time, times] = [new VirtualTime(), [] as number[]];
    server.script((...request) => {
      times.push(time.steady());
      return times.length === 1 ? json({}, 503, { 'retry-after': '0.3' })(...request) : done(...request);
    });
    const service = open(server.baseUrl, { concurrency: 4, time });
    const first = service.send(update, { body: changed });
    while (service.stats.refused === 0) await new Promise((wake) => setTimeout(wake, 1));
    await Promise.all([
      first,
      service.send(update, { body: changed }),
      service.send(update, { body: changed }),
    ]);
    expect(times).toHaveLength(4);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(290);
    await service.close();
  });

  test('is left alone during the pause of a 503 that leaves a create in doubt', async () => {
    const [time, times] = [new VirtualTime(), [] as number[]];
    server.script((...request) => {
      times.push(time.steady());
      return times.length === 1 ? json({}, 503, { 'retry-after': '0.3' })(...request) : done(...request);
    });
    const service = open(server.baseUrl, { concurrency: 4, time });
    await expect(service.send(create, { body })).rejects.toMatchObject({ mayHaveTakenEffect: true });
    await service.send(create, { body });
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(290);
    await service.close();
  });
});

describe('the limit of requests in flight', () => {
  test('is halved, and grows by one a round', () => {
    const width = openConcurrencyLimit(16);
    width.lower(0.5);
    expect(width.limit).toBe(8);
    for (let answer = 0; answer < 8; answer += 1) width.accepted();
    expect(width.limit).toBe(9);
    for (let answer = 0; answer < 200; answer += 1) width.accepted();
    expect(width.limit).toBe(16);
    for (let times = 0; times < 9; times += 1) width.lower(0.5);
    expect(width.limit).toBe(1);
  });

  test('is lowered once for a whole round that is turned away', async () => {
    let left = 8;
    server.script((...request) => {
      left -= 1;
      return left >= 0 ? json({}, 429, { 'retry-after': '0' })(...request) : done(...request);
    });
    const service = open(server.baseUrl, { concurrency: 8 });
    await Promise.all(Array.from({ length: 8 }, () => service.send(create, { body })));
    expect(service.stats).toMatchObject({ refused: 8, requests: 16 });
    expect(service.stats.limit).toBeGreaterThanOrEqual(4);
    await service.close();
  });

  test.each([
    ['without a time', {}],
    ['that ask for no time', { 'retry-after': '0' }],
  ])('is hardly lowered by the 503s of one broken worker %s', async (_name, headers) => {
    let count = 0;
    server.script((...request) => {
      count += 1;
      return count % 20 === 0 ? json({}, 503, headers)(...request) : done(...request);
    });
    const service = open(server.baseUrl, { concurrency: 16, retries: 5 });
    const limits: number[] = [];
    await Promise.all(
      Array.from({ length: 1000 }, async () => {
        await service.send(update, { body: changed });
        limits.push(service.stats.limit);
      }),
    );
    const mean = limits.reduce((sum, limit) => sum + limit, 0) / limits.length;
    expect(mean).toBeGreaterThan(6);
    expect(service.stats.rate).toBe(Number.POSITIVE_INFINITY);
    await service.close();
  });
});

describe('a limit that is not named', () => {
  test('is found from the share of 503s, and then few are turned away', { timeout: 290_000 }, async () => {
    const time = new VirtualTime();
    let [tokens, filled] = [20, 0];
    server.script((...request) => {
      const now = time.steady();
      [tokens, filled] = [Math.min(20, tokens + ((now - filled) / 1000) * 200), now];
      if (tokens < 1) return json({}, 503)(...request);
      tokens -= 1;
      return done(...request);
    });
    const service = open(server.baseUrl, { concurrency: 16, retries: 8, time });
    const results = await Promise.allSettled(
      Array.from({ length: 600 }, () => service.send(update, { body: changed })),
    );
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(0);
    expect(service.stats.refused / service.stats.requests).toBeLessThan(SOME);
    await service.close();
  });
});

describe('the pace', () => {
  test('is what the service bore, its pause included', () => {
    const pace = openPace();
    for (let at = 1000; at < 1020; at += 1) pace.accepted(at);
    pace.pause(1020, 1000);
    pace.slowDown(1020);
    expect(pace.rate(2020)).toBeCloseTo(20 / 1.02, 1);
    expect(pace.next()).toBe(2020);
  });

  test('does not count a quiet time before', () => {
    const pace = openPace();
    pace.accepted(0);
    for (let at = 100_000; at < 100_020; at += 1) pace.accepted(at);
    pace.pause(100_020, 1000);
    pace.slowDown(100_020);
    expect(pace.rate(101_020)).toBeCloseTo(20 / 1.02, 1);
  });

  test('recovers slowly at first, then fully', () => {
    const pace = openPace();
    for (let at = 0; at < 10; at += 1) pace.accepted(at);
    pace.pause(10, 990);
    pace.slowDown(10);
    const learned = pace.rate(1000);
    expect(pace.rate(1000 + 10_000) / learned).toBeLessThan(1.1);
    expect(pace.rate(1000 + 60_000) / learned).toBeGreaterThan(5);
    expect(pace.rate(1000 + 150_000) / learned).toBeGreaterThan(10_000);
  });

  test('never exceeds the user’s ceiling', () => {
    const pace = openPace(5);
    expect(pace.rate(0)).toBe(5);
    pace.accepted(0);
    pace.pause(1, 1);
    pace.slowDown(1);
    expect(pace.rate(1e9)).toBe(5);
  });

  test('is lowered again when the service takes nothing at all', () => {
    const pace = openPace();
    for (let at = 0; at < 100; at += 1) pace.accepted(at);
    pace.pause(100, 1000);
    pace.slowDown(100);
    const before = pace.rate(1100);
    pace.pause(1100, 1000);
    pace.slowDown(1100);
    expect(pace.rate(2100)).toBeCloseTo(before / 2, 5);
  });
});
