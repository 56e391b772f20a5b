// Exports many packages to a workbook, beside fetching their pages and discarding them, and beside writing the same rows from memory; each in a process of its own.
//   node test/bench/export.mjs [--runs 3] [--records 100000]
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const HERE = import.meta.dirname;
const { values: options } = parseArgs({
  options: { runs: { type: 'string', default: '3' }, records: { type: 'string', default: '100000' } },
});

console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}`);
const service = spawn(process.execPath, [join(HERE, 'full-service.mjs'), options.records], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [line] = await once(service.stdout, 'data');
const { url, token } = JSON.parse(String(line));
console.log('| records | what | median | × the longer of the others | peak memory | file |');
console.log('|---:|---|---:|---:|---:|---:|');
try {
  const results = { fetch: [], memory: [], export: [] };
  for (let run = 0; run < Number(options.runs); run++)
    for (const what of Object.keys(results)) results[what].push(measure(what));
  const longer = Math.max(median(results.fetch).ms, median(results.memory).ms);
  for (const [what, runs] of Object.entries(results)) {
    const { records, ms, megabytes, bytes } = median(runs);
    console.log(
      `| ${records} | ${what} | ${(ms / 1000).toFixed(2)} s | ${(ms / longer).toFixed(2)} | ${Math.round(megabytes)} MB | ${(bytes / 2 ** 20).toFixed(1)} MB |`,
    );
  }
} finally {
  service.kill();
}

function measure(what) {
  const env = { ...process.env, CATERSHEET_BASE_URL: url, CATERSHEET_TOKEN: token };
  const args = ['--max-old-space-size=8192', join(HERE, 'measure-export.mjs'), what];
  const node = spawnSync(process.execPath, args, { encoding: 'utf8', env });
  if (node.status !== 0) throw new Error(node.stderr);
  return JSON.parse(node.stdout);
}

function median(runs) {
  const sorted = [...runs].sort((one, other) => one.ms - other.ms);
  return {
    ...sorted[Math.floor(sorted.length / 2)],
    megabytes: Math.max(...runs.map(({ megabytes }) => megabytes)),
  };
}
