import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'libsql';
import { expect, it, onTestFinished } from 'vitest';
import { noCounts } from '../../src/core/counts.ts';
import { endProgram, endWithTest } from '../helpers/programs.ts';
import { removeFolder } from '../helpers/remove-folder.ts';
import { runCli } from '../helpers/run-cli.ts';

/** A ledger of RUNS runs of ROWS rows on RECORDS records, a run a day; the next import TRIES times, beside that of an empty one. */
const RUNS = Number(process.env.RUNS ?? 1000);
const ROWS = Number(process.env.ROWS ?? 10_000);
const RECORDS = Number(process.env.RECORDS ?? 100_000);
const TRIES = Number(process.env.TRIES ?? 3);

const BENCH = fileURLToPath(new URL('../bench/', import.meta.url));

it('the next import with a ledger of many runs takes as long as the first', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'catersheet-growth-'));
  onTestFinished(() => removeFolder(folder));
  const inHome = async (home: string, args: readonly string[], at?: Service) => {
    const began = performance.now();
    const done = await runCli(args, {
      ...{ own: true, cwd: folder },
      env: {
        ...(at && { CATERSHEET_BASE_URL: at.url, CATERSHEET_TOKEN: at.token }),
        CATERSHEET_HOME: join(folder, home),
        NODE_OPTIONS: `--import=${join(BENCH, 'tell-cpu.mjs')}`,
      },
    });
    const [, cpu, memory] = /^cpu (\d+) ms, memory (\d+) MB$/m.exec(done.stderr) ?? [];
    return { ...done, ms: performance.now() - began, cpu: Number(cpu), memory: Number(memory) };
  };
  let sent = 0;
  /** Other packages each time, at a service that has none yet. */
  const send = async (home: string) => {
    const file = join(folder, 'pakketten.csv');
    writeFileSync(file, csvFrom(700_000_000 + ROWS * sent));
    const service = await startService(sent === 0 ? 5000 : 100_000_000 + ROWS * sent);
    sent += 1;
    const args = ['import', file, '--as', 'packages', '--yes', '--json', '--out', 'r.csv'];
    const done = await inHome(home, args, service);
    await service.stop();
    const { counts } = JSON.parse(done.stdout) as { counts: Record<string, number> };
    expect(counts).toEqual({ ...noCounts(), read: ROWS, created: ROWS });
    return done;
  };
  const tell = (what: string, { ms, cpu, memory }: Awaited<ReturnType<typeof inHome>>): void =>
    console.log(
      `${what}: ${(ms / 1000).toFixed(1)} s, ${(cpu / 1000).toFixed(1)} s of the processors, ${memory} MB`,
    );
  mkdirSync(join(folder, 'large'));
  await send('large');
  const ledger = join(folder, 'large', 'ledger.db');
  const one = statSync(ledger).size;
  multiply(ledger);
  const all = statSync(ledger).size;
  console.log(
    `${RUNS} runs of ${ROWS} rows: ${(all / 1e6).toFixed(0)} MB, ${(all / RUNS / ROWS).toFixed(0)} bytes a row; one run: ${(one / ROWS).toFixed(0)}`,
  );
  // The first one of the day keeps a copy.
  tell('the first import of the day', await send('large'));
  const ratios: number[] = [];
  for (let turn = 0; turn < TRIES; turn++) {
    rmSync(join(folder, 'small'), { recursive: true, force: true });
    const small = await send('small');
    tell('with an empty ledger', small);
    const large = await send('large');
    tell('with the large one', large);
    ratios.push(large.cpu / small.cpu);
  }
  ratios.sort((a, b) => a - b);
  console.log(`of the processors ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')} times as much`);
  tell('runs', await inHome('large', ['runs']));
  const pruned = await inHome('large', ['runs', 'prune', '--yes']);
  console.log(pruned.stdout);
  tell('runs prune', pruned);
  expect(pruned.code).toBe(0);
  console.log(`after it ${(statSync(ledger).size / 1e6).toFixed(0)} MB`);
  tell('an import after it', await send('large'));
});

type Service = Awaited<ReturnType<typeof startService>>;

/** A service in a process of its own, which costs little. */
async function startService(firstId: number) {
  const words = [join(BENCH, 'lean-service.mjs'), '0', String(firstId)];
  const child = endWithTest(spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] }));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const at = JSON.parse(String(line)) as { url: string; token: string };
  return { ...at, stop: () => endProgram(child) };
}

/** Packages from an ExternalID on. */
function csvFrom(first: number): string {
  const rows = Array.from({ length: ROWS }, (_, at) =>
    [
      first + at,
      1,
      `Lunchpakket ${at}`,
      (at % 9000) + 5,
      `Uitgebreide lunch nummer ${at}`,
      10 + (at % 3),
    ].join(';'),
  );
  const header =
    'ExternalID;ProductTypeID;OmschrijvingIntern;Verkoopprijs;OmschrijvingExtern;ProductCategorieID';
  return `${[header, ...rows].join('\n')}\n`;
}

/** Copies the one run of a ledger, a day earlier each, on other records in turn. */
function multiply(ledger: string): void {
  const db = new Database(ledger);
  db.exec('pragma synchronous = off');
  const [{ run } = { run: '' }] = db.prepare('select run from runs').all() as { run: string }[];
  const sets = Math.max(1, Math.floor(RECORDS / ROWS));
  for (let copy = 1; copy < RUNS; copy++) {
    const name = `${run.slice(0, -4)}${copy.toString(36).padStart(4, '0')}`;
    const ago = `'-${copy} days'`;
    const other = 1_000_000 * (copy % sets);
    db.exec('begin');
    db.exec(`insert into runs (run, service, file, started_at, state, plan_version, counts, details)
      select '${name}', service, file, datetime(started_at, ${ago}), state, plan_version, counts, details
      from runs where run = '${run}'`);
    db.exec(`insert into chunks (run, first, last, sheet, rows, keys)
      select '${name}', first, last, sheet, rows, keys from chunks where run = '${run}'`);
    db.exec(`insert into states (run, seq, outcome, progress)
      select '${name}', seq, json_set(outcome, '$.at', datetime(outcome ->> 'at', ${ago})), progress
      from states where run = '${run}'`);
    if (copy < sets) {
      db.exec(`insert into keys (service, resource, external, id, label)
        select service, resource, external + ${other}, id + ${other}, label from keys where id < 1000000`);
      db.exec(`insert into postings (service, resource, fingerprint, run, seq, state, at, id, alias_of)
        select service, resource, 'external:' || (substr(fingerprint, 10) + ${other}), '${name}', seq, state, at, id + ${other}, alias_of
        from postings where run = '${run}'`);
      db.exec(`insert into writes (service, resource, key, run, seq, at)
        select service, resource, 'id:' || (substr(key, 4) + ${other}), '${name}', seq, null from writes where run = '${run}'`);
    }
    db.exec('commit');
  }
  db.prepare('pragma wal_checkpoint(truncate)').all();
  db.close();
}
