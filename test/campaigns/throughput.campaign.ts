import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { mostWithin } from '../helpers/pace/senders.ts';
import { startPostgres } from '../helpers/postgres.ts';
import { endWithTest } from '../helpers/programs.ts';
import { removeFolder } from '../helpers/remove-folder.ts';
import { runCli } from '../helpers/run-cli.ts';

/** ROWS packages, created and (but for KEYED=0) keyed, at a service that answers after LATENCY ms; IN_FLIGHT for each worker, at most RATE requests a second of all. TOLD=1 shows what programs say, WITH=--import=… gives each options of Node, as for a profile. */
const ROWS = Number(process.env.ROWS ?? 8000);
const LATENCY = Number(process.env.LATENCY ?? 40);
const IN_FLIGHT = Number(process.env.IN_FLIGHT ?? 16);
const WORKERS = (process.env.WORKERS ?? '1,4').split(',').map(Number);
const KEYED = process.env.KEYED !== '0';
const { WITH = '', RATE } = process.env;
const PACED = RATE === undefined ? [] : ['--rate', RATE];

/** Longer than workers need to find out that there is nothing to do, ms. */
const IDLE = 3_000;
/** The clock of /proc, ticks a second. */
const TICKS = 100;

const BENCH = fileURLToPath(new URL('../bench/', import.meta.url));

it('several workers send one run side by side', async () => {
  // As safe as a company's: each commit reaches the disk.
  const postgres = await startPostgres(['fsync=on', 'full_page_writes=on']);
  onTestFinished(() => postgres.stop());
  const [{ pid } = { pid: '' }] = (await postgres.ask(
    `select split_part(pg_read_file('postmaster.pid'), chr(10), 1) as pid`,
  )) as { pid: string }[];
  const rates: number[] = [];
  for (const workers of WORKERS) {
    const before = await cpuOf(pid);
    const ledger = await postgres.database();
    const sizeOf = async (): Promise<number> => {
      const [row] = await postgres.ask(
        'select pg_database_size(current_database()) as bytes',
        new URL(ledger).pathname.slice(1),
      );
      return Number(row?.bytes);
    };
    const empty = await sizeOf();
    const { writes, ms, counts, times, memory, inService, inWorkers } = await sent(ledger, workers);
    const perSecond = (1000 * writes) / ms;
    const most = (workers * IN_FLIGHT * 1000) / LATENCY;
    rates.push(perSecond);
    const inDatabase = (await cpuOf(pid)) - before;
    const [worker, database, service] = [inWorkers, inDatabase, inService].map((cpu) =>
      (cpu / writes).toFixed(2),
    );
    console.log(
      `${workers} × ${IN_FLIGHT} in flight, ${LATENCY} ms: ${writes} writes in ${(ms / 1000).toFixed(1)} s, ${perSecond.toFixed(0)}/s (${((100 * perSecond) / most).toFixed(0)} % of what they allow, ${(perSecond / (rates[0] ?? 1)).toFixed(2)} ×); CPU of a write: workers ${worker} ms, database ${database} ms, service ${service} ms`,
    );
    // Without the start, when workers join and their code is not warm yet, and the end.
    const ordered = times.toSorted((a, b) => a - b);
    const tenth = (share: number): number => ordered[Math.floor((ordered.length - 1) * share)] ?? 0;
    const middle = (0.8 * 1000 * ordered.length) / (tenth(0.9) - tenth(0.1));
    console.log(`between the first and the last tenth ${middle.toFixed(0)} requests/s`);
    const [planner, ...senders] = memory;
    console.log(
      `ledger ${(((await sizeOf()) - empty) / ROWS).toFixed(0)} bytes a row; memory: planned in ${planner} MB, sent in ${senders.join(', ')} MB`,
    );
    if (RATE !== undefined) {
      const most =
        mostWithin(
          1000,
          times.map((at) => ({ at })),
        ) / Number(RATE);
      console.log(`${(100 * most).toFixed(1)} % of the rate in the fullest second`);
      expect(most).toBeLessThanOrEqual(1.05);
    }
    expect(counts).toMatchObject({ created: ROWS, unknown: 0, failed: 0 });
  }
});

/** What a process and its ended children took of the processors, ms. */
async function cpuOf(pid: string): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * 1000) / TICKS;
}

/** A service in a process of its own, which costs little. */
async function startService() {
  const child = spawn(process.execPath, [join(BENCH, 'lean-service.mjs'), String(LATENCY)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endWithTest(child);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { url, token } = JSON.parse(String(line)) as { url: string; token: string };
  return { url, token, pid: String(child.pid) };
}

/** A run that workers send to a service of its own; from the first write until the last one is answered. */
async function sent(ledger: string, count: number) {
  const { url, token, pid } = await startService();
  const folder = await mkdtemp(join(tmpdir(), 'catersheet-throughput-'));
  onTestFinished(() => removeFolder(folder));
  const env = {
    ...{ CATERSHEET_BASE_URL: url, CATERSHEET_TOKEN: token, CATERSHEET_HOME: join(folder, 'home') },
    NODE_OPTIONS: `--import=${join(BENCH, 'tell-cpu.mjs')} ${WITH}`,
  };
  const run = (args: readonly string[], onStart?: (kill: (signal: NodeJS.Signals) => void) => void) =>
    runCli([...args, '--ledger', ledger, '--concurrency', String(count * IN_FLIGHT), ...PACED], {
      ...{ cwd: folder, env, own: true },
      ...(onStart && { onStart }),
    });
  const { makeFilled } = (await import(join(BENCH, 'make-filled.mjs'))) as {
    makeFilled(folder: string, rows: number, keyed: boolean): Promise<string>;
  };
  const file = await makeFilled(join(tmpdir(), 'catersheet-bench'), ROWS, KEYED);
  const ends: ((signal: NodeJS.Signals) => void)[] = [];
  const workers = Array.from({ length: count }, () => run(['worker'], (kill) => ends.push(kill)));
  await sleep(IDLE);
  const done = await run(['import', file, '--queue', '--yes', '--json']);
  for (const end of ends) end('SIGTERM');
  const told = await Promise.all(workers);
  if (process.env.TOLD) for (const { stderr } of [done, ...told]) console.log(stderr);
  if (!done.stdout.startsWith('{')) throw new Error(done.stderr + told.map(({ stderr }) => stderr).join(''));
  const tally = (await (await fetch(`${url}/tally`)).json()) as Record<'writes' | 'first' | 'last', number>;
  const { counts } = JSON.parse(done.stdout) as { counts: Readonly<Record<string, number>> };
  const costs = [done, ...told].map(({ stderr }) => {
    const [, cpu, memory] = /^cpu (\d+) ms, memory (\d+) MB$/m.exec(stderr) ?? [];
    return { cpu: Number(cpu), memory: Number(memory) };
  });
  const times = (await (await fetch(`${url}/times`)).json()) as number[];
  return {
    ...{ counts, writes: tally.writes, ms: tally.last - tally.first, times },
    inWorkers: costs.slice(1).reduce((sum, { cpu }) => sum + cpu, 0),
    memory: costs.map(({ memory }) => memory),
    inService: await cpuOf(pid),
  };
}
