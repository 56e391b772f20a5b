import { expect, it, onTestFinished } from 'vitest';
import {
  applyPlan,
  importWorkbook,
  listRuns,
  type Progress,
  type RunDocument,
} from '../../../../src/index.ts';
import { openLedger } from '../../../../src/ledger/sqlite-ledger.ts';
import { makeWorkbook, packageRows } from '../../../helpers/make-workbook.ts';
import { runCli, tempFolder } from '../../../helpers/run-cli.ts';
import { optionsFor } from '../../../helpers/test-service.ts';
import { MORNING, MUTATION_HEADER } from '../../../kinds/posting/stock-fixtures.ts';
import type { KnobChanges } from '../../../second-service/knobs.ts';
import { startSecondService } from '../../../second-service/second-service.ts';

async function open(changes: KnobChanges = {}) {
  const service = await startSecondService({ company: 'lookups', ...changes });
  onTestFinished(() => service.close());
  const { url, token } = service;
  const folder = tempFolder();
  return { service, folder, options: optionsFor({ folder, url: `${url}/`, token }) };
}

const isCreate = ({ endpoint }: { readonly endpoint: string }): boolean => endpoint === 'package.create';

/** Done, and answered with this. */
const answered = (body: unknown) => ({ kind: 'answer', when: 'after', status: 200, body }) as const;

/** The first creates are given up at once, and done this much later. */
function late(first: number, commitAfterMs: number, giveUp: number | 'RST' = 504): KnobChanges {
  let seen = 0;
  return {
    failures: {
      choose: (request) =>
        isCreate(request) && ++seen <= first ? { kind: 'late', giveUp, commitAfterMs } : undefined,
    },
  };
}

/** The first creates are given up at once, and done when what is answered here is called. */
function held(service: Awaited<ReturnType<typeof open>>['service'], first: number): () => void {
  service.set(late(first, 0));
  let letGo = (): void => {};
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  service.at(isCreate, () => gone, { times: first });
  return letGo;
}

it('creates that are done some time after the service gave up are found, while other rows go on', async () => {
  const { service, folder, options } = await open();
  const letGo = held(service, 16);
  const file = await makeWorkbook(`${folder}/a.xlsx`, { Pakketten: packageRows(30) });
  const told: Progress[] = [];
  const onProgress = (progress: Progress): void => {
    told.push(progress);
    if ((progress.doubt?.rows ?? 0) > 1) letGo();
  };
  const done = await importWorkbook(file, { ...options, concurrency: 1, doubt: 30, onProgress });
  expect(done.counts).toMatchObject({ created: 30, unknown: 0 });
  expect(service.packages.doubles(['ExternalID'])).toEqual([]);
  // None was sent again, and more were in doubt at once than rows are at work.
  expect(service.journal.requests.filter(isCreate)).toHaveLength(30);
  expect(Math.max(...told.map(({ doubt }) => doubt?.rows ?? 0))).toBeGreaterThan(1);
  expect(told.at(-1)?.doubt).toBeUndefined();
});

it('creates that never arrive are sent again once they can no longer appear', async () => {
  const { service, folder, options } = await open();
  service.failNext({ kind: 'reset', when: 'before' }, isCreate);
  const file = await makeWorkbook(`${folder}/a.xlsx`, { Pakketten: packageRows(1) });
  const done = await importWorkbook(file, { ...options, doubt: 0.5 });
  expect(done.counts).toMatchObject({ created: 1 });
  const [lost, again] = service.journal.requests.filter(isCreate);
  expect((again?.at ?? 0) - (lost?.answeredAt ?? 0)).toBeGreaterThanOrEqual(499);
});

it('an interruption ends the wait for a create at once, and the next import settles it', async () => {
  const { service, folder, options } = await open(late(3, 700, 'RST'));
  const file = await makeWorkbook(`${folder}/a.xlsx`, { Pakketten: packageRows(9) });
  const stop = new AbortController();
  const onProgress = ({ done, doubt }: Progress): void => {
    if (doubt?.rows === 3 && done === 6) stop.abort();
  };
  // Longer than a test may take.
  const first = importWorkbook(file, { ...options, doubt: 600, signal: stop.signal, onProgress });
  await expect(first).rejects.toMatchObject({ exit: 130 });
  const second = await importWorkbook(file, { ...options, doubt: 1 });
  expect(second.counts).toMatchObject({ unknown: 0, failed: 0 });
  await service.settled();
  expect(service.packages.doubles(['ExternalID'])).toEqual([]);
  expect((await importWorkbook(file, options)).counts).toMatchObject({ unchanged: 9 });
});

