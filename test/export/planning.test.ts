import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EXIT, exportRecords } from '../../src/index.ts';
import type { ExportedResource } from '../../src/records/listing.ts';
import { arrangements } from '../../src/resources/arrangements.ts';
import { events } from '../../src/resources/events.ts';
import { packages } from '../../src/resources/packages.ts';
import { stockCount } from '../../src/resources/stock.ts';
import { trips } from '../../src/resources/trips.ts';
import { hasLinks } from '../helpers/symlinks.ts';
import { type PlannerService, plannerService } from './planner-service.ts';

const event = (id: number, date: string): Record<string, unknown> => ({
  ...{ PartijID: id, Datum: `${date} 00:00:00`, RelatieID: 1, StatusID: 3, LMT: '2024-05-01 09:00:00' },
});
const trip = (id: number, date: string): Record<string, unknown> => ({
  ...{ RitID: id, Datum: `${date} 00:00:00`, Chauffeur: `Jan ${id}`, LMT: '2024-05-01 09:00:00' },
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
    const lunch = { ArrangementID: 7, Aantal: 10 };
    service.links = { 1: [lunch], 3: [lunch, { ...lunch, ArrangementID: 8 }] };
    service.onRequest = (path) => (path === 'event/2/packages' ? { status: 404, body: {} } : undefined);
    const { lines } = await exported(arrangements, service, YEAR);
    const links = lines.map(({ PartijID, ArrangementID }) => `${PartijID} ${ArrangementID}`);
    expect(links.join()).toBe('1 7,3 7,3 8');
  });
});

test.each<[ExportedResource, object, RegExp]>([
  [events, {}, /needs to know which/],
  [arrangements, { since: 'last' }, /can’t be chosen so \(--since\)/],
  [packages, { from: '2026-01-01', to: '2026-02-01' }, /can’t be chosen so \(--from/],
  [events, { from: '2026-01-01' }, /first and a last day/],
  [events, { from: '2026-02-01', to: '2026-01-01' }, /ends \(1 Jan 2026\) before/],
  [events, { from: '1-2-2026', to: '2-1-2026' }, /ends \(2 Jan 2026\) before/],
  [events, { from: 'morgen', to: '2026-01-01' }, /morgen: this is no date \(--from\)/],
  [trips, { since: 'last', from: '2026-01-01', to: '2026-02-01' }, /don’t go together/],
  [stockCount, { since: 'last' }, /can’t be chosen so \(--since\)/],
  [trips, { from: '2026-12-01', to: '2026-12-31 12:00' }, /of whole days, without a time/],
  [
    trips,
    { from: '1-12-2026', to: '31-12-2026', locale: 'en' },
    /which is the day and which the month can't be told \(--from\)/,
  ],
  [packages, { since: 'gisteren' }, /gisteren: this is no date \(--since\)/],
  [packages, { since: '2026-11-01T06:00:00Z' }, /its time zone is not known/],
  [packages, { since: '2026-11-01T06:00:00+02:00' }, /its time zone is not known/],
  [packages, { out: 'er.xlsx' }, /er\.xlsx is there already/],
  ...(hasLinks ? [[packages, { out: 'wijst.xlsx' }, /wijst\.xlsx is there already/] as const] : []),
  [packages, { out: 'uit.pdf' }, /does not say how the export/],
  [packages, { format: 'csv' }, /The format csv and the name/],
  [packages, { delimiter: ';' }, /Only a CSV has a separator \(--delimiter\)/],
  [packages, { out: '-', format: 'xlsx' }, /The format xlsx and the name - don’t agree/],
  [packages, { out: 'weg/uit.xlsx' }, /its folder does not exist/],
] as [ExportedResource, object, RegExp][])(
  'what an export can not be is refused before any request (case %#)',
  async (resource, chosen, says) => {
    const { options, folder, asked } = await plannerService();
    writeFileSync(join(folder, 'er.xlsx'), 'bewerkt');
    if (hasLinks) symlinkSync('er.xlsx', join(folder, 'wijst.xlsx'));
    const { out = 'uit.xlsx' } = chosen as { readonly out?: string };
    const place = out === '-' ? out : join(folder, out);
    await expect(exportRecords(resource, { ...options, ...chosen, out: place })).rejects.toMatchObject({
      exit: EXIT.usage,
      message: expect.stringMatching(says),
    });
    expect(asked).toEqual([]);
  },
);

test('the flags that an export does not take, or could be chosen by, are told in one language', async () => {
  const { options, folder } = await plannerService();
  const refused = (resource: ExportedResource, chosen: object) =>
    exportRecords(resource, { ...options, ...chosen, out: join(folder, 'uit.xlsx') });
  const days = { from: '2026-01-01', to: '2026-02-01' };
  await expect(refused(packages, days)).rejects.toMatchObject({
    texts: {
      message: { nl: 'Een export van Pakketten is niet zo te kiezen (--from D --to D, --period P).' },
    },
  });
  await expect(refused(trips, {})).rejects.toMatchObject({
    texts: {
      next: { nl: 'Zeg welke (--from D --to D, --period P, --since).' },
    },
  });
});
