import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { freePort, postgresFolder, usePostgres } from '../../helpers/postgres.ts';
import { openTestService } from '../../helpers/test-service.ts';
import { documentOf, FIRST, once, setUp, until } from '../../queue/company.ts';

const MISSING = postgresFolder() === undefined;
const server = usePostgres();

describe.skipIf(MISSING)('with PostgreSQL, workers', () => {
  test('send what was handed over, and the person’s workbook comes back with each outcome', async () => {
    const { file, begin, times } = await setUp(server, 40);
    const port = await freePort();
    const worker = begin('worker', '--metrics', String(port));
    const done = await begin('import', file, '--queue', '--yes', '--json=all').end;
    expect(done.stderr).toContain('waits for a worker');
    expect(done.code).toBe(0);
    const { counts, rows, result } = documentOf(done);
    expect(counts).toMatchObject({ read: 40, created: 40, notSent: 0 });
    expect(rows.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 'created'));
    expect(existsSync(result)).toBe(true);
    expect(await times()).toEqual(once(40));
    await until(async () =>
      (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).includes(
        'catersheet_rows_total{status="created"} 40',
      ),
    );
    worker.send('SIGTERM');
    expect((await worker.end).code).toBe(0);
  });

  test('are not needed by who hands over: Ctrl-C leaves the run, and it can be followed again', async () => {
    const { file, begin, times } = await setUp(server, 10);
    const person = begin('import', file, '--queue', '--yes');
    await until(async () => person.told().includes('waits for a worker'));
    person.send('SIGINT');
    const left = await person.end;
    expect(left.code).toBe(130);
    const [, run = ''] = /catersheet apply (\S+) .*--queue/.exec(left.stderr) ?? [];
    expect(run).toMatch(/^\d{8}-/);
    expect(await times()).toEqual(Array.from({ length: 10 }, () => 0));
    expect((await begin('worker', '--drain').end).code).toBe(0);
    expect(await times()).toEqual(once(10));
    const done = await begin('apply', run, '--queue', '--yes', '--json=all').end;
    expect(done.code).toBe(0);
    expect(documentOf(done).counts).toMatchObject({ created: 10 });
    expect(existsSync(documentOf(done).result)).toBe(true);
  });

  test('give a run to the next one when they are stopped, which goes on where they were', async () => {
    const { gate, file, begin, times } = await setUp(server, 200);
    const isHalfway = gate.shut(40);
    const first = begin('worker');
    const person = begin('import', file, '--queue', '--yes', '--json=all');
    await isHalfway;
    first.send('SIGTERM');
    gate.open();
    expect((await first.end).code).toBe(0);
    expect((await times()).filter((count) => count > 0).length).toBeLessThan(200);
    begin('worker');
    const done = await person.end;
    expect(done.code).toBe(0);
    expect(documentOf(done).counts).toMatchObject({ created: 200, unknown: 0 });
    expect(await times()).toEqual(once(200));
  });

  test('replace one that was killed, and nothing is sent twice', async () => {
    const { gate, file, begin, times } = await setUp(server, 200);
    const isHalfway = gate.shut(40, { held: 'answers' });
    const first = begin('worker');
    const person = begin('import', file, '--queue', '--yes', '--json=all');
    await isHalfway;
    begin('worker');
    first.send('SIGKILL');
    gate.open();
    const done = await person.end;
    expect(documentOf(done).counts).toMatchObject({ created: 200, unknown: 0 });
    expect(done.code).toBe(0);
    expect(await times()).toEqual(once(200));
  });

  test('go on after the database was restarted', async () => {
    const { gate, file, begin, times } = await setUp(server, 200);
    const isHalfway = gate.shut(40);
    begin('worker');
    const person = begin('import', file, '--queue', '--yes', '--json=all');
    await isHalfway;
    await server.restart();
    gate.open();
    const done = await person.end;
    expect(documentOf(done).counts).toMatchObject({ created: 200, unknown: 0 });
    expect(done.code).toBe(0);
    expect(await times()).toEqual(once(200));
  });
});

test.skipIf(MISSING)('a run of files on this machine is not handed over to workers', async () => {
  const service = await openTestService();
  const ledger = ['--ledger', await server.database()];
  const sheet = join(service.folder, 'documenten.csv');
  writeFileSync(join(service.folder, 'a.pdf'), 'a');
  writeFileSync(sheet, 'PartijID;Submap;Document\n9001;Offertes;a.pdf\n');
  const planned = await service.run(['documents', sheet, '--dry-run', '--json', ...ledger]);
  const { run } = documentOf(planned);
  const refused = await service.run(['apply', run, '--queue', '--yes', ...ledger]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('The files that this run is about are on this machine');
  const sent = await service.run(['apply', run, '--yes', '--json', ...ledger]);
  expect(documentOf(sent).counts).toMatchObject({ created: 1 });
});

test('a queue is refused where the ledger is a file, before anything is sent', async () => {
  const service = await openTestService();
  const file = await makeWorkbook(join(service.folder, 'a.xlsx'), {
    Pakketten: [
      ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'],
      [FIRST, 'Buffet', 'Lentebuffet', 12.5],
    ],
  });
  const done = await service.run(['import', file, '--queue', '--yes']);
  expect(done.code).toBe(2);
  expect(done.stderr).toContain('Queues and schedules need a ledger in a database');
  expect((await service.run(['worker', '--drain'])).code).toBe(2);
});