it.each(['import', 'apply'] as const)(
  'a kill between finding what a create made and writing it down loses nothing and sends nothing again, by %s',
  async (by) => {
    const { service, folder, options } = await open(late(1, 400, 'RST'));
    const file = await makeWorkbook(`${folder}/a.xlsx`, { Pakketten: packageRows(1) });
    const stop = new AbortController();
    const onProgress = ({ doubt }: Progress): void => {
      if (doubt !== undefined) stop.abort();
    };
    const first = importWorkbook(file, { ...options, doubt: 30, signal: stop.signal, onProgress });
    await expect(first).rejects.toMatchObject({ exit: 130 });
    await service.settled();
    const [{ run, service: serviceKey }] = (await listRuns({ ledger: options.ledger })) as [RunDocument];
    const [id = 0] = service.packages
      .where({ OmschrijvingIntern: 'Lunchbuffet 600000' })
      .map(({ ProductID }) => ProductID);
    const ledger = openLedger(options.ledger);
    const found = {
      fingerprint: `id:${id}`,
      run,
      seq: 0,
      at: '2027-01-01 00:00:00',
      id: Number(id),
    } as const;
    await ledger.claimPosting(serviceKey, 'packages', { ...found, state: 'done' });
    await ledger.close();
    const { allowDelete: _, ...again } = { ...options, allowDelete: false, doubt: 0.3 };
    const second = by === 'apply' ? await applyPlan(run, again) : await importWorkbook(file, again);
    expect(second.counts).toMatchObject({ unknown: 0, failed: 0, notSent: 0 });
    expect(service.journal.requests.filter(isCreate)).toHaveLength(1);
    expect(service.packages.get(Number(id))).toMatchObject({ ExternalID: 600_000 });
  },
);

it('a row waits until a lost write of an earlier row about its record can no longer undo it', async () => {
  const { service, folder, options } = await open();
  const id = service.add.package({ ExternalID: 600_000, OmschrijvingIntern: 'Was', Verkoopprijs: 1 });
  const header = ['#action', 'ExternalID', 'Verkoopprijs'];
  const rows = [header, ['update', 600_000, 2], ['update', 600_000, 3]];
  const file = await makeWorkbook(`${folder}/a.xlsx`, { Pakketten: rows });
  service.failNext({ kind: 'late', giveUp: 504, commitAfterMs: 300 });
  const done = await importWorkbook(file, { ...options, doubt: 0.9 });
  expect(done.counts).toMatchObject({ updated: 2 });
  await service.settled();
  expect(service.packages.get(id)).toMatchObject({ Verkoopprijs: 3 });
});

it('a posting that a proxy answered with 503 after it was done is unknown at once, and not posted again', async () => {
  const { service, folder, options } = await open({ company: 'whole' });
  const product = service.add.recipe();
  const row = [product, 12, MORNING, -2, 4901, 'Bederf'];
  const file = await makeWorkbook(`${folder}/a.xlsx`, { Voorraadmutaties: [[...MUTATION_HEADER], row] });
  const before = service.mutations.size;
  service.failNext({ kind: 'status', status: 503, when: 'after', retryAfter: 0 });
  // Longer than a test may take.
  const done = await importWorkbook(file, { ...options, doubt: 600 });
  expect(done.counts).toMatchObject({ unknown: 1 });
  await importWorkbook(file, options);
  expect(service.mutations.size).toBe(before + 1);
});

it('a kill while postings wait for the pace leaves only those in doubt that were sent', async () => {
  const { service, folder, options } = await open({ company: 'whole' });
  const rows = Array.from({ length: 20 }, () => [service.add.recipe(), 12, MORNING, -2, 4901, 'Bederf']);
  const file = await makeWorkbook(`${folder}/a.xlsx`, { Voorraadmutaties: [[...MUTATION_HEADER], ...rows] });
  const env = {
    ...{ CATERSHEET_BASE_URL: service.url, CATERSHEET_TOKEN: service.token, CATERSHEET_HOME: folder },
  };
  // Its sender never hears of the fourth, which is done all the same.
  const writes = () => service.journal.requests.filter(({ write }) => write);
  service.at(4, () => kill('SIGKILL'), { side: 'after' });
  let kill: (signal: NodeJS.Signals) => void = () => {};
  const args = ['import', file, '--yes', '--rate', '8', '--ledger', options.ledger, '--out', options.out];
  await runCli(args, { cwd: folder, env, onStart: (send) => (kill = send) });
  await service.settled();
  const sent = writes().length;
  expect(sent).toBeLessThan(8);
  const done = await importWorkbook(file, options);
  expect(done.counts.unknown).toBeLessThanOrEqual(sent - 3);
  expect(done.counts.created).toBe(20 - sent);
  expect(writes()).toHaveLength(20);
});

