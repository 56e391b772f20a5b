// Reads the same workbooks by our reader and by others, each in its own process, and prints time and peak memory side by side.
//   node test/bench/run.mjs [--runs 3] [--limit 180] [--size 100000x20] [--only ours,inflate]
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeWorkbook } from './make-workbooks.mjs';

const HERE = import.meta.dirname;
const CONTESTANTS = ['inflate', 'ours', 'hucre', 'hucre-stream', 'read-excel-file', 'exceljs-stream'];
const SIZES = ['100000x20', '1000000x10'];
/** A contestant slower than this is not run again: the next run would say the same. */
const SLOW = 20_000;

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    limit: { type: 'string', default: '180' },
    size: { type: 'string', multiple: true, default: SIZES },
    only: { type: 'string', default: CONTESTANTS.join(',') },
  },
});
const contestants = CONTESTANTS.filter((name) => options.only.split(',').includes(name));

if (!existsSync(join(HERE, '../../dist/workbook/read-workbook.js'))) {
  console.error('There is no build to measure. Run npm run build first.');
  process.exit(2);
}
if (!existsSync(join(HERE, 'node_modules'))) {
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: HERE,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
}
console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}`);
for (const size of options.size) await race(size);

async function race(size) {
  const [rows, columns] = size.split('x').map(Number);
  const file = await makeWorkbook(join(tmpdir(), 'catersheet-bench'), rows, columns);
  const results = new Map(contestants.map((name) => [name, []]));
  for (let run = 0; run < Number(options.runs); run++) {
    for (const name of contestants) {
      const before = results.get(name);
      if (before.some(({ failure, ms }) => failure !== undefined || ms > SLOW)) continue;
      process.stderr.write(`\r${size} run ${run + 1}: ${name.padEnd(20)}`);
      before.push(measure(name, file));
    }
  }
  process.stderr.write(`\r${' '.repeat(60)}\r`);
  print(size, results);
}

function measure(name, file) {
  const node = spawnSync(
    process.execPath,
    ['--max-old-space-size=8192', join(HERE, 'measure.mjs'), name, file],
    {
      encoding: 'utf8',
      timeout: Number(options.limit) * 1000,
      killSignal: 'SIGKILL',
    },
  );
  if (node.signal === 'SIGKILL') return { failure: `not done after ${options.limit} s` };
  if (node.status !== 0)
    return { failure: (/^\w*Error.*$/m.exec(node.stderr)?.[0] ?? `ended with ${node.status}`).slice(0, 60) };
  return JSON.parse(node.stdout);
}

function print(size, results) {
  const base = summary(results.get('inflate') ?? []);
  console.log(
    `\n${size.replace('x', ' rows × ')} columns, up to ${options.runs} runs; on a busy machine the best says more`,
  );
  console.log(
    '| reader | median | × inflate | best | × inflate | peak memory | rows | cells | numbers | characters |',
  );
  console.log('|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|');
  for (const [name, runs] of results) {
    const result = summary(runs);
    const failure = runs.find((run) => run.failure)?.failure;
    const columns = result === undefined ? [failure, ...Array(8).fill('')] : figures(result, base ?? {});
    console.log(`| ${[name, ...columns].join(' | ')} |`);
  }
}

function figures(result, base) {
  const { median, best, megabytes, rows = '', cells = '', numbers, characters = '' } = result;
  const times = [seconds(median), ratio(median, base.median), seconds(best), ratio(best, base.best)];
  return [...times, `${Math.round(megabytes)} MB`, rows, cells, numbers?.toFixed(2) ?? '', characters];
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(2)} s`;
}

function ratio(ms, base) {
  return base === undefined ? '' : (ms / base).toFixed(2);
}

/** What was read, with the median and the best time and the highest memory of all runs; undefined when none was good. */
function summary(runs) {
  const good = runs.filter(({ failure }) => failure === undefined).sort((one, other) => one.ms - other.ms);
  if (good.length === 0) return undefined;
  const median = good[Math.floor(good.length / 2)].ms;
  return {
    ...good[0],
    median,
    best: good[0].ms,
    megabytes: Math.max(...good.map(({ megabytes }) => megabytes)),
  };
}
