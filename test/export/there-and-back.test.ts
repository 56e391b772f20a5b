import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exportRecords, importWorkbook } from '../../src/index.ts';
import { arrangements } from '../../src/resources/arrangements.ts';
import { events } from '../../src/resources/events.ts';
import { trips } from '../../src/resources/trips.ts';
import { plannerService } from './planner-service.ts';

/** What people type, and what a service may hold where the interface shows no type (interface 2.7, 2.9). */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
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
    const records = fc.array<Record<string, unknown>>(KINDS[kind], { minLength: 20, maxLength: 40 });
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
