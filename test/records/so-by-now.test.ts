import { writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { applyPlan, importWorkbook, planImport } from '../../src/index.ts';
import { arrangements } from '../../src/resources/arrangements.ts';
import { events } from '../../src/resources/events.ts';
import { packages } from '../../src/resources/packages.ts';
import { recipes } from '../../src/resources/recipes.ts';
import { trips } from '../../src/resources/trips.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { optionsFor } from '../helpers/test-service.ts';
import type { KnobChanges } from '../second-service/knobs.ts';
import { startSecondService } from '../second-service/second-service.ts';

async function open(knobs: KnobChanges = {}) {
  const service = await startSecondService(knobs);
  onTestFinished(() => service.close());
  const folder = tempFolder();
  const write = (...lines: string[]): string => {
    writeFileSync(`${folder}/rijen.csv`, lines.join('\r\n'));
    return `${folder}/rijen.csv`;
  };
  return { service, write, options: optionsFor({ folder, url: service.url, token: service.token }) };
}

const CASES = {
  packages: { kind: 'package', id: 'ProductID', field: 'Verkoopprijs', value: 5.5, resource: packages },
  recipes: { kind: 'recipe', id: 'ProductID', field: 'OPK', value: 5, resource: recipes },
  events: { kind: 'event', id: 'PartijID', field: 'AantalGasten', value: 5, resource: events },
  trips: { kind: 'trip', id: 'RitID', field: 'Chauffeur', value: 'Anna', resource: trips },
} as const;

it.each([2, 8])(
  'what came to be as its row says between plan and apply is done, and no conflict: %i rows',
  async (count) => {
    for (const as of ['packages', 'recipes', 'events', 'trips'] as const) {
      const { service, write, options } = await open();
      const { kind, id, field, value, resource } = CASES[as];
      const ids = Array.from({ length: count }, () => service.add[kind]({}));
      const said = String(value).replace('.', ',');
      const file = write(`${id};${field}`, ...ids.map((one) => `${one};${said}`));
      const plan = await planImport(file, { ...options, as: resource });
      expect([as, plan.counts]).toMatchObject([as, { updated: count }]);
      service.other.change(kind, ids[0] ?? 0, { [field]: value });
      const done = await applyPlan(plan, options);
      expect([as, done.rows[0]?.status]).toEqual([as, 'unchanged']);
      expect([as, done.counts]).toMatchObject([as, { unchanged: 1, updated: count - 1, conflict: 0 }]);
    }
  },
);

it('what somebody deleted between plan and apply needs no delete any more', async () => {
  const { service, write, options } = await open();
  const ids = [service.add.package({}), service.add.package({})];
  const file = write('ProductID;#action', ...ids.map((one) => `${one};delete`));
  const plan = await planImport(file, { ...options, as: packages, allowDelete: true });
  service.other.remove('package', ids[0] ?? 0);
  const done = await applyPlan(plan, options);
  expect(done.counts).toMatchObject({ unchanged: 1, deleted: 1, conflict: 0 });
});

it('a link that somebody changed just so, or ended, between plan and apply is done', async () => {
  const { service, write, options } = await open();
  const [[party = 0] = []] = service.events.entries();
  const [changed, ended] = [service.add.package({}), service.add.package({})];
  const links = [changed, ended].map((product) => service.add.link(party, product, { Aantal: 3 }));
  const file = write(
    'PartijID;ArrangementID;Aantal;#action',
    `${party};${changed};12;`,
    `${party};${ended};;delete`,
  );
  const plan = await planImport(file, { ...options, as: arrangements, allowDelete: true });
  expect(plan.counts).toMatchObject({ updated: 1, deleted: 1 });
  service.other.change('link', links[0] ?? 0, { Aantal: 12 });
  service.other.remove('link', links[1] ?? 0);
  const done = await applyPlan(plan, options);
  expect(done.counts).toMatchObject({ unchanged: 2, conflict: 0 });
});

it('a write that was answered with an empty body, and not done, is sent again', async () => {
  for (const as of ['packages', 'recipes', 'events', 'trips'] as const) {
    const { service, write, options } = await open();
    const { kind, id, field, value, resource } = CASES[as];
    const record = service.add[kind]({});
    const isUpdate = ({ endpoint }: { endpoint: string }): boolean => endpoint === `${kind}.update`;
    service.failNext({ kind: 'empty 200', when: 'before' }, isUpdate);
    const file = write(`${id};${field}`, `${record};${String(value).replace('.', ',')}`);
    const done = await importWorkbook(file, { ...options, as: resource, doubt: 0.3 });
    expect([as, done.counts]).toMatchObject([as, { updated: 1 }]);
    expect([as, service[as].get(record)?.[field]]).toEqual([as, value]);
  }
});

it('a create that was answered with an empty body is looked for', async () => {
  for (const when of ['before', 'after'] as const) {
    const { service, write, options } = await open();
    service.failNext({ kind: 'empty 200', when }, ({ endpoint }) => endpoint === 'package.create');
    const file = write('ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs', '9001;Soep;1;2,5');
    const done = await importWorkbook(file, { ...options, as: packages, doubt: 0.3 });
    expect([when, done.counts]).toMatchObject([when, { created: 1, unknown: 0 }]);
    expect(service.packages.where({ ExternalID: 9001 })).toHaveLength(1);
  }
});

it('a record whose key did not arrive is known by what the service made of its name', async () => {
  const { service, write, options } = await open({ values: { escapeHtml: true } });
  const file = write('ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs', '9001;Brood & beleg;1;2,5');
  service.set({
    failures: {
      choose: ({ endpoint }) =>
        ['package.update', 'package.detail'].includes(endpoint)
          ? { kind: 'reset', when: 'before', how: 'RST' }
          : undefined,
    },
  });
  const first = await importWorkbook(file, { ...options, as: packages, doubt: 0.2, retries: 0 });
  expect(first.counts).toMatchObject({ created: 1 });
  service.set({ failures: { choose: undefined } });
  const again = await importWorkbook(file, { ...options, as: packages });
  expect(again.counts).toMatchObject({ conflict: 0, updated: 1 });
  expect(service.packages.where({ ExternalID: 9001 })).toHaveLength(1);
});

it('a trip whose delete is answered with nothing is deleted: no response is shown for it', async () => {
  const { service, write, options } = await open();
  const trip = service.add.trip({});
  service.failNext({ kind: 'empty 200', when: 'after' }, ({ endpoint }) => endpoint === 'trip.delete');
  const file = write('RitID;#action', `${trip};delete`);
  const done = await importWorkbook(file, { ...options, as: trips, allowDelete: true });
  expect(done.counts).toMatchObject({ deleted: 1 });
});
