import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { exportFinance, exportRecords } from '../../../src/index.ts';
import type { SandboxSettings } from '../../../src/sandbox/requests/options.ts';
import { readWorkbook } from '../../../src/workbook/read-workbook.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { postgresFolder, usePostgres } from '../../helpers/postgres.ts';
import type { CliOptions, CliResult } from '../../helpers/run-cli.ts';
import { openGatedService, openTestService, type TestService } from '../../helpers/test-service.ts';

const MISSING = postgresFolder() === undefined;
const server = usePostgres();

/** A program that runs, until it ends by itself or is told to. */
interface Running {
  readonly end: Promise<CliResult>;
  send(signal: NodeJS.Signals): void;
}

function start(service: TestService, args: readonly string[], options: CliOptions = {}): Running {
  let send: Running['send'] = () => {};
  const end = service.run(args, { ...options, onStart: (kill) => (send = kill) });
  onTestFinished(async () => {
    send('SIGKILL');
    await end;
  });
  return { end, send: (signal) => send(signal) };
}

/** A company and a ledger in a database, with programs that use both. */
async function setUp(settings: SandboxSettings = {}) {
  const service = await openGatedService(settings);
  const ledger = await server.database();
  const name = new URL(ledger).pathname.slice(1);
  const ask = (sql: string) => server.ask(sql, name);
  const begin = (args: readonly string[], options?: CliOptions): Running =>
    start(service, [...args, '--ledger', ledger], options);
  const run = (...args: string[]): Promise<CliResult> => begin(args).end;
  const parts = async (): Promise<number> =>
    Number((await ask('select count(*) as count from catersheet.export_parts'))[0]?.count);
  const mark = async (): Promise<unknown> =>
    (await ask(`select value from catersheet.facts where name = 'export of packages'`))[0]?.value;
  const inFolder = (file: string): string => join(service.folder, file);
  /** Waits until an export was handed over. */
  const untilAsked = () =>
    until(async () => {
      const there = await ask(
        `select 1 from pg_tables where schemaname = 'catersheet_queue' and tablename = 'job'`,
      );
      // The program remembers it a moment after that.
      const known = 'select 1 from catersheet_queue.job j join catersheet.facts f on f.value = j.id::text';
      return there.length > 0 && (await ask(known)).length > 0;
    });
  return { service, ledger, untilAsked, begin, run, ask, parts, mark, inFolder };
}

async function until(is: () => Promise<boolean>): Promise<void> {
  while (!(await is())) await sleep(50);
}

const fromOf = (mark: unknown): string => (JSON.parse(String(mark)) as { from: string }).from;

/** What a person sees in a workbook. */
async function cellsOf(file: string): Promise<unknown> {
  const { sheets } = await readWorkbook(file, {});
  const seen: unknown[] = [];
  for (const sheet of sheets.filter(({ hidden }) => !hidden))
    for await (const { number, cells } of sheet.rows) seen.push([sheet.name, number, cells]);
  return seen;
}

const documentOf = ({ stdout }: CliResult): Record<string, unknown> =>
  JSON.parse(stdout) as Record<string, unknown>;

/** What is the same of an export however it is made. */
const told = (result: CliResult): unknown => {
  const { ms: _, requests: __, ...others } = documentOf(result);
  return { ...others, order: Object.keys(documentOf(result)) };
};

/** Packages of which an export takes three requests. */
const SEVERAL: SandboxSettings = { extraPackages: 60 };
/** The gate lets some of them through, and holds the answer to the next. */
const READS = { held: 'answers', of: 'reads' } as const;
const SLOWLY = ['worker', '--concurrency', '1'];

