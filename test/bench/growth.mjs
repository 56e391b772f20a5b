// Reads, plans, sends, gives back and exports ever more rows: whether a row takes longer, and memory grows, with their number.
//   npm run build && node test/bench/growth.mjs [--rows 1000,10000,100000,1000000] [--only reading,export]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeFilled } from './make-filled.mjs';
import { environment, startService } from './measure.mjs';

const HERE = import.meta.dirname;
const WAYS = {
  reading: {},
  'dry run': { service: () => ['lean-service.mjs', '0'] },
  import: { service: () => ['lean-service.mjs', '0'] },
  export: { service: (rows) => ['paged-service.mjs', String(rows)] },
};
/** A stage of fewer rows says nothing of its tenths: each is a batch or two. */
const LONG = 100_000;
const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000,10000,100000,1000000' },
    only: { type: 'string', default: Object.keys(WAYS).join() },
  },
});

console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}`);
console.log(
  '| way | rows | stage | ms a 1,000 rows | second tenth | last tenth | last × second | memory after the second tenth | at the end | peak of the way |',
);
console.log('|---|---:|---|---:|---:|---:|---:|---:|---:|---:|');
for (const way of options.only.split(','))
  for (const rows of options.rows.split(',').map(Number)) show(way, rows, await measure(way, rows));

function show(way, rows, { stages, megabytes }) {
  for (const [stage, { tenths }] of Object.entries(stages)) {
    // Lists are read beside the rows.
    if (stage === 'listing' || tenths.length < 10) continue;
    const each = (from, to) => ((to.at - (from?.at ?? 0)) * 1000) / rows;
    const [first, second] = tenths;
    const [before, last] = tenths.slice(-2);
    const parts = [each(first, second) * 10, each(before, last) * 10];
    const paces =
      rows < LONG
        ? ['', '', '']
        : [...parts.map((part) => part.toFixed(2)), (parts[1] / parts[0]).toFixed(2)];
    const memory = [second, last].map((one) => `${one.megabytes.toFixed(0)} MB`);
    const cells = [way, rows, stage, each(undefined, last).toFixed(2), ...paces, ...memory];
    console.log(`| ${cells.join(' | ')} | ${megabytes.toFixed(0)} MB |`);
  }
}

async function measure(way, rows) {
  const { service: script } = WAYS[way];
  const service = script && (await startOne(script(rows)));
  const folder = mkdtempSync(join(tmpdir(), 'catersheet-growth-'));
  try {
    const file = await makeFilled(join(tmpdir(), 'catersheet-bench'), rows);
    const child = spawn(
      process.execPath,
      [join(HERE, 'growth-way.mjs'), way, JSON.stringify({ file, folder, rows })],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: environment({
          CATERSHEET_HOME: folder,
          ...(service && { CATERSHEET_BASE_URL: service.url, CATERSHEET_TOKEN: service.token }),
        }),
      },
    );
    let said = '';
    child.stdout.on('data', (part) => (said += part));
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`${way} of ${rows} rows ended with ${code}`);
    return JSON.parse(said);
  } finally {
    service?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A service with room for a million records. */
function startOne([script, ...args]) {
  return startService(['--max-old-space-size=8192', join(HERE, script), ...args]);
}
