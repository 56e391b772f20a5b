import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { exportRecords } from '../../src/index.ts';
import { events } from '../../src/resources/events.ts';
import { recipes } from '../../src/resources/recipes.ts';
import { trips } from '../../src/resources/trips.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { optionsFor } from '../helpers/test-service.ts';
import { startSecondService } from '../second-service/second-service.ts';

async function opened() {
  const service = await startSecondService();
  onTestFinished(() => service.close());
  const folder = tempFolder();
  const { baseUrl, token, ledger, log } = optionsFor({ folder, url: service.url, token: service.token });
  const options = { baseUrl, token, ledger, log, lang: 'en' } as const;
  const rows = (name: string): Record<string, unknown>[] =>
    readFileSync(join(folder, name), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return {
    service,
    options: { ...options, overwrite: true },
    rows,
    out: (name: string) => join(folder, name),
  };
}

it.each([
  ['some days', { from: '2027-05-01', to: '2027-05-31' }],
  ['all days', {}],
])('definitive events of %s hold what their own list leaves out', async (_, days) => {
  const { service, options, rows, out } = await opened();
  const id = service.add.event({
    ...{ Datum: '2027-05-02', ExternalID: 4711, AantalRolcontainers: 3 },
    StatusID: service.knobs.values.definitiveStatus,
  });
  service.add.event({ Datum: '2027-05-03', ExternalID: 4712, StatusID: 99 });
  const done = await exportRecords(events, { ...options, ...days, definitive: true, out: out('e.ndjson') });
  const own = rows('e.ndjson').find(({ PartijID }) => PartijID === id);
  expect(own).toMatchObject({ ExternalID: 4711, AantalRolcontainers: 3 });
  expect(rows('e.ndjson').some(({ ExternalID }) => ExternalID === 4712)).toBe(false);
  expect(done.notes.join()).not.toMatch(/ExternalID/);
});

it('fields that no record of a list has are said, with the option that gives them', async () => {
  const { service, options, out } = await opened();
  service.add.trip({ Datum: '2027-03-01', SubtypeRitID: 9601 });
  const days = { from: '2027-03-01', to: '2027-03-31' };
  const byDay = await exportRecords(trips, { ...options, ...days, out: out('a.xlsx') });
  expect(byDay.notes).toContainEqual(
    'SubtypeRitID: empty in the list that was read; --since asks for it, and an import leaves empty cells alone',
  );
  const byLmt = await exportRecords(trips, { ...options, since: '2020-01-01', out: out('b.xlsx') });
  expect(byLmt.notes.join()).not.toMatch(/SubtypeRitID/);
  service.add.recipe({ OmschrijvingIntern: 'Soep' });
  const plain = await exportRecords(recipes, { ...options, out: out('c.xlsx') });
  expect(plain.notes).toContainEqual(
    expect.stringMatching(/^IngredientDeclaratie.*--declaration asks for it/),
  );
  const asked = await exportRecords(recipes, { ...options, declaration: true, out: out('d.xlsx') });
  expect(asked.notes.join()).not.toMatch(/--declaration/);
});

it('fields that only the read of one event returns are said to be so', async () => {
  const { service, options, out } = await opened();
  service.add.event({ Datum: '2027-03-01' });
  const days = { from: '2027-03-01', to: '2027-03-31' };
  const { notes } = await exportRecords(events, { ...options, ...days, out: out('a.xlsx') });
  expect(notes).toContainEqual(
    expect.stringContaining(
      "CentraleProductieLocatieID: not in this file, as the service's list does not return these fields (only the read of one record by its id returns CentraleProductieLocatieID);",
    ),
  );
});

it('an export without records says of no field that it is missing', async () => {
  const { options, out } = await opened();
  const none = { from: '1999-01-01', to: '1999-01-31' };
  const done = await exportRecords(trips, { ...options, ...none, out: out('a.xlsx') });
  expect(done).toMatchObject({ records: 0, notes: [] });
});

it.each([
  ['event', events, 'PartijID'],
  ['trip', trips, 'RitID'],
] as const)(
  '--since with --from and --to takes each %s of those days that changed after the moment',
  async (kind, resource, id) => {
    const { service, options, rows, out } = await opened();
    const make = (Datum: string) => service.add[kind]({ Datum });
    const [old, other, changed] = [make('2027-03-02'), make('2027-04-02'), make('2027-03-04')];
    service.jump(3_600_000);
    const marker = make('2027-08-01');
    const since = String(service[kind === 'trip' ? 'trips' : 'events'].get(marker)?.LMT);
    service.jump(3_600_000);
    for (const one of [other, changed])
      service.other.change(kind, one, kind === 'trip' ? { Chauffeur: 'An' } : { AantalGasten: 7 });
    const days = { from: '2027-03-01', to: '2027-03-31' };
    await exportRecords(resource, { ...options, ...days, since, out: out('a.ndjson') });
    const ids = rows('a.ndjson').map((row) => row[id]);
    expect([ids, ids.includes(old)]).toEqual([[changed], false]);
  },
);
