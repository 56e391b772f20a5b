import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withdrawRun } from '../../../src/index.ts';
import { freePort, postgresFolder, usePostgres } from '../../helpers/postgres.ts';
import { documentOf, once, setUp, until } from '../../queue/company.ts';

const MISSING = postgresFolder() === undefined;
const server = usePostgres();

const runIn = (told: string): string => /un (\d{8}-\S+?) /.exec(told)?.[1] ?? '';

describe.skipIf(MISSING)('with PostgreSQL, a run that was handed over', () => {
  test('is taken back before a worker began: nothing of it is sent until somebody sends it', async () => {
    const { file, begin, times } = await setUp(server, 10);
    const person = begin('import', file, '--queue', '--yes');
    await until(async () => person.told().includes('waits for a worker'));
    expect(person.told()).toContain('No worker is running that is known');
    const run = runIn(person.told());
    const listed = await begin('runs').end;
    expect(listed.stdout).toContain('waits for a worker');
    const back = await begin('runs', run, '--withdraw', '--json').end;
    expect([back.code, back.stderr]).toEqual([0, expect.stringContaining('Workers send nothing more')]);
    expect(JSON.parse(back.stdout)).toMatchObject({ run, state: 'planned' });
    expect(JSON.parse(back.stdout)).not.toHaveProperty('workers');
    // Who follows it hears of it.
    const left = await person.end;
    expect([left.code, left.stderr]).toEqual([130, expect.stringContaining(`Run ${run} was withdrawn`)]);
    expect((await begin('worker', '--drain').end).code).toBe(0);
    expect(await times()).toEqual(once(10).map(() => 0));
    // It can be handed over again, as one that was never.
    const again = begin('apply', run, '--queue', '--yes', '--json=all');
    await until(async () => again.told().includes('waits for a worker'));
    expect((await begin('worker', '--drain').end).code).toBe(0);
    const done = await again.end;
    expect([done.code, documentOf(done).counts]).toMatchObject([0, { created: 10 }]);
    expect(await times()).toEqual(once(10));
    const late = await begin('runs', run, '--withdraw').end;
    expect([late.code, late.stderr]).toEqual([2, expect.stringContaining(`No worker has run ${run}`)]);
  }, 90_000);

  test('is taken back by a program too, which hears how it stands', async () => {
    const { service, ledger, file, begin, times } = await setUp(server, 10);
    const person = begin('import', file, '--queue', '--yes');
    await until(async () => person.told().includes('waits for a worker'));
    const run = runIn(person.told());
    const own = { ledger, lang: 'en' } as const;
    expect(await withdrawRun(run, own)).toMatchObject({ run, state: 'planned' });
    expect((await person.end).code).toBe(130);
    expect((await begin('worker', '--drain').end).code).toBe(0);
    expect(await times()).toEqual(once(10).map(() => 0));
    await expect(withdrawRun(run, own)).rejects.toMatchObject({
      exit: 2,
      message: `No worker has run ${run}, and none will take it.`,
    });
    await expect(withdrawRun(run, { ledger: join(service.folder, 'een.db') })).rejects.toMatchObject({
      exit: 2,
    });
  }, 90_000);

  test('can’t be taken back where the database is away, and that is told soon', async () => {
    const { begin } = await setUp(server, 1);
    const away = `postgres://iemand@127.0.0.1:${await freePort()}/nergens`;
    const began = Date.now();
    const done = await begin('runs', '20270331-074512-k3vq', '--withdraw', '--ledger', away).end;
    expect([done.code, done.stderr]).toEqual([2, expect.stringContaining('127.0.0.1')]);
    // The queue alone would wait a minute.
    expect(Date.now() - began).toBeLessThan(55_000);
  }, 90_000);

  test('is taken back from the workers that send it side by side, and nothing is sent twice after that', async () => {
    const { service, file, begin, times } = await setUp(server, 200, 60);
    const workers = [begin('worker'), begin('worker')];
    const person = begin('import', file, '--queue', '--yes', '--json=all');
    await until(async () => (await times()).filter((count) => count > 0).length > 20);
    await until(async () => workers.some((one) => one.told().includes('with another worker')));
    const run = runIn(person.told());
    const back = await begin('runs', run, '--withdraw', '--json').end;
    expect([back.code, JSON.parse(back.stdout)]).toMatchObject([0, { run, state: 'interrupted' }]);
    expect((await person.end).code).toBe(130);
    for (const worker of workers) await until(async () => worker.told().includes('It was withdrawn'));
    const sent = (await times()).filter((count) => count > 0).length;
    expect(sent).toBeLessThan(200);
    // Workers that are there leave it alone: the next run that they take is another one.
    const other = begin('export', 'packages', '--queue', '-o', `${service.folder}/pakketten.xlsx`);
    expect((await other.end).code).toBe(0);
    expect((await times()).filter((count) => count > 0).length).toBe(sent);
    await service.faults({ latencyMs: 0 });
    const done = await begin('apply', run, '--yes', '--json=all').end;
    expect([done.code, documentOf(done).counts]).toMatchObject([0, { created: 200, unknown: 0 }]);
    expect(await times()).toEqual(once(200));
  }, 120_000);

  test('is taken back where its only worker was killed', async () => {
    const { file, begin, times } = await setUp(server, 200, 60);
    const worker = begin('worker');
    const person = begin('import', file, '--queue', '--yes');
    await until(async () => (await times()).some((count) => count > 0));
    worker.send('SIGKILL');
    await worker.end;
    const run = runIn(person.told());
    const back = await begin('runs', run, '--withdraw', '--json').end;
    expect([back.code, JSON.parse(back.stdout)]).toMatchObject([0, { run, state: 'interrupted' }]);
    expect((await person.end).code).toBe(130);
    const done = await begin('apply', run, '--yes', '--json=all').end;
    expect(documentOf(done).counts).toMatchObject({ created: 200, unknown: 0 });
    expect(await times()).toEqual(once(200));
  }, 120_000);
});
