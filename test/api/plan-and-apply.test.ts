import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/sqlite-ledger.ts';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { newPackages, openWorld } from '../promises/world.ts';
import type { KnobChanges } from '../second-service/knobs.ts';

const KEYS = [900_001, 900_002, 900_003];
const dearer = newPackages(3).map((row, at) => (at === 0 ? row : [...row.slice(0, 3), '13,5']));

/** A world with three packages that were imported; what the service holds of them, by their keys. */
async function withThree(knobs: KnobChanges = {}) {
  const world = openWorld(knobs);
  const options = world.machine();
  await world.importWorkbook(world.sheet(newPackages(3)), options);
  const ids = world.service.journal.ours.flatMap(({ what, id }) => (what === 'created' ? [Number(id)] : []));
  const { allRows: _, ...rest } = options;
  return {
    ...world,
    options,
    ids,
    apply: (run: string) => world.applyPlan(run, { ...rest, allRows: true }),
    prices: () => ids.map((id) => world.service.packages.get(id)?.Verkoopprijs),
  };
}

describe('a record that changed between plan and apply', () => {
  test.each([
    ['read by its list', {}],
    ['read one by one', { answers: { pageSize: 1 } }],
  ] as const)('is a conflict with all three values and is left alone, %s (9)', async (_, knobs) => {
    const { service, options, sheet, ids, planImport, apply, prices } = await withThree(knobs as KnobChanges);
    const plan = await planImport(sheet(dearer), options);
    expect(plan.rows.map(({ status }) => status)).toEqual(['update', 'update', 'update']);
    service.other.change('package', ids[1] ?? 0, { Verkoopprijs: 77 });
    service.other.remove('package', ids[2] ?? 0);
    const { rows } = await apply(plan.run);
    expect(rows.map(({ status }) => status)).toEqual(['updated', 'conflict', 'conflict']);
    // One sentence a cell: nothing is said of the record beside it.
    expect(rows[1]?.message).toMatch(
      /^D3 Verkoopprijs: “13,50” is not sent.* it was 11,25, is now 77,00[^\n]*$/,
    );
    expect(prices()).toEqual([13.5, 77, undefined]);
  });

  test.each([
    ['waited for its turn', null],
    ['was on its way', '2027-03-01 08:00:00.000'],
  ])('is left alone too where the run was cut off while its row %s', async (_, sendingSince) => {
    const { service, options, sheet, ids, planImport, apply, prices } = await withThree();
    const plan = await planImport(sheet(dearer), options);
    const ledger = openLedger(options.ledger);
    await ledger.updateRun(plan.run, { state: 'applying' });
    for (const seq of [0, 1])
      await ledger.saveRow(plan.run, seq, { progress: { done: 0, id: null, sendingSince } });
    await ledger.close();
    service.other.change('package', ids[0] ?? 0, { Verkoopprijs: 77 });
    const { rows } = await apply(plan.run);
    expect(rows.map(({ status }) => status)).toEqual(['conflict', 'updated', 'updated']);
    expect(prices()).toEqual([77, 13.5, 13.5]);
  });
});

