import { expect, it } from 'vitest';
import { importWorkbook } from '../../src/index.ts';
import type { SecondService } from '../second-service/second-service.ts';
import { type Cells, type Keyed, openRows, resources, rowsOf, writeRows } from './keyed-rows.ts';

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
