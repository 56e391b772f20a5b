import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemTime } from '../../src/core/time.ts';
import { keepCopy, listCopies } from '../../src/ledger/copies.ts';
import { tryLock } from '../../src/ledger/lock.ts';
import { openLedger } from '../../src/ledger/sqlite-ledger.ts';
import { runCli, tempFolder } from '../helpers/run-cli.ts';
import { openTestService } from '../helpers/test-service.ts';
import { many, outcomeOf, RUN, STARTED } from '../ledger/fixtures.ts';

const LATER = '20270429-090000-wxyz';

/** A ledger with a run and postings, and the program in its folder. */
async function open() {
  const home = tempFolder();
  const file = join(home, 'ledger.db');
  const run = (...args: readonly string[]) => runCli(args, { cwd: home, env: { CATERSHEET_HOME: home } });
  const json = async (...args: readonly string[]) => {
    const { code, stdout } = await run(...args, '--json');
    return { code, ...JSON.parse(stdout) };
  };
  const post = async (id: string, ...names: readonly string[]): Promise<void> => {
    const ledger = openLedger(file);
    await ledger.startRun({ ...STARTED, run: id, file: `/${id}.xlsx` });
    await ledger.savePlan(id, many(300));
    await ledger.saveRow(id, 0, { outcome: outcomeOf(0) });
    const posting = { run: id, seq: 0, state: 'sending', at: STARTED.startedAt, id: null } as const;
    for (const fingerprint of names) await ledger.claimPosting('s', 'stock', { ...posting, fingerprint });
    await ledger.close();
  };
  const found = async (): Promise<string[]> => {
    const ledger = openLedger(file);
    const all = await ledger.findPostings('s', 'stock', ['f1', 'f2', 'f3']);
    await ledger.close();
    return [...all.keys()].sort();
  };
  await post(RUN, 'f1');
  return { home, file, run, json, post, found };
}

const HOLDS = { runs: 1, rows: 1, records: 0, postings: 1 };
/** Damages the pages of plans, and leaves those of postings. */
const damagePlans = (all: Buffer): Buffer =>
  all.fill(0xff, all.indexOf('Pakketten'), all.indexOf('Pakketten') + 3);

test('ledger check tells what a ledger holds and which copies there are of it, also where there is none yet', async () => {
  const { file, run, json } = await open();
  keepCopy(file, systemTime.now());
  const found = await json('ledger', 'check');
  expect(found).toMatchObject({ code: 0, ledger: file, whole: true, problem: null, holds: HOLDS });
  expect(found.copies).toMatchObject([{ file: listCopies(file)[0], whole: true, holds: HOLDS }]);
  const none = await run('ledger', 'check', '--ledger', `${file}-other`, '--lang', 'nl');
  expect([none.code, none.stdout]).toEqual([0, expect.stringContaining('Er is nog geen register')]);
  expect(existsSync(`${file}-other`)).toBe(false);
});

test.each<[string, (all: Buffer) => Buffer, string]>([
  ['a text of a table', damagePlans, 'chunks'],
  [
    'rows of a run',
    (all) => all.fill(9, all.indexOf('crc:') - 60, all.indexOf('crc:') - 50),
    `of run ${RUN}`,
  ],
  ['all of it', () => Buffer.alloc(0), 'is empty, but held runs: 1'],
])(
  'a ledger that is damaged is told of, left as it is, and not copied: %s (34)',
  async (_, damage, words) => {
    const { file, run } = await open();
    const before = damage(readFileSync(file));
    writeFileSync(file, before);
    const { code, stderr } = await run('ledger', 'check');
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
    expect((await run('ledger', 'backup')).code).toBe(2);
    expect([readFileSync(file).equals(before), listCopies(file)]).toEqual([true, []]);
  },
);

test('ledger backup copies while another program sends, and over an earlier backup of it alone', async () => {
  const { home, file, run, json } = await open();
  const [out, other] = [join(home, 'b.db'), join(home, 'notes.txt')];
  writeFileSync(other, 'mine');
  const ledger = openLedger(file);
  const lock = tryLock(file);
  const first = await json('ledger', 'backup', 'b.db');
  expect(first).toMatchObject({ code: 0, backup: out, replaced: false, holds: HOLDS });
  expect((await run('ledger', 'backup', out)).stdout).toContain('It replaces an earlier one.');
  lock?.release();
  await ledger.close();
  if (process.platform !== 'win32') expect(statSync(out).mode & 0o777).toBe(0o600);
  for (const taken of [other, file, home]) {
    const { code, stderr } = await run('ledger', 'backup', taken);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('is no backup of a ledger; it is not overwritten'),
    ]);
  }
  expect(readFileSync(other, 'utf8')).toBe('mine');
});

