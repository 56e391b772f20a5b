import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { exportRecords as exportFrom } from '../../src/export/export-records.ts';
import { exportRecords } from '../../src/index.ts';
import { events } from '../../src/resources/events.ts';
import { packages } from '../../src/resources/packages.ts';
import { trips } from '../../src/resources/trips.ts';
import { openSession } from '../../src/session/open-session.ts';
import { type ListService, listed as listedNow, listService } from './list-service.ts';
import { type PlannerService, plannerService } from './planner-service.ts';

const FIRST = /no earlier export .* holds everything/;

async function sinceLast(
  service: Pick<PlannerService | ListService, 'options' | 'folder'>,
  resource: typeof events | typeof trips | typeof packages,
  more: object = {},
) {
  const out = join(service.folder, 'uit.ndjson');
  const wishes = { ...service.options, out, overwrite: true, since: 'last', lang: 'en' as const, ...more };
  const { notes, since, records } = await exportRecords(resource, wishes);
  const lines = readFileSync(out, 'utf8').split('\n').filter(Boolean);
  return { notes, since, records, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

/** One that was written a while ago. */
const listed = (id: number, LMT = '2024-01-02 03:04:05.678'): Record<string, unknown> =>
  listedNow(id, { LMT });

/** Wall-clock text of a service whose clock says so many seconds after a day begins. */
const at = (seconds: number): string =>
  new Date(Date.UTC(2024, 5, 1) + seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');

describe('the watermark of an export', () => {
  test('goes by resource and service, is set by an export of everything, and is the service’s own time', async () => {
    const service = await listService([1, 2, 3].map((id) => listed(id)));
    const all = join(service.folder, 'alles.xlsx');
    const done = await exportRecords(packages, { ...service.options, out: all });
    expect(done).toMatchObject({ records: 3, since: null });
    const none = await sinceLast(service, packages);
    expect(none).toMatchObject({ records: 0, notes: [] });
    // The reading's time and the overlap before the newest LMT.
    expect(none.since).toMatch(/^2024-01-02 01:5\d:/);
    service.records = [...service.records, listed(4, '2024-01-02 05:00:00.001')];
    expect((await sinceLast(service, packages)).lines.map(({ ProductID }) => ProductID)).toEqual([4]);
    const other = await listService([listed(1)]);
    const elsewhere = { ...other, options: { ...other.options, ledger: service.options.ledger } };
    const first = await sinceLast(elsewhere, packages);
    expect(first.notes).toEqual([expect.stringMatching(FIRST)]);
    expect(first.records).toBe(1);
  });

  test('does not go back with the clock in autumn, so that nothing comes twice', async () => {
    const service = await plannerService();
    const event = (PartijID: number, seconds: number, PartijOmschrijving: string) => ({
      ...{ PartijID, PartijOmschrijving, Datum: '2024-06-15 00:00:00', LMT: at(seconds) },
    });
    const taken = async () =>
      (await sinceLast(service, events)).lines.map(({ PartijOmschrijving }) => PartijOmschrijving);
    const before = event(1, 0, 'lang geleden');
    service.events = [before, event(2, 4200, 'v1')];
    expect(await taken()).toEqual(['lang geleden', 'v1']);
    service.events = [before, event(2, 4300 - 3600, 'v2')];
    expect(await taken()).toEqual(['v2']);
    expect(await taken()).toEqual([]);
    service.events = [before, event(2, 4300 - 3600, 'v2'), event(3, 4400 - 3600, 'nieuw')];
    expect(await taken()).toEqual(['nieuw']);
  });

  test('stays where it is when nothing came, and does not move to a future moment that someone typed, so that what is written before it still comes', async () => {
    const ahead = (hours: number): string => {
      const moment = new Date(Date.now() + hours * 3_600_000).toISOString();
      return moment.replace('T', ' ').replace('Z', '');
    };
    // Ahead of UTC and of this machine's own clock.
    const later = ahead(5 - Math.min(0, new Date().getTimezoneOffset() / 60));
    const service = await listService([]);
    for (let run = 0; run < 2; run++)
      expect((await sinceLast(service, packages)).notes).toEqual([expect.stringMatching(FIRST)]);
    service.records = [listed(1, ahead(-4)), listed(2, later)];
    expect((await sinceLast(service, packages)).notes).toEqual([expect.stringMatching(FIRST)]);
    service.records = [listed(2, later), listed(4, ahead(-1))];
    const { since, lines } = await sinceLast(service, packages);
    expect(lines.map(({ ProductID }) => ProductID)).toContain(4);
    expect([since ?? '', ahead(-1)].sort()[0]).toBe(since);
  });

  test('does not move where the reader of stdout goes away', async () => {
    const service = await listService(Array.from({ length: 400 }, (_, id) => listed(id + 1)));
    const session = await openSession(service.options);
    let bytes = 0;
    const stdout = new Writable({
      write(chunk: Buffer, _, done) {
        bytes += chunk.length;
        if (bytes > 10_000) this.destroy();
        done();
      },
    });
    try {
      await exportFrom(session.context, {
        kinds: [{ resource: packages, selection: { way: 'last' }, declaration: false }],
        ...{ out: '-', stdout, overwrite: false, locale: 'nl', language: 'nl' },
      });
    } finally {
      await session.close();
    }
    const next = await sinceLast(service, packages);
    expect(next.notes).toEqual([expect.stringMatching(FIRST)]);
    expect(next.records).toBe(400);
  });

  test.each([
    ['packages', packages],
    ['events', events],
    ['trips', trips],
  ] as const)(
    'does not move, nor is a file of %s written, where null comes in place of a list',
    async (_, resource) => {
      let [other, version] = [undefined as { status: number; body: unknown } | undefined, 1];
      const record = () => ({
        ...{ PartijID: 1, RitID: 1, ProductID: 1, Datum: '2024-06-15 00:00:00' },
        ...{ LMT: at(version), Chauffeur: `v${version}` },
      });
      const service = await plannerService();
      service.onRequest = (path) => {
        if (!/event\/all|ritten\/all|allModified/.test(path)) return undefined;
        return other ?? { status: 200, body: [record()] };
      };
      expect((await sinceLast(service, resource)).records).toBe(1);
      version = 2;
      const out = join(service.folder, 'leeg.ndjson');
      for (const body of [{ data: null }, [{ data: null }], { success: true, data: null }]) {
        other = { status: 200, body };
        await expect(sinceLast(service, resource, { out })).rejects.toMatchObject({ exit: 4 });
        expect(existsSync(out)).toBe(false);
      }
      other = undefined;
      expect((await sinceLast(service, resource)).records).toBe(1);
    },
  );

  test('each kind of a workbook goes on where it ended itself, with --since last', async () => {
    const service = await plannerService();
    const record = (LMT: string) => ({ Datum: '2024-06-15 00:00:00', LMT });
    service.events = [{ PartijID: 1, ...record('2024-01-02 03:04:05.678') }];
    service.trips = [{ RitID: 1, ...record('2024-01-02 03:04:05.678') }];
    const take = async (kinds: Parameters<typeof exportRecords>[0]) => {
      const wishes = { ...service.options, out: join(service.folder, 'uit.xlsx'), overwrite: true };
      const done = await exportRecords(kinds, { ...wishes, since: 'last' });
      return done.kinds.map(({ resource, records }) => `${resource} ${records}`);
    };
    expect(await take([events, trips])).toEqual(['events 1', 'trips 1']);
    service.trips.push({ RitID: 2, ...record('2024-01-03 03:04:05.678') });
    expect(await take(trips)).toEqual(['trips 1']);
    service.events.push({ PartijID: 2, ...record('2024-01-04 03:04:05.678') });
    service.trips.push({ RitID: 3, ...record('2024-01-04 03:04:05.678') });
    // A list that fails leaves both where they were.
    service.onRequest = (path) =>
      path === 'ritten/allByLMT' ? { status: 400, body: { message: 'nee' } } : undefined;
    await expect(take([events, trips])).rejects.toThrow('nee');
    service.onRequest = () => undefined;
    expect(await take([events, trips])).toEqual(['events 1', 'trips 1']);
  });
});
