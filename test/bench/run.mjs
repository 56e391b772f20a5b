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
  const base = medianOf(results.get('inflate') ?? []);
  console.log(`\n${size.replace('x', ' rows × ')} columns, median of up to ${options.runs} runs`);
  console.log('| reader | time | × inflate | peak memory | rows | cells | sum of numbers | characters |');
  console.log('|---|---:|---:|---:|---:|---:|---:|---:|');
  for (const [name, runs] of results) {
    const result = medianOf(runs);
    if (result === undefined)
      console.log(`| ${name} | ${runs.find(({ failure }) => failure)?.failure} | | | | | | |`);
    else console.log(`| ${[name, ...figures(result, base)].join(' | ')} |`);
  }
}

function figures(result, base) {
  const { ms, megabytes, rows = '', cells = '', numbers, characters = '' } = result;
  const ratio = base === undefined ? '' : (ms / base.ms).toFixed(2);
  return [
    `${(ms / 1000).toFixed(2)} s`,
    ratio,
    `${Math.round(megabytes)} MB`,
    rows,
    cells,
    numbers?.toFixed(2) ?? '',
    characters,
  ];
}

/** The run of median time, with the highest memory of all. */
function medianOf(runs) {
  const good = runs.filter(({ failure }) => failure === undefined).sort((one, other) => one.ms - other.ms);
  const middle = good[Math.floor(good.length / 2)];
  return middle && { ...middle, megabytes: Math.max(...good.map(({ megabytes }) => megabytes)) };
}
