import { describe, expect, onTestFinished, test } from 'vitest';
import { packages } from '../../../src/resources/packages.ts';
import { openSession } from '../../../src/session/open-session.ts';
import { startCounting } from '../../helpers/pace/senders.ts';
import { postgresFolder, usePostgres } from '../../helpers/postgres.ts';
import { tempFolder } from '../../helpers/run-cli.ts';

const PACKAGE = packages.requests.create;
const BODY = { ProductTypeID: 1, OmschrijvingIntern: 'Kerstbuffet', Verkoopprijs: 34.5 };

const MISSING = postgresFolder() === undefined;
const server = usePostgres();

describe.skipIf(MISSING)('a session with a ledger in a database', () => {
  test('shares its rate, and its requests in flight where it is told to, until it is closed', async () => {
    const ledger = await server.database();
    const service = await startCounting(5);
    onTestFinished(() => service.stop());
    const options = { ledger, baseUrl: service.baseUrl, token: 'one', log: `${tempFolder()}/log.ndjson` };
    const planning = await openSession({ ...options, rate: 30 });
    onTestFinished(() => planning.close());
    const worker = await openSession({ ...options, rate: 50 }, undefined, { sharedConcurrency: 6 });
    onTestFinished(() => worker.close());
    const members = () =>
      server.ask(
        'select service, rate, concurrency from catersheet.pace_members order by rate',
        new URL(ledger).pathname.slice(1),
      );
    // By turns: one that sends nothing for a while is not counted any more.
    for (let times = 0; times < 10; times++)
      for (const { context } of [planning, worker]) await context.service.send(PACKAGE, { body: BODY });
    const { baseUrl } = service;
    expect(await members()).toEqual([
      { service: baseUrl, rate: 30, concurrency: null },
      { service: baseUrl, rate: 50, concurrency: 6 },
    ]);
    // The lowest rate holds for both.
    expect(worker.context.service.stats.rate).toBe(30);
    expect(worker.context.service.stats.limit).toBeLessThanOrEqual(6);
    await worker.close();
    expect(await members()).toEqual([{ service: baseUrl, rate: 30, concurrency: null }]);
  });

  test('in a file keeps to its rate by itself', async () => {
    const service = await startCounting(5);
    onTestFinished(() => service.stop());
    const folder = tempFolder();
    const files = { ledger: `${folder}/ledger.db`, log: `${folder}/log.ndjson` };
    const session = await openSession(
      { ...files, baseUrl: service.baseUrl, token: 'one', rate: 30 },
      undefined,
      { sharedConcurrency: 2 },
    );
    onTestFinished(() => session.close());
    await session.context.service.send(PACKAGE, { body: BODY });
    expect(session.context.service.stats).toMatchObject({ rate: 30, limit: 8 });
  });
});
