import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EXIT } from '../../src/core/errors.ts';
import { systemTime } from '../../src/core/time.ts';
import { LAST_ANSWERS_MS, openLatency, openStats } from '../../src/service/client-state.ts';
import { findById, open as openAt, quickTime, read } from './open.ts';
import { json, reset, silence, useServer } from './scripted-server.ts';

const { baseUrl, open, received, script } = useServer(json({ ProductID: 1, success: true }));

const interrupted = { name: 'InterruptedError', exit: EXIT.interrupted };

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((wake) => setTimeout(wake, 1));
}

type Stats = ReturnType<typeof open>['stats'];

/** What becomes of a request when its service is stopped at a moment. */
async function stopped(
  effect: 'create' | 'update',
  isAt: (stats: Stats) => boolean,
  options: Parameters<typeof openAt>[1] = {},
  address = baseUrl(),
) {
  const stop = new AbortController();
  const service = openAt(address, { signal: stop.signal, time: systemTime, ...options });
  const end = service[effect]().catch((error: unknown) => error);
  await until(() => isAt(service.stats));
  stop.abort();
  return { end: await end, stats: service.stats };
}

describe('the signal of the service', () => {
  test('stops what waits, and lets a write in flight get its answer', async () => {
    let finish = () => {};
    script((response) => {
      finish = () => response.end('{"ProductID": 7}');
    });
    const stop = new AbortController();
    const service = open({ signal: stop.signal, concurrency: 1, time: systemTime });
    const flying = service.create();
    const waiting = service.create();
    waiting.catch(() => {});
    await until(() => received.length === 1);
    expect(service.stats.out).toBe(1);
    stop.abort();
    await expect(waiting).rejects.toMatchObject(interrupted);
    await expect(service.read()).rejects.toMatchObject(interrupted);
    const closed = service.close();
    finish();
    await expect(flying).resolves.toMatchObject({ id: 7 });
    await closed;
    expect(received).toHaveLength(1);
  });

  test.each(['create', 'update'] as const)(
    'leaves a write (%s) in doubt that has no answer some seconds later',
    async (effect) => {
      script(silence);
      const time = quickTime();
      const { end, stats } = await stopped(effect, () => received.length === 1, { time, timeout: 20_000 });
      expect(end).toMatchObject({ kind: 'lost', mayHaveTakenEffect: true });
      expect([time.slept[0], stats.out, received.length]).toEqual([LAST_ANSWERS_MS, 0, 1]);
    },
  );

  test('leaves a slow service four times what its answers take', () => {
    const latency = openLatency();
    const stats = openStats({} as never, latency, 20_000);
    expect(stats.lastAnswers).toBe(LAST_ANSWERS_MS);
    latency.answered(3000);
    expect(stats.lastAnswers).toBe(12_000);
    for (let times = 0; times < 2; times++) latency.answered(9000);
    expect(stats.lastAnswers).toBe(20_000);
  });

  test('sends nothing of a write that waits for its connection, and does not wait for that', async () => {
    // Nobody answers the handshake: no connection comes about.
    const mute = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void mute.close());
    await once(mute, 'listening');
    const address = `https://127.0.0.1:${(mute.address() as AddressInfo).port}/`;
    const { end } = await stopped('create', ({ requests }) => requests === 1, { timeout: 600_000 }, address);
    expect(end).toMatchObject(interrupted);
  });

  test('ends a pause that the service asked for, and leaves the doubt of an update whose answer was lost before', async () => {
    script(json({}, 429, { 'retry-after': '60' }));
    const paused = await stopped('create', ({ refused }) => refused === 1);
    expect(paused.end).toMatchObject(interrupted);
    script(reset);
    const { end } = await stopped('update', ({ lost }) => lost === 1, { random: () => 1 });
    expect(end).toMatchObject({ kind: 'lost', mayHaveTakenEffect: true, attempts: 1 });
  });

  test('lets nothing be sent when it was aborted before', async () => {
    await expect(open({ signal: AbortSignal.abort() }).read()).rejects.toMatchObject(interrupted);
    expect(received).toHaveLength(0);
  });
});

test('the signal of one request leaves the others alone', async () => {
  script(silence, json({ ProductID: 5 }));
  const service = open();
  const stop = new AbortController();
  const flying = service.send(findById, { ...read, signal: stop.signal });
  flying.catch(() => {});
  await until(() => received.length === 1);
  stop.abort();
  await expect(flying).rejects.toMatchObject(interrupted);
  await expect(service.read()).resolves.toMatchObject({ ProductID: 5 });
});