describe('there is one record per ExternalID', () => {
  test('over two sheets of one kind, and not where one row makes it and another gives it to a record that is there', async () => {
    const { service, folder, options, ids, importWorkbook } = await withThree();
    const sheets = {
      Pakketten: [
        ['#action', 'ProductID', 'ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'],
        [null, ids[0] ?? 0, 911_111, 'Lunch', 1, 7],
        [null, null, 911_111, 'Lunch', 1, 7],
        [null, null, 922_222, 'Diner', 1, 9],
      ],
      'Pakketten extra': [
        ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'],
        [922_222, 'Diner', 1, 9],
      ],
    };
    const file = await makeWorkbook(join(folder, 'a.xlsx'), sheets);
    const { counts } = await importWorkbook(file, { ...options, sheets: Object.keys(sheets) });
    expect(counts).toMatchObject({ created: 1, updated: 0, skipped: 1, invalid: 2 });
    expect(service.packages.doubles(['ExternalID'])).toEqual([]);
  });

  test('and a row is a conflict where the service has two, or another record took over its id', async () => {
    const { service, options, sheet, ids, importWorkbook } = await withThree();
    service.other.change('package', ids[1] ?? 0, { ExternalID: 900_001 });
    const { rows } = await importWorkbook(sheet(dearer.slice(0, 2)), options);
    expect(rows).toMatchObject([
      { status: 'conflict', message: expect.stringContaining('more than one record') },
    ]);
  });

  test('though the service refuses a key, or could not store it before', async () => {
    const { service, sheet, machine, importWorkbook } = openWorld({ values: { externalId: 'updated' } });
    const options = { ...machine(), retries: 0 };
    const failure = { kind: 'status', status: 422, when: 'before' } as const;
    service.failNext(
      failure,
      ({ endpoint, body }) => endpoint === 'package.update' && JSON.stringify(body).includes('900001'),
    );
    const first = await importWorkbook(sheet(newPackages(3)), options);
    expect(first.rows.map(({ status, message }) => [status, message === undefined])).toEqual([
      ['created', false],
      ['created', true],
      ['created', true],
    ]);
    const again = await importWorkbook(sheet(newPackages(3)), options);
    expect(again.counts).toMatchObject({ created: 0, updated: 1, unchanged: 2 });
    expect([...service.packages.all()].map(({ ExternalID }) => ExternalID)).toEqual(
      expect.arrayContaining(KEYS),
    );
  });

  test('of two programs at once, which take turns on one ledger', async () => {
    const { service, sheet, machine, importWorkbook } = openWorld({ speed: { beforeMs: 100 } });
    const [options, file] = [machine(), sheet(newPackages(20))];
    const both = await Promise.all([
      importWorkbook(file, options),
      importWorkbook(file, { ...options, out: `${options.out}.xlsx` }),
    ]);
    expect(both.map(({ counts }) => counts.created + counts.unchanged)).toEqual([20, 20]);
    expect(service.packages.doubles(['OmschrijvingIntern'])).toEqual([]);
  });
});

test('a run that was taken back says so when it is applied once more, and sends nothing', async () => {
  const { service, folder, options, sheet, apply, importWorkbook, undoRun } = await withThree();
  const { run } = await importWorkbook(sheet(dearer), options);
  const { url: baseUrl, token } = service;
  const out = join(folder, 'undo.xlsx');
  await undoRun(run, { baseUrl, token, ledger: options.ledger, out });
  const undo = await importWorkbook(out, { ...options, out: join(folder, 'undone.xlsx') });
  const { length } = service.journal.writes;
  expect((await apply(run)).notes).toEqual([
    `Run ${run} is finished, and was taken back by run ${undo.run}: nothing of it is left to send.`,
  ]);
  expect(service.journal.writes).toHaveLength(length);
});

test('what can’t be looked at once more before it is sent fails, creates too, and the run goes on', async () => {
  const { service, options, sheet, planImport, apply, prices } = await withThree();
  const plan = await planImport(sheet([...dearer, ...newPackages(2, 910_001).slice(1)]), options);
  const { length } = service.journal.writes;
  service.set({
    failures: {
      choose: ({ write }) => (write ? undefined : { kind: 'status', status: 500, when: 'before' }),
    },
  });
  expect((await apply(plan.run)).counts).toMatchObject({ read: 5, created: 0, updated: 0, failed: 5 });
  expect([service.journal.writes.length, prices()]).toEqual([length, [10.25, 11.25, 12.25]]);
});

test('a mutation is known again where the file names its product in another way, by the record that has the key now', async () => {
  const { service, sheet, machine, importWorkbook } = openWorld();
  const [one, two] = [900_001, 900_002].map((ExternalID) => service.add.recipe({ ExternalID })) as [
    number,
    number,
  ];
  const options = { ...machine(), as: 'stock-mutations' };
  const rest = ['WerknemerID', 'DatumTijd', 'AantalRekeneenheid', 'MutatieCategorieID', 'MutatieReden'];
  const post = (name: string, value: number, amount = 4) => {
    const row = [value, 12, '2026-03-31 07:45:00', amount, 4901, 'Inkoop'];
    return importWorkbook(sheet([[name, ...rest], row]), options);
  };
  for (const [name, value] of [
    ['ProductID', one],
    ['Product.ExternalID', 900_001],
    ['ProductID', one],
  ] as const)
    await post(name, value);
  expect(service.mutations.size).toBe(1);
  service.other.change('recipe', one, { ExternalID: 910_000 });
  service.other.change('recipe', two, { ExternalID: 900_001 });
  await post('Product.ExternalID', 900_001, 6);
  expect([...service.mutations.all()].map(({ ProductID }) => ProductID)).toEqual([one, two]);
});
