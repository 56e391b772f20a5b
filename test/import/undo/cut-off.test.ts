import { expect, it } from 'vitest';
import { importWorkbook, undoRun } from '../../../src/index.ts';
import type { RowProgress } from '../../../src/ledger/ledger.ts';
import { openLedger } from '../../../src/ledger/sqlite-ledger.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { serviceOnly } from '../../helpers/service-options.ts';
import { openTestService, optionsFor, type TestService } from '../../helpers/test-service.ts';
import { MUTATION_HEADER, recipeIds, stockOf } from '../../kinds/posting/stock-fixtures.ts';
import { serviceOf } from '../baseline/fixtures.ts';

const PACKAGE = ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'];
const FIRST = 660_001;

/** How far rows were when a run was cut off, by their place in the plan; null for one that was never sent. */
type CutOff = readonly (readonly [seq: number, progress: RowProgress | null])[];

/** Leaves a run as a kill -9 does: rows in flight, rows half done, rows not sent. */
async function cutOff(service: TestService, run: string, rows: CutOff): Promise<void> {
  const ledger = openLedger(`${service.folder}/ledger.db`);
  await ledger.setRunState(run, 'applying');
  await ledger.reopenRows(
    run,
    rows.map(([seq]) => ({ seq, forget: true })),
  );
  for (const [seq, progress] of rows) {
    const [stored] = await ledger.readRows(run, { after: seq - 1, limit: 1 });
    const { resource = '', steps = [] } = stored?.planned ?? {};
    const [{ fingerprint = '', purpose } = {}] = steps;
    // A posting was answered before its row was written down; of a create there is no answer.
    if (purpose === 'create' && progress?.id == null) {
      const address = serviceOf(service);
      await ledger.settlePosting(address, resource, fingerprint, null, false);
      const claim = { fingerprint, run, seq, state: 'sending', at: '2027-04-18 11:59:01', id: null } as const;
      if (progress !== null) await ledger.claimPosting(address, resource, claim);
    }
    if (progress !== null) await ledger.saveProgress(run, seq, progress);
  }
  await ledger.close();
}

const inFlight = { done: 0, id: null, sendingSince: '2027-04-18 11:59:01.250' };

it('a run that was cut off is taken back as far as it went, and goes on only when that is said', async () => {
  const service = await openTestService();
  const [product = 0] = await recipeIds(service, 1);
  const before = { packages: await service.records('package'), stock: await stockOf(service, product) };
  const file = await makeWorkbook(`${service.folder}/cut.xlsx`, {
    Pakketten: [PACKAGE, ...Array.from({ length: 6 }, (_, at) => [FIRST + at, `Nieuw ${at}`, 1, 10])],
    Voorraadmutaties: [MUTATION_HEADER, [product, 12, '2026-03-31 07:45', 2.5, 4901, 'Derving']],
  });
  const { run, rows } = await importWorkbook(file, optionsFor(service));
  const [done, made, arrived, ...others] = rows.map(({ id }) => id ?? 0);
  const [lost, ...unsent] = others.slice(0, 3);
  for (const ProductID of [lost, ...unsent])
    await service.request('DELETE', 'api/v1/product/pakket/delete', { ProductID });
  await cutOff(service, run, [
    [1, { done: 1, id: made ?? 0, sendingSince: null }],
    [2, inFlight],
    [3, inFlight],
    [4, null],
    [5, null],
    [6, inFlight],
  ]);

  const out = `${service.folder}/undo.xlsx`;
  await service.clearLog();
  const undone = await undoRun(run, { ...serviceOnly(optionsFor(service)), out });
  expect(
    (await service.log()).requests.filter(({ endpoint }) => /create|update|delete/.test(endpoint ?? '')),
  ).toEqual([]);
  expect(undone).toMatchObject({
    rows: 4,
    cannot: [{ sheet: 'Pakketten', row: 5, why: expect.stringMatching(/^3 rows were not sent/) }],
  });
  const back = await importWorkbook(out, optionsFor(service, { allowDelete: true }));
  expect(back.rows.map(({ status, id }) => [status, id])).toEqual([
    ...[done, made, arrived].map((id) => ['deleted', id]),
    ['created', expect.any(Number)],
  ]);
  expect(await service.records('package')).toEqual(before.packages);
  expect(await stockOf(service, product)).toBe(before.stock);

  const ledger = ['--ledger', 'ledger.db'];
  expect((await service.run(['runs', run, ...ledger])).stdout).toContain(`taken back in ${back.run}`);
  const asked = await service.run(['apply', run, ...ledger]);
  expect([asked.code, asked.stderr]).toEqual([
    2,
    expect.stringContaining(`was taken back by run ${back.run}`),
  ]);
  const { document } = await service.runJson(['apply', run, '--yes', ...ledger]);
  expect(document.counts).toMatchObject({ created: 7, failed: 0, unknown: 0, notSent: 0 });
  expect(document.notes ?? []).toEqual([]);
  expect((await service.records('package')).length).toBe(before.packages.length + 3);
});
