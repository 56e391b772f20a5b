import { join } from 'node:path';
import { expect, it } from 'vitest';
import { backUpLedger, chooseCopy, restoreLedger } from '../../src/api/ledger-files.ts';
import { applyPlan, importWorkbook, planImport } from '../../src/index.ts';
import { isFromCopy } from '../../src/ledger/from-copy.ts';
import { openLedger } from '../../src/ledger/sqlite-ledger.ts';
import { arrangements } from '../../src/resources/arrangements.ts';
import { events } from '../../src/resources/events.ts';
import { packages } from '../../src/resources/packages.ts';
import { recipes } from '../../src/resources/recipes.ts';
import { stockCount } from '../../src/resources/stock-count.ts';
import { stockMutations } from '../../src/resources/stock-mutations.ts';
import { serviceOnly } from '../helpers/service-options.ts';
import { type Cells, openRows, rowsOf, writeRows } from '../records/keyed-rows.ts';

const STOCK = { WerknemerID: 12, DatumTijd: '2026-11-20 06:00', MutatieCategorieID: 4901 } as const;

/** A file of a kind, and a ledger with the plan of it. */
async function open(kind: keyof typeof KINDS) {
  const { service, folder, options } = await openRows();
  const product = service.add.product();
  service.add.stock(product, 10);
  const { as, rows } = KINDS[kind];
  const file = writeRows(join(folder, 'rijen.csv'), rows(product, service.add.event()));
  const given = { ...options, as };
  const ledger = { ledger: options.ledger };
  const copy = join(folder, 'kopie.db');
  return {
    ...{ service, file, given, ledger },
    own: serviceOnly(options),
    plan: () => planImport(file, serviceOnly(given)),
    backUp: () => void backUpLedger(copy, ledger),
    restore: () => restoreLedger(chooseCopy(copy, ledger)),
  };
}

const anew = (row: Cells): Cells => ({ ...row, '#action': 'create' });

const KINDS = {
  'packages without a key': { as: packages, rows: () => [1, 2].map((at) => anew(rowsOf.packages(at))) },
  'packages with a key': {
    as: packages,
    rows: () => [1, 2].map((at) => ({ ...rowsOf.packages(at), ExternalID: 800 + at })),
  },
  'recipes without a key': { as: recipes, rows: () => [1, 2].map((at) => anew(rowsOf.recipes(at))) },
  'events without a key': { as: events, rows: () => [1, 2].map((at) => anew(rowsOf.events(at))) },
  arrangements: {
    as: arrangements,
    rows: (product: number, event: number) => [
      { PartijID: event, ArrangementID: product, Aantal: 4, Datum: '2027-05-01' },
    ],
  },
  'stock mutations': {
    as: stockMutations,
    rows: (product: number) => [
      { ProductID: product, ...STOCK, MutatieReden: 'Bederf', AantalRekeneenheid: -2 },
      { ProductID: product, ...STOCK, MutatieReden: 'Bederf', AantalRekeneenheid: -2 },
    ],
  },
  'a stock count': {
    as: stockCount,
    rows: (product: number) => [
      { ProductID: product, ...STOCK, MutatieReden: 'telling', GeteldRekeneenheid: 7 },
    ],
  },
};
const NAMES = Object.keys(KINDS) as (keyof typeof KINDS)[];

it.each(NAMES)(
  'a plan that was sent after a copy was made is not sent again once that copy is put back, and its file posts nothing anew: %s',
  async (kind) => {
    const { service, file, given, own, plan, backUp, restore } = await open(kind);
    const made = await plan();
    backUp();
    const { counts } = await applyPlan(made.run, own);
    expect(counts).toMatchObject({ created: made.counts.created, failed: 0, unknown: 0 });
    restore();
    const writes = service.journal.writes.length;
    expect(writes).toBeGreaterThan(0);
    const refused = {
      exit: 2,
      message: expect.stringContaining(
        `The plan of run ${made.run} comes from before the ledger was put back`,
      ),
      next: 'Import the file again.',
    };
    await expect(applyPlan(made.run, own)).rejects.toMatchObject(refused);
    await expect(applyPlan(made, own)).rejects.toMatchObject(refused);
    const again = await importWorkbook(file, given);
    expect(again.counts).toMatchObject({ created: 0, failed: 0, unknown: 0 });
    expect(service.journal.writes).toHaveLength(writes);
  },
);

it('what was in doubt when a copy was made, and is known since, is known once that copy is put back', async () => {
  const { service, file, given, own, plan, backUp, restore } = await open('stock mutations');
  service.failNext({ kind: 'answer', when: 'after', status: 504, body: {} });
  const { run } = await plan();
  expect((await applyPlan(run, { ...own, concurrency: 1 })).counts).toMatchObject({ created: 1, unknown: 1 });
  backUp();
  await applyPlan(run, { ...own, done: ['2'] });
  restore();
  const { counts } = await importWorkbook(file, given);
  expect(counts).toMatchObject({ created: 0, unchanged: 2, unknown: 0 });
  expect(service.mutations.size).toBe(2);
});

it('a run that was done is not taken for one that is from a copy', async () => {
  const { ledger, own, plan, backUp, restore } = await open('packages with a key');
  const { run } = await plan();
  await applyPlan(run, own);
  const other = await plan();
  backUp();
  restore();
  const opened = openLedger(ledger.ledger);
  const told = [await isFromCopy(opened, run), await isFromCopy(opened, other.run)];
  await opened.close();
  expect(told).toEqual([false, true]);
});

it('a row whose posting is done is not sent by the run that made it either, and is done by it', async () => {
  const { service, ledger, own, plan } = await open('stock mutations');
  const { run } = await plan();
  const opened = openLedger(ledger.ledger);
  const [row] = await opened.rowsAt(run, [0]);
  const fingerprint = row?.steps[0]?.fingerprint ?? '';
  const [record] = await opened.listRuns(1);
  const place = [record?.service ?? '', 'stock-mutations'] as const;
  const posting = { fingerprint, run, seq: 0, at: '2026-11-20 06:01:00', state: 'done', id: 77 } as const;
  expect(await opened.claimPosting(...place, posting)).toBeUndefined();
  await opened.close();
  const done = await applyPlan(run, { ...own, allRows: true });
  expect(done.counts).toMatchObject({ created: 2, unknown: 0 });
  expect(done.rows.map(({ id }) => id)).toEqual([77, 9001]);
  expect(service.mutations.size).toBe(1);
});
