// One way with many rows in a process of its own: when each tenth of each of its stages was done, and what memory was then, as JSON.
//   node growth-way.mjs import '{"file":"…","folder":"…","rows":100000}'
import { join } from 'node:path';
import { exportRecords } from '../../dist/export/export-records.js';
import { importWorkbook } from '../../dist/import/import.js';
import { packages } from '../../dist/resources/packages.js';
import { openSession } from '../../dist/session/open-session.js';
import { readWorkbook } from '../../dist/workbook/read-workbook.js';

const TENTHS = 10;
const SPOKEN = { locale: 'nl', language: 'nl' };
const WISHES = { strict: false, allowDelete: false, only: [], set: [] };

const [way, input] = process.argv.slice(2);
const { file, folder, rows } = JSON.parse(input);
const stages = {};

/** Takes how far a stage is. The first that is heard of it is its start. */
function mark({ stage, done }) {
  const now = performance.now();
  stages[stage] ??= { start: now, tenths: [] };
  const { tenths } = stages[stage];
  while (tenths.length < TENTHS && done >= ((tenths.length + 1) * rows) / TENTHS)
    tenths.push({ at: now - stages[stage].start, megabytes: process.memoryUsage.rss() / 2 ** 20 });
}

async function reading() {
  mark({ stage: 'reading', done: 0 });
  let done = 0;
  for (const { batches } of await readWorkbook(file))
    for await (const batch of batches) {
      done += batch.length;
      mark({ stage: 'reading', done });
    }
}

async function withSession(work) {
  const session = await openSession({
    ...{ ledger: join(folder, 'ledger.db'), log: join(folder, 'log'), concurrency: 16 },
    onProgress: mark,
  });
  try {
    return await work(session.context);
  } finally {
    await session.close();
  }
}

const importing = (dryRun) =>
  withSession(async (context) => {
    // The plan is begun by what is read before it: the headers.
    mark({ stage: 'reading', done: 0 });
    const out = join(folder, 'result.xlsx');
    const { counts, stopped } = await importWorkbook(context, { file, out, dryRun, ...WISHES, ...SPOKEN });
    if (stopped !== null || counts.created !== rows) throw new Error(JSON.stringify({ stopped, counts }));
  });

const exporting = () =>
  withSession(async (context) => {
    const kinds = [{ resource: packages, selection: { way: 'all' }, declaration: false }];
    const wishes = { out: join(folder, 'uit.xlsx'), overwrite: false, raw: false };
    const { records } = await exportRecords(context, { kinds, ...wishes, ...SPOKEN });
    if (records !== rows) throw new Error(`${records} records`);
  });

const WAYS = {
  reading,
  'dry run': () => importing(true),
  import: () => importing(false),
  export: exporting,
};

await WAYS[way]();
console.log(JSON.stringify({ stages, megabytes: process.resourceUsage().maxRSS / 1024 }));
