import { expect, it } from 'vitest';
import { applyPlan, importWorkbook, type Progress, planImport } from '../../../src/index.ts';
import { openLedger } from '../../../src/ledger/sqlite-ledger.ts';
import { packages } from '../../../src/resources/packages.ts';
import { optionsFor } from '../../helpers/test-service.ts';
import { type Cells, type Keyed, openRows, resources, rowsOf, writeRows } from '../../records/keyed-rows.ts';
import type { ClockKnobs, ValueKnobs } from '../../second-service/knobs.ts';
import type { SecondService } from '../../second-service/second-service.ts';

const optionsOf = ({ url, token }: SecondService, folder: string) => optionsFor({ folder, url, token });

const csv = (folder: string, rows: readonly Cells[]): string => writeRows(`${folder}/rijen.csv`, rows);

const storeOf = (service: SecondService, as: Keyed) => service[as];

const CLOCKS: Readonly<Record<string, Partial<ClockKnobs>>> = {
  'is 11 minutes behind': { skewMs: -660_000 },
  'says UTC in its LMT': { zone: 'UTC' },
  'says the time of Amsterdam in its LMT': { zone: 'Europe/Amsterdam' },
  'is 300 days behind': { skewMs: -300 * 86_400_000 },
  'is a day ahead': { skewMs: 86_400_000 },
  'counts in minutes': { resolution: 'min' },
  'is not shown in any LMT': { lmt: 'absent' },
  'never moves an LMT': { moves: 'never', skewMs: -660_000 },
};
const KEYS: readonly (ValueKnobs['externalId'] | 'none')[] = ['kept', 'created', 'never', 'none'];

async function loseEverySecond(as: Keyed, key: (typeof KEYS)[number], clock: Partial<ClockKnobs>, back = 0) {
  const externalId = key === 'none' ? 'never' : key;
  const { service, folder } = await openRows({ clock, values: { externalId } });
  const store = storeOf(service, as);
  const before = store.size;
  let sent = 0;
  const failing = (endpoint: string): boolean => endpoint.endsWith('.create') && sent++ % 2 === 0;
  service.set({
    failures: {
      choose: ({ endpoint, method }) =>
        failing(endpoint) && method === 'PUT' ? { kind: 'reset', when: 'after' } : undefined,
    },
  });
  if (back !== 0) service.at(1, () => service.jump(back));
  const rows = [1, 2, 3, 4, 5].map((at) => ({
    ...(key === 'none' ? { '#action': 'create' } : { ExternalID: 9_000 + at }),
    ...rowsOf[as](at),
  }));
  const done = await importWorkbook(csv(folder, rows), {
    ...optionsOf(service, folder),
    as: resources[as],
  });
  await service.settled();
  expect([
    as,
    key,
    done.rows
      .map(({ status, message }) => [status, message ?? ''].join(' '))
      .filter((one) => !one.startsWith('created')),
  ]).toEqual([as, key, []]);
  expect([as, key, service.journal.doubled(), store.size - before]).toEqual([as, key, [], 5]);
  expect(service.faults).toEqual([]);
}

/** Of every kind and with every key, side by side, as most of it is waiting. */
async function loseOfEach(clock: Partial<ClockKnobs>, back = 0): Promise<void> {
  const kinds = ['packages', 'recipes', 'events'] as const;
  await Promise.all(kinds.flatMap((as) => KEYS.map((key) => loseEverySecond(as, key, clock, back))));
}

it.each(Object.entries(CLOCKS))(
  'a create whose answer is lost is found on a service whose clock %s',
  async (_, clock) => {
    await loseOfEach(clock);
  },
);

it('a create whose answer is lost is found where the clock jumps an hour back in the run', async () => {
  await loseOfEach({}, -3_600_000);
});

