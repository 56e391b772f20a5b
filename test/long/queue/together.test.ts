import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { postgresFolder, usePostgres } from '../../helpers/postgres.ts';
import { documentOf, FIRST, once, type Running, setUp, until } from '../../queue/company.ts';

const MISSING = postgresFolder() === undefined;
const server = usePostgres();

const ROWS = 400;
/** What the worker says that sends a run, and ends it. */
const LEADS = /Sending run \S+\.\n/;
const leads = ({ told }: Running): boolean => LEADS.test(told());
const helps = ({ told }: Running): boolean => told().includes('with another worker');

/** Three workers in the midst of a run: one leads, two help, and answers to writes are held. */
async function begun() {
  const company = await setUp(server, ROWS);
  const { gate, begin, file } = company;
  const isBegun = gate.shut(20);
  const workers = [1, 2, 3].map(() => begin('worker', '--doubt', '5'));
  const person = begin('import', file, '--queue', '--yes', '--json=all');
  await isBegun;
  await until(async () => workers.some(leads) && workers.filter(helps).length === 2);
  await gate.shut(80, { held: 'answers' });
  return { ...company, workers, person };
}

describe.skipIf(MISSING)('with PostgreSQL, workers on one run', () => {
  test('send it side by side, each row once, and one of them ends it', async () => {
    const { gate, workers, person, times } = await begun();
    gate.open();
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
  });

  test.each([
    ['the one that leads', leads],
    ['one that helps', helps],
  ] as const)('go on where one is killed: %s', async (_, isOne) => {
    const { gate, workers, person, times } = await begun();
    const killed = workers.find(isOne);
    killed?.send('SIGKILL');
    await killed?.end;
    gate.open();
    const done = await person.end;
    expect(documentOf(done).counts).toMatchObject({ created: ROWS, unknown: 0 });
    expect(done.code).toBe(0);
    expect(await times()).toEqual(once(ROWS));
  });

  test('go on without one that stands still, which sends no more when it wakes up', async () => {
    const { gate, workers, person, times, more, begin } = await begun();
    const stopped = workers.find(helps);
    const others = workers.filter((one) => one !== stopped);
    stopped?.send('SIGSTOP');
    gate.open();
    const done = await person.end;
    expect(documentOf(done).counts).toMatchObject({ created: ROWS, unknown: 0 });
    for (const { send } of others) send('SIGTERM');
    await Promise.all(others.map(({ end }) => end));
    stopped?.send('SIGCONT');
    // One that sends the next run is through with the one that it slept in.
    const next = await begin('import', await more(3), '--queue', '--yes', '--json=all').end;
    expect(documentOf(next).counts).toMatchObject({ created: 3 });
    expect(stopped?.told()).toMatch(/was sent: .*3/);
    expect(await times()).toEqual(once(ROWS));
  });

  test('name the cell of what a colleague made meanwhile, though the file is not theirs to read', async () => {
    const { service, file, begin, times } = await setUp(server, 60);
    const person = begin('import', file, '--queue', '--yes', '--json=all');
    await until(async () => person.told().includes('waits for a worker'));
    const last = FIRST + 59;
    const other = await makeWorkbook(join(service.folder, 'anders.xlsx'), {
      Pakketten: [
        ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'],
        [last, 'Buffet', 'Van een collega', 99],
      ],
    });
    const made = await service.run(['import', other, '--yes', '--ledger', join(service.folder, 'other.db')]);
    expect(made.code).toBe(0);
    renameSync(file, join(service.folder, 'weg.xlsx'));
    const workers = [1, 2].map(() => begin('worker'));
    const { rows, counts } = documentOf(await person.end);
    expect(counts).toMatchObject({ created: 59, conflict: 1 });
    const cells = rows.at(-1)?.issues?.map(({ code, cell }) => `${code} ${cell}`);
    expect(cells).toContain('made-meanwhile D61');
    expect((await times()).at(-1)).toBe(1);
    for (const { send } of workers) send('SIGTERM');
  });

  test('that begin at one moment on an empty database all end when they are told to', async () => {
    const { begin } = await setUp(server, 1);
    const workers = Array.from({ length: 6 }, () => begin('worker'));
    await until(async () => workers.every(({ told }) => told().includes('Waiting for runs')));
    await sleep(3000);
    for (const { send } of workers) send('SIGTERM');
    expect((await Promise.all(workers.map(({ end }) => end))).map(({ code }) => code)).toEqual(
      Array.from({ length: 6 }, () => 0),
    );
  });
});
