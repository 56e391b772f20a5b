import { existsSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemTime } from '../../../src/core/time.ts';
import { openDatabaseLedger } from '../../../src/ledger/postgres/pg-ledger.ts';
import { RunQueue } from '../../../src/queue/run-queue.ts';
import { readBack } from '../../helpers/make-workbook.ts';
import { postgresFolder, usePostgres } from '../../helpers/postgres.ts';
import { openTestService } from '../../helpers/test-service.ts';
import { documentOf, once, type Running, setUp, until } from '../../queue/company.ts';

const MISSING = postgresFolder() === undefined;
const server = usePostgres();

const ROWS = 150;
/** What the worker says that sends a run, and ends it. */
const LEADS = /Sending run \S+\.\n/;
const leads = ({ told }: Running): boolean => LEADS.test(told());
const helps = ({ told }: Running): boolean => told().includes('with another worker');
const waits = ({ told }: Running): boolean => told().includes('waits for a worker');

/** Three workers in the midst of a run: one leads, two help, and answers to writes are held. */
async function begun() {
  const company = await setUp(server, ROWS);
  const { gate, begin, file } = company;
  const isBegun = gate.shut(10);
  const workers = [1, 2, 3].map(() => begin('worker', '--doubt', '5'));
  const person = begin('import', file, '--queue', '--yes', '--json=all');
  await isBegun;
  await until(async () => workers.some(leads) && workers.filter(helps).length === 2);
  await gate.shut(40, { held: 'answers' });
  /** Lets answers through, and answers when every row is there once, and the person has it so. */
  const sent = async (): Promise<void> => {
    gate.open();
    const done = await person.end;
    expect([done.code, documentOf(done).counts]).toMatchObject([0, { created: ROWS, unknown: 0 }]);
    expect(await company.times()).toEqual(once(ROWS));
    expect(existsSync(documentOf(done).result)).toBe(true);
  };
  return { ...company, workers, person, sent };
}

describe.skipIf(MISSING)('with PostgreSQL, workers on one run send each row once (13)', () => {
  // What kills, sleep and a lost database come to is played by the short form of the campaign over machines.
  test('also where the one that leads is stopped; the others end it, and end when they are told to', async () => {
    const { workers, sent, gate } = await begun();
    const leader = workers.find(leads);
    leader?.send('SIGTERM');
    gate.open();
    expect((await leader?.end)?.code).toBe(0);
    await sent();
    for (const { send } of workers) send('SIGTERM');
    const ends = await Promise.all(workers.map(({ end }) => end));
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(ends.filter(({ stderr }) => new RegExp(`was sent: .*${ROWS}`).test(stderr))).toHaveLength(1);
  });
});

