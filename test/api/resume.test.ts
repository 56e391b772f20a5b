import { describe, expect, it } from 'vitest';
import { applyPlan, importWorkbook, planImport } from '../../src/index.ts';
import { openLedger } from '../../src/ledger/sqlite-ledger.ts';
import { sevenSheets } from '../campaigns/seven-sheets.ts';
import { makeWorkbook, packageRows } from '../helpers/make-workbook.ts';
import { openTestService, optionsFor, type TestService } from '../helpers/test-service.ts';
import {
  importSheet,
  MORNING,
  MUTATION_HEADER,
  mutationsOf,
  recipeIds,
  workbookOf,
} from '../kinds/posting/stock-fixtures.ts';

/** Three packages that are there, and a plan to make each a euro dearer. */
async function dearer(service: TestService) {
  const options = optionsFor(service);
  const rows = packageRows(3);
  const [header = []] = rows;
  const price = header.indexOf('Verkoopprijs');
  await importWorkbook(await workbookOf(service, { Pakketten: rows }), options);
  const changed = rows.map((row, at) =>
    at === 0 ? row : row.map((cell, column) => (column === price ? Number(cell) + 1 : cell)),
  );
  const plan = await planImport(await workbookOf(service, { Pakketten: changed }), options);
  expect(plan.counts).toMatchObject({ updated: 3 });
  return { plan, options };
}

async function leave(
  { plan, options }: Awaited<ReturnType<typeof dearer>>,
  progress: { readonly sendingSince: string | null },
): Promise<void> {
  const ledger = openLedger(options.ledger);
  await ledger.setRunState(plan.run, 'applying');
  for (const seq of [0, 1]) await ledger.saveProgress(plan.run, seq, { done: 0, id: null, ...progress });
  await ledger.close();
}

async function colleague(service: TestService, ExternalID: number): Promise<void> {
  const found = (await service.records('package')).find((one) => one.ExternalID === ExternalID);
  const { id, ProductTypeID, OmschrijvingIntern } = found ?? {};
  const body = { ProductID: id, ProductTypeID, OmschrijvingIntern, Verkoopprijs: 99.5 };
  await service.request('POST', 'api/v1/product/pakket/update', body);
}

const pricesOf = async (service: TestService) =>
  (await service.records('package'))
    .filter(({ ExternalID }) => Number(ExternalID) >= 600_000)
    .sort((one, other) => Number(one.ExternalID) - Number(other.ExternalID))
    .map(({ Verkoopprijs }) => Number(Verkoopprijs));

describe('a run that was cut off', () => {
  it.each([
    ['while a row waited for its turn', null],
    ['while a request was on its way', '2027-03-31 08:00:00.000'],
  ])('%s does not overwrite what a colleague has changed', async (_name, sendingSince) => {
    const service = await openTestService();
    const cut = await dearer(service);
    const before = await pricesOf(service);
    await leave(cut, { sendingSince });
    await colleague(service, 600_000);
    const done = await applyPlan(cut.plan, cut.options);
    expect(done.rows.map(({ status }) => status)).toEqual(['conflict', 'updated', 'updated']);
    expect(await pricesOf(service)).toEqual([99.5, Number(before[1]) + 1, Number(before[2]) + 1]);
  });

  it('leaves a link alone that a colleague has changed', async () => {
    const service = await openTestService();
    const options = optionsFor(service);
    const links = (guests: number) =>
      workbookOf(service, {
        Arrangementen: [
          ['PartijID', 'ArrangementID', 'Aantal', 'Datum'],
          [9001, 20, guests, '2027-05-01'],
        ],
      });
    await importWorkbook(await links(40), options);
    const plan = await planImport(await links(41), options);
    expect(plan.counts).toMatchObject({ updated: 1 });
    const ledger = openLedger(options.ledger);
    await ledger.setRunState(plan.run, 'applying');
    const sendingSince = '2027-03-31 08:00:00.000';
    await ledger.saveProgress(plan.run, 0, { done: 0, id: null, sendingSince });
    await ledger.close();
    const body = { PartijID: 9001, ArrangementID: 20, Aantal: 77 };
    await service.request('POST', 'api/v1/event/package', body);
    // A run that goes on does so later than its lists are good for.
    const readAt = '2020-01-01T00:00:00.000Z';
    const sources = new Map([...plan.sources].map(([name, source]) => [name, { ...source, readAt }]));
    const done = await applyPlan({ ...plan, sources }, options);
    expect(done.rows.map(({ status }) => status)).toEqual(['conflict']);
    const kept = (await service.records('link')).find(
      (one) => one.PartijID === 9001 && one.ArrangementID === 20,
    );
    expect(kept?.Aantal).toBe(77);
  });

  it('stores an ExternalID that it could not store before', async () => {
    const service = await openTestService();
    const options = optionsFor(service);
    const plan = await planImport(await workbookOf(service, { Pakketten: packageRows(2) }), options);
    // A service that goes away between the create and the update.
    const interrupt = new AbortController();
    let seen = 0;
    const first = await applyPlan(plan, {
      ...options,
      signal: interrupt.signal,
      concurrency: 1,
      onProgress: ({ stage }) => {
        if (stage === 'sending' && ++seen === 1) interrupt.abort();
      },
    }).catch((error: unknown) => error);
    expect(first).toMatchObject({ exit: 130 });
    const again = await applyPlan(plan, options);
    expect(again.counts).toMatchObject({ created: 2, notSent: 0 });
    const made = (await service.records('package')).filter(({ ExternalID }) => Number(ExternalID) >= 600_000);
    expect(made.map(({ ExternalID }) => ExternalID).toSorted()).toEqual([600_000, 600_001]);
  });
});