it.each(['packages', 'recipes', 'events'] as const)(
  'a lost create of %s after which nothing can be read is unknown, and settled by the next import',
  async (as) => {
    const { service, folder } = await openRows({ clock: { skewMs: -660_000 } });
    const own = { ...optionsOf(service, folder), retries: 0 };
    const options = { ...own, as: resources[as] };
    const file = csv(
      folder,
      [1, 2, 3].map((at) => ({ ExternalID: 9_000 + at, ...rowsOf[as](at) })),
    );
    const plan = await planImport(file, options);
    let lost = false;
    const choose = ({ write }: { write: boolean }) => {
      lost ||= write;
      return lost ? ({ kind: 'reset', when: 'after' } as const) : undefined;
    };
    service.set({ failures: { choose } });
    expect((await applyPlan(plan, own)).counts).toMatchObject({ unknown: 3 });
    service.set({ failures: { choose: undefined } });
    const dry = await importWorkbook(file, { ...options, dryRun: true });
    // What is in doubt is looked up for a dry run too, so that it shows what an import will do.
    expect(dry.counts).toMatchObject({ unknown: 0, created: 0 });
    expect((await importWorkbook(file, options)).counts).toMatchObject({ unknown: 0, created: 0 });
    expect((await importWorkbook(file, options)).counts).toMatchObject({ unchanged: 3 });
    expect(service.journal.doubled()).toEqual([]);
  },
);

it.each(['packages', 'recipes', 'events'] as const)(
  'a lost create of %s is not taken for that of an equal row that is under way meanwhile',
  async (as) => {
    const { service, folder } = await openRows({ values: { externalId: 'never' }, speed: { afterMs: 150 } });
    const store = storeOf(service, as);
    const before = store.size;
    service.failNext({ kind: 'reset', when: 'before' }, ({ endpoint }) => endpoint.endsWith('.create'));
    const rows = [1, 1, 1].map((at) => ({ '#action': 'create', ...rowsOf[as](at) }));
    const options = { ...optionsOf(service, folder), as: resources[as], doubt: 0.5 };
    const done = await importWorkbook(csv(folder, rows), options);
    expect([as, done.counts]).toMatchObject([as, { created: 3, unknown: 0 }]);
    expect([as, store.size - before, new Set(done.rows.map(({ id }) => id)).size]).toEqual([as, 3, 3]);
  },
);

it('a lost create that was found by a run that was killed before it could say so is not created again', async () => {
  const { service, folder } = await openRows();
  const own = { ...optionsOf(service, folder), retries: 0 };
  const options = { ...own, as: packages };
  const before = service.packages.size;
  const file = csv(folder, [{ '#action': 'create', ...rowsOf.packages(1) }]);
  const plan = await planImport(file, options);
  let lost = false;
  const choose = ({ write }: { write: boolean }) => {
    lost ||= write;
    return lost ? ({ kind: 'reset', when: 'after' } as const) : undefined;
  };
  service.set({ failures: { choose } });
  expect((await applyPlan(plan, own)).counts).toMatchObject({ unknown: 1 });
  service.set({ failures: { choose: undefined } });
  const id = service.packages.entries().at(-1)?.[0] ?? 0;
  const ledger = openLedger(own.ledger);
  const [{ service: key } = { service: '' }] = await ledger.listRuns(1);
  const claim = { fingerprint: `id:${id}`, run: plan.run, seq: 0, at: '2027-01-01 10:00:00' } as const;
  await ledger.claimPosting(key, 'packages', { ...claim, state: 'done', id });
  await ledger.close();
  expect((await applyPlan(plan, own)).counts).toMatchObject({ created: 1, unknown: 0 });
  expect(service.packages.size - before).toBe(1);
});

it.each([
  ['has an LMT', {}],
  ['shows no LMT', { lmt: 'absent' as const }],
])(
  'a lost create that got the id of a record deleted meanwhile is not sent again: it %s',
  async (_, clock) => {
    const { service, folder } = await openRows({ clock, values: { newIds: 'reused' } });
    const highest = service.add.package({ OmschrijvingIntern: 'Weg' });
    const before = service.packages.size;
    service.failNext({ kind: 'reset', when: 'after' }, ({ endpoint }) => endpoint === 'package.create');
    const isCreate = ({ endpoint }: { endpoint: string }) => endpoint === 'package.create';
    service.at(isCreate, () => service.other.remove('package', highest));
    const file = csv(folder, [{ '#action': 'create', ...rowsOf.packages(1) }]);
    const options = { ...optionsOf(service, folder), as: packages, doubt: 0.3 };
    const done = await importWorkbook(file, options);
    expect(service.packages.get(highest)).toMatchObject({ OmschrijvingIntern: 'Pakket 1' });
    expect([service.packages.size - before, done.counts.created]).toEqual([0, 0]);
  },
);

