import { expect, it } from 'vitest';
import { importWorkbook } from '../../src/index.ts';
import type { KnobChanges } from '../second-service/knobs.ts';
import { type Cells, openRows, resources, rowsOf, writeRows } from './keyed-rows.ts';

type Products = 'packages' | 'recipes';
const HIDES: KnobChanges = { answers: { inactiveInLists: false } };

/** A service and what imports rows with these ExternalIDs into it. */
async function open(knobs: KnobChanges, name: Products = 'packages') {
  const { service, folder, options } = await openRows(knobs);
  const store = service[name];
  const add = (ExternalID: number, Actief = true, OmschrijvingIntern = `Oud ${ExternalID}`): number =>
    service.add[name === 'packages' ? 'package' : 'recipe']({ ExternalID, Actief, OmschrijvingIntern });
  const send = async (keys: readonly number[], cells: Cells = {}) => {
    const rows = keys.map((ExternalID, at) => ({ ExternalID, ...rowsOf[name](at + 1), ...cells }));
    const own = { ...options, as: resources[name], doubt: 0.2 };
    return await importWorkbook(writeRows(`${folder}/a.csv`, rows), own);
  };
  /** How often one record was asked for: by its id, and by its ExternalID. */
  const asked = (): readonly [number, number] => {
    const count = (end: string) =>
      service.journal.requests.filter((one) => one.endpoint.endsWith(end)).length;
    return [count('.detail'), count('.detailExternal')];
  };
  const doubled = () => store.doubles(['ExternalID']).filter(([one]) => one?.ExternalID != null).length;
  return { service, store, add, send, asked, doubled };
}

const run = (from: number, count: number): number[] => Array.from({ length: count }, (_, at) => from + at);

it.each([
  ['packages', 'whose ExternalID lies between two that are listed', run(900, 12), 907, run(890, 40)],
  ['recipes', 'whose ExternalID lies between two that are listed', run(900, 12), 907, run(890, 40)],
  ['packages', 'whose id alone lies between two that are listed', run(1_100, 12), 4_020, run(4_000, 40)],
] as const)(
  'one of the %s that lists leave out, %s, is not made again',
  async (name, _, keys, hidden, inFile) => {
    const { store, add, send, doubled } = await open(HIDES, name);
    for (const [at, key] of keys.entries()) add(at === 7 ? hidden : key, at !== 7);
    const before = store.size;
    const done = await send(inFile);
    const there = inFile.filter((key) => key === hidden || keys.includes(key)).length;
    expect(done.counts).toMatchObject({ created: inFile.length - there, updated: there });
    expect(done.notes?.filter((note) => note.includes('leave records out'))).toHaveLength(1);
    expect([store.size - before, doubled()]).toEqual([inFile.length - there, 0]);
  },
);

it('new records cost a few requests and none of their own where what lists leave out is known, in each later run', async () => {
  const { add, send, asked, doubled } = await open(HIDES);
  const old = run(9_000, 30);
  for (const key of old) add(key, false);
  expect((await send([9_000])).counts).toMatchObject({ updated: 1 });
  for (const [from, most] of [
    [20_000, 90],
    [30_000, 20],
    [40_000, 20],
  ] as const) {
    const [byId, byKey] = asked();
    expect((await send(run(from, 80))).counts).toMatchObject({ created: 80 });
    const [nowById, nowByKey] = asked();
    expect(nowById - byId).toBeLessThanOrEqual(most);
    expect(nowByKey - byKey).toBeLessThanOrEqual(3);
  }
  // What was left out is found all the same, among new ones.
  const done = await send([...run(50_000, 20), 9_017, 9_018, ...run(51_000, 20)]);
  expect(done.counts).toMatchObject({ created: 40, updated: 2 });
  expect(doubled()).toBe(0);
});

it('what lists leave out beyond the ids of other records is found by its ExternalID', async () => {
  const { service, add, send, doubled } = await open(HIDES, 'recipes');
  add(9_000, false);
  add(1_100);
  for (let at = 0; at < 20; at++) service.add.package();
  add(20_017, false);
  const done = await send([9_000, ...run(20_000, 40)]);
  expect(done.counts).toMatchObject({ created: 39, updated: 2 });
  expect(doubled()).toBe(0);
});

it('a record that went out of use since the last run, or was made so, is found in a later one', async () => {
  const { service, add, send, doubled } = await open(HIDES);
  const shown = run(1_100, 5).map((key) => add(key));
  add(9_000, false);
  add(1_200);
  await send([9_000]);
  expect((await send(run(20_000, 40))).counts).toMatchObject({ created: 40 });
  service.other.change('package', shown[2] ?? 0, { Actief: false });
  add(9_500, false);
  const done = await send([...run(30_000, 20), 1_102, 9_500, ...run(31_000, 20)]);
  expect(done.counts).toMatchObject({ created: 40, updated: 2 });
  expect(doubled()).toBe(0);
});

it('no new record is asked for twice in one run, where more ids are missing than the file has rows', async () => {
  const { service, add, send, asked } = await open(HIDES);
  add(9_000, false);
  for (let at = 0; at < 300; at++) service.add.recipe();
  add(1_100);
  const [, before] = asked();
  const keys = run(20_000, 40);
  expect((await send([9_000, ...keys])).counts).toMatchObject({ created: 40, updated: 1 });
  const [, after] = asked();
  expect(after - before).toBeLessThanOrEqual(40 + 5);
});

it.each([
  ['that shows what is not in use', true, 0],
  ['of which nothing is out of use', false, 1],
] as const)(
  'a list %s is held against two records that it lacks in each run, and no id is tried twice',
  async (_, isOff, byId) => {
    const { service, add, send, asked } = await open({});
    const ids = run(1_100, 9).map((key) => add(key));
    for (const at of [2, 4, 6]) service.other.remove('package', ids[at] ?? 0);
    if (isOff) add(1_300, false);
    for (const from of [20_000, 30_000]) {
      const [idsBefore, keysBefore] = asked();
      const done = await send(run(from, 30));
      expect(done.counts).toMatchObject({ created: 30 });
      expect(done.notes?.join() ?? '').not.toContain('leave records out');
      const [idsNow, keysNow] = asked();
      // One more is asked for to learn whether the service keeps ExternalIDs.
      expect([idsNow - idsBefore, keysNow - keysBefore]).toEqual([byId, 3 - byId]);
    }
    const tried = service.journal.requests.filter(({ endpoint }) => endpoint === 'package.detail');
    expect(new Set(tried.map(({ path }) => path)).size).toBe(tried.length);
  },
);
