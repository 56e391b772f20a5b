import { expect, onTestFinished, test } from 'vitest';
import { applyPlan, importWorkbook, listRuns, planImport, readRun, undoRun } from '../../../src/index.ts';
import { openLedger } from '../../../src/ledger/sqlite-ledger.ts';
import { makeWorkbook, packageRows } from '../../helpers/make-workbook.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { serviceOnly } from '../../helpers/service-options.ts';
import { openTestService, optionsFor } from '../../helpers/test-service.ts';
import type { Failure } from '../../second-service/knobs.ts';
import { startSecondService } from '../../second-service/second-service.ts';

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
  expect((await stateOf(options.ledger, plan.run))[0]).toBe('interrupted');
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

test.each(['before', 'after'] as const)(
  'a run that ended with rows in doubt, whose connection broke %s they were done, is closed by the import that settles them',
  async (when) => {
    const { options, file, service, failing } = await doubting(2);
    failing({ kind: 'reset', when });
    const first = await importWorkbook(file, { ...options, doubt: 0 });
    expect(first.counts).toMatchObject({ unknown: 2 });
    failing(undefined);
    const again = await importWorkbook(file, { ...options, doubt: 0 });
    // What was made lacks its ExternalID still.
    const status = when === 'after' ? 'updated' : 'created';
    expect(again.rows.map((row) => row.status)).toEqual([status, status]);
    expect(await stateOf(options.ledger, first.run)).toEqual(['done', again.run]);
    const { counts } = await readRun(first.run, { ledger: options.ledger });
    const own = when === 'after' ? { created: 2, unchanged: 0 } : { created: 0, unchanged: 2 };
    expect(counts).toMatchObject({ ...own, unknown: 0 });
    const { length } = service.journal.writes;
    const done = await applyPlan(first.run, options);
    expect(done.notes?.join()).toContain(`finished by run ${again.run}`);
    expect(service.journal.writes).toHaveLength(length);
  },
);

test('a run that ended with rows in doubt stays on offer with those that a later import left out', async () => {
  const { options, file, failing, folder } = await doubting(2);
  failing({ kind: 'reset', when: 'before' });
  const first = await importWorkbook(file, { ...options, doubt: 0 });
  failing(undefined);
  const [header = [], one = [], ...rest] = packageRows(2);
  const partly = [[...header, '#action'], [...one, 'skip'], ...rest.map((row) => [...row, null])];
  await makeWorkbook(`${folder}/a.xlsx`, { Pakketten: partly });
  await importWorkbook(file, { ...options, doubt: 0 });
  expect(await stateOf(options.ledger, first.run)).toEqual(['done', undefined]);
  const { counts } = await readRun(first.run, { ledger: options.ledger });
  expect(counts).toMatchObject({ unknown: 1, unchanged: 1 });
});

test('a run whose row was in doubt already when it was planned is not said to be finished by the next import', async () => {
  const { options, service, failing, folder } = await doubting(1);
  const product = service.add.product();
  const header = ['ProductID', 'WerknemerID', 'DatumTijd', 'AantalRekeneenheid', 'MutatieCategorieID'];
  const rows = [
    [...header, 'MutatieReden'],
    [product, 12, '2026-10-01 08:00:00', 2, 4901, 'Bederf'],
  ];
  const file = await makeWorkbook(`${folder}/v.xlsx`, { Voorraadmutaties: rows });
  failing({ kind: 'reset', when: 'before' });
  const first = await importWorkbook(file, { ...options, doubt: 0 });
  failing(undefined);
  const second = await importWorkbook(file, options);
  await importWorkbook(file, options);
  expect(second.counts).toMatchObject({ unknown: 1 });
  for (const { run } of [first, second])
    expect(await stateOf(options.ledger, run)).toEqual(['done', undefined]);
});

/** A file of new packages, and a service of which all fails in one way for a while, from its first write on. */
async function doubting(count: number) {
  const service = await startSecondService();
  onTestFinished(() => service.close());
  // Every other row is not in use: that lists show such records has to be seen.
  service.add.package({ OmschrijvingIntern: 'Oud', Actief: false });
  const folder = tempFolder();
  const file = await makeWorkbook(`${folder}/a.xlsx`, { Pakketten: packageRows(count) });
  const options = { ...optionsFor({ folder, url: service.url, token: service.token }), retries: 0 };
  const failing = (failure: Failure | undefined): void => {
    let isSent = false;
    const choose = ({ write }: { readonly write: boolean }) => {
      isSent ||= write;
      return isSent ? failure : undefined;
    };
    service.set({ failures: { choose } });
  };
  return { service, folder, file, options, failing };
}
