import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { postgresFolder, usePostgres } from '../../helpers/postgres.ts';
import { openGatedService } from '../../helpers/test-service.ts';
import { once as ones, type Running, until } from '../../queue/company.ts';

const MISSING = postgresFolder() === undefined;
const server = usePostgres();

const FIRST = 82_001;
const HEADER = ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'];

/** A company, a ledger in a database, folders of a user, and a schedule in the user's own settings. */
async function setUp() {
  const service = await openGatedService();
  const ledger = await server.database();
  const folderOf = (name: string): string => {
    const folder = join(service.folder, name);
    mkdirSync(folder);
    return folder;
  };
  const [inbox, out] = [folderOf('in'), folderOf('uit')];
  const schedule = (entry: object): void =>
    writeFileSync(
      join(service.folder, 'catersheet.config.json'),
      JSON.stringify({ profiles: { default: { ledger, doubt: 1, schedule: [entry] } } }),
    );
  const begin = (...args: string[]): Pick<Running, 'end' | 'send'> => {
    let send: Running['send'] = () => {};
    const end = service.run(['schedule', ...args], { onStart: (kill) => (send = kill) });
    onTestFinished(async () => {
      send('SIGKILL');
      await end;
    });
    return { end, send: (signal) => send(signal) };
  };
  /** Does the entry for the inbox now. */
  const now = (...args: string[]) => begin('--once', 'inbox', ...args);
  /** A workbook of packages, put into the inbox whole. */
  const drop = async (name: string, rows: number): Promise<void> => {
    const file = await makeWorkbook(join(service.folder, name), {
      Pakketten: [
        HEADER,
        ...Array.from({ length: rows }, (_, at) => [FIRST + at, 'Buffet', `Buffet ${at}`, 12.5]),
      ],
    });
    await rename(file, join(inbox, name));
  };
  /** How often each of the packages is on the service. */
  const times = async (rows: number): Promise<readonly number[]> => {
    const found = (await service.records('package')).map(({ ExternalID }) => Number(ExternalID));
    return Array.from({ length: rows }, (_, at) => found.filter((one) => one === FIRST + at).length);
  };
  return { service, gate: service.gate, ledger, inbox, out, schedule, begin, now, drop, times };
}

const namesIn = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith('.')) : [];
const DONE = ['catalogus.result.xlsx', 'catalogus.xlsx'];

describe.skipIf(MISSING)('with PostgreSQL, what is dropped into an inbox', () => {
  test('is sent, or is with its problems, each with its result beside it and a report in its folder', async () => {
    const { service, inbox, out, schedule, now, begin, drop, times } = await setUp();
    schedule({ name: 'inbox', inbox, as: 'packages', send: true, settle: 1, report: { to: out } });
    await drop('catalogus.xlsx', 5);
    writeFileSync(join(inbox, 'brief.pdf'), '%PDF-1.7 a letter');
    const bad = `${HEADER.join(';')}\n${FIRST + 5};Buffet;Goed;12,5\n${FIRST + 6};Buffet;Slecht;veel\n`;
    writeFileSync(join(inbox, 'fout.csv'), bad);
    // Deleting is not allowed here.
    writeFileSync(join(inbox, 'weg.csv'), `ExternalID;#action\n${FIRST};delete\n`);
    const done = await now('--json').end;
    expect(await times(7)).toEqual([1, 1, 1, 1, 1, 1, 0]);
    expect(namesIn(inbox)).toEqual(['done', 'problems']);
    expect(namesIn(join(inbox, 'done'))).toEqual(DONE);
    const problems = [
      'brief.pdf',
      'brief.why.txt',
      'fout.csv',
      'fout.result.csv',
      'weg.csv',
      'weg.result.csv',
    ];
    expect(namesIn(join(inbox, 'problems'))).toEqual(problems);
    expect(namesIn(out).map((name) => name.replace(/-\d{8}-\d{4}/, ''))).toEqual(
      ['brief', 'catalogus', 'fout', 'weg'].map((name) => `inbox-${name}.html`),
    );
    const schema = JSON.parse(readFileSync('schemas/catersheet-1.schema.json', 'utf8')) as object;
    const ajv = new Ajv2020({ allowUnionTypes: true }).addSchema(schema, 'documents');
    const listed = await begin('--list', '--json').end;
    for (const [name, { stdout }] of [
      ['scheduleEntry', done],
      ['schedule', listed],
    ] as const)
      expect([name, ajv.validate(`documents#/$defs/${name}`, JSON.parse(stdout))]).toEqual([name, true]);
    expect((await service.records('package')).length).toBe(36);
  });

  test('goes on where a scheduler was killed while it sent, and nothing is sent twice', async () => {
    const { service, ledger, gate, inbox, schedule, now, drop, times } = await setUp();
    schedule({ name: 'inbox', inbox, send: true, settle: 1 });
    await drop('catalogus.xlsx', 40);
    const isHalfway = gate.shut(20, { held: 'answers' });
    const first = now();
    await isHalfway;
    first.send('SIGKILL');
    await first.end;
    // What a dead one held is free at once, as if a minute had passed.
    for (const sql of [
      `update catersheet_queue.job set started_on = now() - interval '1 hour' where state = 'active'`,
      `update catersheet.leases set until = now() - interval '1 hour'`,
    ])
      await server.ask(sql, ledger.split('/').at(-1));
    gate.open();
    const next = await now().end;
    expect([next.code, next.stdout]).toEqual([0, expect.stringContaining('40 created')]);
    const runs = JSON.parse((await service.run(['runs', '--json'], { own: true })).stdout) as { runs: [] };
    expect(runs.runs).toHaveLength(1);
    expect(await times(40)).toEqual(ones(40));
    expect(namesIn(join(inbox, 'done'))).toEqual(DONE);
  });
});

test.skipIf(MISSING)(
  'what was due while no scheduler ran is done once at the next start, by one of two',
  async () => {
    const { ledger, out, schedule, begin } = await setUp();
    schedule({ name: 'jaarlijks', cron: '0 3 1 1 *', export: ['packages'], to: out });
    const ask = (sql: string) => server.ask(sql, ledger.split('/').at(-1));
    const seen = `select value from catersheet.facts where name = 'default jaarlijks'`;
    const first = begin();
    // Its tables are made by then.
    await until(async () => (await ask(seen).catch(() => [])).length > 0);
    first.send('SIGTERM');
    expect([(await first.end).code, namesIn(out)]).toEqual([0, []]);
    await ask(
      `update catersheet.facts set value = jsonb_set(value::jsonb, '{looked}', '"2020-01-01T00:00:00.000Z"')::text
     where name = 'default jaarlijks'`,
    );
    const both = [begin(), begin()];
    await until(async () => namesIn(out).length > 0);
    // Whatever the other one makes of it comes within these.
    await sleep(2000);
    for (const one of both) one.send('SIGTERM');
    for (const { end } of both) expect((await end).code).toBe(0);
    expect(namesIn(out)).toHaveLength(1);
  },
);
