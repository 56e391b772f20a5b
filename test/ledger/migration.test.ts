import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { expect, onTestFinished, test } from 'vitest';
import { MIGRATIONS } from '../../src/ledger/migrations.ts';
import { openLedger } from '../../src/ledger/sqlite-ledger.ts';
import { outcomeOf, plannedRow, RUN, SENDING, STARTED } from './stand.ts';

/** A ledger as the first version left it, in the middle of a run. */
function firstVersion(): string {
  const folder = mkdtempSync(join(tmpdir(), 'catersheet-ledger-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'ledger.db');
  const db = new Database(file);
  db.exec(`${MIGRATIONS[0]}; pragma user_version = 1`);
  const run = db.prepare('insert into runs values (?, ?, ?, ?, ?, ?, ?, ?)');
  run.run(RUN, STARTED.service, STARTED.file, STARTED.startedAt, 'applying', 1, null, null);
  const insert = db.prepare('insert into rows values (?, ?, ?, ?, ?, ?, ?, ?)');
  for (const seq of [0, 1, 2]) {
    const row = plannedRow(seq, { key: seq === 2 ? null : 'id:7' });
    const outcome = seq === 0 ? JSON.stringify(outcomeOf(0)) : null;
    const progress = seq === 1 ? JSON.stringify(SENDING) : null;
    insert.run(RUN, seq, row.sheet, row.resource, row.key, JSON.stringify(row), outcome, progress);
  }
  db.close();
  return file;
}

test('a ledger of the first version goes on where it was', async () => {
  const ledger = openLedger(firstVersion());
  onTestFinished(() => ledger.close());
  const rows = await ledger.readRows(RUN, { after: -1, limit: 10 });
  expect(rows).toStrictEqual([
    { planned: plannedRow(0, { key: 'id:7' }), outcome: outcomeOf(0), progress: null },
    { planned: plannedRow(1, { key: 'id:7' }), outcome: null, progress: SENDING },
    { planned: plannedRow(2, { key: null }), outcome: null, progress: null },
  ]);
  expect((await ledger.plannedFor(RUN, 'packages', 'id:7')).map(({ seq }) => seq)).toEqual([0, 1]);
  await ledger.saveOutcomes(RUN, [outcomeOf(1)]);
  const pending = await ledger.readRows(RUN, { after: -1, limit: 10, pending: true });
  expect(pending.map(({ planned }) => planned.seq)).toEqual([2]);
});
