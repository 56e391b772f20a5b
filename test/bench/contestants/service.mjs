// Work with a service, with the ledger and the connection open: the time of a large file is meant, and not that of starting.
import { join } from 'node:path';
import { exportRecords } from '../../../dist/export/export-records.js';
import { planFile } from '../../../dist/import/import.js';
import { packages } from '../../../dist/resources/packages.js';
import { firstPage } from '../../../dist/service/pages.js';
import { openSession } from '../../../dist/session/open-session.js';
import { readWorkbook } from '../../../dist/workbook/read-workbook.js';

const SPOKEN = { locale: 'nl', language: 'nl' };

async function opened(folder, atEnd) {
  const session = await openSession({ ledger: join(folder, 'ledger.db'), log: join(folder, 'log') });
  atEnd(() => session.close());
  return session.context;
}

/** Reading a file of packages and no more. */
export async function reading({ file }) {
  // As the command line does.
  return async () => {
    let rows = -1;
    for (const sheet of await readWorkbook(file)) for await (const _ of sheet.rows) rows++;
    return { rows };
  };
}

/** Reading, checking and planning it, with the plan saved. */
export async function planning({ file, folder }, atEnd) {
  const context = await opened(folder, atEnd);
  return async () => {
    const wishes = { dryRun: true, strict: false, allowDelete: false, only: [], set: [] };
    const { counts } = await planFile(context, { file, ...wishes, ...SPOKEN });
    if (counts.read !== counts.created) throw new Error(JSON.stringify(counts));
    return { rows: counts.read };
  };
}

/** Fetching the pages of all packages: whether the list moved meanwhile is the export's own work. */
export async function fetching({ folder }, atEnd) {
  const { service, concurrency } = await opened(folder, atEnd);
  return async () => {
    let rows = 0;
    const first = await firstPage(service, packages.requests.list, { LMT: '1970-01-01 00:00:00.000' });
    for await (const { data } of first.all(concurrency)) rows += data.length;
    return { rows };
  };
}

/** Exporting them to a workbook. */
export async function exporting({ folder }, atEnd) {
  const context = await opened(folder, atEnd);
  return async () => {
    const kinds = [{ resource: packages, selection: { way: 'all' }, declaration: false }];
    const wishes = { out: join(folder, 'uit.xlsx'), overwrite: false, raw: false };
    return { rows: (await exportRecords(context, { kinds, ...wishes, ...SPOKEN })).records };
  };
}