it.each([
  ['200 and nothing', { kind: 'empty 200', when: 'before' }],
  ['200 and nothing, after it was done', { kind: 'empty 200', when: 'after' }],
  ['a success without an id, after it was done', answered({ success: true })],
] as const)('a create that is answered with %s is looked for, and there once', async (_, failure) => {
  const { service, folder, options } = await open();
  service.failNext(failure, isCreate);
  const file = await makeWorkbook(`${folder}/a.xlsx`, { Pakketten: packageRows(2) });
  const done = await importWorkbook(file, { ...options, doubt: 0.3 });
  expect(done.counts).toMatchObject({ created: 2 });
  expect(service.packages.doubles(['ExternalID'])).toEqual([]);
  expect(service.packages.where({ ExternalID: 600_000 })).toHaveLength(1);
});

it('an update that is answered with 200 and nothing, and was not done, is sent again', async () => {
  const { service, folder, options } = await open();
  const id = service.add.package({ ExternalID: 600_000, OmschrijvingIntern: 'Was', Verkoopprijs: 1 });
  const rows = [
    ['ExternalID', 'Verkoopprijs'],
    [600_000, 2],
  ];
  const file = await makeWorkbook(`${folder}/a.xlsx`, { Pakketten: rows });
  service.failNext({ kind: 'empty 200', when: 'before' }, ({ write }) => write);
  const done = await importWorkbook(file, { ...options, doubt: 0.3 });
  expect(done.counts).toMatchObject({ updated: 1 });
  expect(service.packages.get(id)).toMatchObject({ Verkoopprijs: 2 });
});

it.each([
  ['408', { kind: 'status', status: 408, when: 'after' }, '404 json'],
  ['a lost connection', { kind: 'reset', when: 'after' }, '404 html'],
  ['nothing', { kind: 'empty 200', when: 'after' }, '404 json'],
  ['503', { kind: 'status', status: 503, when: 'after' }, '[]'],
] as const)(
  'a delete that was done and answered with %s is deleted, whatever a second try is answered',
  async (_, failure, missing) => {
    const { service, folder, options } = await open({ answers: { missing } });
    const id = service.add.package({ ExternalID: 600_000 });
    const rows = [
      ['#action', 'ExternalID'],
      ['delete', 600_000],
    ];
    const file = await makeWorkbook(`${folder}/a.xlsx`, { Pakketten: rows });
    service.failNext(failure, ({ write }) => write);
    const done = await importWorkbook(file, { ...options, allowDelete: true, doubt: 0.3 });
    expect(done.counts).toMatchObject({ deleted: 1, failed: 0 });
    expect(service.packages.get(id)).toBeUndefined();
  },
);

it('a delete that was done, and whose second try is refused while reads show the record still, is deleted', async () => {
  const { service, folder, options } = await open({
    answers: { refusal: '200 success false', missing: '{}' },
    speed: { lagMs: 300, detailLags: true },
  });
  const id = service.add.package({ ExternalID: 600_000 });
  const file = await makeWorkbook(`${folder}/a.xlsx`, {
    Pakketten: [
      ['#action', 'ExternalID'],
      ['delete', 600_000],
    ],
  });
  service.failNext({ kind: 'reset', when: 'after' }, ({ write }) => write);
  const done = await importWorkbook(file, { ...options, allowDelete: true, doubt: 1 });
  expect(done.counts).toMatchObject({ deleted: 1, failed: 0 });
  expect(service.packages.get(id)).toBeUndefined();
});

it('a delete that finds nothing, as somebody else was first, leaves nothing to do', async () => {
  const { service, folder, options } = await open();
  const id = service.add.package({ ExternalID: 600_000 });
  const rows = [
    ['#action', 'ExternalID'],
    ['delete', 600_000],
  ];
  const file = await makeWorkbook(`${folder}/a.xlsx`, { Pakketten: rows });
  const choose = ({ endpoint }: { readonly endpoint: string }): undefined => {
    if (endpoint === 'package.delete' && service.packages.get(id)) service.other.remove('package', id);
  };
  service.set({ failures: { choose } });
  const done = await importWorkbook(file, { ...options, allowDelete: true });
  expect(done.counts).toMatchObject({ unchanged: 1, failed: 0 });
});

it('a lost create is told from the one that somebody else made just before, with all the same values', async () => {
  const { service, folder, options } = await open({ clock: { resolution: 'min' } });
  const values = { OmschrijvingIntern: 'Lunchbuffet', ProductTypeID: 1, Verkoopprijs: 7 };
  service.other.create('package', values);
  service.failNext({ kind: 'reset', when: 'before' }, isCreate);
  const rows = [
    ['#action', ...Object.keys(values)],
    ['create', ...Object.values(values)],
  ];
  const file = await makeWorkbook(`${folder}/a.xlsx`, { Pakketten: rows });
  const done = await importWorkbook(file, { ...options, doubt: 0.3 });
  expect(done.counts).toMatchObject({ created: 1, unknown: 0 });
});