describe('ledger restore', () => {
  test('puts the newest whole copy back once that is said, keeps what was there, and takes from it what was posted since', async () => {
    const { file, run, json, post, found } = await open();
    const copy = keepCopy(file, systemTime.now());
    writeFileSync(copy.replace(/\d{4}-/, '2999-'), 'geen');
    await post(LATER, 'f2', 'f3');
    writeFileSync(file, damagePlans(readFileSync(file)));
    const damaged = readFileSync(file);
    const asked = await run('ledger', 'restore');
    expect([asked.code, asked.stdout]).toEqual([2, expect.stringContaining(copy)]);
    expect(readFileSync(file).equals(damaged)).toBe(true);
    const done = await json('ledger', 'restore', '--yes');
    expect(done).toMatchObject({ code: 0, copy, carried: 2, held: 2, holds: { runs: 1, postings: 3 } });
    expect(done.lost).toMatchObject([{ run: LATER, file: `/${LATER}.xlsx` }]);
    expect(readFileSync(done.kept).equals(damaged)).toBe(true);
    expect([await found(), (await run('ledger', 'check')).code]).toEqual([['f1', 'f2', 'f3'], 0]);
  });

  test('puts a backup back where nothing can be read any more, and says what may go twice', async () => {
    const { file, run, found } = await open();
    await run('ledger', 'backup', 'b.db');
    for (const gone of [() => writeFileSync(file, 'geen'), () => rmSync(file)]) {
      gone();
      expect((await run('ledger', 'check')).code).toBe(2);
      const { code, stdout } = await run('ledger', 'restore', 'b.db');
      expect([code, stdout]).toEqual([0, expect.stringContaining('a posting could go twice')]);
      expect([await found(), (await run('ledger', 'check')).code]).toEqual([['f1'], 0]);
    }
  });

  test('goes on with an older ledger that was put back on purpose, once that is said', async () => {
    const { file, run, post } = await open();
    copyFileSync(file, `${file}.mine`);
    await post(LATER, 'f2');
    copyFileSync(`${file}.mine`, file);
    const way = `catersheet ledger restore ${file} --ledger ${file}`;
    const { code, stderr } = await run('runs');
    expect([code, stderr]).toEqual([2, expect.stringContaining(way)]);
    expect((await run(...way.split(' ').slice(1))).code).toBe(0);
    expect((await run('runs')).code).toBe(0);
  });

  test('refuses a copy that is damaged or no ledger, and while another program sends', async () => {
    const { home, file, run } = await open();
    writeFileSync(join(home, 'no.db'), 'geen'.repeat(999));
    const whole = readFileSync(file);
    expect((await run('ledger', 'restore', 'no.db')).stderr).toContain('not a database');
    expect((await run('ledger', 'restore', 'none.db')).stderr).toContain('There is no ledger in');
    expect((await run('ledger', 'restore', '--yes')).stderr).toContain('There is no whole copy');
    await run('ledger', 'backup', 'b.db');
    const lock = tryLock(file);
    const { code, stderr } = await run('ledger', 'restore', 'b.db');
    lock?.release();
    expect([code, stderr]).toEqual([2, expect.stringContaining('Another program uses the ledger')]);
    expect(readFileSync(file).equals(whole)).toBe(true);
  });
});

test('a run goes on without a copy of its ledger where none can be kept, and says so', async () => {
  const service = await openTestService();
  const text = 'ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs\n1;Soep;1;2,5\n';
  writeFileSync(join(service.folder, 'a.csv'), text);
  const args = ['import', 'a.csv', '--as', 'packages', '--yes'];
  expect((await service.run(args)).code).toBe(0);
  writeFileSync(join(service.folder, 'ledger.db.copies'), '');
  const again = await service.run(args);
  expect([again.code, again.stderr.match(/No copy of the ledger/g)]).toMatchObject([0, { length: 1 }]);
});
