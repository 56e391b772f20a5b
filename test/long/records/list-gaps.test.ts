import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { applyPlan, importWorkbook, planImport, undoRun } from '../../../src/index.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { serviceOnly } from '../../helpers/service-options.ts';
import { type Cells, type Keyed, openRows, resources, rowsOf, writeRows } from '../../records/keyed-rows.ts';
import type { KnobChanges } from '../../second-service/knobs.ts';
import type { SecondService } from '../../second-service/second-service.ts';

const made = (name: string, count: number, cells: Cells = {}) =>
  Array.from({ length: count }, (_, at) => ({
    '#action': 'create',
    ...rowsOf[name as Keyed](at + 1),
    ...cells,
  }));

const lose = (service: SecondService, when: 'before' | 'after', endpoint = 'package.create') =>
  service.failNext({ kind: 'reset', when }, (request) => request.endpoint === endpoint);

it('a lost create of what is not in use is found by its id where lists leave such records out', async () => {
  const { service, folder, options } = await openRows({ answers: { inactiveInLists: false } });
  const before = service.packages.size;
  lose(service, 'after');
  const file = writeRows(`${folder}/a.csv`, made('packages', 1, { Actief: 'Nee' }));
  const done = await importWorkbook(file, { ...options, as: resources.packages, doubt: 0.2 });
  const [id] = [...service.packages.entries()].at(-1) ?? [];
  expect(done.rows).toMatchObject([{ status: 'created', id }]);
  expect(service.packages.size - before).toBe(1);
});

it('a lost create of what is not in use that no read shows is unknown and says why, as long as no list showed such a record', async () => {
  const { service, folder, options } = await openRows({ answers: { inactiveInLists: false } });
  for (let at = 0; at < 9; at++) service.add.recipe();
  const before = service.packages.size;
  lose(service, 'after');
  const file = writeRows(`${folder}/a.csv`, made('packages', 1, { Actief: 'Nee' }));
  const own = { ...options, as: resources.packages, doubt: 0.2 };
  for (const done of [await importWorkbook(file, own), await importWorkbook(file, own)])
    expect(done.rows).toMatchObject([{ status: 'unknown' }]);
  const [row] = (await importWorkbook(file, { ...own, dryRun: true })).rows;
  expect(row).toMatchObject({ status: 'unknown' });
  expect(service.packages.size - before).toBe(1);
});

it.each([
  ['of what is in use', {}, false],
  ['of what is not in use, where a list showed such a record,', { Actief: 'Nee' }, true],
] as const)('a create %s that did not arrive is sent again', async (_, cells, isShown) => {
  const { service, folder, options } = await openRows({ answers: { inactiveInLists: isShown } });
  if (isShown) service.add.package({ OmschrijvingIntern: 'Oud', Actief: false });
  const before = service.packages.size;
  lose(service, 'before');
  const file = writeRows(`${folder}/a.csv`, made('packages', 1, cells));
  const done = await importWorkbook(file, { ...options, as: resources.packages, doubt: 0.2 });
  expect(done.counts).toMatchObject({ created: 1, unknown: 0 });
  expect(done.notes?.join() ?? '').not.toContain('leave records out');
  expect(service.packages.size - before).toBe(1);
});

it('a create of what is not in use that did not arrive is sent again where no id is left that it may have', async () => {
  const { service, folder, options } = await openRows({ answers: { inactiveInLists: false } });
  const before = service.packages.size;
  lose(service, 'before');
  const [first, ...others] = made('packages', 3);
  const file = writeRows(`${folder}/a.csv`, [{ ...first, Actief: 'Nee' }, ...others]);
  const done = await importWorkbook(file, { ...options, as: resources.packages, doubt: 0.2, concurrency: 1 });
  expect(done.counts).toMatchObject({ created: 3 });
  expect(service.packages.size - before).toBe(3);
});

it.each([1, 3])(
  'a lost create of an event is found by its id where lists end without a word, of %i',
  async (count) => {
    const { service, folder, options } = await openRows({ answers: { listCap: 6 } });
    for (let at = 0; at < 7; at++) service.add.event({ Datum: '2027-05-02' });
    const before = service.events.size;
    lose(service, 'after', 'event.create');
    const file = writeRows(`${folder}/a.csv`, made('events', count));
    const done = await importWorkbook(file, { ...options, as: resources.events, doubt: 0.2 });
    expect(done.counts).toMatchObject({ created: count });
    expect(service.events.size - before).toBe(count);
  },
);

