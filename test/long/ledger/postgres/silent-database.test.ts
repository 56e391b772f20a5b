import { describe, expect, onTestFinished, test } from 'vitest';
import { startRelay } from '../../../helpers/pace/relay.ts';
import { postgresFolder, usePostgres } from '../../../helpers/postgres.ts';
import { once, setUp, until } from '../../../queue/company.ts';

const server = usePostgres();

/** A minute of waiting, with a last try and what a busy machine adds to it, ms. */
const MINUTE = 75_000;

/** Rows that are being sent as the database falls silent: nothing comes through, and nobody says so. */
async function hushed() {
  const relay = await startRelay(server.port);
  onTestFinished(() => relay.stop());
  const company = await setUp(server, 600, 200);
  const by = relay.by(company.ledger);
  const sent = async (least: number): Promise<void> =>
    await until(async () => (await company.times()).filter((count) => count > 0).length >= least);
  const hush = async (): Promise<number> => {
    await sent(20);
    relay.hush();
    return performance.now();
  };
  return { ...company, relay, by, hush, sent };
}

describe.skipIf(postgresFolder() === undefined)('a database that falls silent without a word', () => {
  test('ends a run within a minute, which goes on once it is back', async () => {
    const { service, file, ledger, by, hush, times } = await hushed();
    const running = service.run(['import', file, '--yes', '--ledger', by], { own: true });
    const from = await hush();
    const { code, stderr } = await running;
    const took = performance.now() - from;
    expect([code, stderr]).toEqual([2, expect.stringContaining("can't be reached")]);
    expect(took).toBeLessThan(MINUTE);
    await service.faults({ latencyMs: 0 });
    expect((await service.run(['import', file, '--yes', '--ledger', ledger])).code).toBe(0);
    expect(await times()).toEqual(once(600));
  });

  test('ends a worker that is told to within a minute, and another sends the run', async () => {
    const { service, file, begin, by, hush, times } = await hushed();
    let send: (signal: NodeJS.Signals) => void = () => {};
    const worker = service.run(['worker', '--ledger', by], { onStart: (kill) => (send = kill) });
    onTestFinished(() => send('SIGKILL'));
    const person = begin('import', file, '--queue', '--yes', '--json=all');
    const from = await hush();
    send('SIGTERM');
    await worker;
    const took = performance.now() - from;
    expect(took).toBeLessThan(MINUTE);
    await service.faults({ latencyMs: 0 });
    begin('worker');
    expect((await person.end).code).toBe(0);
    expect(await times()).toEqual(once(600));
  });
});