describe.skipIf(MISSING)('with PostgreSQL, an export that is handed over', () => {
  test.each(['uit.xlsx', 'uit.csv', 'uit.ndjson'])(
    'comes back as %s, the same as the command itself writes it',
    async (file) => {
      const { begin, run, parts, inFolder } = await setUp({ extraPackages: 300 });
      const what = ['export', 'packages', '--json', '--out', file];
      const own = await run(...what);
      expect(own.code).toBe(0);
      const isBook = file.endsWith('.xlsx');
      const shown = async (): Promise<unknown> =>
        isBook ? await cellsOf(inFolder(file)) : readFileSync(inFolder(file), 'utf8');
      const first = await shown();
      begin(['worker']);
      const over = await run(...what, '--queue');
      expect(over.code).toBe(2);
      expect(over.stderr).toContain(`${file} is there already`);
      const done = await run(...what, '--queue', '--yes');
      expect(done.code).toBe(0);
      expect(told(done)).toEqual(told(own));
      expect(await shown()).toEqual(first);
      expect(await parts()).toBe(0);
    },
  );

  test('goes to stdout as the command itself writes it, and of several kinds to one workbook', async () => {
    const { begin, run, inFolder } = await setUp();
    begin(['worker']);
    const own = await run('export', 'packages', '--out', '-');
    const done = await run('export', 'packages', '--out', '-', '--queue');
    expect(done.code).toBe(0);
    expect(done.stdout).toBe(own.stdout);
    const days = ['--from', '2026-01-01', '--to', '2026-12-31'];
    const several = ['export', 'events', 'trips', ...days, '--json', '--lang', 'nl'];
    const [here, there] = [
      await run(...several, '--out', 'hier.xlsx'),
      await run(...several, '--out', 'daar.xlsx', '--queue'),
    ];
    expect({ ...(told(there) as object), file: 'hier.xlsx' }).toEqual(told(here));
    expect(await cellsOf(inFolder('daar.xlsx'))).toEqual(await cellsOf(inFolder('hier.xlsx')));
  });

  test('of finance says what changed since the last one, once each', async () => {
    const { begin, run } = await setUp();
    begin(['worker']);
    const finance = ['export', 'finance', '--from', '2026-01-01', '--to', '2026-12-31', '--json', '--yes'];
    const first = await run(...finance, '--queue');
    expect(first.code).toBe(0);
    expect(documentOf(first).changes).toBeNull();
    const second = await run(...finance);
    expect(documentOf(second).hash).toBe(documentOf(first).hash);
    expect(documentOf(second).changes).not.toBeNull();
    const wrong = await run(...finance, '--queue', '--out', 'uit.csv');
    expect(wrong.code).toBe(2);
  });

  test('of the library goes to its stream, by whatever name a worker has for the service', async () => {
    const { service, begin, ledger, run } = await setUp();
    const env = {
      CATERSHEET_BASE_URL: service.url.endsWith('/') ? service.url.slice(0, -1) : `${service.url}/`,
    };
    begin(['worker'], { env });
    const own = await run('export', 'packages', '--out', '-', '--format', 'ndjson');
    const came: string[] = [];
    const stream = new Writable({
      decodeStrings: false,
      write(text: string, _, done) {
        came.push(text);
        done();
      },
    });
    const { url: baseUrl, token, folder } = service;
    const options = {
      baseUrl,
      token,
      ledger,
      log: `${folder}/run.log`,
      format: 'ndjson',
      stream,
      queue: true,
    } as const;
    const document = await exportRecords('packages', options);
    expect(document).toMatchObject({ file: null, records: 30, service: baseUrl, complete: true });
    expect(came.join('')).toBe(own.stdout);
  });

  test('of the stock that a file names takes the file along, and names it as it is called there', async () => {
    const { begin, run, ask, inFolder } = await setUp();
    begin(['worker']);
    const [, found] = (await run('export', 'stock', '--out', '-')).stdout.split('\r\n');
    const id = found?.split(';')[0];
    writeFileSync(inFolder('koelcel.csv'), `ProductID\r\n${id}\r\n999999\r\nweet niet\r\n`);
    const what = ['export', 'stock', '--file', './koelcel.csv', '--json', '--out'];
    const [own, queued] = [await run(...what, 'zelf.csv'), await run(...what, 'uit.csv', '--queue')];
    expect(own.stdout).toContain('"file": "zelf.csv"');
    expect({ ...(told(queued) as object), file: 'zelf.csv' }).toEqual(told(own));
    expect(queued.code).toBe(own.code);
    expect(readFileSync(inFolder('uit.csv'), 'utf8')).toBe(readFileSync(inFolder('zelf.csv'), 'utf8'));
    expect(await ask('select count(*)::int as count from catersheet.export_parts')).toEqual([{ count: 0 }]);
    // What names no product, and what is not there.
    writeFileSync(inFolder('leeg.csv'), 'ProductID\r\nweet niet\r\n');
    for (const file of ['leeg.csv', 'weg.csv']) {
      const args = ['export', 'stock', '--file', file, '--json', '--out', 'nog.csv'];
      const [here, there] = [await run(...args), await run(...args, '--queue')];
      expect(here.code).toBe(3);
      // A command to copy is the one that was given.
      expect(there.stdout.replace(' --queue', '')).toBe(here.stdout);
      expect(there.code).toBe(here.code);
    }
  });

  test('tells how far it is while a worker makes it', async () => {
    const { service, begin, ledger } = await setUp({ faults: { latencyMs: 250 } });
    begin(SLOWLY);
    const { url: baseUrl, token, folder } = service;
    const steps = new Set<string>();
    await exportFinance({
      ...{ baseUrl, token, ledger, log: `${folder}/run.log`, out: `${folder}/uit.xlsx` },
      ...{ from: '2026-01-01', to: '2026-12-31', queue: true },
      onProgress: ({ stage, of, done }) => void steps.add(`${stage} ${of?.en} ${done}`),
    });
    expect(steps.size).toBeGreaterThan(1);
  });

  test('is left with Ctrl-C, made all the same, and found again by the same command', async () => {
    const { begin, run, parts, inFolder, untilAsked } = await setUp();
    const what = ['export', 'packages', '--out', 'uit.csv', '--queue'];
    const person = begin(what);
    await untilAsked();
    person.send('SIGINT');
    const left = await person.end;
    expect(left.code).toBe(130);
    expect(left.stderr).toContain('left to the workers');
    expect(left.stderr).toMatch(/catersheet export packages .*--queue/);
    expect((await run('worker', '--drain')).code).toBe(0);
    expect(existsSync(inFolder('uit.csv'))).toBe(false);
    expect(await parts()).toBeGreaterThan(0);
    // No worker runs any more: what was made is fetched.
    const done = await run(...what, '--json');
    expect(done.stderr).toMatch(/it is of \d+ [A-Z][a-z]{2} \d{4} \d\d:\d\d\. The same command once more/);
    expect(done.code).toBe(0);
    expect(documentOf(done)).toMatchObject({ file: 'uit.csv', records: 30 });
    expect(readFileSync(inFolder('uit.csv'), 'utf8').split('\r\n')).toHaveLength(32);
    expect(await parts()).toBe(0);
  });

  test('is taken back by the same command with --withdraw, and only while it is not made', async () => {
    const { begin, run, parts, inFolder, untilAsked } = await setUp();
    const what = ['export', 'packages', '--out', 'uit.csv', '--queue'];
    const none = await run('export', 'packages', '--out', 'uit.csv', '--withdraw');
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('No worker has this export')]);
    const person = begin(what);
    await untilAsked();
    const back = await run('export', 'packages', '--out', 'uit.csv', '--withdraw');
    expect([back.code, back.stderr]).toEqual([0, expect.stringContaining('The export was withdrawn')]);
    const left = await person.end;
    expect([left.code, left.stderr]).toEqual([130, expect.stringContaining('The export was withdrawn')]);
    expect((await run('worker', '--drain')).code).toBe(0);
    expect(await parts()).toBe(0);
    expect(existsSync(inFolder('uit.csv'))).toBe(false);
    const asked = await run('export', 'packages', '--out', 'uit.csv', '--withdraw', '--json');
    expect([asked.code, asked.stdout]).toEqual([2, expect.stringContaining('--withdraw makes no document')]);
    // One that is made is fetched, not taken back.
    const other = begin(what);
    await untilAsked();
    other.send('SIGINT');
    await other.end;
    await run('worker', '--drain');
    const late = await run(...what, '--withdraw');
    expect([late.code, late.stderr]).toEqual([2, expect.stringContaining('made already is kept for you')]);
    expect((await run(...what)).code).toBe(0);
    expect(existsSync(inFolder('uit.csv'))).toBe(true);
  });

  test('moves the mark of --since last once, and only when its file was delivered', async () => {
    const { begin, run, mark, inFolder, untilAsked } = await setUp();
    const what = ['export', 'packages', '--since', 'last', '--out', 'uit.ndjson', '--queue', '--json'];
    const person = begin(what);
    await untilAsked();
    person.send('SIGINT');
    await person.end;
    await run('worker', '--drain');
    expect(await mark()).toBeUndefined();
    const other = await run('export', 'packages', '--since', 'last', '--out', 'ander.ndjson', '--json');
    expect(documentOf(other).records).toBe(30);
    const moved = await mark();
    // Made before the other was: it is delivered, and takes nothing back.
    expect(documentOf(await run(...what)).records).toBe(30);
    expect(fromOf(await mark()) >= fromOf(moved)).toBe(true);
    begin(['worker']);
    const next = await run(...what, '--yes');
    expect(documentOf(next).records).toBe(0);
    expect(await mark()).not.toBe(undefined);
    expect(readFileSync(inFolder('uit.ndjson'), 'utf8')).toBe('');
  });

  test('whose program was killed as the file was in its place is told as delivered', async () => {
    const { begin, run, ask, mark, parts, inFolder, untilAsked } = await setUp();
    const what = ['export', 'packages', '--since', 'last', '--out', 'uit.ndjson', '--queue', '--json'];
    const person = begin(what);
    await untilAsked();
    person.send('SIGKILL');
    await person.end;
    await run('worker', '--drain');
    const rows = await ask('select bytes from catersheet.export_parts where part >= 0 order by part');
    writeFileSync(inFolder('uit.ndjson'), Buffer.concat(rows.map(({ bytes }) => bytes as Buffer)));
    expect(await mark()).toBeUndefined();
    const done = await run(...what);
    expect(done.stderr).not.toContain('is there already');
    expect(done.code).toBe(0);
    expect(await mark()).toBeDefined();
    expect(await parts()).toBe(0);
  });

  test('is made anew within seconds when its worker is killed, and comes whole', async () => {
    const { service, begin, run, parts, inFolder } = await setUp(SEVERAL);
    const own = await run('export', 'packages', '--out', 'zelf.csv');
    expect(own.code).toBe(0);
    const isHalfway = service.gate.shut(2, READS);
    const first = begin(SLOWLY);
    const person = begin(['export', 'packages', '--out', 'uit.csv', '--queue']);
    await isHalfway;
    first.send('SIGKILL');
    expect((await first.end).stderr).not.toContain('made');
    const killed = performance.now();
    service.gate.open();
    const second = begin(['worker']);
    const done = await person.end;
    expect(done.code).toBe(0);
    // Ten seconds of silence, then the start of two programs and the export on the slowest machine.
    expect(performance.now() - killed).toBeLessThan(45_000);
    expect(readFileSync(inFolder('uit.csv')).equals(readFileSync(inFolder('zelf.csv')))).toBe(true);
    expect(await parts()).toBe(0);
    second.send('SIGTERM');
    expect((await second.end).stderr).toContain('Export of packages made');
  });

  test('goes to the next worker at once when its worker is stopped', async () => {
    const { service, begin, ask, inFolder } = await setUp(SEVERAL);
    const isHalfway = service.gate.shut(2, READS);
    const first = begin(SLOWLY);
    const person = begin(['export', 'packages', '--out', 'uit.csv', '--queue']);
    await isHalfway;
    first.send('SIGTERM');
    const left = await first.end;
    expect(left.code).toBe(0);
    expect(left.stderr).toContain('Export of packages stopped');
    service.gate.open();
    // Nobody has to find out that it is silent.
    expect(await ask(`select state::text from catersheet_queue.job where data ? 'asked'`)).toEqual([
      { state: 'created' },
    ]);
    begin(['worker']);
    const done = await person.end;
    expect(done.code).toBe(0);
    expect(readFileSync(inFolder('uit.csv'), 'utf8').split('\r\n')).toHaveLength(92);
  });

  test('runs beside others and beside a run that is sent', async () => {
    const { service, begin, inFolder } = await setUp();
    const { gate } = service;
    // One alone: a worker asks for no more at a time than it may, for whatever it does.
    const isHalfway = gate.shut(30, { most: 1 });
    const file = await makeWorkbook(inFolder('catalogus.xlsx'), {
      Pakketten: [
        ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'],
        ...Array.from({ length: 150 }, (_, at) => [72_001 + at, 'Buffet', `Buffet ${at}`, 12.5]),
      ],
    });
    begin(['worker']);
    const sent = begin(['import', file, '--queue', '--yes', '--json']);
    let isOver = false;
    void sent.end.then(() => (isOver = true));
    await isHalfway;
    const exports = await Promise.all(
      ['recipes', 'recipes', 'recipes'].map(
        (what, at) => begin(['export', what, '--out', `${at}.xlsx`, '--queue', '--json']).end,
      ),
    );
    // They did not wait for the run, which lacks an answer still.
    expect(isOver).toBe(false);
    gate.open();
    expect(exports.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(exports.map((one) => documentOf(one).file)).toEqual(['0.xlsx', '1.xlsx', '2.xlsx']);
    const done = await sent.end;
    expect(done.code).toBe(0);
    expect(documentOf(done).counts).toMatchObject({ created: 150 });
  });

  test('that the service refuses is told in the same words, with the same exit code', async () => {
    const { begin, run } = await setUp();
    const env = { CATERSHEET_TOKEN: 'fout' };
    begin(['worker'], { env });
    const what = ['export', 'packages', '--out', 'uit.csv', '--json'];
    const own = await begin(what, { env }).end;
    const queued = await run(...what, '--queue');
    expect(own.code).toBe(4);
    expect(queued.code).toBe(4);
    expect(documentOf(queued)).toEqual(documentOf(own));
    // It was told: the same command begins anew, and finds that it was mended.
    begin(['worker']);
    await until(async () => (await run(...what, '--queue')).code === 0);
  });

  test('that five workers died of is given up, and who asked for it reads so', async () => {
    const { begin, run, ask, untilAsked } = await setUp();
    const what = ['export', 'packages', '--out', 'uit.csv', '--queue'];
    const person = begin(what);
    await untilAsked();
    await ask(`update catersheet_queue.job set data = data || '{"deaths": 5}'`);
    await run('worker', '--drain');
    const done = await person.end;
    expect(done.code).toBe(4);
    expect(done.stderr).toContain('5 workers died while they made the export');
  });

  test('is kept for seven days, then made anew', async () => {
    const { begin, run, ask, parts, untilAsked } = await setUp();
    const what = ['export', 'packages', '--out', 'uit.csv', '--queue'];
    const person = begin(what);
    await untilAsked();
    person.send('SIGINT');
    await person.end;
    await run('worker', '--drain');
    await ask(`update catersheet.export_parts set made = made - interval '6 days'`);
    await run('worker', '--drain');
    expect(await parts()).toBeGreaterThan(0);
    await ask(`update catersheet.export_parts set made = made - interval '2 days'`);
    await run('worker', '--drain');
    expect(await parts()).toBe(0);
    begin(['worker']);
    const done = await run(...what);
    expect(done.stderr).toContain('is made anew');
    expect(done.code).toBe(0);
  });

  test('goes on after the database was restarted', async () => {
    const { service, begin, run, inFolder } = await setUp(SEVERAL);
    await run('export', 'packages', '--out', 'zelf.csv');
    const isHalfway = service.gate.shut(2, READS);
    begin(SLOWLY);
    const person = begin(['export', 'packages', '--out', 'uit.csv', '--queue']);
    await isHalfway;
    await server.restart();
    service.gate.open();
    const done = await person.end;
    expect(done.code).toBe(0);
    expect(readFileSync(inFolder('uit.csv')).equals(readFileSync(inFolder('zelf.csv')))).toBe(true);
  });

  test('is refused before a worker hears of it where it can’t be made so', async () => {
    const { run, ask, inFolder } = await setUp();
    writeFileSync(inFolder('koelcel.csv'), 'ProductID\r\n1\r\n');
    const refused = [
      ['export', 'stock', '--file', 'koelcel.csv', '--out', 'koelcel.csv', '--yes', '--queue'],
      ['export', 'packages', '--out', 'uit.pdf', '--queue'],
      ['export', 'packages', '--out', 'nergens/uit.csv', '--queue'],
      ['export', 'packages', '--from', '2026-01-01', '--to', '2026-01-02', '--queue'],
      ['export', 'finance', '--queue'],
    ];
    for (const args of refused) expect([args, (await run(...args)).code]).toEqual([args, 2]);
    const tables = await ask(`select 1 from pg_namespace where nspname = 'catersheet_queue'`);
    if (tables.length > 0)
      expect(await ask(`select count(*)::int as count from catersheet_queue.job`)).toEqual([{ count: 0 }]);
  });
});

test('an export is not handed over where the ledger is a file', async () => {
  const service = await openTestService();
  const done = await service.run(['export', 'packages', '--queue', '--out', 'uit.csv']);
  expect(done.code).toBe(2);
  expect(done.stderr).toContain('Queues and schedules need a ledger in a database');
  expect(existsSync(join(service.folder, 'uit.csv'))).toBe(false);
});