it('a lost create that was not done is sent again where a colleague just made the same record, and no LMT tells which is which', async () => {
  const { service, folder } = await openRows({
    clock: { lmt: 'absent' },
    values: { newIds: 'reused', externalId: 'never' },
  });
  const file = csv(folder, [{ '#action': 'create', ExternalID: 9_001, ...rowsOf.packages(1) }]);
  const options = { ...optionsOf(service, folder), doubt: 0.3 };
  const { run } = await planImport(file, { ...options, as: packages });
  const theirs = service.other.create('package', {
    ...{ OmschrijvingIntern: 'Pakket 1', ProductTypeID: 1, Verkoopprijs: 11.25 },
  });
  const before = service.packages.size;
  service.failNext({ kind: 'reset', when: 'before' }, ({ endpoint }) => endpoint === 'package.create');
  const { counts, rows } = await applyPlan(run, options);
  expect([counts.created, counts.unknown, service.packages.size - before]).toEqual([1, 0, 1]);
  expect(rows.map(({ id }) => id)).not.toContain(theirs);
});

it('a lost create that could not be told is looked for once more when the rows after it are done, with a row that waited for it', async () => {
  const { service, folder } = await openRows();
  const before = service.packages.size;
  const isCreate = (name: string, { endpoint, body }: { endpoint: string; body: unknown }): boolean =>
    endpoint === 'package.create' && (body as Cells).OmschrijvingIntern === name;
  service.failNext({ kind: 'reset', when: 'after' }, (request) => isCreate('Pakket 1', request));
  service.failNext({ kind: 'reset', when: 'before' }, (request) => isCreate('Pakket 2', request));
  const isAgain = () => service.journal.requests.filter((one) => isCreate('Pakket 2', one)).length > 1;
  service.set({
    failures: {
      choose: ({ path }) =>
        path.endsWith('detailExternal/9001') && !isAgain()
          ? { kind: 'status', status: 403, when: 'before' }
          : undefined,
    },
  });
  const file = csv(folder, [
    { '#action': 'create', ExternalID: 9_001, ...rowsOf.packages(1) },
    { '#action': 'create', ExternalID: 9_002, ...rowsOf.packages(2) },
    { '#action': 'update', ExternalID: 9_001, OmschrijvingIntern: 'Pakket 1', Verkoopprijs: '31,5' },
  ]);
  const options = { ...optionsOf(service, folder), as: packages, doubt: 0.4, concurrency: 1 };
  const { rows } = await importWorkbook(file, options);
  expect(rows.map(({ row, status }) => [row, status])).toEqual([
    [2, 'created'],
    [3, 'created'],
    [4, 'updated'],
  ]);
  expect([service.packages.size - before, service.journal.doubled()]).toEqual([2, []]);
});

it('a create that a run left in doubt is looked for again where the first look of the next import can not be read', async () => {
  const { service, folder, options } = await openRows({ values: { externalId: 'never' } });
  const before = service.packages.size;
  const file = csv(folder, [{ '#action': 'create', ...rowsOf.packages(1) }]);
  const stop = new AbortController();
  const isCreate = ({ endpoint }: { readonly endpoint: string }) => endpoint === 'package.create';
  service.failNext({ kind: 'reset', when: 'after' }, isCreate);
  const settings = { ...options, as: resources.packages, doubt: 0.4, retries: 0 };
  const choose = ({ write }: { readonly write: boolean }) =>
    !write && service.packages.size > before ? ({ kind: 'reset', when: 'before' } as const) : undefined;
  service.set({ failures: { choose } });
  const onProgress = ({ doubt }: Progress): void => {
    if (doubt !== undefined) stop.abort();
  };
  const first = importWorkbook(file, { ...settings, doubt: 30, signal: stop.signal, onProgress });
  await expect(first).rejects.toMatchObject({ exit: 130 });
  service.set({ failures: { choose: undefined } });
  service.failNext({ kind: 'reset', when: 'before' }, ({ write }) => !write);
  expect((await importWorkbook(file, settings)).counts).toMatchObject({ unchanged: 1, unknown: 0 });
  expect(service.packages.size).toBe(before + 1);
});
