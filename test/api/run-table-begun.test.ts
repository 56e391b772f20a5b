import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RunTable } from '../../src/api/run-table.ts';
import { openRuns } from '../../src/api/runs.ts';
import type { TableQuery } from '../../src/api/table-query.ts';
import { countNow } from '../../src/import/apply/apply-plan.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/sqlite-ledger.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { many, outcomeOf, RUN, SENDING, STARTED } from '../ledger/fixtures.ts';

const ROWS = 4000;
const QUERY: TableQuery = {
  ...{ status: [], work: false, warned: false, replaced: false, sheet: null, search: '', issue: null },
  ...{ sort: 'row', descending: false, offset: 0, limit: 10 },
};

/** A run of which sending was begun, in a ledger that tells how many rows were read of it. */
async function begun() {
  const file = join(tempFolder(), 'ledger.db');
  const ledger = openLedger(file);
  onTestFinished(() => ledger.close());
  await ledger.startRun(STARTED);
  await ledger.savePlan(
    RUN,
    many(ROWS, (seq) => ({ row: seq + 2, action: 'create', sheet: 'Pakketten' })),
  );
  await ledger.setRunState(RUN, 'applying');
  let read = 0;
  const counted: Ledger = Object.assign(Object.create(ledger) as Ledger, {
    async readRows(...given: Parameters<Ledger['readRows']>) {
      const rows = await ledger.readRows(...given);
      read += rows.length;
      return rows;
    },
  });
  const table = new RunTable(counted, RUN, { language: 'en', dryRun: false });
  const later = (): Promise<void> => new Promise((wait) => setTimeout(wait, 1100));
  return { file, ledger, table, later, taken: () => read };
}

test('a look at a run that is being sent reads what changed since the last one, and no other row', async () => {
  const { ledger, table, later, taken } = await begun();
  await table.renew();
  expect(await table.counts()).toEqual(await countNow(ledger, RUN));
  expect((await table.page({ ...QUERY, search: 'nothing such' }, ROWS)).total).toBe(0);
  const whole = taken();
  await ledger.saveOutcomes(RUN, [outcomeOf(7), outcomeOf(1203, { status: 'failed' })]);
  await ledger.saveProgress(RUN, 2500, SENDING);
  await later();
  await table.renew();
  const counts = await table.counts();
  expect(taken() - whole).toBe(3 * 500);
  expect(counts).toEqual(await countNow(ledger, RUN));
  expect(counts).toMatchObject({ failed: 1, unknown: 1, notSent: ROWS - 3 });
  const { rows } = await table.page({ ...QUERY, status: ['failed'] }, ROWS);
  expect(rows).toMatchObject([{ row: 1205, status: 'failed' }]);

  await ledger.saveOutcomes(RUN, [outcomeOf(2500)]);
  await ledger.reopenRows(RUN, [{ seq: 1203, forget: true }]);
  await later();
  await table.renew();
  expect(await table.counts()).toEqual(await countNow(ledger, RUN));
  expect((await table.page({ ...QUERY, status: ['failed'] }, ROWS)).total).toBe(0);
});

test('looks that come at once, or close to one another, read a run once', async () => {
  const { ledger, table, taken } = await begun();
  const look = async () => {
    await table.renew();
    return await table.counts();
  };
  await Promise.all([look(), look(), look()]);
  expect(taken()).toBe(ROWS);
  await ledger.saveOutcomes(RUN, [outcomeOf(1)]);
  await look();
  expect(taken()).toBe(ROWS);
});

test('watched runs count what became of them as others do', async () => {
  const { file, ledger, later } = await begun();
  const [watched, plain] = [openRuns({ ledger: file }, true), openRuns({ ledger: file })];
  onTestFinished(async () => {
    await watched.close();
    await plain.close();
  });
  for (const seq of [3, 800, 3999]) {
    expect(await watched.state(RUN)).toEqual(await plain.state(RUN));
    expect(await (await watched.table(RUN, 'nl')).counts()).toEqual((await plain.state(RUN)).counts);
    await ledger.saveOutcomes(RUN, [outcomeOf(seq)]);
    await later();
  }
  await ledger.setRunState(RUN, 'done', await countNow(ledger, RUN));
  expect(await watched.list()).toEqual(await plain.list());
});
