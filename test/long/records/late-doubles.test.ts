import exceljs from 'exceljs';
import { expect, it } from 'vitest';
import {
  applyPlan,
  exportRecords,
  importWorkbook,
  type Progress,
  planImport,
  undoRun,
} from '../../../src/index.ts';
import { packages } from '../../../src/resources/packages.ts';
import type { CliResult } from '../../helpers/run-cli.ts';
import { runHere } from '../../helpers/run-here.ts';
import { serviceOnly } from '../../helpers/service-options.ts';
import {
  type Cells,
  KEYED,
  type Keyed,
  openRows,
  resources,
  rowsOf,
  writeRows,
} from '../../records/keyed-rows.ts';
import type { KnobChanges } from '../../second-service/knobs.ts';
import type { SecondService } from '../../second-service/second-service.ts';
import type { Received } from '../../second-service/types.ts';

/** A service, and imports of rows into it. */
async function open(knobs: KnobChanges = {}) {
  const { service, folder, options: own } = await openRows(knobs);
  const options = { ...own, doubt: 0.1 };
  let files = 0;
  const write = (rows: readonly Cells[]): string => writeRows(`${folder}/rijen-${files++}.csv`, rows);
  const run = async (as: Named, rows: readonly Cells[], more: object = {}) =>
    await importWorkbook(write(rows), { ...options, as: resources[as], ...more });
  /** Plans rows and sends them; cut off while the first create is in doubt, which is done late all the same. */
  const cutOff = async (as: Named, rows: readonly Cells[]) => {
    const plan = await planImport(write(rows), { ...options, as: resources[as] });
    doneLate(service);
    const stop = new AbortController();
    const onProgress = ({ doubt }: Progress): void => {
      if (doubt !== undefined) stop.abort();
    };
    const more = { doubt: 30, signal: stop.signal, onProgress };
    await expect(applyPlan(plan, { ...serviceOnly(options), ...more })).rejects.toMatchObject({
      exit: 130,
    });
    return plan;
  };
  return { service, folder, options, run, cutOff };
}

const isCreate = ({ endpoint }: { readonly endpoint: string }): boolean => endpoint.endsWith('.create');

/** The next request that fits is given up, and done right after it was sent again, however long that takes. */
function doneLate(service: SecondService, fits: (request: Received) => boolean = isCreate): void {
  let late: Received | undefined;
  let goOn = (): void => {};
  const again = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  service.failNext({ kind: 'late', giveUp: 504, commitAfterMs: 0 }, (request) => {
    if (!fits(request)) return false;
    late = request;
    return true;
  });
  service.at(
    ({ n }) => n === late?.n,
    () => again,
  );
  const isAgain = ({ n, body }: Received): boolean =>
    late !== undefined && n > late.n && JSON.stringify(body) === JSON.stringify(late.body);
  service.at(isAgain, () => goOn(), { side: 'after' });
}

type Named = keyof typeof resources;

const storeOf = (service: SecondService, as: Keyed) => service[as];

/** So many that their list is read. */
const MANY = [1, 2, 3, 4, 5];

const rowsIn = (as: Keyed, from: number): Cells[] =>
  MANY.map((at) => ({ ExternalID: from + at, ...rowsOf[as](at) }));

/** Imports rows of which the first create is given up, sent again, and done late all the same. */
async function doubled(as: Keyed, knobs: KnobChanges = {}, rows = rowsIn(as, 9_000)) {
  const opened = await open(knobs);
  const { service, run } = opened;
  const before = storeOf(service, as).size;
  doneLate(service);
  const done = await run(as, rows, { concurrency: 1 });
  expect([as, done.counts]).toMatchObject([as, { created: rows.length, unknown: 0 }]);
  await service.settled();
  expect([as, storeOf(service, as).size - before]).toEqual([as, rows.length + 1]);
  const own = done.rows.find(({ row }) => row === 2)?.id ?? 0;
  const lateId = service.journal.doubled()[0]?.find(({ id }) => id !== own)?.id ?? 0;
  return { ...opened, first: done, own, late: lateId };
}

