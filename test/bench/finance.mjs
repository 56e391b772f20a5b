// Exports a year for finance, of ever more events with three arrangements and two trips each, through the command line: its time and its peak memory.
//   node test/bench/finance.mjs [--events 5000,20000,80000] [--concurrency 8]
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const HERE = import.meta.dirname;
const { values: options } = parseArgs({
  options: {
    events: { type: 'string', default: '5000,20000,80000' },
    concurrency: { type: 'string', default: '8' },
  },
});
/** Runs the command line in a process and tells that process's peak memory. */
const MEASURED = `process.on('exit', () => process.stderr.write('\\n' + process.resourceUsage().maxRSS));`;

console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}`);
console.log('| events | rows | time | again | peak memory | again |');
console.log('|---:|---:|---:|---:|---:|---:|');
for (const events of options.events.split(',')) {
  const service = spawn(process.execPath, [join(HERE, 'finance-service.mjs'), events], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const folder = mkdtempSync(join(tmpdir(), 'catersheet-bench-'));
  try {
    const [line] = await once(service.stdout, 'data');
    const { url, token } = JSON.parse(String(line));
    // The second one is compared with the first.
    const [first, again] = ['uit', 'weer'].map((name) => measure({ url, token, folder, name }));
    console.log(
      `| ${events} | ${first.rows} | ${first.seconds} s | ${again.seconds} s | ${first.megabytes} MB | ${again.megabytes} MB |`,
    );
  } finally {
    service.kill();
    rmSync(folder, { recursive: true });
  }
}

function measure({ url, token, folder, name }) {
  const env = {
    ...process.env,
    ...{ CATERSHEET_BASE_URL: url, CATERSHEET_TOKEN: token, CATERSHEET_HOME: folder },
  };
  const period = ['--from', '2026-01-01', '--to', '2026-12-31', '--concurrency', options.concurrency];
  const node = spawnSync(
    process.execPath,
    [
      ...['--import', `data:text/javascript,${encodeURIComponent(MEASURED)}`],
      ...[join(HERE, '../../dist/catersheet.js'), 'export', 'finance', ...period, '--json'],
      ...['-o', join(folder, `${name}.xlsx`)],
    ],
    { encoding: 'utf8', env },
  );
  if (node.status !== 0) throw new Error(node.stderr);
  const { sheets, ms } = JSON.parse(node.stdout);
  return {
    rows: sheets.reduce((sum, { rows }) => sum + rows, 0),
    seconds: (ms / 1000).toFixed(1),
    megabytes: Math.round(Number(node.stderr.trim().split('\n').pop()) / 1024),
  };
}