it('a create that did not arrive is unknown where lists are seen to leave records out, which is said once, and is sent again once they show all', async () => {
  const { service, folder, options } = await openRows({ answers: { listCap: 6 } });
  for (let at = 0; at < 9; at++) service.add.event({ Datum: '2027-05-02' });
  const before = service.events.size;
  const own = { ...options, as: resources.events, doubt: 0.2 };
  lose(service, 'before', 'event.create');
  const file = writeRows(`${folder}/a.csv`, made('events', 1));
  const done = await importWorkbook(file, own);
  expect(done.rows).toMatchObject([{ status: 'unknown' }]);
  expect(done.rows[0]?.message).toContain('was not listed');
  expect(done.notes?.filter((note) => note.includes('leave records out'))).toHaveLength(1);
  service.set({ answers: { listCap: undefined } });
  expect((await importWorkbook(file, own)).counts).toMatchObject({ created: 1 });
  expect(service.events.size - before).toBe(1);
});

/** An event with links to the first three of these packages, and rows that link the others. */
async function openLinks(knobs: Parameters<typeof openRows>[0], count: number) {
  const { service, folder, options } = await openRows(knobs);
  const event = service.add.event();
  const packages = Array.from({ length: count }, (_, at) =>
    service.add.package({ OmschrijvingIntern: `P ${at}` }),
  );
  for (const one of packages.slice(0, 3)) service.add.link(event, one, { Aantal: 9 });
  const before = service.links.size;
  const rows = packages
    .slice(3)
    .map((one) => ({ PartijID: event, ArrangementID: one, Aantal: 1, Datum: '2026-12-18' }));
  const file = writeRows(`${folder}/a.csv`, rows);
  const own = { ...options, as: resources.arrangements, doubt: 0.2 };
  return { service, file, own, made: () => service.links.size - before };
}

it('a link that is there, and that its list leaves out, is not made again by the next import', async () => {
  const { file, own, made } = await openLinks({ answers: { listCap: 3 } }, 5);
  expect((await importWorkbook(file, own)).counts).toMatchObject({ created: 2 });
  const again = await importWorkbook(file, own);
  expect(again.counts).toMatchObject({ unchanged: 2 });
  expect(again.notes?.filter((note) => note.includes('leave records out'))).toHaveLength(1);
  expect(made()).toBe(2);
});

it('a link that may be left out by its list is unknown where no read tells of it', async () => {
  const { file, own, made } = await openLinks(
    { answers: { listCap: 3 }, values: { linkId: 'ArrangementID' } },
    4,
  );
  expect((await importWorkbook(file, own)).counts).toMatchObject({ created: 1 });
  const again = await importWorkbook(file, own);
  expect(again.rows).toMatchObject([{ status: 'unknown' }]);
  expect(again.rows[0]?.message).toContain('the list ends before it');
  expect(made()).toBe(1);
});

it('a lost link is not sent again where its list lacks another one that was just made', async () => {
  const { service, file, own, made } = await openLinks({ answers: { listCap: 3 } }, 5);
  lose(service, 'after', 'link.create');
  expect((await importWorkbook(file, own)).counts).toMatchObject({ created: 1, unknown: 1 });
  expect((await importWorkbook(file, own)).counts).toMatchObject({ unchanged: 1, unknown: 1 });
  expect(made()).toBe(2);
});

it('a link that somebody took away is made again where the service gave a longer list before', async () => {
  const { service, file, own, made } = await openLinks({}, 5);
  expect((await importWorkbook(file, own)).counts).toMatchObject({ created: 2 });
  expect((await importWorkbook(file, own)).counts).toMatchObject({ unchanged: 2 });
  const [id] = [...service.links.entries()].at(-1) ?? [];
  service.other.remove('link', id ?? 0);
  expect(made()).toBe(1);
  expect((await importWorkbook(file, own)).counts).toMatchObject({ created: 1, unchanged: 1 });
  expect(made()).toBe(2);
});

it('a link that did not arrive is sent again where nothing speaks against its list', async () => {
  const { service, file, own, made } = await openLinks({}, 5);
  lose(service, 'before', 'link.create');
  expect((await importWorkbook(file, own)).counts).toMatchObject({ created: 2, unknown: 0 });
  expect(made()).toBe(2);
});