it.each(KEYED)('a late double of %s is named by a file with its row alone, whatever it reads', async (as) => {
  const { service, run } = await open();
  // So many that one row is looked up by itself.
  const more = as === 'events' ? [] : Array.from({ length: 300 }, (_, at) => `Vulling ${at}`);
  for (const OmschrijvingIntern of more)
    service.add[as === 'packages' ? 'package' : 'recipe']({ OmschrijvingIntern });
  for (const key of [{ ExternalID: 9_001 }, { '#key': 'a', '#action': 'create' }] as const) {
    const row: Cells = {
      ...key,
      ...rowsOf[as](1),
      ...(as !== 'events' && { OmschrijvingIntern: Object.keys(key).join() }),
    };
    const size = storeOf(service, as).size;
    doneLate(service);
    const [own] = (await run(as, [row])).rows;
    await service.settled();
    expect([as, storeOf(service, as).size - size]).toEqual([as, 2]);
    const again = await run(as, [row]);
    const onRow = toldOn(again);
    expect([as, again.counts.created, again.counts.updated, again.rows[0]?.id]).toEqual([as, 0, 0, own?.id]);
    expect([as, again.counts.conflict]).toEqual([as, onRow.length]);
    const told = [...onRow.map(({ message }) => message), ...notesOf(again)];
    expect([as, key, told.join()]).toEqual([
      as,
      key,
      expect.stringContaining(`came late beside ${own?.id},`),
    ]);
  }
});

type Result = Awaited<ReturnType<typeof importWorkbook>>;

/** What rows say of late doubles: a conflict, but where it only may be one. */
const toldOn = ({ rows }: Result) => [
  ...rows.flatMap(({ row, status, message = '' }) =>
    message?.includes('came late') ? [{ row, severity: status, message, cell: '', found: '' }] : [],
  ),
  ...rows.flatMap(({ row, issues = [] }) =>
    issues.filter(({ code }) => code === 'late-double').map((issue) => ({ row, ...issue })),
  ),
];
const notesOf = ({ notes = [] }: Result) => notes.filter((note) => note.includes('came late'));

it.each(KEYED)(
  'a late double of %s is a conflict with both ids on its row in each later import of the same file',
  async (as) => {
    const { run, first, own, late, service } = await doubled(as);
    for (const more of [{ dryRun: true }, {}, {}]) {
      const again = await run(as, rowsIn(as, 9_000), more);
      // Events keep the ExternalID of their create, so that two have it: the row is about its own.
      expect(again.counts).toMatchObject({ unchanged: 4, conflict: 1 });
      expect(again.rows.find(({ row }) => row === 2)?.id).toBe(own);
      const [told, ...others] = toldOn(again);
      expect(others).toEqual([]);
      expect(told).toMatchObject({ row: 2, severity: 'conflict' });
      expect(told?.message).toContain(`${late} came late beside ${own}, which run ${first.run} sent again`);
      expect(notesOf(again)).toEqual([]);
    }
    expect(service.faults).toEqual([]);
  },
);

it.each(KEYED)('a late double of %s is a note of an import of other rows that reads it', async (as) => {
  const { run, first, own, late } = await doubled(as);
  const requests = (result: Result): number => result.requests;
  const other = await run(as, rowsIn(as, 9_100), { dryRun: true });
  expect(toldOn(other)).toEqual([]);
  const [note, ...others] = notesOf(other);
  expect(note).toContain(`${late} came late beside ${own}, which run ${first.run} sent again`);
  expect(note).toContain(
    as === 'events' ? "the service can't delete these" : `catersheet undo ${first.run} offers`,
  );
  expect(others).toEqual([]);
  // It costs no request.
  const clean = await open();
  // The first run of a ledger looks for events on all days.
  await clean.run(as, rowsIn(as, 9_200), { dryRun: true });
  expect(requests(other)).toBe(requests(await clean.run(as, rowsIn(as, 9_100), { dryRun: true })));
});

