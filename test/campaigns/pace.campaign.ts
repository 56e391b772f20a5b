import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { mostWithin, startCounting, startSender } from '../helpers/pace/senders.ts';
import { startPostgres } from '../helpers/postgres.ts';

const SECONDS = Number(process.env.DURATION ?? 20);
const PROGRAMS = Number(process.env.PROGRAMS ?? 4);
const LATENCY = Number(process.env.LATENCY ?? 5);
const RATES = (process.env.RATES ?? '20,100,500').split(',').map(Number);

it('several programs together keep to the rate, and reach it', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  const over: number[] = [];
  for (const rate of RATES) {
    const ledger = await postgres.database();
    const service = await startCounting(LATENCY);
    const names = Array.from({ length: PROGRAMS }, (_, at) => `sender-${at + 1}`);
    const senders = await Promise.all(
      names.map((name) => startSender({ ledger, baseUrl: service.baseUrl, name, rate })),
    );
    await sleep(SECONDS * 1000);
    const seen = await service.seen();
    await Promise.all(senders.map((sender) => sender.kill()));
    await service.stop();
    const most = mostWithin(1000, seen) / rate;
    const times = seen.map(({ at }) => at);
    const mean = (seen.length - 1) / ((Math.max(...times) - Math.min(...times)) / 1000);
    const parts = names.map((name) => seen.filter(({ from }) => from.endsWith(name)).length);
    console.log(
      `${PROGRAMS} programs at ${rate}/s for ${SECONDS} s: ${(100 * most).toFixed(1)} % in the fullest second, ${mean.toFixed(1)}/s reached (${((100 * mean) / rate).toFixed(1)} %); by program ${parts.join(', ')}`,
    );
    over.push(most);
  }
  expect(Math.max(...over)).toBeLessThanOrEqual(1.05);
});
