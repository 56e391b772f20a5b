// Gives a large workbook back with outcomes beside its rows, beside reading it alone and beside exceljs loading and saving it; each in a process of its own.
//   node test/bench/result.mjs [--runs 3] [--size 100000x20] [--only read,rewrite,exceljs]
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeWorkbook } from './make-workbooks.mjs';

const HERE = import.meta.dirname;
const FOLDER = join(tmpdir(), 'catersheet-bench');
const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '3' },
    size: { type: 'string', multiple: true, default: ['100000x20'] },
    only: { type: 'string', default: 'read,rewrite,exceljs' },
  },
});

console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}`);
console.log('| workbook | what | median | × reading | peak memory |');
console.log('|---|---|---:|---:|---:|');
for (const size of options.size) {
  const [rows, columns] = size.split('x').map(Number);
  const file = await makeWorkbook(FOLDER, rows, columns);
  const target = join(FOLDER, `result-${process.pid}.xlsx`);
  const results = new Map(options.only.split(',').map((what) => [what, []]));
  for (let run = 0; run < Number(options.runs); run++)
    for (const [what, runs] of results) runs.push(measure(what, file, target));
  rmSync(target, { force: true });
  const reading = median(results.get('read') ?? []).ms;
  for (const [what, runs] of results) {
    const { ms, megabytes } = median(runs);
    const ratio = reading === undefined ? '' : (ms / reading).toFixed(2);
    console.log(
      `| ${rows} × ${columns} | ${what} | ${(ms / 1000).toFixed(2)} s | ${ratio} | ${Math.round(megabytes)} MB |`,
    );
  }
}

function measure(what, file, target) {
  const script = join(HERE, 'measure-result.mjs');
  const node = spawnSync(process.execPath, ['--max-old-space-size=8192', script, what, file, target], {
    encoding: 'utf8',
  });
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