it.each(KEYED)(
  'an equal record of %s that somebody else made with another ExternalID is no late double',
  async (as) => {
    const { run, service, late } = await doubled(as);
    const store = storeOf(service, as);
    const kind = as === 'packages' ? 'package' : as === 'recipes' ? 'recipe' : 'event';
    const { ExternalID: _, ...values } = store.get(late) ?? {};
    const { ProductID: __, PartijID: ___, LMT: ____, ...rest } = values;
    service.other.create(kind, { ...rest, ExternalID: 77_001 });
    const again = await run(as, rowsIn(as, 9_000));
    expect(toldOn(again).map(({ message }) => message)).toEqual([
      expect.stringContaining(` ${late} came late beside `),
    ]);
    expect(notesOf(again)).toEqual([]);
  },
);

/** Takes all rows out of a workbook but that of one id, as a user does; answers what stands in it. */
async function keepOne(file: string, id: number): Promise<unknown[]> {
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(file);
  const sheet = book.worksheets[0];
  let kept: unknown[] = [];
  for (let at = sheet?.rowCount ?? 0; at > 1; at--) {
    const cells = [sheet?.getRow(at).values ?? []].flat();
    if (cells.includes(id)) kept = cells;
    else sheet?.spliceRows(at, 1);
  }
  await book.xlsx.writeFile(file);
  return kept;
}

it.each(['packages', 'recipes'] as const)(
  'undo of the run that sent a create of %s again offers to delete the double in a row of its own',
  async (as) => {
    const { run, service, folder, options, first, own, late } = await doubled(as);
    const store = storeOf(service, as);
    await run(as, rowsIn(as, 9_000), { dryRun: true });
    const out = `${folder}/undo.xlsx`;
    const undone = await undoRun(first.run, { ...serviceOnly(options), out });
    expect(undone).toMatchObject({ rows: 6, cannot: [] });
    const row = await keepOne(out, late);
    expect(row).toContain('delete');
    expect(row.join(' ')).toContain(`came late beside ${own}: keep this row alone`);
    const size = store.size;
    const alone = await importWorkbook(out, { ...options, allowDelete: true });
    expect(alone.counts).toMatchObject({ deleted: 1 });
    expect([store.size, store.get(late), store.get(own) === undefined]).toEqual([size - 1, undefined, false]);
    const again = await run(as, rowsIn(as, 9_000));
    expect([again.counts.unchanged, toldOn(again), notesOf(again)]).toEqual([5, [], []]);
    // What is gone is not offered again.
    const more = await undoRun(first.run, { ...serviceOnly(options), out: `${folder}/more.xlsx` });
    expect(more).toMatchObject({ rows: 5, cannot: [] });
  },
);

it('an undo that is imported whole deletes what the run made, the late double too, and nothing else', async () => {
  const { run, service, folder, options, first } = await doubled('packages');
  await run('packages', rowsIn('packages', 9_000), { dryRun: true });
  const out = `${folder}/undo.xlsx`;
  await undoRun(first.run, { ...serviceOnly(options), out });
  const before = service.packages.size;
  const done = await importWorkbook(out, { ...options, allowDelete: true });
  expect(done.counts).toMatchObject({ deleted: 6, conflict: 0 });
  expect(service.packages.size).toBe(before - 6);
});

