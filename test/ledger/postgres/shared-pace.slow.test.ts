import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startRelay } from '../../helpers/pace/relay.ts';
import {
  mostAtOnce,
  mostWithin,
  type SenderOptions,
  startCounting,
  startSender,
} from '../../helpers/pace/senders.ts';
import { hasPgbouncer, startPgbouncer } from '../../helpers/pgbouncer.ts';
import { postgresFolder, startPostgres, type TestPostgres } from '../../helpers/postgres.ts';

const MISSING = postgresFolder() === undefined;
let server: TestPostgres;

beforeAll(async () => {
  if (!MISSING) server = await startPostgres();
});
afterAll(async () => {
  if (!MISSING) await server.stop();
});

/** A service, and what starts programs that send to it with one ledger. */
async function startAll(latency: number, options: Partial<SenderOptions>, by = (address: string) => address) {
  const ledger = by(await server.database());
  const service = await startCounting(latency);
  onTestFinished(() => service.stop());
  let count = 0;
  const start = async (more: Partial<SenderOptions> = {}) => {
    const name = `sender-${++count}`;
    const sender = await startSender({ ledger, baseUrl: service.baseUrl, name, ...options, ...more });
    onTestFinished(() => sender.kill());
    return { ...sender, name };
  };
  return { service, start };
}

describe.skipIf(MISSING)('programs with one ledger in a database', () => {
  test('keep to one rate in any second, while some join, leave and are killed', async () => {
    const { service, start } = await startAll(10, { rate: 100 });
    const first = await start();
    const second = await start();
    await sleep(700);
    await second.leave();
    const third = await start();
    await sleep(700);
    await first.kill();
    await start();
    await sleep(1500);
    await third.kill();
    const seen = await service.seen();
    // The service of the test notes late what comes while it is busy; the campaign measures with one of its own.
    expect(mostWithin(1000, seen)).toBeLessThanOrEqual(115);
    expect(new Set(seen.map(({ from }) => from)).size).toBe(4);
  });

  test('have no more requests in flight together than is allowed, while some join and leave', async () => {
    const { service, start } = await startAll(120, { concurrency: 6, local: 6 });
    const first = await start();
    await start();
    await sleep(1200);
    await start();
    await sleep(1200);
    await first.leave();
    await sleep(1200);
    const seen = await service.seen();
    expect(mostAtOnce(seen)).toBeLessThanOrEqual(6);
    expect(mostAtOnce(seen.slice(-30))).toBeGreaterThanOrEqual(5);
    expect(new Set(seen.slice(-30).map(({ from }) => from)).size).toBe(2);
  });

  test('all pause when the service turns one of them away', async () => {
    const { service, start } = await startAll(5, { rate: 40, local: 2 });
    await Promise.all([start(), start(), start()]);
    await sleep(1000);
    const from = performance.timeOrigin + performance.now();
    await service.refuse(2000);
    await sleep(1900);
    // What is told is heard within 250 ms; what was in flight by then was turned away as well.
    const late = (await service.seen()).filter(({ at }) => at > from + 500 && at < from + 1900);
    expect(late).toEqual([]);
  });

  const silences = [
    ['is cut from', 'cut'],
    ['hears nothing of', 'hush'],
  ] as const;
  test.each(silences)(
    'a program that %s the database stops sending, and does not make up for it',
    async (_, how) => {
      const relay = await startRelay(server.port);
      onTestFinished(() => relay.stop());
      const { service, start } = await startAll(5, { rate: 50 }, relay.by);
      await start();
      await sleep(1000);
      relay[how]();
      const cutAt = performance.timeOrigin + performance.now();
      await sleep(1500);
      relay.restore();
      await sleep(2500);
      const seen = await service.seen();
      // What it had reserved before is used up within 100 ms.
      expect(seen.filter(({ at }) => at > cutAt + 400 && at < cutAt + 1500)).toEqual([]);
      expect(seen.filter(({ at }) => at > cutAt + 1500).length).toBeGreaterThan(10);
      expect(mostWithin(1000, seen)).toBeLessThanOrEqual(52);
    },
  );

  test('that were stopped send nothing at once of what they missed', async () => {
    const { service, start } = await startAll(5, { rate: 50 });
    const senders = await Promise.all([start(), start()]);
    await sleep(1000);
    for (const sender of senders) sender.signal('SIGSTOP');
    await sleep(1000);
    for (const sender of senders) sender.signal('SIGCONT');
    await sleep(1200);
    expect(mostWithin(1000, await service.seen())).toBeLessThanOrEqual(52);
  });

  test('with a lower rate slow down those with a higher one, until they are gone', async () => {
    const { service, start } = await startAll(5, {});
    await start({ rate: 200 });
    await sleep(800);
    const slow = await start({ rate: 20 });
    await sleep(2500);
    const seen = await service.seen();
    const from = Math.min(...seen.filter((one) => one.from.endsWith(slow.name)).map(({ at }) => at));
    expect(
      mostWithin(
        1000,
        seen.filter(({ at }) => at >= from),
      ),
    ).toBeLessThanOrEqual(21);
    await slow.leave();
    await sleep(1200);
    expect(mostWithin(1000, await service.seen())).toBeGreaterThan(100);
  });
});

describe.skipIf(MISSING || !hasPgbouncer())('programs behind a pooler in transaction mode', () => {
  test('keep to one rate and one number in flight', async () => {
    const bouncer = await startPgbouncer(server);
    onTestFinished(() => bouncer.stop());
    const { service, start } = await startAll(60, { rate: 60, concurrency: 5, local: 5 }, bouncer.by);
    await Promise.all([start(), start(), start()]);
    await sleep(3000);
    const seen = await service.seen();
    expect(mostWithin(1000, seen)).toBeLessThanOrEqual(63);
    expect(mostAtOnce(seen)).toBeLessThanOrEqual(5);
    expect(seen.length).toBeGreaterThan(60);
  });
});