describe('a mutation that was posted', () => {
  it('is known again when the file names its product in another way', async () => {
    const service = await openTestService();
    const [id = 0] = await recipeIds(service, 1);
    const found = (await service.records('recipe')).find((one) => one.id === id);
    const external = found?.ExternalID;
    const row = [id, 12, MORNING, 4, 4904, 'Inkoop'];
    const both = [
      [...MUTATION_HEADER, 'Product.ExternalID'],
      [...row, external],
    ] as const;
    const named = [
      ['Product.ExternalID', ...MUTATION_HEADER.slice(1)],
      [external, ...row.slice(1)],
    ] as const;
    const { length } = await mutationsOf(service);
    for (const rows of [[MUTATION_HEADER, row], both, named, [MUTATION_HEADER, row]])
      await importSheet(service, 'Voorraadmutaties', rows as never);
    expect(await mutationsOf(service)).toHaveLength(length + 1);
  });
});

describe('an ExternalID that another record took over', () => {
  it('is that record’s, whatever the ledger remembers', async () => {
    const service = await openTestService();
    const options = optionsFor(service);
    await importWorkbook(await workbookOf(service, { Pakketten: packageRows(2) }), options);
    const [one, two] = (await service.records('package')).filter((p) => Number(p.ExternalID) >= 600_000);
    const give = async (to: typeof one, ExternalID: number | null) => {
      const { id, ProductTypeID, OmschrijvingIntern, Verkoopprijs } = to ?? {};
      const body = { ProductID: id, ProductTypeID, OmschrijvingIntern, Verkoopprijs, ExternalID };
      await service.request('POST', 'api/v1/product/pakket/update', body);
    };
    await give(one, 610_000);
    await give(two, 600_000);
    const rows = [
      ['Product.ExternalID', ...MUTATION_HEADER.slice(1)],
      [600_000, 12, MORNING, 4, 4904, 'x'],
    ];
    await importSheet(service, 'Voorraadmutaties', rows);
    expect((await mutationsOf(service)).at(-1)).toMatchObject({ ProductID: two?.id });
  });

  it('that two kinds of record have is asked for by id', async () => {
    const service = await openTestService();
    const recipe = (await service.records('recipe')).find(({ ExternalID }) => ExternalID != null);
    const file = await workbookOf(service, {
      Pakketten: packageRows(2).map((row, at) =>
        at === 0 ? row : row.map((cell) => (cell === 600_000 ? Number(recipe?.ExternalID) : cell)),
      ),
      Voorraadmutaties: [
        ['Product.ExternalID', ...MUTATION_HEADER.slice(1)],
        [Number(recipe?.ExternalID), 12, MORNING, 4, 4904, 'x'],
      ],
    });
    const done = await importWorkbook(file, optionsFor(service));
    const row = done.rows.find(({ sheet }) => sheet === 'Voorraadmutaties');
    expect(row?.status).toBe('invalid');
    expect(row?.issues?.[0]).toMatchObject({ code: 'reference-ambiguous' });
    expect(row?.issues?.[0]?.message).toContain(`recipes ${recipe?.id}`);
  });
});

it('a service that loses every answer and can be read is there: the run goes on', async () => {
  const service = await openTestService();
  const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: packageRows(12) });
  await service.faults({ lostAnswer: 1, onlyWrites: true });
  const done = await importWorkbook(file, { ...optionsFor(service), retries: 0 });
  expect(done.counts).toMatchObject({ created: 12, unknown: 0, notSent: 0 });
});

it('a run that goes on after its file was imported again sends nothing twice', async () => {
  const service = await openTestService();
  const options = optionsFor(service);
  const file = await sevenSheets(`${service.folder}/seven.xlsx`, 4);
  const plan = await planImport(file, options);
  await importWorkbook(file, options);
  const kinds = ['package', 'recipe', 'event', 'link', 'mutation'];
  const counts = async () =>
    await Promise.all(kinds.map(async (kind) => (await service.records(kind)).length));
  const before = await counts();
  const done = await applyPlan(plan, options);
  expect(done.counts).toMatchObject({ created: 0, failed: 0, unknown: 0 });
  expect(await counts()).toEqual(before);
});
