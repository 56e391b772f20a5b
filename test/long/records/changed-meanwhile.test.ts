import { writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { applyPlan, importWorkbook, planImport } from '../../../src/index.ts';
import { arrangements } from '../../../src/resources/arrangements.ts';
import { events } from '../../../src/resources/events.ts';
import { packages } from '../../../src/resources/packages.ts';
import { recipes } from '../../../src/resources/recipes.ts';
import { trips } from '../../../src/resources/trips.ts';
import { atOnce } from '../../helpers/at-once.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { optionsFor } from '../../helpers/test-service.ts';
import type { ClockKnobs } from '../../second-service/knobs.ts';
import { type SecondService, startSecondService } from '../../second-service/second-service.ts';

const CASES = {
  packages: {
    kind: 'package',
    id: 'ProductID',
    field: 'Verkoopprijs',
    mine: '5,5',
    theirs: 7,
    resource: packages,
  },
  recipes: { kind: 'recipe', id: 'ProductID', field: 'OPK', mine: '5', theirs: 7, resource: recipes },
  events: { kind: 'event', id: 'PartijID', field: 'AantalGasten', mine: '5', theirs: 7, resource: events },
  trips: { kind: 'trip', id: 'RitID', field: 'Chauffeur', mine: 'Ik', theirs: 'Zij', resource: trips },
} as const;
type Named = keyof typeof CASES;

function fill(service: SecondService, as: Named, count: number): number[] {
  const add = service.add[CASES[as].kind].bind(service.add);
  return Array.from({ length: count }, () =>
    add(as === 'trips' ? { Chauffeur: 'Bas', Datum: '2027-03-01' } : {}),
  );
}

async function planned(as: Named, clock: Partial<ClockKnobs>, count: number) {
  const service = await startSecondService({ clock });
  onTestFinished(() => service.close());
  const folder = tempFolder();
  const ids = fill(service, as, count);
  const { id, field, mine, resource, kind, theirs } = CASES[as];
  const file = `${folder}/rijen.csv`;
  writeFileSync(file, [`${id};${field}`, ...ids.map((one) => `${one};${mine}`)].join('\r\n'));
  const options = optionsFor({ folder, url: service.url, token: service.token });
  const change = (one: number): void => service.other.change(kind, one, { [field]: theirs });
  const held = (one: number) => service[as].get(one)?.[field];
  return { service, ids, file, options, resource, change, held, theirs };
}

const CLOCKS: readonly (readonly [string, Partial<ClockKnobs>])[] = [
  ['is missing', { lmt: 'absent' }],
  ['is null', { lmt: 'null' }],
  ['never moves', { moves: 'never' }],
  ['is 11 minutes behind', { skewMs: -660_000 }],
];

it.each(CLOCKS)(
  'a change by a colleague between plan and apply is not overwritten where LMT %s',
  async (_, clock) => {
    const kinds = ['packages', 'recipes', 'events', 'trips'] as const;
    await atOnce(
      kinds.flatMap((as) => [[as, 2] as const, [as, 8] as const]),
      async ([as, count]) => {
        const { ids, file, options, resource, change, held, theirs, service } = await planned(
          as,
          clock,
          count,
        );
        const plan = await planImport(file, { ...options, as: resource });
        expect([as, plan.counts]).toMatchObject([as, { updated: count }]);
        const last = ids.at(-1) ?? 0;
        change(last);
        const done = await applyPlan(plan, options);
        expect([as, count, done.counts]).toMatchObject([as, count, { updated: count - 1, conflict: 1 }]);
        expect(held(last)).toBe(theirs);
        const again = await importWorkbook(file, { ...options, as: resource });
        expect([as, again.counts]).toMatchObject([as, { unchanged: count - 1 }]);
        expect(service.faults).toEqual([]);
      },
    );
  },
);

it('a second update of a list costs three more requests: the first record before and after, and its write in the list', async () => {
  const { service, file, options, resource, ids } = await planned('packages', {}, 60);
  await importWorkbook(file, { ...options, as: resource });
  writeFileSync(file, ['ProductID;Verkoopprijs', ...ids.map((one) => `${one};6,5`)].join('\r\n'));
  const before = service.journal.requests.length;
  const done = await importWorkbook(file, { ...options, as: resource });
  expect(done.counts).toMatchObject({ updated: 60 });
  const reads = service.journal.requests.slice(before).filter(({ write }) => !write);
  const lists = reads.filter(({ endpoint }) => endpoint === 'package.allModified');
  // Each is two pages, as the first import wrote all within the second before.
  expect(lists.length).toBeLessThanOrEqual(6);
  expect(reads.length - lists.length).toBeLessThanOrEqual(2);
});

it('a change by a colleague is not overwritten where the service’s clock was set back after the plan', async () => {
  await atOnce(['packages', 'recipes', 'trips'] as const, async (as) => {
    const { service, ids, file, options, resource, change, held, theirs } = await planned(as, {}, 8);
    for (const one of ids) service.other.change(CASES[as].kind, one, { [CASES[as].field]: theirs });
    // That LMT moves is known from an earlier run.
    await importWorkbook(file, { ...options, as: resource });
    for (const one of ids) service.other.change(CASES[as].kind, one, { [CASES[as].field]: 9 });
    const plan = await planImport(file, { ...options, as: resource });
    expect([as, plan.counts]).toMatchObject([as, { updated: 8 }]);
    service.jump(-7_200_000);
    const last = ids.at(-1) ?? 0;
    change(last);
    const done = await applyPlan(plan, { ...options, concurrency: 4 });
    expect([as, done.counts]).toMatchObject([as, { updated: 7, conflict: 1 }]);
    expect(held(last)).toBe(theirs);
  });
});

it('rows do not wait for one that is not sent to learn whether LMT moves', async () => {
  const { ids, file, options, resource, change } = await planned('packages', { moves: 'never' }, 8);
  const plan = await planImport(file, { ...options, as: resource });
  change(ids[0] ?? 0);
  const start = performance.now();
  const done = await applyPlan(plan, options);
  expect(done.counts).toMatchObject({ updated: 7, conflict: 1 });
  // One wait alone would take this long.
  expect(performance.now() - start).toBeLessThan(10_000);
});

it('a change by a colleague is not overwritten where rows wait long for the pace', async () => {
  const { service, ids, file, options, resource, change, held, theirs } = await planned('packages', {}, 40);
  const plan = await planImport(file, { ...options, as: resource });
  const last = ids[36] ?? 0;
  service.at(5, () => change(last), { side: 'after' });
  const done = await applyPlan(plan, { ...options, concurrency: 32, rate: 10 });
  expect(done.counts).toMatchObject({ updated: 39, conflict: 1 });
  expect(held(last)).toBe(theirs);
});

it('in Dutch a link that somebody else changed meanwhile is told in Dutch alone, also what is empty', async () => {
  const service = await startSecondService();
  onTestFinished(() => service.close());
  const folder = tempFolder();
  const [event, arrangement] = [service.add.event(), service.add.package()];
  const link = service.add.link(event, arrangement, { Aantal: 30, OfferteOmschrijving: 'Soep' });
  const file = `${folder}/rijen.csv`;
  writeFileSync(file, `PartijID;ArrangementID;Aantal\r\n${event};${arrangement};40`);
  const options = optionsFor({ folder, url: service.url, token: service.token });
  const plan = await planImport(file, { ...options, as: arrangements, lang: 'nl' });
  service.other.change('link', link, { Aantal: 31, OfferteOmschrijving: null });
  const { rows } = await applyPlan(plan, { ...options, lang: 'nl' });
  expect(rows[0]?.status).toBe('conflict');
  expect(rows[0]?.message).toContain('Aantal was 30, is nu 31');
  expect(rows[0]?.message).toContain('OfferteOmschrijving was Soep, is nu (leeg)');
});

it('trips without LMT that a list by LMT lacks are found by their days, and a change of a colleague holds', async () => {
  const { ids, options, resource, change, held, theirs } = await planned(
    'trips',
    { lmt: 'null', hiddenCompare: 'none' },
    2,
  );
  const file = `${options.ledger}.csv`;
  writeFileSync(file, ['RitID;Datum;Chauffeur', ...ids.map((one) => `${one};2027-03-01;Ik`)].join('\r\n'));
  const plan = await planImport(file, { ...options, as: resource });
  const [first = 0, last = 0] = ids;
  change(last);
  const done = await applyPlan(plan, options);
  expect(done.counts).toMatchObject({ updated: 1, conflict: 1 });
  expect([held(first), held(last)]).toEqual(['Ik', theirs]);
});
