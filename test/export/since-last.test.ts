import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import fc from 'fast-check';
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

/** What a service's people and this program do, one after the other. */
const deeds = fc.array(
  fc.oneof(
    fc.record({ deed: fc.constant('write' as const), which: fc.nat(7), later: fc.nat(5000) }),
    fc.record({ deed: fc.constant('export' as const), during: fc.option(fc.nat(7), { nil: null }) }),
    fc.constantFrom(
      { deed: 'fail' as const },
      { deed: 'period' as const },
      // In autumn a wall clock goes back an hour.
      { deed: 'back' as const },
    ),
  ),
  { minLength: 5, maxLength: 14 },
);

test.each([['events'], ['trips']] as const)(
  'exports with --since last hold all %s that were written, and no unchanged one twice',
  async (kind) => {
    const resource = kind === 'trips' ? trips : events;
    await fc.assert(
      fc.asyncProperty(deeds, async (given) => {
        const service = await plannerService();
        let [now, version] = [0, 0];
        let wentBack = false;
        const records = new Map<number, Record<string, unknown>>();
        const write = (which: number): void => {
          const id = { events: 'PartijID', trips: 'RitID' }[kind];
          const text = { events: 'PartijOmschrijving', trips: 'Chauffeur' }[kind];
          records.set(which, {
            ...{ [id]: which + 1, Datum: '2024-06-15 00:00:00', LMT: at(now), [text]: `v${version++}` },
          });
          service[kind] = [...records.values()];
        };
        const held: string[] = [];
        const take = async (): Promise<void> => {
          const { lines } = await sinceLast(service, resource);
          held.push(
            ...lines.map(({ PartijOmschrijving, Chauffeur }) => String(PartijOmschrijving ?? Chauffeur)),
          );
        };
        for (const one of given) {
          service.onRequest = () => undefined;
          if (one.deed === 'write') {
            now += one.later;
            write(one.which);
          } else if (one.deed === 'back' && !wentBack) {
            now -= 3600;
            wentBack = true;
          } else if (one.deed === 'fail') {
            service.onRequest = () => ({ status: 500, body: {} });
            await expect(sinceLast(service, resource)).rejects.toThrow('does not answer');
          } else if (one.deed === 'period') {
            await sinceLast(service, resource, { since: undefined, from: '2024-06-01', to: '2024-06-30' });
          } else if (one.deed === 'export') {
            // What is written as the answer leaves is in the next one.
            const { during } = one;
            service.onRequest = () => {
              if (during !== null) queueMicrotask(() => write(during));
              return undefined;
            };
            await take();
          }
        }
        service.onRequest = () => undefined;
        await take();
        for (const record of records.values())
          expect(held).toContain(String(record.PartijOmschrijving ?? record.Chauffeur));
        expect(new Set(held).size).toBe(held.length);
      }),
      { numRuns: 6 },
    );
  },
);

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

  test('stays where it is when nothing came, and does not move to a year that is far off', async () => {
    const service = await listService([]);
    for (let run = 0; run < 2; run++)
      expect((await sinceLast(service, packages)).notes).toEqual([expect.stringMatching(FIRST)]);
    service.records = [listed(1), listed(2, '2099-01-01 00:00:00.000')];
    expect((await sinceLast(service, packages)).notes).toEqual([
      expect.stringMatching(FIRST),
      expect.stringMatching(/^LMT 1 Jan 2099 lies ahead/),
    ]);
    service.records = [...service.records, listed(3, '2024-01-02 03:04:06.000')];
    expect((await sinceLast(service, packages)).lines.map(({ ProductID }) => ProductID)).toEqual([3]);
  });

  test('does not move to a future moment that someone typed, so that what is written before it still comes', async () => {
    const ahead = (hours: number): string => {
      const moment = new Date(Date.now() + hours * 3_600_000).toISOString();
      return moment.replace('T', ' ').replace('Z', '');
    };
    // Ahead of UTC and of this machine's own clock.
    const later = ahead(5 - Math.min(0, new Date().getTimezoneOffset() / 60));
    const service = await listService([listed(1, ahead(-4)), listed(2, later)]);
    expect((await sinceLast(service, packages)).notes).toEqual([
      ...[expect.stringMatching(FIRST), expect.stringMatching(/lies ahead of this machine's clock/)],
    ]);
    service.records = [listed(2, later), listed(4, ahead(-1))];
    const { since, lines } = await sinceLast(service, packages);
    expect(lines.map(({ ProductID }) => ProductID)).toContain(4);
    expect([since ?? '', ahead(-1)].sort()[0]).toBe(since);
  });

  test('is not set by a list without LMT, which a note says', async () => {
    for (const LMT of [null, '02-01-2024 03:04', 1_704_164_645]) {
      const service = await listService([listedNow(1, { LMT }), listedNow(2, { LMT })]);
      for (let run = 0; run < 2; run++) {
        const { notes, records } = await sinceLast(service, packages);
        expect(records).toBe(2);
        expect(notes).toEqual([expect.stringMatching(FIRST), expect.stringMatching(/^no LMT tells when/)]);
      }
    }
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
        ...{ out: '-', stdout, overwrite: false, raw: false, locale: 'nl', language: 'nl' },
      });
    } finally {
      await session.close();
    }
    const next = await sinceLast(service, packages);
    expect(next.notes).toEqual([expect.stringMatching(FIRST)]);
    expect(next.records).toBe(400);
  });

  test('does not move where the list never stopped changing', async () => {
    const service: ListService = await listService(
      Array.from({ length: 45 }, (_, id) => listed(id + 1)),
      20,
      (page) => {
        const { length } = service.records;
        if (page === 2) service.records = [listed(2000 + length), ...service.records];
        return undefined;
      },
    );
    for (let run = 0; run < 2; run++)
      expect((await sinceLast(service, packages)).notes).toEqual([
        expect.stringMatching(/^the next --since last begins where this one did/),
        expect.stringContaining('changed each of the 5 times'),
      ]);
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

  test('does not move where pages without records go on, and the file holds what came', async () => {
    const service: ListService = await listService([], 2, (page) => ({
      status: 200,
      body: [
        {
          data: page > 3 ? [] : [listed(2 * page - 1), listed(2 * page)],
          links: { next: `${service.options.baseUrl}api/v1/product/pakket/allModified?page=${page + 1}` },
          meta: { current_page: page, last_page: 50_000, total: 100_000, per_page: 2 },
        },
      ],
    }));
    for (let run = 0; run < 2; run++) {
      const before = service.asked.length;
      const { records, notes } = await sinceLast(service, packages);
      expect(records).toBe(6);
      expect(notes.join()).toContain('after its page 3 only pages without records came');
      expect(service.asked.length - before).toBeLessThan(60);
    }
  });

  test('does not move for a list that says it has a thousand million pages, of which no other is asked for', async () => {
    const service: ListService = await listService([], 2, () => ({
      status: 200,
      body: [
        {
          data: [listed(1)],
          links: { next: `${service.options.baseUrl}api/v1/product/pakket/allModified?page=2` },
          meta: { current_page: 1, last_page: 1e9, total: 1e11, per_page: 100 },
        },
      ],
    }));
    await expect(sinceLast(service, packages)).rejects.toMatchObject({
      ...{ exit: 4, message: expect.stringContaining('it says it has 1000000000 pages') },
    });
    expect(service.asked).toHaveLength(1);
  });

  test('does not move where the file can’t be put in place', async () => {
    const service = await listService([listed(1)]);
    const out = join(service.folder, 'weg', 'uit.ndjson');
    await expect(sinceLast(service, packages, { out })).rejects.toThrow('folder');
    expect(existsSync(out)).toBe(false);
    expect((await sinceLast(service, packages)).records).toBe(1);
  });
});

test('a record that the last export held gives no note again', async () => {
  const service = await listService([{ ...listed(1), productLinks: 'geen' }, listed(2)]);
  const first = await sinceLast(service, packages);
  expect(first.notes).toContainEqual(expect.stringMatching(/^productLinks: .* ProductID 1/));
  expect(await sinceLast(service, packages)).toMatchObject({ records: 0, notes: [] });
});
