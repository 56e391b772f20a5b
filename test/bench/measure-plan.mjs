// Reads or plans one file, in a process of its own: prints its time and its peak memory as JSON.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { planFile } from '../../dist/import/import.js';
import { keepRowsYoung } from '../../dist/session/keep-rows-young.js';
import { openSession } from '../../dist/session/open-session.js';
import { readWorkbook } from '../../dist/workbook/read-workbook.js';

// As the command line does.
keepRowsYoung();
const [what, file] = process.argv.slice(2);
const { rows, ms } = what === 'read' ? await timed(read) : await plan();
console.log(JSON.stringify({ rows, ms, megabytes: process.resourceUsage().maxRSS / 1024 }));

async function read() {
  let rows = -1;
  for (const sheet of await readWorkbook(file)) for await (const _ of sheet.rows) rows++;
  return rows;
}

/** With the ledger and the connection open, as the time of a large file is meant and not that of starting. */
async function plan() {
  const folder = mkdtempSync(join(tmpdir(), 'catersheet-bench-'));
  const session = await openSession({ ledger: join(folder, 'ledger.db'), log: join(folder, 'log') });
  try {
    const request = {
      file,
      dryRun: true,
      strict: false,
      allowDelete: false,
      only: [],
      set: [],
      locale: 'nl',
    };
    return await timed(async () => {
      const { counts } = await planFile(session.context, { ...request, language: 'nl' });
      if (counts.read !== counts.created) throw new Error(JSON.stringify(counts));
      return counts.read;
    });
  } finally {
    await session.close();
    rmSync(folder, { recursive: true });
  }
}

async function timed(work) {
  const start = performance.now();
  const rows = await work();
  return { rows, ms: performance.now() - start };
}
