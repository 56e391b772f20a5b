import Database from 'libsql';
import { expect, test } from 'vitest';
import { EXIT } from '../../src/core/errors.ts';
import { listRuns, pruneRuns } from '../../src/index.ts';
import { openLedger } from '../../src/ledger/sqlite-ledger.ts';
import { runCli } from '../helpers/run-cli.ts';
import { MUTATION_HEADER } from '../kinds/stock/stock-fixtures.ts';
import { newPackages, openWorld } from '../promises/world.ts';

/** A service that is never asked anything. */
const NOWHERE = { env: { CATERSHEET_BASE_URL: 'http://127.0.0.1:9', CATERSHEET_TOKEN: 't' } };

/** Lets all that a ledger holds have been so many days earlier: runs, and when their rows were sent. */
function age(ledger: string, days: number, now = 'now'): void {
  const db = new Database(ledger);
  const ago = `'${now}', '-${days} days'`;
  db.exec(`update runs set started_at = datetime(${ago});
    update states set outcome = json_set(outcome, '$.at', datetime(${ago})) where outcome ->> 'at' is not null;
    update postings set at = datetime(${ago})`);
  db.close();
}

/** Three packages that were created, then two of them changed, and a mutation, all of more than a year ago. */
async function withOldRuns() {
  const world = openWorld();
  const { service, sheet, machine, importWorkbook } = world;
  const options = machine();
  const rows = newPackages(3);
  const changed = rows.map((row, at) => (at === 1 || at === 2 ? [row[0] ?? 0, `Diner ${at}`, 1, '10'] : row));
  const stock = [
    [...MUTATION_HEADER],
    [service.add.product(), 12, '2026-03-31 07:45:00', -2, 4901, 'Bederf'],
  ];
  const files = [rows, changed, stock].map(sheet);
  const runs: string[] = [];
  for (const [at, file] of files.entries())
    runs.push(
      (await importWorkbook(file, { ...options, ...(at === 2 ? { as: 'stock-mutations' } : {}) })).run,
    );
  age(options.ledger, 400);
  const { ledger } = options;
  return { ...world, options, ledger, files, runs };
}

test('runs prune removes, once that is said, rows of old runs that no later import asks for, and nothing goes twice after it', async () => {
  const { service, options, ledger, files, runs, importWorkbook } = await withOldRuns();
  const asked = await runCli(['runs', 'prune', '--ledger', ledger]);
  expect([asked.code, asked.stderr]).toEqual([EXIT.usage, expect.stringContaining('Add --yes to do it')]);
  const flag = await runCli(['runs', '--older-than', '90', '--ledger', ledger]);
  expect([flag.code, flag.stderr]).toEqual([
    EXIT.usage,
    expect.stringContaining('belong to catersheet runs'),
  ]);
  const would = await pruneRuns({ ledger, dryRun: true });
  expect(would).toMatchObject({ dryRun: true, plans: [], open: [] });
  expect(would.runs.map(({ run, removed, kept }) => [run, removed, kept]).sort()).toEqual(
    [
      [runs[0], 2, 1],
      [runs[1], 1, 2],
    ].sort(),
  );
  expect((await pruneRuns({ ledger })).runs).toHaveLength(2);
  expect((await listRuns({ ledger })).find(({ run }) => run === runs[0])).toHaveProperty('prunedAt');
  const { length } = service.journal.writes;
  const again = await importWorkbook(files[1] ?? '', options);
  const twice = await importWorkbook(files[2] ?? '', { ...options, as: 'stock-mutations' });
  expect([again.counts.unchanged, twice.counts.unchanged, service.journal.writes.length]).toEqual([
    3,
    1,
    length,
  ]);
  expect((await pruneRuns({ ledger, dryRun: true })).runs).toEqual([]);
  for (const command of ['undo', 'apply']) {
    const { code, stderr } = await runCli(
      [command, runs[1] ?? '', '--ledger', ledger, '--lang', 'en'],
      NOWHERE,
    );
    expect([code, stderr]).toEqual([
      EXIT.usage,
      expect.stringMatching(/^The rows of run \S+ were removed on /m),
    ]);
  }
});

test('runs prune leaves runs that are young or less than ended, and those with a row in doubt', async () => {
  const { ledger, options, sheet, runs, importWorkbook } = await withOldRuns();
  await importWorkbook(sheet(newPackages(2, 800_001)), options);
  const opened = openLedger(ledger);
  const [first = '', second = ''] = runs;
  await opened.updateRun(first, { state: 'interrupted' });
  const found = await opened.findRun(second);
  await opened.updateRun(second, {
    state: 'done',
    counts: { ...(found?.counts ?? expect.fail('no counts')), unknown: 1 },
  });
  await opened.close();
  expect(await pruneRuns({ ledger })).toMatchObject({ open: [first, second], runs: [] });
  await expect(pruneRuns({ ledger, olderThan: 29 })).rejects.toMatchObject({ exit: EXIT.usage });
});

test('a plan of which nothing was sent goes by itself after 100 days, and whoever asks for it is told', async () => {
  const { sheet, machine, importWorkbook } = openWorld();
  const [options, file] = [machine(), sheet(newPackages(2))];
  const { ledger } = options;
  const dry = await importWorkbook(file, { ...options, dryRun: true });
  const sent = await importWorkbook(file, options);
  const names = async () => (await listRuns({ ledger })).map(({ run }) => run);
  age(ledger, 99, '2027-03-01 08:00:00');
  await importWorkbook(file, { ...options, dryRun: true });
  expect(await names()).toContain(dry.run);
  age(ledger, 101, '2027-03-01 08:00:00');
  await importWorkbook(file, { ...options, dryRun: true });
  expect(await names()).not.toContain(dry.run);
  expect(await names()).toContain(sent.run);
  const { code, stderr } = await runCli(
    ['apply', '20240331-074512-k3vq', '--yes', '--ledger', ledger],
    NOWHERE,
  );
  expect([code, stderr]).toEqual([2, expect.stringContaining('removed after 100 days')]);
});
