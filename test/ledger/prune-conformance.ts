import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { noCounts } from '../../src/core/counts.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import {
  anyPlan,
  type Backend,
  many,
  outcomeOf,
  RUN,
  SENDING,
  SERVICE,
  STARTED,
  started,
} from './fixtures.ts';

const NOW = {
  ...{ at: '2028-05-01 09:00:00', since: '2028-01-01 00:00:00' },
  ...{ posted: [], updated: new Set<string>() },
};
const ALL = { after: -1, limit: 10_000 };

/** A ledger with a run of so many rows, all of them sent. */
async function sent(backend: Backend, count: number): Promise<Ledger> {
  const ledger = await started(backend);
  const rows = many(count);
  await ledger.savePlan(RUN, rows);
  for (const { seq } of rows) await ledger.saveProgress(RUN, seq, { ...SENDING, done: 1 });
  await ledger.saveOutcomes(
    RUN,
    rows.map(({ seq }) => outcomeOf(seq)),
  );
  await ledger.setRunState(RUN, 'done', { ...noCounts(), read: count, created: count });
  return ledger;
}

const places = async (ledger: Ledger, run = RUN): Promise<number[]> =>
  (await ledger.readRows(run, ALL)).map(({ planned }) => planned.seq);

/** What a ledger removes of old runs, and what it keeps. */
export function describePruning(backend: () => Backend): void {
  describe('a run that is pruned', () => {
    test('has no rows left, and is found with its counts and when that was', async () => {
      const ledger = await sent(backend(), 1200);
      expect(await ledger.pruneRuns([RUN], NOW)).toEqual(new Map([[RUN, { removed: 1200, kept: 0 }]]));
      expect(await places(ledger)).toEqual([]);
      expect(await ledger.plannedFor(RUN, 'packages', 'external:31000')).toEqual([]);
      expect(await ledger.countBegun(RUN, 100)).toEqual([]);
      expect(await ledger.findRun(RUN)).toMatchObject({
        state: 'done',
        counts: { read: 1200, created: 1200 },
        prunedAt: NOW.at,
      });
    });

    test('keeps the rows that wrote a record last or may still arrive, each in its place, with what became of it', async () => {
      const ledger = await sent(backend(), 1200);
      for (const seq of [0, 1, 499, 700]) {
        const write = { key: `id:${5000 + seq}`, run: RUN, seq, at: null };
        await ledger.rememberWrite(SERVICE, 'packages', write);
      }
      await ledger.rememberUnsettled(SERVICE, 'packages', { key: 'id:7', run: RUN, seq: 1199, at: 'x' });
      const before = await ledger.readRows(RUN, ALL);
      // The index of its records is there, and must not be what it was.
      expect(await ledger.plannedFor(RUN, 'packages', 'external:31700')).toHaveLength(1);
      expect(await ledger.pruneRuns([RUN], NOW)).toEqual(new Map([[RUN, { removed: 1195, kept: 5 }]]));
      const kept = [0, 1, 499, 700, 1199];
      expect(await ledger.readRows(RUN, ALL)).toStrictEqual(kept.map((seq) => before[seq]));
      expect(await ledger.rowsAt(RUN, [1, 2, 700])).toHaveLength(2);
      expect(await ledger.plannedFor(RUN, 'packages', 'external:31700')).toHaveLength(1);
      expect(await ledger.plannedFor(RUN, 'packages', 'external:31701')).toEqual([]);
      expect((await ledger.findWrites(SERVICE, 'packages', ['id:5700'])).get('id:5700')).toMatchObject({
        ...{ run: RUN, seq: 700, done: true },
      });
      await ledger.rememberWrite(SERVICE, 'packages', { key: 'id:5700', run: 'later', seq: 0, at: null });
      // What a later run wrote since is removed the next time; when it was first pruned stays.
      const later = { ...NOW, at: '2029-01-01 00:00:00' };
      expect(await ledger.pruneRuns([RUN], later)).toEqual(new Map([[RUN, { removed: 1, kept: 4 }]]));
      expect(await places(ledger)).toEqual([0, 1, 499, 1199]);
      expect((await ledger.findRun(RUN))?.prunedAt).toBe(NOW.at);
    });

    test('keeps rows that were posted, and rows that updated a record, where that is asked for', async () => {
      const ledger = await sent(backend(), 8);
      const claim = (resource: string, seq: number, also: string[] = []) =>
        ledger.claimPosting(
          SERVICE,
          resource,
          { fingerprint: `f${seq}`, run: RUN, seq, state: 'done', at: STARTED.startedAt, id: null },
          also,
        );
      await claim('stock-count', 1, ['other name']);
      await claim('packages', 2);
      await ledger.saveOutcomes(RUN, [outcomeOf(5, { status: 'updated' })]);
      const asked = { ...NOW, posted: ['stock-count', 'stock-mutations'] };
      // What would be removed is counted, and all of it is there.
      const would = await ledger.pruneRuns([RUN], { ...asked, at: null });
      expect(would).toEqual(new Map([[RUN, { removed: 7, kept: 1 }]]));
      expect(await places(ledger)).toHaveLength(8);
      expect((await ledger.findRun(RUN))?.prunedAt).toBeNull();
      const both = { ...asked, updated: new Set([RUN, 'nobody']) };
      expect(await ledger.pruneRuns([RUN], both)).toEqual(new Map([[RUN, { removed: 6, kept: 2 }]]));
      expect(await places(ledger)).toEqual([1, 5]);
      expect(await ledger.pruneRuns([RUN], NOW)).toEqual(new Map([[RUN, { removed: 2, kept: 0 }]]));
    });

    test('keeps all rows where one of them has requests left', async () => {
      const ledger = await sent(backend(), 3);
      await ledger.saveOutcomes(RUN, [outcomeOf(1, { unfinished: true })]);
      expect(await ledger.pruneRuns([RUN], NOW)).toEqual(new Map());
      expect(await places(ledger)).toHaveLength(3);
    });

    test('leaves what keeps anything from going twice', async () => {
      const ledger = await sent(backend(), 3);
      const posting = {
        fingerprint: 'f',
        run: RUN,
        seq: 1,
        state: 'done',
        at: STARTED.startedAt,
        id: 9,
      } as const;
      await ledger.claimPosting(SERVICE, 'packages', posting, ['also']);
      await ledger.rememberKeys(SERVICE, 'packages', [{ external: 31001, id: 5001, label: 'Soep' }]);
      await ledger.rememberSent(SERVICE, 'packages', 5001, { Volume: 1 });
      await ledger.saveDetails(RUN, { lineage: null });
      await ledger.pruneRuns([RUN], NOW);
      expect(await ledger.findPostings(SERVICE, 'packages', ['f', 'also'])).toEqual(
        new Map([
          ['f', posting],
          ['also', posting],
        ]),
      );
      const again = { ...posting, run: 'later', seq: 0, state: 'sending', id: null } as const;
      expect(await ledger.claimPosting(SERVICE, 'packages', again)).toEqual(posting);
      expect((await ledger.findKeys(SERVICE, 'packages', [31001])).get(31001)?.id).toBe(5001);
      expect(await ledger.findSent(SERVICE, 'packages', 5001)).toEqual({ Volume: 1 });
      expect(await ledger.findDetails(RUN)).toEqual({ lineage: null });
    });

    test.each(['planning', 'planned', 'applying', 'interrupted'] as const)(
      'is one that is done: one that is %s keeps its rows',
      async (state) => {
        const ledger = await sent(backend(), 3);
        await ledger.setRunState(RUN, state);
        expect(await ledger.pruneRuns([RUN], NOW)).toEqual(new Map());
        expect(await places(ledger)).toEqual([0, 1, 2]);
        expect((await ledger.findRun(RUN))?.prunedAt).toBeNull();
      },
    );

    test('keeps all rows where one was sent lately, and is not marked where all are needed', async () => {
      const ledger = await sent(backend(), 2);
      await ledger.saveOutcomes(RUN, [
        outcomeOf(1, { at: NOW.since, message: { en: '"at":"2029', nl: '' } }),
      ]);
      expect(await ledger.pruneRuns([RUN, 'nobody'], NOW)).toEqual(new Map());
      expect(await places(ledger)).toEqual([0, 1]);
      for (const seq of [0, 1]) {
        const write = { key: `id:${seq}`, run: RUN, seq, at: null };
        await ledger.rememberWrite(SERVICE, 'packages', write);
      }
      const after = { ...NOW, since: '2028-01-01 00:00:01' };
      expect(await ledger.pruneRuns([RUN], after)).toEqual(new Map([[RUN, { removed: 0, kept: 2 }]]));
      expect((await ledger.findRun(RUN))?.prunedAt).toBeNull();
    });

    test('keeps the needed rows of any plan as they were', async () => {
      await fc.assert(
        fc.asyncProperty(anyPlan, fc.infiniteStream(fc.boolean()), async (rows, choice) => {
          const ledger = await started(backend());
          await ledger.savePlan(RUN, rows);
          await ledger.setRunState(RUN, 'done');
          const before = await ledger.readRows(RUN, ALL);
          const kept = before.filter(() => choice.next().value);
          for (const { planned } of kept) {
            const write = { key: `id:${planned.seq}`, run: RUN, seq: planned.seq, at: null };
            await ledger.rememberWrite(SERVICE, planned.resource, write);
          }
          const counts = { removed: rows.length - kept.length, kept: kept.length };
          expect(await ledger.pruneRuns([RUN], NOW)).toEqual(new Map([[RUN, counts]]));
          expect(await ledger.readRows(RUN, ALL)).toStrictEqual(kept);
          await ledger.close();
        }),
        { numRuns: 20 },
      );
    });
  });

  test.each([
    ['planning', []],
    ['planned', []],
    ['applying', [0, 1, 2]],
    ['done', [0, 1, 2]],
    ['interrupted', [0, 1, 2]],
  ] as const)('a run that is %s is removed whole where nothing of it was sent', async (state, left) => {
    const ledger = await started(backend());
    await ledger.savePlan(RUN, many(3));
    await ledger.startRun({ ...STARTED, run: 'other' });
    await ledger.savePlan('other', many(2));
    if (state !== 'planning') await ledger.setRunState(RUN, state);
    expect(await ledger.removeRuns([RUN, 'nobody'])).toBe(3 - left.length);
    expect(await places(ledger)).toEqual(left);
    expect((await ledger.findRun(RUN)) === undefined).toBe(left.length === 0);
    expect(await places(ledger, 'other')).toEqual([0, 1]);
  });
}
