// Exports all packages, fetches and discards them, or writes them from memory, in a process of its own: prints its time and its peak memory as JSON.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportRecords } from '../../dist/export/export-records.js';
import { exportColumns } from '../../dist/export/listed-columns.js';
import { CellLosses } from '../../dist/export/record-rows.js';
import { fillBook } from '../../dist/export/write-records.js';
import { writeAtomically } from '../../dist/files/write-aside.js';
import { listedRecords } from '../../dist/kinds/catalogue/catalogue-list.js';
import { packages } from '../../dist/resources/packages.js';
import { firstPage } from '../../dist/service/pages.js';
import { openSession } from '../../dist/session/open-session.js';

const [what] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'catersheet-bench-'));
const out = join(folder, 'uit.xlsx');
const session = await openSession({ ledger: join(folder, 'ledger.db'), log: join(folder, 'log') });
const { context } = session;
const EPOCH = { LMT: '1970-01-01 00:00:00.000' };
try {
  const { records, ms } = await { fetch: fetched, memory: fromMemory, export: exported }[what]();
  const bytes = what === 'fetch' ? 0 : statSync(out).size;
  console.log(JSON.stringify({ records, ms, bytes, megabytes: process.resourceUsage().maxRSS / 1024 }));
} finally {
  await session.close();
  rmSync(folder, { recursive: true });
}

async function fetched() {
  return await timed(async () => {
    let records = 0;
    const { service, concurrency } = context;
    // The pages alone: whether the list moved meanwhile is the export's own work.
    const first = await firstPage(service, packages.requests.list, EPOCH);
    for await (const { data } of first.all(concurrency)) records += data.length;
    return records;
  });
}

/** The pages are in memory already; what is measured is writing alone. */
async function fromMemory() {
  const listed = [];
  for await (const page of listedRecords({ ...context, resource: packages }, EPOCH)) listed.push(page);
  const job = {
    ...{ context, resource: packages, columns: exportColumns(packages), listed, following: null },
    ...{ language: 'nl', locale: 'nl', csv: false, losses: new CellLosses(), counts: new Map() },
  };
  return await timed(async () => {
    await writeAtomically(out, (stream) => fillBook(stream, out, job));
    return job.counts.get(packages.sheet);
  });
}

async function exported() {
  return await timed(async () => {
    const wishes = {
      selection: { way: 'all' },
      declaration: false,
      overwrite: false,
      raw: false,
      locale: 'nl',
      language: 'nl',
    };
    return (await exportRecords(context, { resource: packages, out, ...wishes })).records;
  });
}

async function timed(work) {
  const start = performance.now();
  const records = await work();
  return { records, ms: performance.now() - start };
}
