import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { postgresFolder, usePostgres } from '../../helpers/postgres.ts';
import type { CliResult } from '../../helpers/run-cli.ts';
import { openGatedService, openTestService } from '../../helpers/test-service.ts';

const MISSING = postgresFolder() === undefined;
const server = usePostgres();

/** A program that runs, until it ends by itself or is told to. */
interface Running {
  readonly end: Promise<CliResult>;
  send(signal: NodeJS.Signals): void;
  /** What it told on stderr so far. */
  told(): string;
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FIRST = 82_001;
const HEADER = ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'];

/** A company, a ledger in a database, folders of a user, and a schedule in the user's own settings. */
async function setUp(latency = 0) {
  const service = await openGatedService({ faults: { latencyMs: latency } });
  const ledger = await server.database();
  const folderOf = (name: string): string => {
    const folder = join(service.folder, name);
    mkdirSync(folder);
    return folder;
  };
  const [inbox, out, reports, aside] = ['in', 'uit', 'verslagen', 'opzij'].map(folderOf) as [
    string,
    string,
    string,
    string,
  ];
  const schedule = (...entries: object[]): void =>
    writeFileSync(
      join(service.folder, 'catersheet.config.json'),
      JSON.stringify({ profiles: { default: { ledger, doubt: 1, schedule: entries } } }),
    );
  const begin = (...args: string[]): Running => {
    let send: Running['send'] = () => {};
    let told = '';
    const end = service.run(['schedule', ...args], {
      onStart: (kill) => (send = kill),
      onTold: (text) => (told += text),
    });
    onTestFinished(async () => {
      send('SIGKILL');
      await end;
    });
    return { end, send: (signal) => send(signal), told: () => told };
  };
  /** Does one entry now. */
  const once = (name: string): Promise<CliResult> => service.run(['schedule', '--once', name], { own: true });
  /** A workbook of packages, put into the inbox whole. */
  const drop = async (name: string, rows: number, first = FIRST): Promise<void> => {
    const file = await makeWorkbook(join(aside, name), {
      Pakketten: [
        HEADER,
        ...Array.from({ length: rows }, (_, at) => [first + at, 'Buffet', `Buffet ${at}`, 12.5]),
      ],
    });
    await rename(file, join(inbox, name));
  };
  /** How often each of the packages is on the service. */
  const times = async (rows: number, first = FIRST): Promise<readonly number[]> => {
    const found = (await service.records('package')).map(({ ExternalID }) => Number(ExternalID));
    return Array.from({ length: rows }, (_, at) => found.filter((one) => one === first + at).length);
  };
  const list = async () =>
    (JSON.parse((await service.run(['schedule', '--list', '--json'], { own: true })).stdout) as ListDocument)
      .schedule;
  return {
    service,
    gate: service.gate,
    ledger,
    inbox,
    out,
    reports,
    aside,
    schedule,
    begin,
    once,
    drop,
    times,
    list,
  };
}

interface ListDocument {
  readonly schedule: readonly {
    readonly name: string;
    readonly next: string;
    readonly running: boolean;
    readonly last: { readonly exit: number | null; readonly message: string | null } | null;
  }[];
}

/** Most requests that a program has in flight. */
const MOST_OUT = 8;
const ones = (rows: number): readonly number[] => Array.from({ length: rows }, () => 1);
const namesIn = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith('.')) : [];

/** A file that five programs died of is given up: lets none of them have died of it. */
function forgetDeaths(inbox: string): void {
  const atWork = join(inbox, '.catersheet');
  for (const name of namesIn(atWork)) {
    const file = join(atWork, name, '.state.json');
    if (!existsSync(file)) continue;
    const state = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...state, tries: 0 }));
  }
}

/** Waits until something is so. */
async function until(is: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await is())) await sleep(100);
}

