import { expect, it } from 'vitest';
import { importWorkbook } from '../../../src/index.ts';
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

/** A service, and imports of rows into it with a doubt time that is longer than its reads lag behind. */
async function open(knobs: KnobChanges = {}, doubt = 1) {
  const { service, folder, options: own } = await openRows(knobs);
  const options = { ...own, doubt };
  const run = async (as: keyof typeof resources, rows: readonly Cells[], more: object = {}) => {
    const file = writeRows(`${folder}/rijen.csv`, rows);
    return await importWorkbook(file, { ...options, as: resources[as], ...more });
  };
  return { service, options, run };
}

const five = (as: Keyed, more: (at: number) => Cells): Cells[] =>
  [1, 2, 3, 4, 5].map((at) => ({ ...rowsOf[as](at), ...more(at) }));

it.each([
  ['by lists alone', { lagMs: 3000 }],
  ['by single reads too', { lagMs: 600, detailLags: true }],
] as const)('the same file again creates nothing twice where records are shown late %s', async (_, speed) => {
  await Promise.all(
    KEYED.flatMap((as) =>
      [(at: number) => ({ ExternalID: 9_000 + at }), () => ({ '#action': 'create' })].map(async (more) => {
        const { service, run } = await open({ speed });
        const rows = five(as, more);
        const before = service[as].size;
        expect([as, (await run(as, rows)).counts]).toMatchObject([as, { created: 5 }]);
        const again = await run(as, rows);
        expect([as, more(1), service[as].size - before]).toEqual([as, more(1), 5]);
        expect([as, again.counts]).toMatchObject([as, { created: 0, unknown: 0, conflict: 0, failed: 0 }]);
      }),
    ),
  );
});

it('the same arrangements again are linked once where a list shows them late', async () => {
  const { service, run } = await open();
  const event = service.add.event({ Datum: '2027-01-08' });
  const child = service.add.package({ OmschrijvingIntern: 'Menu' });
  service.set({ speed: { lagMs: 600, detailLags: true } });
  const rows = [{ PartijID: event, ArrangementID: child, Aantal: 11, Datum: '2027-01-08 12:00' }];
  expect((await run('arrangements', rows)).counts).toMatchObject({ created: 1 });
  expect((await run('arrangements', rows)).counts).toMatchObject({ created: 0, unchanged: 1 });
  expect(service.journal.ours.filter(({ kind }) => kind === 'link')).toHaveLength(1);
});

it('what somebody deleted is created again once no read can be late any more', async () => {
  const { service, run } = await open();
  const rows = five('packages', (at) => ({ ExternalID: 9_000 + at }));
  const { rows: made } = await run('packages', rows);
  service.other.remove('package', made[0]?.id ?? 0);
  expect((await run('packages', rows)).counts).toMatchObject({ created: 1, unchanged: 4 });
});

/** Those that have the ExternalID of their row. */
const keyedIn = (service: Awaited<ReturnType<typeof open>>['service'], as: 'packages' | 'recipes'): number =>
  service[as].all().filter(({ ExternalID }) => Number(ExternalID) >= 9_000).length;

const manyOf = (as: 'packages' | 'recipes'): Cells[] =>
  Array.from({ length: 40 }, (_, at) => ({ ...rowsOf[as](at % 9), ExternalID: 9_000 + at }));

it.each([
  ['that lists and look-ups by it', { lagMs: 500 }],
  ['that all reads', { lagMs: 500, detailLags: true }],
] as const)('an ExternalID %s show late is kept all the same, for every row', async (_, speed) => {
  await Promise.all(
    (['packages', 'recipes'] as const).map(async (as) => {
      const { service, run } = await open({ speed });
      const done = await run(as, manyOf(as));
      expect([as, keyedIn(service, as), done.notes]).toEqual([as, 40, undefined]);
    }),
  );
});

it('a service that keeps no ExternalID is known by its first record, and is sent no more keys', async () => {
  const { service, run } = await open({ values: { externalId: 'never' } });
  const done = await run('packages', manyOf('packages'));
  expect(done.notes?.join()).toContain('does not keep ExternalID for packages');
  const updates = service.journal.requests.filter(({ endpoint }) => endpoint === 'package.update');
  // Those that were under way when the first one was read back.
  expect(updates.length).toBeLessThan(20);
  const before = service.journal.requests.length;
  const again = await run('packages', manyOf('packages'));
  expect([again.counts.unchanged, service.journal.requests.length - before]).toEqual([40, 1]);
});

it('records without their ExternalID get it once one of the same run turns out to have it', async () => {
  const { service, run } = await open({ values: { externalId: 'never' } });
  const { rows } = await run('packages', manyOf('packages'));
  // The service was slow to show it, and was taken not to keep it.
  service.set({ values: { externalId: 'kept' } });
  service.other.change('package', rows[0]?.id ?? 0, { ExternalID: 9_000 });
  expect((await run('packages', manyOf('packages'))).counts).toMatchObject({ updated: 39, unchanged: 1 });
  expect(keyedIn(service, 'packages')).toBe(40);
  expect((await run('packages', manyOf('packages'))).counts).toMatchObject({ unchanged: 40 });
});
