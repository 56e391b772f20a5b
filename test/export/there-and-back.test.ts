import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exportRecords, importWorkbook } from '../../src/index.ts';
import { arrangements } from '../../src/resources/arrangements.ts';
import { events } from '../../src/resources/events.ts';
import { trips } from '../../src/resources/trips.ts';
import { readWorkbook } from '../../src/workbook/read-workbook.ts';
import { codePoints } from '../helpers/code-points.ts';
import { plannerService } from './planner-service.ts';

/** What people type, and what a service may hold where the interface shows no type (interface 2.7, 2.9). */
const text = fc.oneof(
  codePoints({ maxLength: 30 }),
  fc.constantFrom(..."=SOM(A1)|+31 6|-5|@keuken|\tx|\ry|#CLEAR|00123|12-03-2027|Ja| |'=x".split('|')),
);
const loose = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof(value, value.map(String), fc.constantFrom(null, '', undefined));
const id = loose(fc.nat(9_999));
const flag = fc.constantFrom(0, 1, '0', '1', true, false, 'J', 'N', null, '', undefined);
const day = fc.integer({ min: 1, max: 12 }).map((month) => `2026-${String(month).padStart(2, '0')}-07`);
const moment = fc.oneof(
  day.map((one) => `${one} 00:00:00`),
  day.map((one) => `${one} 18:30:00.000`),
  day,
);
const LMT = fc.constantFrom('2024-01-02 03:04:05.678', '2024-01-02 03:04:05', null, '', undefined);

const KINDS = {
  events: fc.record({
    ...{
      Datum: moment,
      LMT,
      RelatieID: id,
      LocatieID: id,
      StatusID: id,
      BTWModusWaardeID: id,
      AantalGasten: id,
    },
    ...{
      PartijOmschrijving: text,
      Opmerkingen: loose(text),
      KeukenOpmerkingen: text,
      TAV: text,
      Budget: loose(fc.float()),
    },
    ...{
      AantalGastenDefinitief: flag,
      GeenOmzet: flag,
      MeerdaagseEvenement: flag,
      FactuurContactPersoonID: id,
    },
  }),
  trips: fc.record({
    ...{ Datum: moment, LMT, Chauffeur: loose(text), TypeVoertuigID: id, SubtypeRitID: id, RetourRit: flag },
    ...{ Van: fc.oneof(text, moment), Naar: text, KM: loose(fc.float()), Culinair: flag },
    contact: fc.constantFrom(null, { Voornaam: '=x', Telefoon: '+31' }),
    demand: fc.constantFrom(
      null,
      { planning: null },
      { planning: { PlanningID: 3 } },
      { planning: [{ Van: '\t=' }] },
    ),
  }),
  arrangements: fc.record({
    ...{ Datum: moment, Aantal: loose(fc.nat(500)), OfferteOmschrijving: loose(text), ArrangementNaam: text },
    ...{ VerkoopPrijs: loose(fc.float()), Actief: flag },
  }),
};

const KIND_NAMES = ['events', 'trips', 'arrangements'] as const;