it.each([
  ['first', [9_901, 1, 2, 3]],
  ['last', [1, 2, 3, 9_901]],
  ['in the middle, with others that are new,', [9_950, 9_960, 9_901, 9_970, 9_902, 9_980]],
] as const)(
  'a package that the list leaves out, and that stands %s in a file of new ones, is not made again',
  async (_, keys) => {
    const { service, folder, options } = await openRows({ answers: { inactiveInLists: false } });
    for (const ExternalID of [9_901, 9_902])
      service.add.package({ ExternalID, Actief: false, OmschrijvingIntern: `Oud ${ExternalID}` });
    const before = service.packages.size;
    const rows = keys.map((ExternalID, at) => ({ ExternalID, ...rowsOf.packages(at + 1), Actief: 'Nee' }));
    const file = writeRows(`${folder}/a.csv`, rows);
    const done = await importWorkbook(file, { ...options, as: resources.packages });
    const old = keys.filter((key) => key === 9_901 || key === 9_902).length;
    expect(done.counts).toMatchObject({ created: keys.length - old, updated: old });
    expect(done.notes?.filter((note) => note.includes('leave records out'))).toHaveLength(1);
    expect(service.packages.size - before).toBe(keys.length - old);
  },
);

it('records that a file names by their ids are all asked for where the list shows none of them', async () => {
  const { service, folder, options } = await openRows({ clock: { lmt: 'null', hiddenCompare: 'none' } });
  const ids = Array.from({ length: 8 }, () => service.add.package({}));
  const rows = ids.map((ProductID, at) =>
    at > 4 ? { ProductID, '#action': 'delete' } : { ProductID, Verkoopprijs: 20 + at },
  );
  const wishes = { ...options, as: resources.packages, allowDelete: true };
  const done = await importWorkbook(writeRows(`${folder}/a.csv`, rows), wishes);
  expect(done.counts).toMatchObject({ updated: 5, deleted: 3 });
  const held = ids.map((id) => service.packages.get(id)?.Verkoopprijs);
  expect(held.slice(0, 5)).toEqual([20, 21, 22, 23, 24]);
});

it('records that lists were once seen to leave out are asked for by each later run', async () => {
  const { service, folder, options } = await openRows({ answers: { inactiveInLists: false } });
  const old = (ExternalID: number) =>
    service.add.package({ ExternalID, Actief: false, OmschrijvingIntern: `Oud ${ExternalID}` });
  const own = { ...options, as: resources.packages };
  const rowsWith = (keys: readonly number[]) =>
    writeRows(
      `${folder}/a.csv`,
      keys.map((ExternalID, at) => ({ ExternalID, ...rowsOf.packages(at + 1) })),
    );
  old(9_901);
  expect((await importWorkbook(rowsWith([9_901]), own)).counts).toMatchObject({ updated: 1 });
  service.set({ answers: { inactiveInLists: true } });
  // The one that was missed stands in the list again: lists are believed.
  expect((await importWorkbook(rowsWith([1, 2]), own)).counts).toMatchObject({ created: 2 });
  service.set({ answers: { inactiveInLists: false } });
  old(9_902);
  expect((await importWorkbook(rowsWith([9_902]), own)).counts).toMatchObject({ updated: 1 });
  // What was missed before is there still: all are asked for.
  old(9_903);
  const before = service.packages.size;
  const mixed = rowsWith([11, 12, 9_903, 13, 14]);
  expect((await importWorkbook(mixed, own)).counts).toMatchObject({ created: 4, updated: 1 });
  expect(service.packages.size - before).toBe(4);
});

it('a planned create is asked for by itself where lists were seen to leave records out since', async () => {
  const { service, folder, options } = await openRows({ answers: { inactiveInLists: false } });
  service.add.package({ ExternalID: 9_901, Actief: false, OmschrijvingIntern: 'Oud' });
  const own = { ...options, as: resources.packages };
  const row = (ExternalID: number) => ({ ExternalID, ...rowsOf.packages(ExternalID % 10) });
  const plan = await planImport(writeRows(`${folder}/a.csv`, [1, 9_901, 2].map(row)), own);
  expect(plan.counts).toMatchObject({ created: 3 });
  await importWorkbook(writeRows(`${folder}/b.csv`, [{ ...row(9_901), Verkoopprijs: '99' }]), own);
  const before = service.packages.size;
  const done = await applyPlan(plan, options);
  expect(done.counts).toMatchObject({ created: 2, conflict: 1 });
  expect(done.rows[1]?.message).toContain('left it out');
  expect(service.packages.size - before).toBe(2);
});

