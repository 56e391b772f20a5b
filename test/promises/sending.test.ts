import { describe, expect, test } from 'vitest';
import { EXIT, listRuns, StopError } from '../../src/index.ts';
import type { Entry } from '../second-service/journal.ts';
import { newPackages, onEachLedger, openWorld } from './world.ts';

/** The most requests that were under way at one moment. */
function mostAtOnce(entries: readonly Entry[]): number {
  return Math.max(
    ...entries.map(
      ({ at }) => entries.filter((one) => one.at <= at && (one.answeredAt ?? at + 1) > at).length,
    ),
  );
}

/** The most requests that came within any second. */
function mostInASecond(entries: readonly Entry[]): number {
  return Math.max(
    ...entries.map(({ at }) => entries.filter((one) => one.at >= at && one.at < at + 1000).length),
  );
}

describe('rows are sent side by side, within what was asked for (18)', () => {
  test.each([1, 4, 8])(
    'never more than --concurrency %i in flight, and as many where there is work',
    async (concurrency) => {
      const { service, sheet, machine, importWorkbook } = openWorld({ speed: { beforeMs: 200 } });
      const { counts } = await importWorkbook(sheet(newPackages(24)), { ...machine(), concurrency });
      expect(counts.created).toBe(24);
      expect(mostAtOnce(service.journal.requests)).toBe(concurrency);
    },
  );

  test('never more than --rate a second, within a tenth', async () => {
    const { service, sheet, machine, importWorkbook } = openWorld();
    await importWorkbook(sheet(newPackages(30)), { ...machine(), rate: 10 });
    expect(mostInASecond(service.journal.requests)).toBeLessThanOrEqual(11);
  });

  test('rows on one record in file order', async () => {
    const { service, sheet, machine, importWorkbook } = openWorld({ speed: { beforeMs: [10, 900] } });
    const id = service.add.package({ OmschrijvingIntern: 'Borrel', Verkoopprijs: 15 });
    const header = ['ProductID', 'OmschrijvingIntern', 'OmschrijvingExtern', 'Offertetekst'];
    const rows = [
      [id, 'Borrel aan zee', null, null],
      [id, null, 'Met uitzicht', null],
      [id, null, null, 'Met bitterballen'],
    ];
    const { counts } = await importWorkbook(sheet([header, ...rows]), { ...machine(), as: 'packages' });
    expect(counts.updated).toBe(3);
    const fields = service.journal.ours.map(({ before, after }) =>
      header.filter((name) => before?.[name] !== after?.[name]).join(),
    );
    expect(fields).toEqual(header.slice(1));
  });
});

describe('pushback slows everything down, is shown, and loses no row (19)', () => {
  test.each([429, 503])('%i with Retry-After: nothing begins before it is over', async (status) => {
    const world = openWorld({ speed: { beforeMs: 50 } });
    const { service, sheet, machine, importWorkbook } = world;
    service.failNext({ kind: 'status', status, when: 'before', retryAfter: 20 });
    const { counts } = await importWorkbook(sheet(newPackages(12)), { ...machine(), concurrency: 4 });
    expect(counts).toMatchObject({ created: 12, failed: 0, unknown: 0 });
    const turned = service.journal.requests.find(({ answered }) => answered === status);
    const pause = [turned?.answeredAt ?? 0, (turned?.answeredAt ?? 0) + 19_000] as const;
    expect(service.journal.requests.filter(({ at }) => at > pause[0] && at < pause[1])).toEqual([]);
    expect(service.journal.doubled()).toEqual([]);
  });

  test('a service that turns away a third of all requests for minutes', async () => {
    const failure = { kind: 'status', status: 429, when: 'before' } as const;
    const { service, sheet, machine, importWorkbook } = openWorld({
      failures: { mix: [{ probability: 0.33, failure }] },
    });
    const { counts } = await importWorkbook(sheet(newPackages(40)), machine());
    expect(counts).toMatchObject({ created: 40, failed: 0, unknown: 0 });
    expect(service.packages.doubles(['OmschrijvingIntern'])).toEqual([]);
  });
});

onEachLedger(() => {
  test('a run that is stopped waits for what is in flight, and goes on to the same end (20)', async () => {
    const { service, time, sheet, machine, importWorkbook, applyPlan } = openWorld({
      speed: { beforeMs: 300 },
    });
    const ending = new AbortController();
    const options = machine();
    const file = sheet(newPackages(20));
    service.at(7, () => ending.abort());
    const stopped = await importWorkbook(file, { ...options, concurrency: 4, signal: ending.signal }).catch(
      (error: unknown) => error,
    );
    expect(stopped).toBeInstanceOf(StopError);
    expect(stopped).toMatchObject({ exit: EXIT.interrupted });
    expect(service.journal.requests.filter(({ answered }) => answered === 'open')).toEqual([]);
    const { length } = service.journal.requests;
    await time.sleep(60_000);
    expect(service.journal.requests).toHaveLength(length);
    const { allRows: _, ...rest } = options;
    const [newest] = await listRuns({ ledger: options.ledger });
    const run = newest?.run ?? '';
    const done = await applyPlan(run, { ...rest, allRows: true });
    expect(done.counts).toMatchObject({ read: 20, created: 20, failed: 0, unknown: 0 });
    expect(service.journal.doubled()).toEqual([]);
    expect(service.packages.doubles(['OmschrijvingIntern'])).toEqual([]);
  });
});
