// What a plan costs in the ledger: room in the file, and processor time to save it, to read it all, to find records in it
// and to read pages from it; each run in a process of its own.
//   node test/bench/ledger.mjs [--runs 5] [--rows 100000] [--beside ANOTHER/dist]
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const HERE = import.meta.dirname;
const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    rows: { type: 'string', default: '100000' },
    beside: { type: 'string', multiple: true, default: [] },
  },
});
const builds = [join(HERE, '../../dist'), ...options.beside];
const SHAPES = ['create', 'update', 'unchanged', 'mixed', 'stock'];

console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}`);
console.log(
  '| plan | build | bytes a row | save, CPU | save | read all, CPU | read all | 200 records, CPU | 200 pages of 10, CPU |',
);
console.log('|---|---|---:|---:|---:|---:|---:|---:|---:|');
for (const shape of SHAPES) {
  const results = new Map(builds.map((build) => [build, []]));
  // In turns, so that a slower moment of the machine meets all of them.
  for (let run = 0; run < Number(options.runs); run++)
    for (const build of builds) results.get(build).push(measure(build, shape));
  for (const [build, runs] of results) {
    const middle = (name) => median(runs.map((one) => one[name]));
    const times = ['saveCpu', 'saveMs', 'readCpu', 'readMs', 'findCpu', 'pagesCpu'].map(
      (name) => `${Math.round(middle(name))} ms`,
    );
    console.log(`| ${shape} | ${build} | ${middle('bytes').toFixed(1)} | ${times.join(' | ')} |`);
  }
}

function measure(build, shape) {
  const script = join(HERE, 'measure-ledger.mjs');
  const node = spawnSync(process.execPath, [script, build, shape, options.rows], { encoding: 'utf8' });
  if (node.status !== 0) throw new Error(node.stderr);
  return JSON.parse(node.stdout);
}

function median(values) {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)];
}
