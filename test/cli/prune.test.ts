import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../../src/core/errors.ts';
import { pruneRuns } from '../../src/index.ts';
import { openLedger } from '../../src/ledger/sqlite-ledger.ts';
import { makeWorkbook, packageRows } from '../helpers/make-workbook.ts';
import { openTestService, optionsFor, type TestService } from '../helpers/test-service.ts';
import { MORNING, MUTATION_HEADER, recipeIds } from '../kinds/posting/stock-fixtures.ts';

/** Lets all that the ledger holds have been so many days earlier: runs, and when their rows were sent. */
function age({ folder }: TestService, days: number): void {
  const db = new Database(join(folder, 'ledger.db'));
  const ago = `'-${days} days'`;
  db.exec(`update runs set started_at = datetime(started_at, ${ago});
    update states set outcome = json_set(outcome, '$.at', datetime(outcome ->> 'at', ${ago}))
    where outcome ->> 'at' is not null;
    update postings set at = datetime(at, ${ago})`);
  db.close();
}

const json = async (service: TestService, ...args: string[]): Promise<Record<string, unknown>> => {
  const { stdout, stderr } = await service.run([...args, '--json']);
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Record<string, unknown>;
};

/** Packages that were created and then changed, and a mutation, in three runs of more than a year ago. */
async function withOldRuns() {
  const service = await openTestService();
  const [recipe = 0] = await recipeIds(service, 1);
  const stock = await makeWorkbook(join(service.folder, 'voorraad.xlsx'), {
    Voorraadmutaties: [[...MUTATION_HEADER], [recipe, 12, MORNING, -2, 4901, 'Bederf']],
  });
  const first = await makeWorkbook(join(service.folder, 'eerst.xlsx'), { Pakketten: packageRows(6) });
  const rows = packageRows(6);
  for (const row of rows.slice(1, 4)) row[1] = `${row[1]} anders`;
  const second = await makeWorkbook(join(service.folder, 'later.xlsx'), { Pakketten: rows });
  const runs: string[] = [];
  for (const file of [first, second, stock]) {
    const { document } = await service.runJson(['import', file, '--yes', '--on-conflict', 'mine']);
    runs.push(document.run);
  }
  age(service, 400);
  return { service, runs, first, second, stock };
}