it('a late double that somebody worked on since is a conflict for the undo that would delete it', async () => {
  const { run, service, folder, options, first, late } = await doubled('packages');
  await run('packages', rowsIn('packages', 9_000), { dryRun: true });
  service.other.change('package', late, { Verkoopprijs: 99 });
  const out = `${folder}/undo.xlsx`;
  await undoRun(first.run, { ...serviceOnly(options), out });
  await keepOne(out, late);
  const done = await importWorkbook(out, { ...options, allowDelete: true });
  expect(done.counts).toMatchObject({ deleted: 0, conflict: 1 });
  expect(service.packages.get(late)).toMatchObject({ Verkoopprijs: 99 });
});

it('undo names a late event with its number, as the service deletes none', async () => {
  const { run, folder, options, first, own, late } = await doubled('events');
  await run('events', rowsIn('events', 9_000), { dryRun: true });
  const undoing = undoRun(first.run, { ...serviceOnly(options), out: `${folder}/undo.xlsx` });
  await expect(undoing).rejects.toThrow(`${late} came late beside ${own}`);
});

it('a create that the next import sends again, as the first run was cut off, shows its late double too', async () => {
  const { service, folder, options, run, cutOff } = await open({ values: { externalId: 'never' } });
  const rows = rowsIn('packages', 9_000);
  const first = await cutOff('packages', rows);
  const second = await run('packages', rows);
  await service.settled();
  expect(service.journal.doubled()).toHaveLength(1);
  const own = second.rows.find(({ row }) => row === 2)?.id;
  const told = toldOn(await run('packages', rows));
  expect(told.map(({ row, message }) => [row, message.includes(`run ${second.run} sent`)])).toEqual([
    [2, true],
  ]);
  // The first run is not taken to have made it, so that the row stays about its own record.
  await undoRun(first.run, { ...serviceOnly(options), out: `${folder}/first.xlsx` }).catch(() => {});
  const again = await run('packages', rows);
  expect(again.counts).toMatchObject({ unchanged: 4, conflict: 1 });
  expect(toldOn(again)).toEqual(told);
  expect(again.rows.find(({ row }) => row === 2)?.id).toBe(own);
});

it('a create that a run sends again when it goes on shows its late double to the next import', async () => {
  const { service, options, run, cutOff } = await open();
  const plan = await cutOff('packages', rowsIn('packages', 9_000));
  const done = await applyPlan(plan, serviceOnly(options));
  expect(done.counts).toMatchObject({ created: 5, unknown: 0 });
  await service.settled();
  expect(service.journal.doubled()).toHaveLength(1);
  const [told, ...others] = toldOn(await run('packages', rowsIn('packages', 9_000)));
  expect(told?.message).toContain(`run ${plan.run} sent again`);
  expect(others).toEqual([]);
});

it('of equal rows without a key only the late record is a double, and none of those that rows made', async () => {
  const { service, run } = await open({ values: { externalId: 'never' } });
  const rows = [1, 1, 2, 1].map((at) => ({ '#action': 'create', ...rowsOf.packages(at) }));
  let creates = 0;
  const isLast = (request: { readonly endpoint: string }) => isCreate(request) && ++creates === 4;
  doneLate(service, isLast);
  const done = await run('packages', rows, { concurrency: 1 });
  expect(done.counts).toMatchObject({ created: 4 });
  await service.settled();
  const late = Math.max(...service.journal.ours.map(({ id }) => id));
  expect((await run('packages', rows)).counts).toMatchObject({ unchanged: 4 });
  // Those rows alone make no import read the list.
  const said = notesOf(await run('packages', rowsIn('packages', 9_100), { dryRun: true }));
  expect(said).toHaveLength(1);
  expect(said[0]).toContain(`${late} came late`);
});

it.each(KEYED)('an export of %s that reads a late double names it', async (as) => {
  const { folder, options, own, late } = await doubled(as);
  const { allRows: _, ...more } = options;
  const days = as === 'events' ? { from: '2027-05-01', to: '2027-05-31' } : {};
  const done = await exportRecords(resources[as], { ...more, ...days, out: `${folder}/uit.xlsx` });
  const [note, ...others] = (done.notes ?? []).filter((one) => one.includes('came late'));
  expect(note).toContain(`${late} came late beside ${own}`);
  expect(others).toEqual([]);
});

