// Plans filled-in templates of packages against an empty service, beside reading them alone; each in a process of its own.
//   node test/bench/plan.mjs [--runs 3] [--rows 100000] [--rows 1000000]
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeFilled } from './make-filled.mjs';

const HERE = import.meta.dirname;
const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '3' },
    rows: { type: 'string', multiple: true, default: ['100000', '1000000'] },
  },
});

console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}`);
const service = spawn(process.execPath, [join(HERE, 'empty-service.mjs')], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [line] = await once(service.stdout, 'data');
const { url, token } = JSON.parse(String(line));
console.log('| rows | what | median | × reading | peak memory |');
console.log('|---:|---|---:|---:|---:|');
try {
  for (const rows of options.rows.map(Number)) {
    const file = await makeFilled(join(tmpdir(), 'catersheet-bench'), rows);
    const results = { read: [], plan: [] };
    for (let run = 0; run < Number(options.runs); run++)
      for (const what of Object.keys(results)) results[what].push(measure(what, file));
    const reading = median(results.read).ms;
    for (const [what, runs] of Object.entries(results)) {
      const { ms, megabytes } = median(runs);
      console.log(
        `| ${rows} | ${what} | ${(ms / 1000).toFixed(2)} s | ${(ms / reading).toFixed(2)} | ${Math.round(megabytes)} MB |`,
      );
    }
  }
} finally {
  service.kill();
}

function measure(what, file) {
  const env = { ...process.env, CATERSHEET_BASE_URL: url, CATERSHEET_TOKEN: token };
  const node = spawnSync(process.execPath, [join(HERE, 'measure-plan.mjs'), what, file], {
    encoding: 'utf8',
    env,
  });
  if (node.status !== 0) throw new Error(node.stderr);
  return JSON.parse(node.stdout);
}

function median(runs) {
  const sorted = [...runs].sort((one, other) => one.ms - other.ms);
  return {
    ms: sorted[Math.floor(sorted.length / 2)].ms,
    megabytes: Math.max(...runs.map(({ megabytes }) => megabytes)),
  };
}