it.each(['package', 'recipe', 'event'] as const)(
  'a lost create of a %s is found by the ids that were not there before, where they are random and no LMT is shown',
  async (kind) => {
    const { service, folder, options } = await open({
      clock: { lmt: 'absent' },
      values: { newIds: 'random', externalId: 'never' },
    });
    const rows = {
      package: { OmschrijvingIntern: 'Lunchbuffet', ProductTypeID: 1, Verkoopprijs: 7 },
      recipe: {
        ...{ OmschrijvingIntern: 'Soep', ProductCategorieID: 11, ProductEenheidWaardeID: 501 },
        ...{ Gewicht: 0.5, OPK: 4 },
      },
      event: {
        ...{ RelatieID: 4001, ContactpersoonID: 6001, Datum: '2027-05-04' },
        ...{ Starttijd: '2027-05-04 12:00', Eindtijd: '2027-05-04 17:00' },
      },
    };
    const sheet = { package: 'Pakketten', recipe: 'Recepten', event: 'Evenementen' }[kind];
    const lines = [Object.keys(rows[kind]), Object.values(rows[kind])];
    const isNew = ({ endpoint }: { readonly endpoint: string }): boolean => endpoint === `${kind}.create`;
    // One that is the same was there before.
    service.other.create(kind, rows[kind]);
    service.failNext({ kind: 'reset', when: 'after' }, isNew);
    const cells = lines.map((line, at) => [at === 0 ? '#action' : 'create', ...line]);
    const file = await makeWorkbook(`${folder}/a.xlsx`, { [sheet]: cells });
    const done = await importWorkbook(file, { ...options, doubt: 0.3 });
    expect(done.counts).toMatchObject({ created: 1, unknown: 0 });
    expect(service.journal.requests.filter(isNew)).toHaveLength(1);
  },
);

it('while rows are in doubt it is told that rows are being sent, how many are in doubt, and until when', async () => {
  const { folder, service, options } = await open();
  const letGo = held(service, 6);
  const file = await makeWorkbook(`${folder}/a.xlsx`, { Pakketten: packageRows(6) });
  const told: Progress[] = [];
  const onProgress = (progress: Progress): void => {
    told.push(progress);
    if (progress.doubt !== undefined) letGo();
  };
  await importWorkbook(file, { ...options, doubt: 30, onProgress });
  const doubted = told.filter(({ doubt }) => doubt !== undefined);
  expect(doubted[0]).toMatchObject({ stage: 'sending', done: 0, total: 6 });
  // The lists that they are looked for in would take the place of both.
  const since = told.slice(told.findIndex(({ doubt }) => doubt !== undefined));
  expect(since.map(({ stage }) => stage)).not.toContain('listing');
  expect(service.packages.doubles(['ExternalID'])).toEqual([]);
});

it('the terminal names all rows in doubt, and not the first alone', async () => {
  // All are answered at once, and shown by no read for a while.
  const { folder, service } = await open({ speed: { lagMs: 900 } });
  let come = 0;
  let letGo = (): void => {};
  const all = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  service.at(isCreate, () => (++come === 6 ? letGo() : all), { times: 6 });
  const choose = (request: { readonly endpoint: string }) =>
    isCreate(request) ? ({ kind: 'status', status: 504, when: 'after' } as const) : undefined;
  service.set({ failures: { choose } });
  const file = await makeWorkbook(`${folder}/a.xlsx`, { Pakketten: packageRows(6) });
  const args = ['import', file, '--yes', '--doubt', '30', '--retries', '0', '--base-url', service.url];
  const env = { CATERSHEET_TOKEN: service.token };
  const { code, stderr } = await runCli([...args, '--ledger', `${folder}/ledger.db`], { cwd: folder, env });
  expect(code).toBe(0);
  expect(stderr).toMatch(/^6 rows: looking until \d\d:\d\d:\d\d whether they arrived/m);
  expect(stderr).not.toMatch(/^1 row: looking/m);
});

it('a create that was turned away before it was made holds up no look for another one', async () => {
  const { service, folder, options } = await open({ values: { externalId: 'never' } });
  service.failNext({ kind: 'status', status: 429, when: 'before', retryAfter: 0 }, isCreate);
  service.failNext({ kind: 'reset', when: 'after' }, isCreate);
  const file = await makeWorkbook(`${folder}/a.xlsx`, { Pakketten: packageRows(3) });
  const done = await importWorkbook(file, { ...options, concurrency: 2, doubt: 0.3 });
  expect(done.counts).toMatchObject({ created: 3, unknown: 0 });
  expect(service.packages.doubles(['OmschrijvingIntern'])).toEqual([]);
});