it('a row that refers to an event with a late double is linked to the event that its row made', async () => {
  // One row, so that nothing but its two creates is given an id.
  const knobs = { seed: 3, values: { newIds: 'random' } } as const;
  const { service, run, own, late } = await doubled('events', knobs, rowsIn('events', 9_000).slice(0, 1));
  const child = service.add.package({ OmschrijvingIntern: 'Menu' });
  const row = { 'Event.ExternalID': 9_001, ArrangementID: child, Aantal: 3, Datum: '2027-05-01 12:00' };
  const done = await run('arrangements', [row]);
  expect(done.counts).toMatchObject({ created: 1 });
  const [made] = service.journal.ours.filter(({ kind }) => kind === 'link');
  expect(made?.after).toMatchObject({ PartijID: own });
  // Listed first, as lists are by id.
  expect(late).toBeLessThan(own);
});

it.each(['packages', 'recipes'] as const)(
  'a new record of %s that holds nearly the same only may be a late double, and undo leaves it alone',
  async (as) => {
    const { service, folder, options, run } = await open();
    const rows = rowsIn(as, 9_000).map((row, at) => (at > 0 ? row : { ...row, OmschrijvingIntern: 'Crème' }));
    const size = storeOf(service, as).size;
    service.failNext({ kind: 'status', status: 504, when: 'before' }, isCreate);
    // What the service makes of an accent can't be read back.
    const choose = ({ endpoint }: { readonly endpoint: string }) =>
      storeOf(service, as).size === size + 5 && /detail|allModified/.test(endpoint)
        ? ({ kind: 'status', status: 500, when: 'before' } as const)
        : undefined;
    service.set({ failures: { choose } });
    const first = await run(as, rows, { concurrency: 1, retries: 0 });
    service.set({ failures: { choose: undefined } });
    expect(first.counts).toMatchObject({ created: 5 });
    const own = first.rows.find(({ row }) => row === 2)?.id ?? 0;
    const { ProductID: _, LMT: __, ExternalID: ___, ...values } = storeOf(service, as).get(own) ?? {};
    const theirs = service.other.create(as === 'packages' ? 'package' : 'recipe', {
      ...values,
      OmschrijvingIntern: 'Creme',
    });
    const [note, ...others] = (await run(as, rowsIn(as, 9_100), { dryRun: true })).notes ?? [];
    expect(String(note)).toContain(
      `${theirs} may have come late beside ${own}, which run ${first.run} sent again`,
    );
    expect(others).toEqual([]);
    const undone = await undoRun(first.run, { ...serviceOnly(options), out: `${folder}/undo.xlsx` });
    expect(undone).toMatchObject({ rows: 5, cannot: [] });
  },
);

it('a late event is named by a file that names its row’s event and no day', async () => {
  const { run, own, late } = await doubled('events');
  for (const key of [{ ExternalID: 9_001 }, { PartijID: own }] as const) {
    const again = await run('events', [{ ...key, PartijOmschrijving: 'Diner' }], { dryRun: true });
    const told = [...toldOn(again).map(({ message }) => message), ...notesOf(again)];
    expect([key, told.join()]).toEqual([key, expect.stringContaining(`${late} came late beside ${own}`)]);
  }
});

const linked = (at: number, child: number): Cells => ({
  ...{ PartijID: 0, ArrangementID: child, Aantal: 10 + at, Datum: '2027-01-08 12:00' },
});

