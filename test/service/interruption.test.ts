import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { EXIT } from '../../src/core/errors.ts';
import { systemTime } from '../../src/core/time.ts';
import { packages } from '../../src/resources/packages.ts';
import { LAST_ANSWERS_MS, openLatency, openStats } from '../../src/service/client-state.ts';
import { open, quickTime } from './open.ts';
import { json, reset, type ScriptedServer, silence, startServer } from './scripted-server.ts';

let server: ScriptedServer;
beforeEach(async () => {
  server = await startServer(json({ ProductID: 1, success: true }));
});
afterEach(() => server.stop());

const { create, update, findById } = packages.requests;
const body = { ProductTypeID: 1, OmschrijvingIntern: 'Lunch Klassiek', Verkoopprijs: 14.5 };
const read = { params: { ID: 5 } };
const interrupted = { name: 'InterruptedError', exit: EXIT.interrupted };

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((wake) => setTimeout(wake, 1));
}

describe('the signal of the service', () => {
  test('stops what waits, and lets a write in flight get its answer', async () => {
    let finish = () => {};
    server.script((response) => {
      finish = () => response.end('{"ProductID": 7}');
    });
    const stop = new AbortController();
    const service = open(server.baseUrl, { signal: stop.signal, concurrency: 1, time: systemTime });
    const flying = service.send(create, { body });
    const waiting = service.send(create, { body });
    waiting.catch(() => {});
    await until(() => server.received.length === 1);
    expect(service.stats.out).toBe(1);
    stop.abort();
    await expect(waiting).rejects.toMatchObject(interrupted);
    await expect(service.send(findById, read)).rejects.toMatchObject(interrupted);
    const closed = service.close();
    finish();
    await expect(flying).resolves.toMatchObject({ id: 7 });
    await closed;
    expect(server.received).toHaveLength(1);
  });

  test.each([
    ['a create', create, { body }],
    ['an update', update, { body: { ...body, ProductID: 5 } }],
  ] as const)('leaves %s in doubt that has no answer some seconds later', async (_, endpoint, input) => {
    server.script(silence);
    const stop = new AbortController();
    const time = quickTime();
    const service = open(server.baseUrl, { signal: stop.signal, time, timeout: 20_000 });
    const flying = service.send(endpoint, input);
    flying.catch(() => {});
    await until(() => server.received.length === 1);
    stop.abort();
    await expect(flying).rejects.toMatchObject({ kind: 'lost', mayHaveTakenEffect: true });
    expect(time.slept[0]).toBe(LAST_ANSWERS_MS);
    expect(service.stats.out).toBe(0);
    await service.close();
    expect(server.received).toHaveLength(1);
  });

  test('leaves a slow service four times what its answers take', async () => {
    server.script(silence);
    const service = open(server.baseUrl, { timeout: 20_000 });
    const { lastAnswers } = service.stats;
    expect(lastAnswers).toBe(LAST_ANSWERS_MS);
    const latency = openLatency();
    latency.answered(3000);
    const stats = openStats(service.stats as never, latency, 20_000);
    expect(stats.lastAnswers).toBe(12_000);
    latency.answered(9000);
    latency.answered(9000);
    expect(stats.lastAnswers).toBe(20_000);
  });

  test('sends nothing of a write that waits for its connection, and does not wait for that', async () => {
    // Nobody answers the handshake: no connection comes about.
    const mute = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void mute.close());
    await once(mute, 'listening');
    const address = `https://127.0.0.1:${(mute.address() as AddressInfo).port}/`;
    const stop = new AbortController();
    const service = open(address, {
      ...{ signal: stop.signal, timeout: 600_000, time: systemTime },
    });
    const waiting = service.send(create, { body });
    waiting.catch(() => {});
    await until(() => service.stats.requests === 1);
    stop.abort();
    await expect(waiting).rejects.toMatchObject(interrupted);
    await service.close();
  });

  test('ends a pause that the service asked for', async () => {
    server.script(json({}, 429, { 'retry-after': '60' }));
    const stop = new AbortController();
    const service = open(server.baseUrl, { signal: stop.signal, time: systemTime });
    const sending = service.send(create, { body });
    sending.catch(() => {});
    await until(() => service.stats.refused === 1);
    stop.abort();
    await expect(sending).rejects.toMatchObject(interrupted);
    await service.close();
  });

  test('leaves the doubt of an update whose answer was lost before', async () => {
    const stop = new AbortController();
    server.script(reset);
    const service = open(server.baseUrl, { signal: stop.signal, time: systemTime, random: () => 1 });
    const sending = service.send(update, { body: { ...body, ProductID: 5 } });
    sending.catch(() => {});
    await until(() => service.stats.lost === 1);
    stop.abort();
    await expect(sending).rejects.toMatchObject({ kind: 'lost', mayHaveTakenEffect: true, attempts: 1 });
    await service.close();
  });

  test('lets nothing be sent when it was aborted before', async () => {
    const service = open(server.baseUrl, { signal: AbortSignal.abort() });
    await expect(service.send(findById, read)).rejects.toMatchObject(interrupted);
    expect(server.received).toHaveLength(0);
    await service.close();
  });
});

test('the signal of one request leaves the others alone', async () => {
  server.script(silence, json({ ProductID: 5 }));
  const service = open(server.baseUrl);
  const stop = new AbortController();
  const flying = service.send(findById, { ...read, signal: stop.signal });
  flying.catch(() => {});
  await until(() => server.received.length === 1);
  stop.abort();
  await expect(flying).rejects.toMatchObject(interrupted);
  await expect(service.send(findById, read)).resolves.toMatchObject({ ProductID: 5 });
  await service.close();
});
