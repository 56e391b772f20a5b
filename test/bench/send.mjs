// Sends new packages to a service of its own process, each created and then given its ExternalID; from the first write to the last answer.
//   node test/bench/send.mjs [--runs 3] [--rows 6000] [--latency 0 --latency 40] [--in-flight 16]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeFilled } from './make-filled.mjs';

const HERE = import.meta.dirname;
const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '3' },
    rows: { type: 'string', default: '6000' },
    latency: { type: 'string', multiple: true, default: ['0', '40'] },
    'in-flight': { type: 'string', multiple: true, default: ['8', '16', '64', '256'] },
    only: { type: 'string', default: 'ours,undici' },
  },
});
const rows = Number(options.rows);
const file = await makeFilled(join(tmpdir(), 'catersheet-bench'), rows);

async function race(latency, inFlight) {
  const service = spawn(process.execPath, [join(HERE, 'lean-service.mjs'), String(latency)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(service.stdout, 'data');
  const { url, token } = JSON.parse(String(line));
  try {
    for (const sender of options.only.split(',')) {
      const runs = [];
      for (let run = 0; run < Number(options.runs); run++)
        runs.push(await SENDERS[sender]({ url, token }, inFlight));
      runs.sort((one, other) => one.perSecond - other.perSecond);
      const { perSecond, cpu } = runs[Math.floor(runs.length / 2)];
      const share = latency === 0 ? '' : `${((100 * perSecond * latency) / 1000 / inFlight).toFixed(0)} %`;
      console.log(
        `| ${latency} ms | ${inFlight} | ${sender} | ${perSecond.toFixed(0)} | ${share} | ${cpu.toFixed(2)} |`,
      );
    }
  } finally {
    service.kill();
  }
}

const SENDERS = {
  ours: async ({ url, token }, inFlight) => {
    const home = mkdtempSync(join(tmpdir(), 'catersheet-bench-'));
    try {
      return await measured(
        url,
        [
          join(HERE, '../../dist/catersheet.js'),
          ...[
            'import',
            file,
            '--yes',
            '--json',
            '--concurrency',
            String(inFlight),
            '--out',
            join(home, 'result.xlsx'),
          ],
        ],
        { CATERSHEET_BASE_URL: url, CATERSHEET_TOKEN: token, CATERSHEET_HOME: home },
      );
    } finally {
      rmSync(home, { recursive: true });
    }
  },
  undici: ({ url }, inFlight) =>
    measured(url, [join(HERE, 'bare-client.mjs'), url, String(rows), String(inFlight)], {}),
};

/** Runs a sender; its CPU is that of the whole process, reading and planning included. */
async function measured(url, args, env) {
  await fetch(`${url}/tally`);
  const child = spawn(process.execPath, ['--import', join(HERE, 'tell-cpu.mjs'), ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += part));
  const [code] = await once(child, 'close');
  const { writes, first, last } = await (await fetch(`${url}/tally`)).json();
  if (code !== 0 || writes !== 2 * rows) throw new Error(`${code}, ${writes} writes: ${said.slice(-2000)}`);
  return {
    perSecond: (1000 * writes) / (last - first),
    cpu: Number(/^cpu (\d+) ms/m.exec(said)[1]) / writes,
  };
}

console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}`);
console.log('| answers after | in flight | sender | writes/s | of what they allow | its CPU, ms a write |');
console.log('|---:|---:|---|---:|---:|---:|');
for (const latency of options.latency.map(Number))
  for (const inFlight of options['in-flight'].map(Number)) await race(latency, inFlight);
