import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'libsql';
import { describe, expect, it, vi } from 'vitest';
import { ledgerCommand } from '../../src/cli/commands/ledger.ts';
import { StopError } from '../../src/core/errors.ts';
import { systemTime } from '../../src/core/time.ts';
import { importWorkbook, type Progress, resources } from '../../src/index.ts';
import { keepCopy, listCopies } from '../../src/ledger/copies.ts';
import { tryLock } from '../../src/ledger/lock.ts';
import { openLedger } from '../../src/ledger/sqlite-ledger.ts';
import { type CliResult, runCli, tempFolder } from '../helpers/run-cli.ts';
import { openTestService, optionsFor } from '../helpers/test-service.ts';
import { many, outcomeOf, RUN, STARTED } from '../ledger/fixtures.ts';

type Done = Pick<CliResult, 'code' | 'stdout' | 'stderr'>;

/** The command in this process, as starting one takes most of the time; its flags stand last. */
async function inProcess(home: string, args: readonly string[]): Promise<Done> {
  const said = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      said[name] += String(text);
      return true;
    }),
  );
  const wordBehind = (flag: string): string | undefined =>
    args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined;
  const [action, file] = args.filter(
    (word, at) => !word.startsWith('--') && !/^--(?!yes|json)/.test(args[at - 1] ?? ''),
  );
  try {
    const code = await ledgerCommand({
      action: action as string,
      file: file === undefined ? undefined : resolve(home, file),
      to: undefined,
      ledger: wordBehind('--ledger') ?? join(home, 'ledger.db'),
      lang: (wordBehind('--lang') ?? 'en') as 'en' | 'nl',
      ...{ json: args.includes('--json') ? 'rows' : undefined, yes: args.includes('--yes') },
      ...{ quiet: false, color: false, profile: undefined },
    });
    return { code, ...said };
  } catch (error) {
    if (!(error instanceof StopError)) throw error;
    return { code: error.exit, ...said, stderr: `${said.stderr}${error.message}\n${error.next}` };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** A ledger with a run and postings, and the program in its folder. */
async function open() {
  const home = tempFolder();
  const file = join(home, 'ledger.db');
  const run = (...args: readonly string[]): Promise<Done> =>
    args[0] === 'ledger'
      ? inProcess(home, args.slice(1))
      : runCli(args, { cwd: home, env: { CATERSHEET_HOME: home } });
  const json = async (...args: readonly string[]) => {
    const { code, stdout } = await run(...args, '--json');
    return { code, ...JSON.parse(stdout) };
  };
  const post = async (id: string, ...names: readonly string[]): Promise<void> => {
    const ledger = openLedger(file);
    await ledger.startRun({ ...STARTED, run: id, file: `/${id}.xlsx` });
    await ledger.savePlan(id, many(300));
    await ledger.saveOutcomes(
      id,
      many(300).map(({ seq }) => outcomeOf(seq)),
    );
    for (const [seq, fingerprint] of names.entries())
      await ledger.claimPosting('s', 'stock', {
        ...{ fingerprint, run: id, seq, state: 'sending' as const, at: '2027-04-28 11:31:00', id: null },
      });
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

/** Damages the pages of plans, and leaves those of postings. */
function damagePlans(file: string): void {
  const all = readFileSync(file);
  writeFileSync(file, all.fill(0xff, all.indexOf('Pakketten'), all.indexOf('Pakketten') + 3));
}

describe('ledger check', () => {
  it('tells what a ledger holds and which copies there are of it, also where there is none yet', async () => {
    const { file, run, json } = await open();
    keepCopy(file, systemTime.now());
    const holds = { runs: 1, rows: 300, records: 0, postings: 1 };
    const [copy] = listCopies(file);
    const found = await json('ledger', 'check');
    expect(found).toMatchObject({ code: 0, ledger: file, whole: true, problem: null, holds });
    expect(found.copies).toEqual([{ file: copy, at: expect.any(String), whole: true, holds, problem: null }]);
    const none = await run('ledger', 'check', '--ledger', `${file}-other`, '--lang', 'nl');
    expect([none.code, none.stdout]).toEqual([0, expect.stringContaining('Er is nog geen register')]);
    expect(existsSync(`${file}-other`)).toBe(false);
  });

  it.each<[string, (all: Buffer) => Buffer, string]>([
    [
      'a text of a table',
      (all) => all.fill(0xff, all.indexOf('Pakketten'), all.indexOf('Pakketten') + 3),
      'chunks',
    ],
    [
      'rows of a run',
      (all) => all.fill(9, all.indexOf('crc:') - 60, all.indexOf('crc:') - 50),
      `of run ${RUN}`,
    ],
    ['the file’s length', (all) => all.subarray(0, 9000), 'is damaged'],
    ['all of it', () => Buffer.alloc(0), 'is empty, but held 1 run'],
  ])('tells that a ledger is damaged: %s', async (_, damage, words) => {
    const { file, run } = await open();
    const before = damage(readFileSync(file));
    writeFileSync(file, before);
    const { code, stderr } = await run('ledger', 'check');
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

describe('ledger backup', () => {
  it('copies the ledger while another program sends, and over an earlier backup of it alone', async () => {
    const { home, file, run, json } = await open();
    const [out, other] = [join(home, 'b.db'), join(home, 'notes.txt')];
    writeFileSync(other, 'mine');
    const ledger = openLedger(file);
    const lock = tryLock(file);
    const first = await json('ledger', 'backup', 'b.db');
    expect(first).toMatchObject({ code: 0, backup: out, replaced: false, holds: { runs: 1, postings: 1 } });
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
    expect((await run('ledger', 'backup', 'notes.txt/b.db')).code).toBe(2);
  });

  it('copies nothing of a ledger that is damaged', async () => {
    const { file, run } = await open();
    damagePlans(file);
    expect((await run('ledger', 'backup')).code).toBe(2);
    expect(listCopies(file)).toEqual([]);
  });
});

describe('ledger restore', () => {
  it('puts the newest whole copy back, keeps what was there, and takes what was posted since from it', async () => {
    const { file, run, json, post, found } = await open();
    const copy = keepCopy(file, systemTime.now());
    writeFileSync(copy.replace(/\d{4}-/, '2999-'), 'geen');
    await post('20270429-090000-wxyz', 'f2', 'f3');
    damagePlans(file);
    const damaged = readFileSync(file);
    const asked = await run('ledger', 'restore');
    expect([asked.code, asked.stdout]).toEqual([2, expect.stringContaining(copy)]);
    expect(asked.stderr).toContain('no terminal to ask on');
    expect(readFileSync(file).equals(damaged)).toBe(true);
    const done = await json('ledger', 'restore', '--yes');
    expect(done).toMatchObject({ code: 0, copy, carried: 2, held: 2, holds: { runs: 1, postings: 3 } });
    expect(done.lost).toEqual([
      { run: '20270429-090000-wxyz', file: '/20270429-090000-wxyz.xlsx', startedAt: STARTED.startedAt },
    ]);
    expect(readFileSync(done.kept).equals(damaged)).toBe(true);
    expect(await found()).toEqual(['f1', 'f2', 'f3']);
    expect((await run('ledger', 'check')).code).toBe(0);
    expect((await run('runs')).stdout).toContain(RUN);
  });

  it('puts a backup of the user’s own back where nothing can be read any more, and says what may go twice', async () => {
    const { home, file, run, post, found } = await open();
    await run('ledger', 'backup', 'b.db');
    await post('20270429-090000-wxyz', 'f2');
    for (const gone of [
      () => writeFileSync(file, 'geen'),
      () => rmSync(file),
      () => writeFileSync(file, ''),
    ]) {
      gone();
      expect((await run('ledger', 'check')).code).toBe(2);
      const { code, stdout } = await run('ledger', 'restore', join(home, 'b.db'));
      expect([code, stdout]).toEqual([0, expect.stringContaining('a posting could go twice')]);
      expect(await found()).toEqual(['f1']);
      expect((await run('ledger', 'check')).code).toBe(0);
    }
  });

  it('goes on with a ledger that the user put back on purpose, once that is said', async () => {
    const { file, run, post } = await open();
    copyFileSync(file, `${file}.mine`);
    await post('20270429-090000-wxyz', 'f2');
    copyFileSync(`${file}.mine`, file);
    const { code, stderr } = await run('runs');
    const way = `catersheet ledger restore ${file} --ledger ${file}`;
    expect([code, stderr]).toEqual([2, expect.stringContaining(way)]);
    expect((await run(...way.split(' ').slice(1))).code).toBe(0);
    expect((await run('runs')).code).toBe(0);
  });

  it('refuses a copy that is damaged or no ledger, and while another program sends', async () => {
    const { home, file, run } = await open();
    writeFileSync(join(home, 'no.db'), 'geen'.repeat(999));
    const whole = readFileSync(file);
    expect((await run('ledger', 'restore', 'no.db')).stderr).toMatch(
      /not a database\)\.\nName a backup of your own: [^\n]*\n$/,
    );
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

const packages = resources.find(({ name }) => name === 'packages') as (typeof resources)[number];

describe('a run that sends', () => {
  const CSV = 'ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs\n';
  const rows = (count: number) =>
    CSV + Array.from({ length: count }, (_, at) => `${at + 1};Soep ${at};1;2,5\n`).join('');

  it('stops with exit code 2 where its ledger is damaged meanwhile, and the next one sends nothing', async () => {
    const service = await openTestService({ faults: { latencyMs: 20 } });
    const csv = join(service.folder, 'soep.csv');
    const ledger = join(service.folder, 'ledger.db');
    writeFileSync(csv, rows(60));
    await openLedger(ledger).close();
    const other = new Database(ledger);
    let struck = 0;
    const spoil = ({ done, stage }: Progress): void => {
      if (stage !== 'sending' || done < 5 || struck++ > 0) return;
      // It reads the file again once another has written to it.
      other.exec("insert into facts values ('', 'other', '')");
      for (const end of ['', '-wal']) {
        const size = statSync(ledger + end, { throwIfNoEntry: false })?.size ?? 0;
        writeFileSync(ledger + end, Buffer.alloc(size, 7));
      }
    };
    const more = { as: packages, out: join(service.folder, 'r.csv'), onProgress: spoil };
    const end = await importWorkbook(csv, { ...optionsFor(service), ...more }).catch((error) => error);
    expect(struck).toBeGreaterThan(0);
    expect(end).toMatchObject({
      exit: 2,
      next: expect.stringContaining('Nothing more is sent; the log'),
    });
    expect((await service.log()).requests.length).toBeLessThan(100);
    await service.clearLog();
    const { code } = await service.run(['import', csv, '--as', 'packages', '--yes']);
    expect(code).toBe(2);
    expect((await service.log()).requests).toEqual([]);
  });

  it('goes on without a copy of its ledger where none can be kept, and says so', async () => {
    const service = await openTestService();
    writeFileSync(join(service.folder, 'soep.csv'), rows(1));
    const args = ['import', 'soep.csv', '--as', 'packages', '--yes'];
    expect((await service.run(args)).code).toBe(0);
    writeFileSync(join(service.folder, 'ledger.db.copies'), '');
    const { code, stderr } = await service.run(args);
    expect(code).toBe(0);
    expect(stderr.match(/No copy of the ledger/g)).toHaveLength(1);
  });
});
