import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EXIT, exportRecords, importWorkbook } from '../../src/index.ts';
import type { ExportedResource } from '../../src/records/listing.ts';
import { arrangements } from '../../src/resources/arrangements.ts';
import { events } from '../../src/resources/events.ts';
import { packages } from '../../src/resources/packages.ts';
import { stockCount } from '../../src/resources/stock-count.ts';
import { trips } from '../../src/resources/trips.ts';
import { type PlannerService, plannerService } from './planner-service.ts';

const event = (id: number, date: string, more: object = {}): Record<string, unknown> => ({
  ...{ PartijID: id, Datum: `${date} 00:00:00`, RelatieID: 1, StatusID: 3, LMT: '2024-05-01 09:00:00' },
  ...{ PartijOmschrijving: `Feest ${id}`, ...more },
});
const trip = (id: number, date: string, more: object = {}): Record<string, unknown> => ({
  ...{ RitID: id, Datum: `${date} 00:00:00`, Chauffeur: `Jan ${id}`, LMT: '2024-05-01 09:00:00', ...more },
});
const link = (PartijID: number, ArrangementID: number, more: object = {}): Record<string, unknown> => ({
  ...{ PartijID, ArrangementID, ArrangementNaam: 'Lunch', Aantal: 10, Datum: '2026-03-04 00:00:00', ...more },
});
const dayIn = (month: number): string => `2026-${String(month).padStart(2, '0')}-15`;
const YEAR = { from: '2026-01-01', to: '2026-12-31' };

async function exported(
  resource: ExportedResource,
  service: PlannerService,
  more: object = {},
): Promise<{ lines: Record<string, unknown>[]; notes: readonly string[] }> {
  const out = join(service.folder, 'uit.ndjson');
  const done = await exportRecords(resource, { ...service.options, out, overwrite: true, ...more });
  const lines = readFileSync(out, 'utf8').split('\n').filter(Boolean);
  return { lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>), notes: done.notes };
}

const idsOf = (resource: ExportedResource, lines: readonly Record<string, unknown>[]): number[] =>
  lines.map((line) => Number(line[resource === trips ? 'RitID' : 'PartijID'])).sort((one, two) => one - two);

describe('a period whose records move while it is read', () => {
  /** Before the so-manyth request a colleague moves a record to another month. */
  const moves = fc.array(
    fc.record({ before: fc.nat(14), which: fc.nat(11), month: fc.integer({ min: 1, max: 12 }) }),
    { maxLength: 8 },
  );
  test.each([
    ['events', events, {}, 1],
    ['definitive events', events, { definitive: true }, 3],
    ['trips', trips, {}, 2],
  ] as const)('loses no record and repeats none: %s', async (_, resource, chosen, concurrency) => {
    const service = await plannerService();
    await fc.assert(
      fc.asyncProperty(moves, fc.boolean(), async (given, stamped) => {
        const make = resource === trips ? trip : event;
        const records = Array.from({ length: 12 }, (__, at) => make(at + 1, dayIn(at + 1)));
        if (!stamped) for (const record of records) delete record.LMT;
        service.events = resource === trips ? [] : records;
        service.trips = resource === trips ? records : [];
        let request = 0;
        service.onRequest = () => {
          for (const { which, month } of given.filter(({ before }) => before === request)) {
            const record = records[which] as Record<string, unknown>;
            record.Datum = `${dayIn(month)} 00:00:00`;
            if (stamped) record.LMT = `2024-06-01 10:00:${String(request).padStart(2, '0')}`;
          }
          request++;
          return undefined;
        };
        const { lines } = await exported(resource, service, { ...YEAR, ...chosen, concurrency });
        expect(idsOf(resource, lines)).toEqual(records.map((__, at) => at + 1));
      }),
      { seed: 39, numRuns: 6 },
    );
  });

  test('leaves out the arrangements of an event that was deleted meanwhile, and keeps those of others', async () => {
    const service = await plannerService();
    service.events = [1, 2, 3].map((id) => event(id, dayIn(id)));
    service.links = { 1: [link(1, 7)], 3: [link(3, 7), link(3, 8)] };
    service.onRequest = (path) => (path === 'event/2/packages' ? { status: 404, body: {} } : undefined);
    const { lines } = await exported(arrangements, service, YEAR);
    expect(lines.map(({ PartijID, ArrangementID }) => [PartijID, ArrangementID])).toEqual([
      ...[
        [1, 7],
        [3, 7],
        [3, 8],
      ],
    ]);
  });
});

describe('an export of events, arrangements or trips leaves the file as it was, unless a retry helps', () => {
  test('where a page links to another host, which gets no request and no token', async () => {
    const service = await plannerService();
    const elsewhere = 'http://ergens.example/api/v1/product/pakket/allModified?page=2';
    service.onRequest = (path) =>
      path.endsWith('pakket/allModified')
        ? {
            status: 200,
            body: [
              {
                data: [{ ProductID: 1 }],
                links: { next: elsewhere },
                meta: { current_page: 1, last_page: 2 },
              },
            ],
          }
        : undefined;
    const out = join(service.folder, 'uit.xlsx');
    await expect(exportRecords(packages, { ...service.options, out })).rejects.toMatchObject({
      exit: EXIT.service,
      message: expect.stringContaining('ergens.example'),
    });
    expect(service.asked).toHaveLength(1);
    expect(readdirSync(service.folder).filter((name) => name.startsWith('uit'))).toEqual([]);
  });
});

describe('the selection of an export', () => {
  test.each<[ExportedResource, object, RegExp]>([
    [events, {}, /needs to know which/],
    [arrangements, { since: 'last' }, /takes no --since/],
    [packages, { from: '2026-01-01', to: '2026-02-01' }, /takes no --from/],
    [events, { from: '2026-01-01' }, /first and a last day/],
    [events, { from: '2026-02-01', to: '2026-01-01' }, /ends \(1 Jan 2026\) before/],
    [events, { from: 'morgen', to: '2026-01-01' }, /--from morgen: expected a date/],
    [trips, { since: 'last', from: '2026-01-01', to: '2026-02-01' }, /don’t go together/],
    [stockCount, { since: 'last' }, /takes no --since/],
    [trips, { from: '1-12-2026', to: '2026-12-31 12:00' }, /of whole days, without a time/],
  ])(
    'is refused before any request where the resource has none such (case %#)',
    async (resource, chosen, says) => {
      const service = await plannerService();
      await expect(exportRecords(resource, { ...service.options, ...chosen })).rejects.toMatchObject({
        exit: EXIT.usage,
        message: expect.stringMatching(says),
      });
      expect(service.asked).toEqual([]);
    },
  );
});

test('arrangements that are linked twice come back unchanged, and a changed one is seen', async () => {
  const service = await plannerService();
  service.events = [event(1, '2026-03-04'), event(2, '2026-03-04')];
  service.links = {
    1: [link(1, 7, { Aantal: 5 }), link(1, 7, { Aantal: 6 }), link(1, 8)],
    2: [link(2, 7, { OfferteOmschrijving: '=SOM(A1)' })],
  };
  const out = join(service.folder, 'uit.xlsx');
  expect(await exportRecords(arrangements, { ...service.options, ...YEAR, out })).toMatchObject({
    records: 4,
  });
  const again = await importWorkbook(out, { ...service.options, strict: true });
  expect(again.counts).toMatchObject({ read: 4, unchanged: 4 });
});