describe.skipIf(MISSING)('with PostgreSQL, a run that was handed over', () => {
  test('is left with Ctrl-C, taken back with nothing sent, handed over by two at once, and sent once', async () => {
    const { file, begin, times } = await setUp(server, 10);
    const person = begin('import', file, '--queue', '--yes');
    await until(async () => waits(person));
    person.send('SIGINT');
    const left = await person.end;
    expect(left.code).toBe(130);
    const [, run = ''] = /catersheet apply (\S+) .*--queue/.exec(left.stderr) ?? [];
    const back = await begin('runs', run, '--withdraw', '--json').end;
    expect([back.code, JSON.parse(back.stdout)]).toMatchObject([0, { run, state: 'planned' }]);
    expect((await begin('worker', '--drain').end).code).toBe(0);
    expect(await times()).toEqual(once(10).map(() => 0));
    const people = [1, 2].map(() => begin('apply', run, '--queue', '--yes', '--json=all'));
    await until(async () => people.every(waits));
    expect((await begin('worker', '--drain').end).code).toBe(0);
    for (const { end } of people) {
      const done = await end;
      expect([done.code, documentOf(done).counts]).toMatchObject([0, { created: 10 }]);
    }
    expect(await times()).toEqual(once(10));
    expect((await begin('runs', run, '--withdraw').end).code).toBe(2);
  });

  test('is left with Ctrl-C while rows are out, and no row is told as unknown', async () => {
    const { gate, file, begin, times } = await setUp(server, 20);
    const held = gate.shut(4, { held: 'answers' });
    const worker = begin('worker');
    const person = begin('import', file, '--queue', '--yes', '--json=all');
    await held;
    person.send('SIGINT');
    const left = await person.end;
    const { counts, rows, result } = documentOf(left);
    expect([left.code, counts]).toMatchObject([130, { unknown: 0 }]);
    expect(new Set(rows.map(({ status }) => status))).not.toContain('unknown');
    expect(left.stderr).not.toContain('--resend');
    const [, own] = await readBack(result);
    expect([...(own?.[1].values() ?? [])].flatMap((row) => [...row.values()])).not.toContain('unknown');
    gate.open();
    await until(async () => worker.told().includes('was sent'));
    expect(await times()).toEqual(once(20));
  });

  test('is taken back from workers that send it, and what is left is sent once', async () => {
    const { service, file, begin, times } = await setUp(server, ROWS, 60);
    const workers = [begin('worker'), begin('worker')];
    const person = begin('import', file, '--queue', '--yes');
    await until(async () => (await times()).filter((count) => count > 0).length > 10);
    await until(async () => workers.some(helps));
    const [, run = ''] = /un (\d{8}-\S+?) /.exec(person.told()) ?? [];
    const back = await begin('runs', run, '--withdraw', '--json').end;
    expect(JSON.parse(back.stdout)).toMatchObject({ run, state: 'interrupted' });
    expect((await person.end).code).toBe(130);
    for (const worker of workers) await until(async () => worker.told().includes('It was withdrawn'));
    expect((await times()).filter((count) => count > 0).length).toBeLessThan(ROWS);
    await service.faults({ latencyMs: 0 });
    const done = await begin('apply', run, '--yes', '--json=all').end;
    expect([done.code, documentOf(done).counts]).toMatchObject([0, { created: ROWS, unknown: 0 }]);
    expect(await times()).toEqual(once(ROWS));
  });

  test('is left to others by a worker that is too old for it, and given up where five workers died of it', async () => {
    const { ledger, file, begin, times } = await setUp(server, 2);
    const ask = (sql: string) => server.ask(sql, new URL(ledger).pathname.slice(1));
    const person = begin('import', file, '--queue', '--yes');
    await until(async () => waits(person));
    await ask(`update catersheet_queue.job set data = data || '{"version": 2}' where data ? 'run'`);
    const old = await begin('worker', '--drain').end;
    expect([old.code, old.stderr]).toEqual([0, expect.stringContaining('a newer catersheet')]);
    await ask(`update catersheet_queue.job set state = 'active', started_on = now(),
      data = data || '{"version": 1, "deaths": 4, "begun": true}' where data ? 'run'`);
    const drained = await begin('worker', '--drain').end;
    expect([drained.code, drained.stderr]).toEqual([5, expect.stringContaining('5 workers died')]);
    expect(await times()).toEqual([0, 0]);
  });

  test('counts a death only where its worker had begun', async () => {
    const ledger = await server.database();
    await (await openDatabaseLedger(ledger, systemTime)).ledger.close();
    const queue = await RunQueue.open(ledger, 'https://planner.example/', false);
    onTestFinished(() => queue.close());
    await queue.handOver('20270331-074512-k3vq');
    const gaveUp: string[] = [];
    const take = () => queue.take((run) => gaveUp.push(run));
    for (let at = 0; at < 6; at++) expect(await take()).toBeDefined();
    for (let at = 0; at < 5; at++) await queue.begin((await take()) ?? expect.fail('nothing was there'));
    expect([await take(), gaveUp]).toEqual([undefined, ['20270331-074512-k3vq']]);
    expect(await queue.stateOf('20270331-074512-k3vq')).toMatchObject({ state: 'failed', again: false });
    expect(await queue.sizes()).toMatchObject({ waiting: 0, sending: 0, failed: 1 });
  });
});

test('a queue is refused where the ledger is a file, before anything is sent', async () => {
  const service = await openTestService();
  const done = await service.run(['worker', '--drain']);
  expect([done.code, done.stderr]).toEqual([2, expect.stringContaining('need a ledger in a database')]);
});