test.each(KIND_NAMES.flatMap((kind) => [[kind, 'xlsx'] as const, [kind, 'csv'] as const]))(
  'any %s come back unchanged from %s, and nothing is sent',
  async (kind, ending) => {
    const resource = { events, trips, arrangements }[kind];
    const records = fc.array<Record<string, unknown>>(KINDS[kind], { minLength: 15, maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(records, async (given) => {
        const service = await plannerService();
        const event = { PartijID: 1, Datum: '2026-03-04 00:00:00' };
        service.events = kind === 'events' ? given.map((one, at) => ({ PartijID: at + 1, ...one })) : [event];
        service.trips = given.map((one, at) => ({ RitID: at + 1, ...one }));
        service.links = { 1: given.map((one, at) => ({ ArrangementID: at + 1, ...one })) };
        const out = join(service.folder, `uit.${ending}`);
        const wishes = { ...service.options, out, from: '2026-01-01', to: '2026-12-31' };
        expect((await exportRecords(resource, wishes)).records).toBe(given.length);
        const result = await importWorkbook(out, service.options);
        const trouble = result.rows.flatMap(({ issues = [] }) =>
          issues.filter(({ severity }) => severity === 'error'),
        );
        expect(trouble).toEqual([]);
        expect(result.counts).toMatchObject({ read: given.length, unchanged: given.length });
        const writes = /^(event|ritten|event\/package|event\/package\/delete)$/;
        expect(service.asked.filter(({ path }) => writes.test(path))).toEqual([]);
      }),
      { seed: 39, numRuns: 1, endOnFailure: true },
    );
  },
);

test('an untouched workbook is unchanged though the service holds values that its fields refuse and links that can’t be told apart, and no cell is emptied', async () => {
  const service = await plannerService();
  const [Datum, none] = ['2026-03-04 00:00:00', '0000-00-00 00:00:00'];
  service.events = [
    { PartijID: 1, Datum, AantalGasten: 'ca. 80', OpmaakDatum: none, Budget: 'veel' },
    { PartijID: 2, Datum, AantalGasten: 12, Budget: 5 },
  ];
  service.trips = [
    { RitID: 1, Datum, TypeVoertuigID: 2.5, Chauffeur: 'Jan', Omschrijving: '\u00ad' },
    { RitID: 2, Datum, TypeVoertuigID: 9701, Chauffeur: 'Piet', Omschrijving: 'Naar' },
  ];
  service.links = {
    1: [
      { ArrangementID: 1, Aantal: '3', Datum: none },
      { ArrangementID: 2, Aantal: 2.5 },
      { ArrangementID: 3, Aantal: 4, Datum: none },
      { ArrangementID: 3, Aantal: 4.5 },
      { ArrangementID: 4, Aantal: 7, OfferteOmschrijving: 'tafel 1' },
      { ArrangementID: 4, Aantal: 9, OfferteOmschrijving: 'tafel 2' },
    ],
  };
  const out = join(service.folder, 'uit.xlsx');
  const wishes = { ...service.options, out, from: '2026-01-01', to: '2026-12-31' };
  const { records, notes } = await exportRecords([events, trips, arrangements], wishes);
  expect(notes.filter((note) => note.includes('the field does not take')).length).toBeGreaterThan(2);
  const result = await importWorkbook(out, { ...service.options, strict: true });
  expect(result.rows).toEqual([]);
  expect(result.counts).toMatchObject({ read: records, unchanged: records });
  expect(result.sheets.flatMap(({ notes: said = [] }) => said).join()).not.toContain('emptied');
});

/** Two arrangements of one event, and one of an event without a name. */
async function linkedService() {
  const service = await plannerService();
  service.events = [
    {
      ...{ PartijID: 1, Datum: '2026-03-04 00:00:00' },
      ...{ PartijOmschrijving: 'Lunch Bakker BV', AfleverAdresPlaats: 'Nijkerk' },
    },
    { PartijID: 2, Datum: '2026-03-05 00:00:00' },
  ];
  service.links = {
    1: [
      { ArrangementID: 1, ArrangementNaam: 'Lunchbuffet', Aantal: 3 },
      { ArrangementID: 2, Aantal: 4 },
    ],
    2: [{ ArrangementID: 1, Aantal: 5 }],
  };
  return service;
}

test.each(['xlsx', 'csv'])(
  'an export of arrangements to %s shows the name, day and place of each event, which import passes over',
  async (ending) => {
    const { options, folder, asked } = await linkedService();
    const out = join(folder, `uit.${ending}`);
    await exportRecords(arrangements, { ...options, out, from: '2026-03-01', to: '2026-03-31' });
    // The list of events, and a list for each.
    expect(asked.map(({ path }) => path).toSorted()).toEqual([
      'event/1/packages',
      'event/2/packages',
      'event/all',
    ]);
    const [sheet] = (await readWorkbook(out, {})).sheets;
    const rows: string[] = [];
    for await (const { cells } of sheet?.rows ?? []) {
      const shown = [1, 2, 3, 4, 5, 6].map((place) => cells.find(({ column }) => column === place)?.value);
      rows.push(shown.map((value) => `${value ?? ''}`.replace(' 00:00:00', '')).join(';'));
    }
    expect(rows).toEqual([
      'PartijID;#Evenement;#EvenementDatum;#Plaats;ArrangementID;#Arrangement',
      '1;Lunch Bakker BV;2026-03-04;Nijkerk;1;Lunchbuffet',
      '1;Lunch Bakker BV;2026-03-04;Nijkerk;2;',
      '2;;2026-03-05;;1;',
    ]);
    const { counts, sheets } = await importWorkbook(out, options);
    expect(counts).toMatchObject({ read: 3, unchanged: 3 });
    expect(JSON.stringify(sheets)).not.toContain('not used');
  },
);
