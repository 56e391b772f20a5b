import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startRelay } from '../../../helpers/pace/relay.ts';
import {
  mostAtOnce,
  mostWithin,
  type SenderOptions,
  startCounting,
  startSender,
} from '../../../helpers/pace/senders.ts';
import { hasPgbouncer, startPgbouncer } from '../../../helpers/pgbouncer.ts';
import { postgresFolder, usePostgres } from '../../../helpers/postgres.ts';

const MISSING = postgresFolder() === undefined;
const server = usePostgres();

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
    const all = async () => (await service.seen()).filter(({ from }) => from.endsWith(name));
    /** Waits until it sent so many requests. */
    const sent = async (least: number): Promise<void> => {
      while ((await all()).length < least) await sleep(50);
    };
    return { ...sender, name, all, sent };
  };
  return { service, start };
}

/** By the clock that all programs of this machine share, ms. */
const now = (): number => performance.timeOrigin + performance.now();

describe.skipIf(MISSING)('programs with one ledger in a database', () => {
  test('keep to one rate in any second, while some join, leave and are killed', async () => {
    const { service, start } = await startAll(10, { rate: 100 });
    const [first, second, third] = await Promise.all([start(), start(), start()]);
    await Promise.all([first.sent(20), second.sent(20)]);
    await second.leave();
    await first.kill();
    const fourth = await start();
    await Promise.all([third.sent(60), fourth.sent(60)]);
    expect(mostWithin(1000, await service.seen())).toBeLessThanOrEqual(106);
  });

  test('have no more requests in flight together than is allowed, while some join and leave', async () => {
    const { service, start } = await startAll(120, { concurrency: 6, local: 6 });
    const [first, second, third] = await Promise.all([start(), start(), start()]);
    await Promise.all([first.sent(20), second.sent(20), third.sent(20)]);
    await first.leave();
    const before = (await service.seen()).length;
    // What the one that left had is used by the two others.
    for (let isUsed = false; !isUsed; await sleep(50)) {
      const last = (await service.seen()).slice(before).slice(-30);
      isUsed = mostAtOnce(last) >= 5 && new Set(last.map(({ from }) => from)).size === 2;
    }
    expect(mostAtOnce(await service.seen())).toBeLessThanOrEqual(6);
  });

  test('all pause when the service turns one of them away', async () => {
    const { service, start } = await startAll(5, { rate: 40, local: 2 });
    const senders = await Promise.all([start(), start(), start()]);
    await Promise.all(senders.map(({ sent }) => sent(10)));
    const from = now();
    await service.refuse(5000);
    await sleep(4900);
    // What is told is heard within 250 ms, on the slowest machine within a second and a half; what was in flight
    // by then was turned away as well.
    const late = (await service.seen()).filter(({ at }) => at > from + 1500 && at < from + 4900);
    expect(late).toEqual([]);
  });

  test('one that hears nothing of the database stops sending, and does not make up for it', async () => {
    const relay = await startRelay(server.port);
    onTestFinished(() => relay.stop());
    const { service, start } = await startAll(5, { rate: 50 }, relay.by);
    const sender = await start();
    await sender.sent(30);
    relay.hush();
    const cutAt = now();
    await sleep(1500);
    const before = await sender.all();
    const restoredAt = now();
    relay.restore();
    await sender.sent(before.length + 60);
    const seen = await service.seen();
    // What it had reserved before is used up within 150 ms.
    expect(seen.filter(({ at }) => at > cutAt + 400 && at < restoredAt)).toEqual([]);
    expect(mostWithin(1000, seen)).toBeLessThanOrEqual(52);
  });
});

describe.skipIf(MISSING || !hasPgbouncer())('programs behind a pooler in transaction mode', () => {
  test('keep to one rate and one number in flight', async () => {
    const bouncer = await startPgbouncer(server);
    onTestFinished(() => bouncer.stop());
    const { service, start } = await startAll(60, { rate: 60, concurrency: 5, local: 5 }, bouncer.by);
    const senders = await Promise.all([start(), start()]);
    await Promise.all(senders.map(({ sent }) => sent(50)));
    const seen = await service.seen();
    expect(mostWithin(1000, seen)).toBeLessThanOrEqual(63);
    expect(mostAtOnce(seen)).toBeLessThanOrEqual(5);
  });
});