describe('runs prune', () => {
  it('removes rows of old runs that no later import asks for, and nothing goes twice after it', async () => {
    const { service, runs, second, stock } = await withOldRuns();
    const [created = '', updated = ''] = runs;
    const would = await json(service, 'runs', 'prune', '--dry-run');
    const rows = [
      { run: updated, removed: 3, kept: 3 },
      { run: created, removed: 3, kept: 3 },
    ];
    expect(would).toMatchObject({ dryRun: true, runs: rows, plans: [], open: [], size: null });
    const { stdout, code } = await service.run(['runs', 'prune', '--yes']);
    expect(code).toBe(EXIT.ok);
    expect(stdout).toMatch(/^Removed: rows: 6, of runs: 2; plans: 0\. Rows that stay: 6\./m);
    const { stdout: list } = await service.run(['runs']);
    expect(list.match(/done, rows removed on /g)).toHaveLength(2);
    const { stdout: one, stderr } = await service.run(['runs', created]);
    expect(one.match(/: created \(/g)).toHaveLength(3);
    expect(stderr).toContain('Of its rows only those are kept');
    // What is known of records and postings is as before.
    const again = await service.runJson(['import', second, '--yes', '--out', 'a.xlsx']);
    expect(again.document.counts).toMatchObject({ read: 6, unchanged: 6 });
    expect(again.document.rows[1]?.message).toMatch(/^done by run /);
    const twice = await service.runJson(['import', stock, '--yes', '--out', 'b.xlsx']);
    expect(twice.document.counts).toMatchObject({ read: 1, unchanged: 1 });
    const { requests } = await service.log();
    expect(requests.filter(({ path }) => path.includes('voorraadmutatie/create'))).toHaveLength(1);
    // What stays is not offered again.
    expect(await json(service, 'runs', 'prune', '--dry-run')).toMatchObject({ runs: [] });
  });

  it('leaves a run that can’t be taken back, and whose result can’t be made again: both say so', async () => {
    const { service, runs } = await withOldRuns();
    await service.run(['runs', 'prune', '--yes', '--quiet']);
    for (const args of [
      ['undo', runs[1] ?? ''],
      ['apply', runs[1] ?? '', '--yes'],
    ]) {
      const { code, stderr } = await service.run(args);
      expect(stderr).toMatch(/^The rows of run \S+ were removed on \d+ \w+ \d{4}: it can’t be taken back/m);
      expect(code).toBe(EXIT.usage);
    }
    const document = await json(service, 'runs', runs[0] ?? '');
    expect(document.prunedAt).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  });

  it('leaves runs that are not so old, and those with a row in doubt, at less than their end or sent lately', async () => {
    const { service, runs } = await withOldRuns();
    const file = await makeWorkbook(join(service.folder, 'meer.xlsx'), { Pakketten: packageRows(3) });
    const late = await service.runJson(['import', file, '--yes', '--out', 'n.xlsx']);
    const ledger = openLedger(join(service.folder, 'ledger.db'));
    const [first = '', second = ''] = runs;
    await ledger.setRunState(first, 'interrupted');
    const found = await ledger.findRun(second);
    if (found?.counts == null) throw new Error('it has no counts');
    await ledger.setRunState(second, 'done', { ...found.counts, unknown: 1 });
    await ledger.close();
    const db = new Database(join(service.folder, 'ledger.db'));
    db.exec(`update runs set started_at = '2020-01-01 00:00:00' where run = '${late.document.run}'`);
    db.exec(
      `update states set outcome = json_set(outcome, '$.at', datetime('now', '-10 days')) where run = '${late.document.run}'`,
    );
    db.close();
    const done = await json(service, 'runs', 'prune', '--yes');
    expect(done).toMatchObject({ open: [first, second], runs: [] });
    const { stdout: text } = await service.run(['runs', 'prune', '--lang', 'nl']);
    expect(text).toContain(`niemand weet wat ervan kwam: ${first}, ${second}`);
  });

  it('asks before it removes anything, and is refused where there is nobody to ask', async () => {
    const { service } = await withOldRuns();
    const { code, stderr } = await service.run(['runs', 'prune']);
    expect(stderr).toContain('there is no terminal to ask on');
    expect(stderr).toContain('catersheet runs prune --yes');
    expect(code).toBe(EXIT.usage);
    expect((await json(service, 'runs', 'prune', '--dry-run')).runs).toHaveLength(2);
  });

  it('does nothing where nothing is old, also where there is no ledger yet', async () => {
    const service = await openTestService();
    const { stdout, code } = await service.run(['runs', 'prune']);
    expect(stdout).toContain('There is nothing to remove.');
    expect(code).toBe(EXIT.ok);
    expect(await json(service, 'runs', 'prune', '--yes')).toMatchObject({ runs: [], size: null });
  });

  it.each([['--yes'], ['--dry-run'], ['--older-than', '90']])(
    'alone takes %s: a look at runs is not that of a colleague who wanted to prune',
    async (...flags) => {
      const service = await openTestService();
      const { code, stderr } = await service.run(['runs', ...flags]);
      expect(stderr).toContain('belong to catersheet runs prune');
      expect(code).toBe(EXIT.usage);
    },
  );

  it('is a function of the library, and gives the room in the file back', async () => {
    const { service, runs } = await withOldRuns();
    const { ledger } = optionsFor(service);
    const db = new Database(ledger);
    // Rows of an old run, as large as a real one's.
    const [{ run } = { run: '' }] = db.prepare('select min(run) as run from runs').all() as { run: string }[];
    db.exec(`with recursive n (i) as (select 1 union all select i + 1 from n where i < 300)
      insert into states select '${run}', 100 + i, json_object('status', 'unchanged', 'at', null, 'x', printf('%.*c', 5000, 'x')), null from n`);
    db.exec(`update chunks set last = 400 where run = '${run}'`);
    db.close();
    expect(await pruneRuns({ ledger, olderThan: 500 })).toMatchObject({
      dryRun: false,
      runs: [],
      size: null,
    });
    expect(await pruneRuns({ ledger, dryRun: true })).toMatchObject({ dryRun: true });
    const done = await pruneRuns({ ledger });
    expect(done.runs.map((one) => one.run)).toEqual([runs[1], runs[0]]);
    expect(done.size?.after).toBeLessThan((done.size?.before ?? 0) / 2);
    await expect(pruneRuns({ olderThan: 29 })).rejects.toMatchObject({ exit: EXIT.usage });
  });
});

it('a plan of which nothing was sent goes by itself after 100 days, and whoever asks for it is told', async () => {
  const service = await openTestService();
  const file = await makeWorkbook(join(service.folder, 'a.xlsx'), { Pakketten: packageRows(2) });
  const dry = await service.runJson(['import', file, '--dry-run']);
  const sent = await service.runJson(['import', file, '--yes']);
  const names = async (): Promise<string[]> => {
    const { runs } = (await json(service, 'runs')) as unknown as { runs: { run: string }[] };
    return runs.map(({ run }) => run);
  };
  age(service, 99);
  await service.run(['import', file, '--dry-run', '--out', 'b.xlsx']);
  expect(await names()).toContain(dry.document.run);
  age(service, 2);
  await service.run(['import', file, '--dry-run', '--out', 'c.xlsx']);
  expect(await names()).not.toContain(dry.document.run);
  expect(await names()).toContain(sent.document.run);
  const { stderr, code } = await service.run(['apply', '20240331-074512-k3vq', '--yes']);
  expect(stderr).toContain('A plan of which nothing was sent is removed after 100 days.');
  expect(code).toBe(EXIT.usage);
});