describe.skipIf(MISSING)('with PostgreSQL, what is dropped into an inbox', () => {
  test('is sent, and lies in done with its result beside it and a report in its folder', async () => {
    const { service, inbox, reports, schedule, once, drop, times, list } = await setUp();
    schedule({ name: 'inbox', inbox, send: true, settle: 1, report: { to: reports } });
    await drop('catalogus.xlsx', 5);
    const done = await once('inbox');
    expect(done.stdout).toContain('catalogus.xlsx: 5 rows, 5 created');
    expect(done.code).toBe(0);
    expect(await times(5)).toEqual(ones(5));
    expect(namesIn(inbox)).toEqual(['done']);
    expect(namesIn(join(inbox, 'done'))).toEqual(['catalogus.result.xlsx', 'catalogus.xlsx']);
    const [page = ''] = namesIn(reports);
    expect(page).toMatch(/^inbox-catalogus-\d{8}-\d{4}\.html$/);
    expect(readFileSync(join(reports, page), 'utf8')).toContain('Buffet 4');
    const schema = JSON.parse(readFileSync(join(ROOT, 'schemas/catersheet-1.schema.json'), 'utf8')) as object;
    const ajv = new Ajv2020({ allowUnionTypes: true }).addSchema(schema, 'documents');
    for (const [name, ...words] of [
      ['schedule', '--list'],
      ['scheduleEntry', '--once', 'inbox'],
    ]) {
      const { stdout } = await service.run(['schedule', ...words, '--json'], { own: true });
      expect([name, ajv.validate(`documents#/$defs/${name}`, JSON.parse(stdout))]).toEqual([name, true]);
    }
    const [entry] = await list();
    expect(entry?.last).toMatchObject({ exit: 0, message: expect.stringContaining('5 created') });
  });

  test('is left as a plan where it is not sent, in planned, and can be applied by its run', async () => {
    const { service, inbox, schedule, once, drop, times } = await setUp();
    schedule({ name: 'inbox', inbox, settle: 1 });
    await drop('catalogus.xlsx', 3);
    const done = await once('inbox');
    expect(done.code).toBe(0);
    const [, run = ''] = /catersheet apply (\S+) does/.exec(done.stdout) ?? [];
    expect(await times(3)).toEqual([0, 0, 0]);
    expect(namesIn(join(inbox, 'planned'))).toEqual(['catalogus.result.xlsx', 'catalogus.xlsx']);
    const applied = await service.run(['apply', run, '--yes', '--json=all'], { own: true });
    expect(applied.code).toBe(0);
    expect(JSON.parse(applied.stdout)).toMatchObject({ counts: { created: 3 } });
    expect(await times(3)).toEqual(ones(3));
    expect(namesIn(join(inbox, 'planned'))).toEqual([
      'catalogus.result-2.xlsx',
      'catalogus.result.xlsx',
      'catalogus.xlsx',
    ]);
  });

  test('is with the problems where it can’t be read or has bad rows, and the rest is done', async () => {
    const { inbox, reports, schedule, once, drop, times } = await setUp();
    schedule({ name: 'inbox', inbox, send: true, settle: 1, report: { to: reports, when: 'trouble' } });
    writeFileSync(join(inbox, 'brief.pdf'), '%PDF-1.7 a letter');
    const long = 'lang'.repeat(62);
    writeFileSync(join(inbox, `${long}.csv`), `${HEADER.join(';')}\n${FIRST + 60};Buffet;Lang;1\n`);
    writeFileSync(
      join(inbox, 'fout.csv'),
      `${HEADER.join(';')}\n${FIRST + 50};Buffet;Goed;12,5\n${FIRST + 51};Buffet;Slecht;veel\n`,
    );
    await drop('goed.xlsx', 2);
    const done = await once('inbox');
    expect(done.code).toBe(3);
    expect(await times(2)).toEqual(ones(2));
    expect(await times(2, FIRST + 50)).toEqual([1, 0]);
    expect(namesIn(join(inbox, 'done'))).toEqual(['goed.result.xlsx', 'goed.xlsx']);
    const short = long.slice(0, 200);
    expect(namesIn(join(inbox, 'problems'))).toEqual([
      ...['brief.pdf', 'brief.why.txt', 'fout.csv', 'fout.result.csv', `${short}.csv`, `${short}.why.txt`],
    ]);
    expect(await times(1, FIRST + 60)).toEqual([0]);
    expect(readFileSync(join(inbox, 'problems/brief.why.txt'), 'utf8')).toContain('PDF');
    expect(namesIn(reports).map((name) => name.replace(/-\d{8}-\d{4}/, ''))).toEqual([
      'inbox-brief.html',
      'inbox-fout.html',
      `inbox-${long.slice(0, 80)}.html`,
    ]);
  });

  test('is taken whole and by its own name alone, and nothing is ever overwritten', async () => {
    const { inbox, aside, schedule, begin, once, drop, times } = await setUp();
    // Longer than this test may ever stand still between two writes.
    schedule({ name: 'inbox', inbox, send: true, settle: 8 });
    mkdirSync(join(inbox, 'map.xlsx'));
    writeFileSync(join(inbox, '~$catalogus.xlsx'), 'lock');
    writeFileSync(join(inbox, 'half.xlsx.part'), 'half');
    writeFileSync(join(aside, 'elders.csv'), `${HEADER.join(';')}\n${FIRST + 70};Buffet;Elders;1\n`);
    symlinkSync(join(aside, 'elders.csv'), join(inbox, 'verwijzing.csv'));
    await drop('catalogus.xlsx', 1);
    // Still being written while it is looked at.
    const file = join(inbox, 'groeit.csv');
    writeFileSync(file, `${HEADER.join(';')}\n`);
    const running = begin('--once', 'inbox');
    const isOver = { so: false };
    void running.end.then(() => (isOver.so = true));
    for (let row = 0; !isOver.so; row++) {
      writeFileSync(file, `${FIRST + 80 + row};Buffet;Groeit ${row};2\n`, { flag: 'a' });
      await sleep(300);
    }
    expect((await running.end).code).toBe(0);
    const left = ['groeit.csv', 'half.xlsx.part', 'map.xlsx', 'verwijzing.csv', '~$catalogus.xlsx'];
    expect(namesIn(inbox).filter((name) => name !== 'done')).toEqual(left);
    await drop('catalogus.xlsx', 1, FIRST + 10);
    expect((await once('inbox')).code).toBe(0);
    expect(namesIn(join(inbox, 'done'))).toEqual([
      'catalogus-2.result.xlsx',
      'catalogus-2.xlsx',
      'catalogus.result.xlsx',
      'catalogus.xlsx',
      'groeit.csv',
      'groeit.result.csv',
    ]);
    expect(await times(1, FIRST + 70)).toEqual([0]);
    expect([...(await times(1)), ...(await times(1, FIRST + 10))]).toEqual([1, 1]);
  });

  test('goes on where a scheduler was killed while it sent, and nothing is sent twice', async () => {
    const { service, gate, inbox, schedule, begin, drop, times } = await setUp();
    schedule({ name: 'inbox', inbox, send: true, settle: 1 });
    await drop('catalogus.xlsx', 200);
    const isHalfway = gate.shut(40, { held: 'answers' });
    const first = begin('--once', 'inbox');
    await isHalfway;
    first.send('SIGKILL');
    await first.end;
    gate.open();
    expect((await times(200)).filter((count) => count > 0).length).toBeLessThan(200);
    expect(namesIn(inbox)).toEqual([]);
    const next = await begin('--once', 'inbox').end;
    expect(next.stdout).toContain('200 created');
    expect(next.code).toBe(0);
    const { runs } = JSON.parse((await service.run(['runs', '--json'], { own: true })).stdout) as {
      runs: readonly unknown[];
    };
    expect(runs).toHaveLength(1);
    expect(await times(200)).toEqual(ones(200));
    expect(namesIn(join(inbox, 'done'))).toEqual(['catalogus.result.xlsx', 'catalogus.xlsx']);
  });

  test('is another’s where a scheduler slept, and the one that wakes leaves it alone', async () => {
    const { gate, inbox, schedule, begin, drop, times } = await setUp();
    schedule({ name: 'inbox', inbox, send: true, settle: 1 });
    await drop('catalogus.xlsx', 300);
    const isHalfway = gate.shut(40, { held: 'answers' });
    const first = begin('--once', 'inbox');
    await isHalfway;
    first.send('SIGSTOP');
    // All that it had out is done by the time that the next one sends a row.
    const goesOn = gate.shut(MOST_OUT + 1);
    const next = begin('--once', 'inbox');
    await goesOn;
    first.send('SIGCONT');
    expect((await first.end).code).toBe(130);
    gate.open();
    const done = await next.end;
    expect(done.stdout).toContain('300 created');
    expect(done.code).toBe(0);
    expect(await times(300)).toEqual(ones(300));
    expect(namesIn(inbox)).toEqual(['done']);
    expect(namesIn(join(inbox, 'done'))).toEqual(['catalogus.result.xlsx', 'catalogus.xlsx']);
    expect(readdirSync(join(inbox, '.catersheet'))).toEqual(['id']);
  });

  test('comes out whole however often its scheduler is killed, wherever it was', async () => {
    const { ledger, inbox, schedule, begin, drop, times } = await setUp(20);
    schedule({ name: 'inbox', inbox, send: true, settle: 1 });
    await drop('een.xlsx', 60);
    await drop('twee.xlsx', 60, FIRST + 100);
    writeFileSync(join(inbox, 'drie.txt'), 'geen werkblad');
    const database = ledger.split('/').at(-1) ?? '';
    const end = { code: null as number | null };
    // Later each time, so that it comes to its end on any machine.
    for (let wait = 300; end.code !== 0; wait += Math.max(350, wait / 8)) {
      const running = begin('--once', 'inbox');
      const kill = setTimeout(() => running.send('SIGKILL'), wait);
      end.code = (await running.end).code;
      clearTimeout(kill);
      forgetDeaths(inbox);
      // What a dead one held is free at once, as if a minute had passed and its connections were closed.
      for (const sql of [
        `select pg_terminate_backend(pid, 10000) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
        `update catersheet_queue.job set started_on = now() - interval '1 hour' where state = 'active'`,
        `update catersheet.leases set until = now() - interval '1 hour'`,
      ])
        await server.ask(sql, database).catch(() => []);
    }
    expect(await times(60)).toEqual(ones(60));
    expect(await times(60, FIRST + 100)).toEqual(ones(60));
    while ((await begin('--once', 'inbox').end).code !== 0);
    expect(namesIn(inbox)).toEqual(['done', 'problems']);
    const all = [...namesIn(join(inbox, 'done')), ...namesIn(join(inbox, 'problems'))];
    expect(all.filter((name) => !/\.(?:result|why)/.test(name)).sort()).toEqual([
      ...['drie.txt', 'een.xlsx', 'twee.xlsx'],
    ]);
    // One that was only begun is left for a minute.
    const begun = readdirSync(join(inbox, '.catersheet')).filter((name) => name !== 'id');
    const files = begun.flatMap((name) => readdirSync(join(inbox, '.catersheet', name)));
    expect(files.filter((name) => !name.startsWith('.'))).toEqual([]);
  });

  test('is given to the next scheduler at once where one is stopped', async () => {
    const { ledger, gate, inbox, schedule, begin, drop, times } = await setUp();
    schedule({ name: 'inbox', inbox, send: true, settle: 1 });
    await drop('catalogus.xlsx', 200);
    const isHalfway = gate.shut(40);
    const first = begin();
    await isHalfway;
    first.send('SIGTERM');
    gate.open();
    expect((await first.end).code).toBe(0);
    expect((await times(200)).filter((count) => count > 0).length).toBeLessThan(200);
    // Nobody has to find out that it is gone.
    const held = `select 1 from catersheet_queue.job where state = 'active'
      union all select 1 from catersheet.leases where until > now()`;
    expect(await server.ask(held, ledger.split('/').at(-1))).toEqual([]);
    const next = begin();
    await until(() => namesIn(join(inbox, 'done')).length === 2);
    next.send('SIGTERM');
    expect((await next.end).code).toBe(0);
    expect(await times(200)).toEqual(ones(200));
  });

  test('waits where the service is away, and is sent once it is back', async () => {
    const { service, inbox, schedule, drop, once, times } = await setUp();
    schedule({ name: 'inbox', inbox, send: true, settle: 1 });
    await drop('catalogus.xlsx', 2);
    const env = { CATERSHEET_TOKEN: 'wrong' };
    const away = await service.run(['schedule', '--once', 'inbox'], { own: true, env });
    expect(away.code).toBe(4);
    expect(away.stdout).toContain('catalogus.xlsx waits for the next time');
    expect(namesIn(inbox)).toEqual([]);
    expect((await once('inbox')).code).toBe(0);
    expect(await times(2)).toEqual(ones(2));
    expect(namesIn(join(inbox, 'done'))).toEqual(['catalogus.result.xlsx', 'catalogus.xlsx']);
  });

  test('is of the kind that its folder is called after', async () => {
    const { inbox, schedule, once, times } = await setUp();
    schedule({ name: 'inbox', inbox, byKind: true, send: true, settle: 1 });
    mkdirSync(join(inbox, 'Pakketten'));
    writeFileSync(
      join(inbox, 'Pakketten/lijst.csv'),
      `ExternalID;ProductTypeID;OmschrijvingIntern;Verkoopprijs\n${FIRST};Buffet;Soep;3,5\n`,
    );
    expect((await once('inbox')).code).toBe(0);
    expect(await times(1)).toEqual([1]);
    expect(namesIn(join(inbox, 'Pakketten/done'))).toEqual(['lijst.csv', 'lijst.result.csv']);
  });
});

describe.skipIf(MISSING)('with PostgreSQL, an entry', () => {
  test('deletes what rows say where that is allowed, and else leaves it there', async () => {
    const { inbox, schedule, once, drop, times } = await setUp();
    const entry = { name: 'inbox', inbox, as: 'packages', send: true, settle: 1 };
    schedule(entry);
    await drop('nieuw.xlsx', 2);
    expect((await once('inbox')).code).toBe(0);
    const drops = (name: string): void =>
      writeFileSync(join(inbox, name), `ExternalID;#action\n${FIRST};delete\n`);
    drops('weg.csv');
    expect((await once('inbox')).code).toBe(5);
    expect(await times(2)).toEqual([1, 1]);
    expect(namesIn(join(inbox, 'problems'))).toEqual(['weg.csv', 'weg.result.csv']);
    schedule({ ...entry, allowDelete: true });
    drops('weg.csv');
    expect((await once('inbox')).code).toBe(0);
    expect(await times(2)).toEqual([0, 1]);
  });

  test('exports days that are counted from today, each to a file of its own', async () => {
    const { out, schedule, once } = await setUp();
    const days = { from: '-400d', to: '+400d' };
    schedule(
      { name: 'agenda', cron: '@daily', export: ['events'], format: 'csv', days, to: out },
      {
        name: 'maand',
        cron: '@monthly',
        export: ['finance'],
        days: { from: 'year-1y', to: 'year-end' },
        to: out,
      },
      {
        name: 'nieuw',
        cron: '@hourly',
        export: ['packages'],
        since: 'last',
        to: out,
        tz: 'Pacific/Kiritimati',
      },
    );
    for (const name of ['agenda', 'agenda', 'maand', 'nieuw', 'nieuw']) {
      const done = await once(name);
      expect([done.code, done.stderr]).toEqual([0, '']);
    }
    const day = (timeZone?: string): string =>
      new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date());
    const [here, there] = [day(), day('Pacific/Kiritimati')];
    const year = Number(here.slice(0, 4));
    expect(namesIn(out)).toEqual([
      ...[`evenementen-${here}-2.csv`, `evenementen-${here}.csv`],
      ...[`pakketten-${there}-2.xlsx`, `pakketten-${there}.xlsx`],
      `revenue-${year - 1}-01-01-${year}-12-31-${here}.xlsx`,
    ]);
    const [first = '', second = ''] = [`evenementen-${here}.csv`, `evenementen-${here}-2.csv`].map((name) =>
      readFileSync(join(out, name), 'utf8'),
    );
    expect(first).toBe(second);
    expect(first.split('\n').length).toBeGreaterThan(3);
  });

  test.each([
    [
      { cron: '0 0 31 2 *', check: true },
      'schedule, entry "fout": "0 0 31 2 *" is no moment that ever comes.',
    ],
    [
      { cron: '@daily', export: ['events'], to: '/' },
      'schedule, entry "fout": An export of Evenementen needs',
    ],
    [
      { cron: '@daily', export: ['finance'], to: '/' },
      'schedule, entry "fout": A finance export is of a period.',
    ],
    [{ cron: '@daily', export: ['packages'], to: '/', all: true }, '"all" is not for an export of packages.'],
    [
      { cron: '@daily', export: ['events'], to: '/', days: { from: '+3d', to: '-3d' } },
      'schedule, entry "fout": The period ends (',
    ],
  ])('that could never be done is refused before its time: %j', async (entry, words) => {
    const { service, schedule } = await setUp();
    schedule({ name: 'fout', ...entry });
    const done = await service.run(['schedule'], { own: true });
    expect(done.code).toBe(2);
    expect(done.stderr).toContain(words);
  });

  test('that is not in the schedule is refused, with those that are', async () => {
    const { schedule, once } = await setUp();
    schedule({ name: 'controle', cron: '@daily', check: true });
    const done = await once('controlle');
    expect(done.code).toBe(2);
    expect(done.stderr).toContain('The schedule has no entry controlle.');
    expect(done.stderr).toContain('catersheet schedule --once controle');
  });
});

describe.skipIf(MISSING)('with PostgreSQL, what is due', () => {
  test('is done once a minute by one of two schedulers', async () => {
    const { out, schedule, begin, list } = await setUp();
    schedule(
      { name: 'prijzen', cron: '* * * * *', export: ['packages', 'recipes'], to: out },
      { name: 'controle', cron: '* * * * *', check: true },
    );
    const both = [begin(), begin()];
    const told = (what: RegExp): number =>
      both
        .map((one) => one.told())
        .join('\n')
        .match(what)?.length ?? 0;
    const [exported, checked] = [/prijzen: \d+ records written/g, /controle: .* answers as it should/g];
    await until(() => told(exported) >= 2 && told(checked) >= 2);
    // Whatever else comes of the same minute comes within these.
    await sleep(8000);
    const listed = await list();
    for (const one of both) one.send('SIGTERM');
    for (const { end } of both) expect((await end).code).toBe(0);
    const today = new Intl.DateTimeFormat('en-CA').format(new Date());
    expect(namesIn(out)).toEqual([`pakketten-recepten-${today}-2.xlsx`, `pakketten-recepten-${today}.xlsx`]);
    expect([told(exported), told(checked)]).toEqual([2, 2]);
    expect(listed.map(({ name, last }) => [name, last?.exit])).toEqual([
      ['prijzen', 0],
      ['controle', 0],
    ]);
  });

  test('is done once at the next start where no scheduler ran at its time', async () => {
    const { ledger, out, schedule, begin } = await setUp();
    schedule({ name: 'jaarlijks', cron: '0 3 1 1 *', export: ['packages'], to: out });
    const database = ledger.split('/').at(-1) ?? '';
    const seen = `select value from catersheet.facts where name = 'default jaarlijks'`;
    const first = begin();
    // Its tables are made by then.
    await until(async () => (await server.ask(seen, database).catch(() => [])).length > 0);
    await sleep(3000);
    first.send('SIGTERM');
    expect((await first.end).code).toBe(0);
    expect(namesIn(out)).toEqual([]);
    await server.ask(
      `update catersheet.facts set value = jsonb_set(value::jsonb, '{looked}', '"2020-01-01T00:00:00.000Z"')::text
       where name = 'default jaarlijks'`,
      database,
    );
    const both = [begin(), begin()];
    await until(() => namesIn(out).length > 0);
    await sleep(5000);
    for (const one of both) one.send('SIGTERM');
    for (const { end } of both) expect((await end).code).toBe(0);
    expect(namesIn(out)).toHaveLength(1);
  });

  test('goes on after the database was restarted', async () => {
    const { gate, inbox, schedule, begin, drop, times } = await setUp();
    schedule({ name: 'inbox', inbox, send: true, settle: 1 });
    await drop('catalogus.xlsx', 100);
    const isHalfway = gate.shut(40);
    const running = begin();
    await isHalfway;
    await server.restart();
    gate.open();
    await until(() => namesIn(join(inbox, 'done')).length === 2);
    expect(await times(100)).toEqual(ones(100));
    running.send('SIGTERM');
    expect((await running.end).code).toBe(0);
  });

  test('tells a program of the user’s of trouble, without the token, and ends one that hangs', async () => {
    const { service, aside, out, schedule } = await setUp();
    const program = join(aside, 'meld.mjs');
    writeFileSync(
      program,
      `import { readFileSync, writeFileSync } from 'node:fs';
       const [, , own, page, exit] = process.argv;
       const env = Object.keys(process.env).filter((name) => name.startsWith('CATERSHEET'));
       writeFileSync(${JSON.stringify(join(out, 'gemeld.json'))}, JSON.stringify({
         own, exit, env, state: process.env.CATERSHEET_STATE, html: readFileSync(page, 'utf8').slice(0, 15),
       }));
       if (own === 'hang') setInterval(() => {}, 1000);`,
    );
    const command = (own: string) => [process.execPath, program, own];
    schedule(
      { name: 'meldt', cron: '0 3 * * *', check: true, report: { command: command('kort') } },
      { name: 'hangt', cron: '0 3 * * *', check: true, report: { command: command('hang'), timeout: 2 } },
    );
    const env = { CATERSHEET_TOKEN: 'wrong' };
    const done = await service.run(['schedule', '--once', 'meldt'], { own: true, env });
    expect(done.code).toBe(4);
    const told = JSON.parse(readFileSync(join(out, 'gemeld.json'), 'utf8')) as Record<string, unknown>;
    expect(told).toMatchObject({ own: 'kort', exit: '4', html: '<!doctype html>' });
    expect(told.env).toEqual([
      'CATERSHEET_REPORT',
      'CATERSHEET_EXIT',
      'CATERSHEET_ENTRY',
      'CATERSHEET_STATE',
    ]);
    const started = performance.now();
    const late = await service.run(['schedule', '--once', 'hangt'], { own: true, env });
    expect(late.code).toBe(4);
    expect(late.stdout).toContain('it was not done after 2 s, and was ended');
    // The program hangs for ever; the rest is the start of ours.
    expect(performance.now() - started).toBeLessThan(60_000);
  });
});

describe.skipIf(MISSING)('with PostgreSQL, a schedule that is changed while it runs', () => {
  test('is done as it stands, and goes on as before where the change can’t be used', async () => {
    const { service, inbox, out, schedule, ledger, begin, drop, times } = await setUp();
    schedule({ name: 'inbox', inbox, settle: 1 });
    const running = begin();
    await until(() => running.told().includes('schedule'));
    const elsewhere = join(out, 'nieuw');
    mkdirSync(elsewhere);
    writeFileSync(join(service.folder, 'catersheet.config.json'), '{ "profiles": { "default": ');
    await until(() => running.told().includes('goes on as it was before that change'));
    schedule({ name: 'inbox', inbox: elsewhere, send: true, settle: 1 });
    await until(() => running.told().includes('The settings were changed; entries from now on: 1'));
    await drop('catalogus.xlsx', 3);
    await rename(join(inbox, 'catalogus.xlsx'), join(elsewhere, 'catalogus.xlsx'));
    await until(async () => (await times(3)).every((count) => count === 1));
    schedule();
    await until(() => running.told().includes('entries from now on: 0'));
    const other = { ledger: `${ledger}2`, schedule: [{ name: 'inbox', inbox, settle: 1 }] };
    writeFileSync(
      join(service.folder, 'catersheet.config.json'),
      JSON.stringify({ profiles: { default: other } }),
    );
    await until(() => running.told().includes('The settings name another ledger now.'));
    running.send('SIGTERM');
    expect((await running.end).code).toBe(0);
    expect(running.told().match(/goes on as it was/g)).toHaveLength(2);
  }, 120_000);
});

test('a schedule is refused where the ledger is a file', async () => {
  const service = await openTestService();
  const file = join(service.folder, 'catersheet.config.json');
  const entry = { name: 'controle', cron: '0 3 * * *', check: true };
  writeFileSync(file, JSON.stringify({ profiles: { default: { schedule: [entry] } } }));
  const done = await service.run(['schedule']);
  expect(done.code).toBe(2);
  expect(done.stderr).toContain('Queues and schedules need a ledger in a database');
});