it('that lists leave records out is said once in the terminal, and in the report', async () => {
  const { service, folder } = await openRows({ answers: { inactiveInLists: false } });
  service.add.package({ ExternalID: 9_901, Actief: false, OmschrijvingIntern: 'Oud' });
  writeRows(
    `${folder}/a.csv`,
    [9_901, 9_902].map((ExternalID) => ({ ExternalID, ...rowsOf.packages(ExternalID % 10) })),
  );
  const env = { CATERSHEET_TOKEN: service.token };
  const flags = ['--yes', '--lang', 'nl', '--base-url', service.url, '--ledger', `${folder}/ledger.db`];
  const args = ['import', 'a.csv', '--as', 'packages', '--report', 'uit.html', ...flags];
  const { stdout, stderr } = await runCli(args, { cwd: folder, env });
  expect(`${stdout}${stderr}`.split('laten records weg')).toHaveLength(2);
  expect(readFileSync(`${folder}/uit.html`, 'utf8')).toContain('laten records weg');
});

/** An event with as many links as `count`, and what deletes one of them or what is none. */
async function openDeletes(answers: NonNullable<KnobChanges['answers']>, count: number) {
  const { service, folder, options } = await openRows({ answers });
  const event = service.add.event();
  const packages = Array.from({ length: count }, (_, at) =>
    service.add.package({ OmschrijvingIntern: `P ${at}` }),
  );
  for (const one of packages) service.add.link(event, one, { Aantal: 9 });
  const before = service.links.size;
  const own = { ...options, as: resources.arrangements, allowDelete: true, doubt: 0.2 };
  const remove = (at: number) => {
    const ArrangementID = packages[at] ?? service.add.package();
    const row = { '#action': 'delete', PartijID: event, ArrangementID, Aantal: 9, Datum: '2026-12-18' };
    return importWorkbook(writeRows(`${folder}/weg.csv`, [row]), own);
  };
  return { service, event, packages, folder, options, own, remove, gone: () => before - service.links.size };
}

it.each([undefined, 'link.delete'])(
  'a delete of a link that its list leaves out is sent, not taken for done (answer lost: %s)',
  async (endpoint) => {
    const { service, remove, gone } = await openDeletes({ listCap: 3 }, 5);
    if (endpoint !== undefined) lose(service, 'after', endpoint);
    expect((await remove(4)).rows).toMatchObject([{ status: 'deleted' }]);
    expect(gone()).toBe(1);
    const sent = service.journal.writes.length;
    const again = await remove(4);
    expect(again.rows).toMatchObject([{ status: 'unchanged' }]);
    expect(again.rows[0]?.message).toContain('done by run');
    expect(service.journal.writes.length).toBe(sent);
  },
);

it.each(['404 json', '404 html', '{}'] as const)(
  'a link to take away that neither its list nor the service knows was gone before, where it answers %s',
  async (missing) => {
    const { remove, gone } = await openDeletes({ missing }, 3);
    expect((await remove(9)).rows).toMatchObject([{ status: 'unchanged', message: 'already gone' }]);
    expect(gone()).toBe(0);
  },
);

it('the undo of a link takes it away that its list leaves out', async () => {
  const { service, event, folder, options, own, gone } = await openDeletes({ listCap: 3 }, 3);
  const row = { PartijID: event, ArrangementID: service.add.package(), Aantal: 1, Datum: '2026-12-18' };
  const { run = '' } = await importWorkbook(writeRows(`${folder}/a.csv`, [row]), own);
  expect(gone()).toBe(-1);
  const { file } = await undoRun(run, { ...serviceOnly(options), out: `${folder}/undo.xlsx` });
  const undone = await importWorkbook(file, { ...options, allowDelete: true, doubt: 0.2 });
  expect(undone.rows).toMatchObject([{ status: 'deleted' }]);
  expect(gone()).toBe(0);
});

it('a new link that its list does not show is told of, as it may have been linked before', async () => {
  const { event, packages, folder, own } = await openDeletes({ listCap: 3 }, 4);
  const rowOf = (ArrangementID: number, at: string) =>
    writeRows(`${folder}/a.csv`, [{ PartijID: event, ArrangementID, Aantal: at, Datum: '2026-12-18' }]);
  const done = await importWorkbook(rowOf(packages[3] ?? 0, '1'), own);
  expect(done.notes).toEqual([expect.stringContaining(`does not show ArrangementID ${packages[3]}`)]);
  expect((await importWorkbook(rowOf(packages[0] ?? 0, '2'), own)).notes).toBeUndefined();
});
