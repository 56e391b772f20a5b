import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { startPostgres } from '../helpers/postgres.ts';
import { removeFolder } from '../helpers/remove-folder.ts';
import { runCli } from '../helpers/run-cli.ts';
import { startSecondService } from '../second-service/second-service.ts';

/** SECONDS=1 shows the writes of each second, WITH=--import=… gives each program options of Node, as for a profile. ROWS packages, created and keyed, at a service that answers after LATENCY ms; IN_FLIGHT for each worker. */
const ROWS = Number(process.env.ROWS ?? 8000);
const LATENCY = Number(process.env.LATENCY ?? 40);
const IN_FLIGHT = Number(process.env.IN_FLIGHT ?? 16);
const WORKERS = (process.env.WORKERS ?? '1,4').split(',').map(Number);

const { WITH } = process.env;

/** Longer than workers need to find out that there is nothing to do, ms. */
const IDLE = 3_000;

it('several workers send one run side by side', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  for (const workers of WORKERS) {
    const { writes, ms, counts } = await sent(await postgres.database(), workers);
    const perSecond = (1000 * writes) / ms;
    const most = (workers * IN_FLIGHT * 1000) / LATENCY;
    console.log(
      `${workers} × ${IN_FLIGHT} in flight, ${LATENCY} ms: ${writes} writes in ${(ms / 1000).toFixed(1)} s, ${perSecond.toFixed(0)}/s (${((100 * perSecond) / most).toFixed(0)} % of what they allow)`,
    );
    expect(counts).toMatchObject({ created: ROWS, unknown: 0, failed: 0 });
  }
});

/** A run that workers send to a service of its own; from the first write until the last one is answered. */
async function sent(ledger: string, count: number) {
  const service = await startSecondService({ seed: 1, company: 'lookups', speed: { beforeMs: LATENCY } });
  const folder = await mkdtemp(join(tmpdir(), 'catersheet-throughput-'));
  onTestFinished(() => removeFolder(folder));
  const env = {
    CATERSHEET_BASE_URL: service.url,
    ...{ CATERSHEET_TOKEN: service.token, CATERSHEET_HOME: join(folder, 'home') },
    ...(WITH && { NODE_OPTIONS: WITH }),
  };
  const run = (args: readonly string[], onStart?: (kill: (signal: NodeJS.Signals) => void) => void) =>
    runCli([...args, '--ledger', ledger, '--concurrency', String(count * IN_FLIGHT)], {
      ...{ cwd: folder, env, own: true },
      ...(onStart && { onStart }),
    });
  const file = await makeWorkbook(join(folder, 'catalogus.xlsx'), {
    Pakketten: [
      ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'],
      ...Array.from({ length: ROWS }, (_, at) => [81_001 + at, 1, `Buffet ${at}`, 12.5]),
    ],
  });
  const ends: ((signal: NodeJS.Signals) => void)[] = [];
  const workers = Array.from({ length: count }, () => run(['worker'], (kill) => ends.push(kill)));
  await sleep(IDLE);
  const done = await run(['import', file, '--queue', '--yes', '--json']);
  for (const end of ends) end('SIGTERM');
  const told = await Promise.all(workers);
  if (process.env.TOLD) for (const { stderr } of [done, ...told]) console.log(stderr);
  if (!done.stdout.startsWith('{')) throw new Error(done.stderr + told.map(({ stderr }) => stderr).join(''));
  const writes = service.journal.requests.filter(({ write }) => write);
  if (process.env.SECONDS) {
    console.log(perSecond(writes.map(({ at }) => at)).join(' '));
    const { requests } = service.journal;
    for (const name of new Set(requests.map(({ endpoint }) => endpoint))) {
      const own = requests.filter(({ endpoint }) => endpoint === name);
      const open = own.reduce((sum, { at, answeredAt = at }) => sum + answeredAt - at, 0);
      const span = (writes.at(-1)?.answeredAt ?? 0) - (writes[0]?.at ?? 0);
      console.log(`${name}: ${own.length}, ${(open / span).toFixed(1)} in flight on average`);
    }
  }
  await service.close();
  const { counts } = JSON.parse(done.stdout) as { counts: Readonly<Record<string, number>> };
  const ms = Math.max(...writes.map(({ answeredAt = 0 }) => answeredAt)) - (writes[0]?.at ?? 0);
  return { writes: writes.length, ms, counts };
}

/** How many there were in each second. */
function perSecond(moments: readonly number[]): number[] {
  const counts: number[] = [];
  for (const at of moments) {
    const second = Math.floor((at - (moments[0] ?? at)) / 1000);
    while (counts.length <= second) counts.push(0);
    counts[second] = (counts[second] ?? 0) + 1;
  }
  return counts;
}
