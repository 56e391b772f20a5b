import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postgresFolder, startPostgres, type TestPostgres } from '../helpers/postgres.ts';
import { documentOf, once, type Running, setUp, until } from './company.ts';

const MISSING = postgresFolder() === undefined;
let server: TestPostgres;

beforeAll(async () => {
  if (!MISSING) server = await startPostgres();
});
afterAll(async () => {
  if (!MISSING) await server.stop();
});

const ROWS = 400;
/** What the worker says that sends a run, and ends it. */
const LEADS = /Sending run \S+\.\n/;
const some = (times: readonly number[]): boolean => times.some((count) => count > 0);

/** Three workers that wait, and a run for them. */
async function begun(latency: number) {
  const company = await setUp(server, ROWS, latency);
  const workers = [1, 2, 3].map(() => company.begin('worker', '--doubt', '5'));
  await sleep(2500);
  const person = company.begin('import', company.file, '--queue', '--yes', '--json=all');
  return { ...company, workers, person };
}

describe.skipIf(MISSING)('with PostgreSQL, workers on one run', () => {
  test('send it side by side, each row once, and one of them ends it', async () => {
    const { workers, person, times } = await begun(60);
    const done = await person.end;
    expect(documentOf(done).counts).toMatchObject({ created: ROWS, unknown: 0 });
    expect(done.code).toBe(0);
    expect(await times()).toEqual(once(ROWS));
    for (const { send } of workers) send('SIGTERM');
    const ends = await Promise.all(workers.map(({ end }) => end));
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);
    const told = ends.map(({ stderr }) => stderr);
    expect(told.filter((text) => LEADS.test(text))).toHaveLength(1);
    expect(told.filter((text) => text.includes('with another worker'))).toHaveLength(2);
    expect(told.filter((text) => /was sent: .*400/.test(text))).toHaveLength(1);
  }, 90_000);

  test.each([
    ['the one that leads', 0],
    ['one that helps', 1],
  ] as const)(
    'go on where one is killed: %s',
    async (_, helps) => {
      const { workers, person, times } = await begun(80);
      const isOne = ({ told }: Running): boolean =>
        helps === 1 ? told().includes('with another worker') : LEADS.test(told());
      await until(async () => workers.some(isOne) && some(await times()));
      await sleep(500);
      workers.find(isOne)?.send('SIGKILL');
      const done = await person.end;
      expect(documentOf(done).counts).toMatchObject({ created: ROWS, unknown: 0 });
      expect(done.code).toBe(0);
      expect(await times()).toEqual(once(ROWS));
    },
    120_000,
  );

  test('go on without one that stands still, which sends no more when it wakes up', async () => {
    const { workers, person, times } = await begun(60);
    const isHelping = ({ told }: Running): boolean => told().includes('with another worker');
    await until(async () => workers.some(isHelping) && some(await times()));
    const stopped = workers.find(isHelping);
    stopped?.send('SIGSTOP');
    const done = await person.end;
    expect(documentOf(done).counts).toMatchObject({ created: ROWS, unknown: 0 });
    stopped?.send('SIGCONT');
    await sleep(3000);
    expect(await times()).toEqual(once(ROWS));
  }, 120_000);

  test('that begin at one moment on an empty database all end when they are told to', async () => {
    const { begin } = await setUp(server, 1);
    const workers = Array.from({ length: 6 }, () => begin('worker'));
    await until(async () => workers.every(({ told }) => told().includes('Waiting for runs')));
    await sleep(3000);
    for (const { send } of workers) send('SIGTERM');
    expect((await Promise.all(workers.map(({ end }) => end))).map(({ code }) => code)).toEqual(
      Array.from({ length: 6 }, () => 0),
    );
  }, 60_000);
});
