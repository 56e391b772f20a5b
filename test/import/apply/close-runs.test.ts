import { expect, test } from 'vitest';
import { applyPlan, importWorkbook, listRuns, planImport, readRun, undoRun } from '../../../src/index.ts';
import { openLedger } from '../../../src/ledger/sqlite-ledger.ts';
import { makeWorkbook, packageRows } from '../../helpers/make-workbook.ts';
import { serviceOnly } from '../../helpers/service-options.ts';
import { openTestService, optionsFor } from '../../helpers/test-service.ts';

const stateOf = async (ledger: string, run: string) => {
  const found = (await listRuns({ ledger })).find((one) => one.run === run);
  return [found?.state, found?.finishedBy];
};

/** Leaves a run as a kill would: sending, with some rows done and one in doubt. */
async function leaveOpen(ledgerFile: string, run: string): Promise<void> {
  const ledger = openLedger(ledgerFile);
  await ledger.setRunState(run, 'applying');
  await ledger.close();
}

test('a run that was cut off is closed when its file is imported again, and reports nothing that the later one did', async () => {
  const service = await openTestService();
  const options = optionsFor(service, { allRows: true });
  const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: packageRows(6) });
  const plan = await planImport(file, options);
  await leaveOpen(options.ledger, plan.run);
  const again = await importWorkbook(file, options);
  expect(again.counts).toMatchObject({ created: 6 });
  expect(await stateOf(options.ledger, plan.run)).toEqual(['done', again.run]);
  const before = await service.records('package');
  const done = await applyPlan(plan.run, options);
  expect(done.counts).toMatchObject({ read: 6, created: 0, unchanged: 6, conflict: 0 });
  expect(done.notes?.join()).toContain(`finished by run ${again.run}`);
  expect(done.rows[0]?.message).toContain(`finished in run ${again.run}`);
  expect(await service.records('package')).toEqual(before);
  await expect(
    undoRun(plan.run, { ...serviceOnly(options), out: `${service.folder}/u.xlsx` }),
  ).rejects.toThrow(/changed nothing/);
});

test('a run that was cut off is closed when another run of its file is applied', async () => {
  const service = await openTestService();
  const options = optionsFor(service, { allRows: true });
  const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: packageRows(3) });
  const [one, other] = [await planImport(file, options), await planImport(file, options)];
  await leaveOpen(options.ledger, one.run);
  await applyPlan(other.run, options);
  expect(await stateOf(options.ledger, one.run)).toEqual(['done', other.run]);
});

test('a run that was cut off stays open with the rows that a later import left out, and those alone are sent', async () => {
  const service = await openTestService();
  const options = optionsFor(service, { allRows: true });
  const rows = packageRows(3);
  const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: rows });
  const plan = await planImport(file, options);
  await leaveOpen(options.ledger, plan.run);
  const [header = [], first = [], ...rest] = rows;
  const partly = [[...header, '#action'], [...first, 'skip'], ...rest.map((row) => [...row, null])];
  await makeWorkbook(file, { Pakketten: partly });
  await importWorkbook(file, options);
  expect((await stateOf(options.ledger, plan.run))[0]).toBe('applying');
  const done = await applyPlan(plan.run, options);
  expect(done.counts).toMatchObject({ read: 3, created: 1, unchanged: 2, conflict: 0 });
});

test('a create whose answer was lost stays that of the run that sent it, which can be taken back', async () => {
  const service = await openTestService();
  const options = optionsFor(service, { allRows: true });
  const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: packageRows(2) });
  const plan = await planImport(file, options);
  const first = await importWorkbook(file, options);
  const ledger = openLedger(options.ledger);
  const [row] = await ledger.readRows(plan.run, { after: -1, limit: 1 });
  const fingerprint = String(row?.planned.steps[0]?.fingerprint);
  const { service: key = '' } = (await ledger.findRun(plan.run)) ?? {};
  const at = '2027-03-31 08:00:00';
  await ledger.settlePosting(key, 'packages', fingerprint, null, false);
  await ledger.claimPosting(key, 'packages', {
    fingerprint,
    run: plan.run,
    seq: 0,
    state: 'sending',
    at,
    id: null,
  });
  await ledger.setRunState(plan.run, 'applying');
  await ledger.saveProgress(plan.run, 0, { done: 0, id: null, sendingSince: `${at}.000` });
  await ledger.close();
  const again = await importWorkbook(file, options);
  expect(again.counts).toMatchObject({ unchanged: 2 });
  const closed = await readRun(plan.run, { ledger: options.ledger });
  expect([closed.state, closed.finishedBy]).toEqual(['done', again.run]);
  expect(closed.rows.map(({ status, id }) => [status, id])).toEqual([
    ['created', first.rows[0]?.id],
    ['unchanged', first.rows[1]?.id],
  ]);
});

test('an embedded sandbox is called sandbox among the runs, without what tells it from the next', async () => {
  const service = await openTestService();
  const { ledger } = optionsFor(service);
  const opened = openLedger(ledger);
  const run = '20270331-080000-abcd';
  await opened.startRun({
    run,
    service: 'sandbox 2483030-1795344562726',
    file: 'a.xlsx',
    startedAt: '2027-03-31 08:00:00',
  });
  await opened.close();
  expect((await listRuns({ ledger }))[0]?.service).toBe('sandbox');
});
