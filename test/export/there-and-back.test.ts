import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BASELINE_SHEET, encodeBaselineRecord, encodeBaselineStamp } from '../../src/files/baseline-sheet.ts';
import { exportRecords, importWorkbook } from '../../src/index.ts';
import { arrangements } from '../../src/resources/arrangements.ts';
import { events } from '../../src/resources/events.ts';
import { trips } from '../../src/resources/trips.ts';
import { writeBook } from '../../src/xlsx/write/write-book.ts';
import type { WrittenColumn } from '../../src/xlsx/write/written-book.ts';
import { listed, listService } from './list-service.ts';
import { plannerService } from './planner-service.ts';

/** What people type, and what a service may hold where the interface shows no type (interface 2.7, 2.9). */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    '=SOM(A1)',
    '+31 6',
    '-5',
    '@keuken',
    '\tx',
    '\ry',
    '#CLEAR',
    '00123',
    '12-03-2027',
    'Ja',
    ' ',
    "'=x",
  ),
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

test.each([
  ['events', 'xlsx'],
  ['events', 'csv'],
  ['trips', 'xlsx'],
  ['trips', 'csv'],
  ['arrangements', 'xlsx'],
  ['arrangements', 'csv'],
] as const)('any %s come back unchanged from %s, and nothing is sent', async (kind, ending) => {
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
    { numRuns: 1, endOnFailure: true },
  );
});

const column = (header: string): WrittenColumn => ({
  ...{ header, role: 'optional' as const, format: 'General', width: 10, note: [] },
});
const HEADERS = ['ProductID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'];

test('an import reads the baselines of all hidden baseline sheets', async () => {
  const ids = Array.from({ length: 12 }, (_, at) => at + 1);
  // Someone else raised a price of each sheet since the workbook was written.
  const service = await listService(ids.map((id) => listed(id, id % 4 === 0 ? { Verkoopprijs: 99 } : {})));
  const out = join(service.folder, 'groot.xlsx');
  const stream = createWriteStream(out);
  const made = new Date();
  await writeBook(stream, out, { made, rows: 6 }, async (book) => {
    const stamp = encodeBaselineStamp({ service: service.options.baseUrl, at: made.toISOString() });
    const [sheet, base] = [
      book.sheet({ name: 'Pakketten', table: 'tbl', columns: HEADERS.map(column) }),
      book.hidden(BASELINE_SHEET, stamp),
    ];
    await sheet.add(ids.map((id) => [id, 1, `Pakket ${id}`, 12.5]));
    const was = (id: number) => ({
      ProductTypeID: 1,
      OmschrijvingIntern: `Pakket ${id}`,
      Verkoopprijs: 12.5,
    });
    await base.add(
      ids.map((id) =>
        encodeBaselineRecord({ resource: 'packages', key: `id:${id}`, lmt: null, values: was(id) }),
      ),
    );
  });
  await new Promise((resolve) => stream.end(resolve));
  const { counts, sheets, rows } = await importWorkbook(out, {
    ...service.options,
    lang: 'en',
    dryRun: true,
  });
  expect(sheets.map(({ sheet }) => sheet)).toEqual(['Pakketten', 'Pakketten (2)', 'Pakketten (3)']);
  expect(counts).toMatchObject({ read: 12, unchanged: 12 });
  // That is left alone, and said.
  expect(rows).toHaveLength(3);
});