it('a link that came late beside the one that was sent again is a conflict on its row', async () => {
  const { service, run } = await open();
  const event = service.add.event({ Datum: '2027-01-08' });
  const children = MANY.map((at) => service.add.package({ OmschrijvingIntern: `Menu ${at}` }));
  const rows = children.map((child, at) => ({ ...linked(at, child), PartijID: event }));
  doneLate(service, ({ write }) => write);
  const done = await run('arrangements', rows, { concurrency: 1 });
  expect(done.counts).toMatchObject({ created: 5 });
  await service.settled();
  expect(service.journal.doubled()).toHaveLength(1);
  const again = await run('arrangements', rows);
  expect(again.counts).toMatchObject({ unchanged: 4, conflict: 1 });
  const told = again.rows.find(({ row }) => row === 2);
  expect(told?.message).toContain(`run ${done.run} sent again`);
  // Another file that reads the list of that event.
  const other = service.add.package({ OmschrijvingIntern: 'Koffie' });
  const [note] = notesOf(await run('arrangements', [{ ...linked(9, other), PartijID: event }]));
  expect(note).toContain(`${event}:${children[0]} is linked twice`);
});

it('a link that somebody else made with nearly the same only may be a late double', async () => {
  const { service, run } = await open();
  const event = service.add.event({ Datum: '2027-01-08' });
  const child = service.add.package({ OmschrijvingIntern: 'Menu' });
  const row = { ...linked(1, child), PartijID: event, OfferteOmschrijving: 'Lunch' };
  const before = service.links.size;
  service.failNext({ kind: 'status', status: 504, when: 'before' });
  // What the service makes of a moment can't be read back.
  const choose = ({ write }: { readonly write: boolean }) =>
    service.links.size > before && !write
      ? ({ kind: 'status', status: 500, when: 'before' } as const)
      : undefined;
  service.set({ failures: { choose } });
  const done = await run('arrangements', [row], { concurrency: 1, retries: 0 });
  service.set({ failures: { choose: undefined } });
  expect(done.counts).toMatchObject({ created: 1 });
  service.add.link(event, child, { Aantal: 11, Datum: '2027-01-08 00:00:00', OfferteOmschrijving: 'Lunch' });
  const told = toldOn(await run('arrangements', [row], { dryRun: true }));
  expect(told.map(({ message }) => message).join()).toContain('one link may have come late beside');
});

it('nine doubles end an import with exit code 5, each named with the undo that takes it away, and so does a file of other rows', async () => {
  const { service, folder, options } = await open();
  const at = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const rows = at.map((one) => ({ ExternalID: 9_000 + one, ...rowsOf.packages(one) }));
  const seen = new Set<string>();
  service.set({
    failures: {
      choose({ endpoint, body }) {
        const said = JSON.stringify(body);
        if (!isCreate({ endpoint }) || seen.has(said)) return undefined;
        seen.add(said);
        return { kind: 'late', giveUp: 504, commitAfterMs: 1_500 };
      },
    },
  });
  const file = writeRows(`${folder}/negen.csv`, rows);
  const first = await importWorkbook(file, { ...options, as: packages });
  expect(first.counts).toMatchObject({ created: 9 });
  await service.settled();
  const late = service.journal.doubled().map((same) => Math.max(...same.map(({ id }) => id ?? 0)));
  expect(late).toHaveLength(9);
  const env = { CATERSHEET_BASE_URL: service.url, CATERSHEET_TOKEN: service.token, CATERSHEET_HOME: folder };
  const command = async (path: string): Promise<CliResult> =>
    await runHere(
      ['import', path, '--yes', '--as', 'packages', '--lang', 'en', '--ledger', options.ledger],
      env,
      { cwd: folder },
    );
  const others = writeRows(`${folder}/andere.csv`, rowsIn('packages', 9_100));
  for (const path of [file, others]) {
    const { code, stdout, stderr } = await command(path);
    const words = `${stdout}${stderr}`.replaceAll(/\s+/g, ' ');
    expect([path, code]).toEqual([path, 5]);
    for (const id of late) expect(words).toContain(`catersheet undo ${first.run} offers to delete ${id}`);
    expect(words).not.toContain('Read in a way you may not expect');
  }
});
