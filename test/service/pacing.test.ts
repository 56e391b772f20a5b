import { setMaxListeners } from 'node:events';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { packages } from '../../src/resources/packages.ts';
import { type ClientState, openLatency, openWaits } from '../../src/service/client-state.ts';
import { Gate, openConcurrencyLimit, openPace } from '../../src/service/gate.ts';
import { openScrub } from '../../src/service/read-answer.ts';
import { sendUntilSettled } from '../../src/service/service.ts';
import type { WireAnswer } from '../../src/service/transport.ts';
import { VirtualTime } from '../helpers/virtual-time.ts';

type Limit = (now: number) => number | null;

/** Seconds to wait, or null when the request may pass. */
const bucket = (perSecond: number, burst = perSecond): Limit => {
  let tokens = burst;
  let filled = 0;
  return (now) => {
    tokens = Math.min(burst, tokens + ((now - filled) / 1000) * perSecond);
    filled = now;
    if (tokens < 1) return Math.ceil((1 - tokens) / perSecond);
    tokens -= 1;
    return null;
  };
};

const fixedWindow = (requests: number, seconds: number): Limit => {
  let window = -1;
  let used = 0;
  return (now) => {
    const current = Math.floor(now / 1000 / seconds);
    if (current !== window) [window, used] = [current, 0];
    used += 1;
    return used <= requests ? null : Math.ceil((current + 1) * seconds - now / 1000);
  };
};

function seededRandom(): () => number {
  let seed = 7;
  return () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
}

const LATENCY = 40;

interface Load {
  readonly count: number;
  readonly concurrency: number;
  readonly named?: boolean;
}

/** Sends `count` creates at a service with a limit, and counts what it turned away. */
async function run(time: VirtualTime, limit: Limit, { count, concurrency, named = true }: Load) {
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  const started = time.steady();
  const exchange = async (): Promise<WireAnswer> => {
    await time.sleep(LATENCY / 2);
    const wait = limit(time.steady());
    await time.sleep(LATENCY / 2);
    if (wait === null)
      return { status: 200, headers: {}, bytes: Buffer.from('{"ProductID":1,"success":true}') };
    return { status: 429, headers: named ? { 'retry-after': String(wait) } : {}, bytes: Buffer.from('{}') };
  };
  const client: ClientState = {
    transport: { exchange, close: async () => {}, destroy: async () => {} },
    gate: new Gate({ concurrency, time, closed: ending.signal }),
    time,
    random: seededRandom(),
    latency: openLatency(),
    timeout: 1000,
    waits: openWaits(time),
    scrub: openScrub('secret'),
    log: pino({ level: 'silent' }),
    stats: {
      ...{ requests: 0, retried: 0, refused: 0, lost: 0, bytes: 0, out: 0, ahead: null },
      ...{ inFlight: 0, limit: concurrency, rate: 0, latency: null, lastAnswers: 0 },
    },
    ending,
    cut: new AbortController(),
    retries: 5,
    mayWrite: undefined,
  };
  const request = { method: 'PUT', path: '/', headers: [], body: null };
  const call = { endpoint: packages.requests.create, request, params: {}, signal: ending.signal };
  let left = count;
  let failed = 0;
  const sender = async () => {
    while (left > 0) {
      left -= 1;
      await sendUntilSettled(client, call as never).catch(() => {
        failed += 1;
      });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, sender));
  return {
    failed,
    refused: client.stats.refused / client.stats.requests,
    seconds: (time.steady() - started) / 1000,
  };
}

const cases: readonly [string, () => Limit, Load, { refused: number; seconds: number }][] = [
  [
    '20 a second, bucket, 16 in flight',
    () => bucket(20),
    { count: 800, concurrency: 16 },
    { refused: 0.05, seconds: 45 },
  ],
  [
    '20 a second, bucket, 256 in flight: all of them learn it at once',
    () => bucket(20),
    { count: 2000, concurrency: 256 },
    { refused: 0.2, seconds: 130 },
  ],
  [
    '20 a second, no time named',
    () => bucket(20),
    { count: 800, concurrency: 16, named: false },
    { refused: 0.1, seconds: 60 },
  ],
  ['60 a minute', () => fixedWindow(60, 60), { count: 300, concurrency: 8 }, { refused: 0.1, seconds: 420 }],
  [
    '5 a second with a burst of 100',
    () => bucket(5, 100),
    { count: 400, concurrency: 16 },
    { refused: 0.15, seconds: 90 },
  ],
];

describe('a service with a limit, in simulated time', () => {
  test.each(cases)('%s', async (_, limit, options, bounds) => {
    const figures = await run(new VirtualTime(), limit(), options);
    expect(figures.failed).toBe(0);
    expect(figures.refused).toBeLessThanOrEqual(bounds.refused);
    expect(figures.seconds).toBeLessThanOrEqual(bounds.seconds);
  });

  test('is not held up by a clock of this machine that is set back', async () => {
    const [time, limit] = [new VirtualTime(), bucket(20)];
    const jumping: Limit = (now) => {
      time.jump(-3_600_000);
      return limit(now);
    };
    const figures = await run(time, jumping, { count: 100, concurrency: 8 });
    expect(figures).toMatchObject({ failed: 0 });
    expect(figures.seconds).toBeLessThan(10);
  });
});

test('the limit of requests in flight is halved, and grows by one a round', () => {
  const width = openConcurrencyLimit(16);
  const after = (answers: number): number => {
    for (let answer = 0; answer < answers; answer++) width.accepted();
    return width.limit;
  };
  width.lower(0.5);
  expect([after(7), after(1), after(200)]).toEqual([8, 9, 16]);
  for (let times = 0; times < 9; times++) width.lower(0.5);
  expect(width.limit).toBe(1);
});

test('the pace recovers slowly at first, then fully', () => {
  const pace = openPace();
  for (let at = 0; at < 10; at++) pace.accepted(at);
  pace.pause(10, 990);
  pace.slowDown(10);
  const grown = (ms: number): number => pace.rate(1000 + ms) / pace.rate(1000);
  expect([grown(10_000) < 1.1, grown(60_000) > 5, grown(150_000) > 10_000]).toEqual([true, true, true]);
});
