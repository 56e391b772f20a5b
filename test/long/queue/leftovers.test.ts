import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { t } from '../../../src/core/language.ts';
import { systemTime } from '../../../src/core/time.ts';
import { openDatabaseLedger } from '../../../src/ledger/postgres/pg-ledger.ts';
import { RunQueue } from '../../../src/queue/run-queue.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import {
  freePort,
  postgresFolder,
  startPostgres,
  type TestPostgres,
  usePostgres,
} from '../../helpers/postgres.ts';
import { type CliResult, runCli, tempFolder } from '../../helpers/run-cli.ts';
import { hasTerminals, runOnTerminal } from '../../helpers/run-on-terminal.ts';
import { openGatedService } from '../../helpers/test-service.ts';
import { startSecondService } from '../../second-service/second-service.ts';

const MISSING = postgresFolder() === undefined;
const server = usePostgres();

interface Place {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A sandbox, as programs find it. */
async function sandbox() {
  const service = await openGatedService();
  const { folder, url, token } = service;
  const env = { CATERSHEET_BASE_URL: url, CATERSHEET_TOKEN: token, CATERSHEET_HOME: folder };
  return { ...service, env };
}

/** Programs of one place that share a ledger in a database. */
async function programsAt({ folder, env }: Place, on: TestPostgres = server) {
  const ledger = await on.database();
  const name = new URL(ledger).pathname.slice(1);
  const begin = (...args: string[]) => {
    let send: (signal: NodeJS.Signals) => void = () => {};
    let told = '';
    const end = runCli([...args, '--ledger', ledger], {
      ...{ cwd: folder, env },
      onStart: (kill) => (send = kill),
      onTold: (text) => (told += text),
    });
    onTestFinished(async () => {
      send('SIGKILL');
      await end;
    });
    return { end, send: (signal: NodeJS.Signals) => send(signal), told: () => told };
  };
  const run = (...args: string[]): Promise<CliResult> => begin(...args).end;
  const ask = (sql: string) => on.ask(sql, name);
  const file = (sheet: string, rows: number): Promise<string> =>
    makeWorkbook(join(folder, `${sheet}.xlsx`), {
      Pakketten: [
        ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'],
        ...Array.from({ length: rows }, (_, at) => [72_001 + at, 1, `Buffet ${at}`, 12.345]),
      ],
    });
  /** Plans a file, and answers the run. */
  const plan = async (path: string): Promise<string> => {
    const { stdout } = await run('import', path, '--dry-run', '--json');
    return (JSON.parse(stdout) as { run: string }).run;
  };
  /** Hands a run over, and leaves it. */
  const leave = async (id: string): Promise<void> => {
    const person = begin('apply', id, '--queue', '--yes');
    await until(async () => (await jobs()).length > 0);
    person.send('SIGINT');
    await person.end;
  };
  const jobs = async (): Promise<readonly Record<string, unknown>[]> => {
    const there = await ask(
      `select 1 from pg_tables where schemaname = 'catersheet_queue' and tablename = 'job'`,
    );
    return there.length === 0 ? [] : await ask(`select * from catersheet_queue.job where data ? 'run'`);
  };
  return { ledger, begin, run, ask, file, plan, leave, jobs };
}

/** Whether a worker made the queue of its service. */
async function hasQueue(ask: (sql: string) => Promise<readonly unknown[]>): Promise<boolean> {
  const there = `select 1 from pg_tables where schemaname = 'catersheet_queue' and tablename = 'queue'`;
  if ((await ask(there)).length === 0) return false;
  return (await ask(`select 1 from catersheet_queue.queue where name like 'runs-%'`)).length > 1;
}

async function until(is: () => Promise<boolean>): Promise<void> {
  while (!(await is())) await sleep(50);
}

/** The figure of one run that stands so. */
const inQueue = (state: string): string => `catersheet_queue_runs{state="${state}"} 1`;

describe.skipIf(MISSING)('with PostgreSQL, a worker', () => {
  test('shows in its figures what waits also while it sends', async () => {
    const place = await sandbox();
    const { begin, file, plan, leave } = await programsAt(place);
    const runs = [await plan(await file('een', 100)), await plan(await file('twee', 2))];
    await leave(runs[0] ?? '');
    const isHalfway = place.gate.shut(5);
    const port = await freePort();
    begin('worker', '--metrics', String(port));
    const figures = async (): Promise<string> =>
      await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    await isHalfway;
    begin('apply', runs[1] ?? '', '--queue', '--yes');
    // While it stands still in the first.
    const wanted = ['catersheet_sending 1', ...['waiting', 'sending'].map(inQueue)];
    await until(async () => {
      const now = await figures();
      return wanted.every((line) => now.includes(line));
    });
  });

  test('keeps what it notes on a run, and who follows it hears that, also later', async () => {
    const notes: unknown[] = [];
    for (const queued of [false, true]) {
      const service = await startSecondService({ values: { rounding: 'half up', places: 2 } });
      onTestFinished(() => service.close());
      const folder = tempFolder();
      const env = {
        CATERSHEET_BASE_URL: service.url,
        CATERSHEET_TOKEN: service.token,
        CATERSHEET_HOME: folder,
      };
      const { begin, run, file, plan } = await programsAt({ folder, env });
      const id = await plan(await file('een', 3));
      if (queued) begin('worker');
      for (const again of [false, true]) {
        const flags = [...(queued ? ['--queue'] : []), '--yes', '--json'];
        const done = await run('apply', id, ...flags);
        expect(done.code).toBe(0);
        if (!queued && again) break;
        notes.push((JSON.parse(done.stdout) as { notes?: unknown }).notes ?? []);
      }
    }
    const [own, followed, later] = notes as string[][];
    expect(own?.length).toBeGreaterThan(0);
    expect(followed).toEqual(own);
    expect(later).toEqual(expect.arrayContaining(own ?? []));
  });

  test('that drains ends with 5 and names the runs that were given up', async () => {
    const place = await sandbox();
    const { run, ask, file, plan, leave } = await programsAt(place);
    const id = await plan(await file('een', 2));
    await leave(id);
    await ask('update catersheet.runs set plan_version = 0');
    const drained = await run('worker', '--drain');
    expect(drained.code).toBe(5);
    expect(drained.stderr).toContain(`Given up, and not sent to the end: ${id}.`);
    expect(drained.stderr).toContain(`catersheet apply ${id} --queue`);
    // Another one has nothing to say of it.
    expect((await run('worker', '--drain')).code).toBe(0);
  });

  test('that drains names a run that five workers died of too', async () => {
    const place = await sandbox();
    const { run, ask, file, plan, leave } = await programsAt(place);
    const id = await plan(await file('een', 2));
    await leave(id);
    await ask(`update catersheet_queue.job set state = 'active', started_on = now(),
      data = data || '{"deaths": 4, "begun": true}'`);
    const drained = await run('worker', '--drain');
    expect(drained.stderr).toContain('5 workers died');
    expect(drained.code).toBe(5);
  });

  test('leaves a run of a newer version to others, and says so', async () => {
    const place = await sandbox();
    const { begin, run, ask, file, plan, leave, jobs } = await programsAt(place);
    await leave(await plan(await file('een', 2)));
    for (const newer of ['{"version": 2}', '{"version": 1, "plan": 2}']) {
      await ask(`update catersheet_queue.job set data = data || '${newer}'`);
      const drained = await run('worker', '--drain');
      expect(drained.stderr).toContain('1 run or export was handed over by a newer catersheet');
      expect(drained.code).toBe(0);
      expect((await jobs())[0]).toMatchObject({ state: 'created' });
    }
    // One of a version before jobs had any.
    await ask(`update catersheet_queue.job set data = data - 'version' - 'plan'`);
    const worker = begin('worker', '--drain');
    expect((await worker.end).code).toBe(0);
    expect((await place.records('package')).length).toBe(32);
  });

  test('ends where a newer version brings the tables up to date beside it, and sends nothing more', async () => {
    const place = await sandbox();
    const { begin, run, ask, file, plan, leave } = await programsAt(place);
    const id = await plan(await file('een', 2));
    const worker = begin('worker');
    await until(async () => await hasQueue(ask));
    await ask('update catersheet.meta set version = version + 1');
    await ask(`insert into catersheet_queue.job (name, data)
      select name, '{"run": "${id}", "deaths": 0}' from catersheet_queue.queue
      where name like 'runs-%' and name not like '%-dead'`);
    const ended = await worker.end;
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('was written by a newer catersheet');
    expect((await run('worker', '--drain')).code).toBe(2);
    expect((await place.records('package')).length).toBe(30);
    await ask('update catersheet.meta set version = version - 1');
    await leave(id);
    expect((await run('worker', '--drain')).code).toBe(0);
  });

  test('ends soon on Ctrl-C where the database is away', async () => {
    const own = await startPostgres();
    let stopped = false;
    onTestFinished(async () => {
      if (!stopped) await own.stop();
    });
    const place = await sandbox();
    const { begin, ask } = await programsAt(place, own);
    const worker = begin('worker');
    // Both queues, and what is given up.
    const queues = async (): Promise<number> => {
      const there = await ask(
        `select 1 from pg_tables where schemaname = 'catersheet_queue' and tablename = 'queue'`,
      );
      return there.length === 0 ? 0 : (await ask('select 1 from catersheet_queue.queue')).length;
    };
    await until(async () => (await queues()) >= 3);
    await sleep(2000);
    await own.stop();
    stopped = true;
    await sleep(2000);
    worker.send('SIGTERM');
    const at = performance.now();
    expect((await worker.end).code).toBe(0);
    // Three seconds, not the minute that a database is waited for.
    expect(performance.now() - at).toBeLessThan(30_000);
  });

  test('of which a wait for the database is under way leaves it a few seconds after Ctrl-C', async () => {
    const own = await startPostgres();
    const ledger = await own.database();
    await (await openDatabaseLedger(ledger, systemTime)).ledger.close();
    const stop = new AbortController();
    const queue = await RunQueue.open(ledger, 'https://planner.example/', false, stop.signal);
    await own.stop();
    const taking = queue.take().then(
      () => 'taken',
      () => 'left',
    );
    await sleep(1000);
    stop.abort();
    const at = performance.now();
    expect(await taking).toBe('left');
    // Three seconds, not the minute that a database is waited for.
    expect(performance.now() - at).toBeLessThan(30_000);
    await queue.close();
  });
});

describe.skipIf(MISSING)('with PostgreSQL, a run that is handed over', () => {
  test.skipIf(!hasTerminals)('stays with the workers after a No, and the person reads so', async () => {
    const place = await sandbox();
    const { ledger, file, plan, leave } = await programsAt(place);
    const id = await plan(await file('een', 2));
    const no = { wanted: '[y/N]', keys: 'n\n' };
    const flags = ['--queue', '--ledger', ledger];
    const at = { cwd: place.folder, env: place.env };
    expect(runOnTerminal(['apply', id, ...flags], no, at).shown).toContain('Nothing was sent.');
    await leave(id);
    const { shown, code } = runOnTerminal(['apply', id, ...flags], no, at);
    expect(shown).not.toContain('Nothing was sent');
    expect(shown.replace(/\s+/g, ' ')).toContain('was handed over before, and stays with the workers');
    expect(code).toBe(0);
  });

  test('by two at one moment is one job', async () => {
    const place = await sandbox();
    const { begin, run, file, plan, jobs } = await programsAt(place);
    const id = await plan(await file('een', 20));
    const people = [1, 2, 3].map(() => begin('apply', id, '--queue', '--yes', '--json'));
    await until(async () => people.every(({ told }) => told().includes('waits for a worker')));
    expect(await jobs()).toHaveLength(1);
    expect((await run('worker', '--drain')).code).toBe(0);
    for (const person of people) expect((await person.end).code).toBe(0);
    expect((await place.records('package')).length).toBe(50);
  });

  test('counts a death only where its worker had begun, and carries its notes on', async () => {
    const ledger = await server.database();
    await (await openDatabaseLedger(ledger, systemTime)).ledger.close();
    const queue = await RunQueue.open(ledger, 'https://planner.example/', false);
    onTestFinished(() => queue.close());
    const job = await queue.handOver({ run: '20270331-074512-k3vq' });
    for (let at = 0; at < 7; at++) expect(await queue.take()).toMatchObject({ deaths: 0 });
    const first = await queue.take();
    if (first === undefined) throw new Error('nothing was there');
    await queue.begin(first);
    const second = await queue.take();
    expect(second).toMatchObject({ deaths: 1, notes: [] });
    if (second === undefined) throw new Error('nothing was there');
    const [one, two] = [t('one', 'een'), t('two', 'twee')];
    await queue.giveBack({ ...second, notes: [one] });
    const third = await queue.take();
    if (third === undefined) throw new Error('nothing was there');
    expect(third.notes).toEqual([one]);
    await queue.sent(third, [one, two]);
    expect(await queue.stateOf(job)).toEqual({ state: 'sent', notes: [one, two] });
  });
});
