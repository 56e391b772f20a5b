import { expect, test } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { type Backend, many, outcomeOf, RUN, SERVICE, STARTED, sent, started } from './fixtures.ts';

const NOW = {
  ...{ at: '2028-05-01 09:00:00', since: '2028-01-01 00:00:00' },
  ...{ posted: [], updated: new Set<string>() },
};
const ALL = { after: -1, limit: 10_000 };

const places = async (ledger: Ledger, run = RUN): Promise<number[]> =>
  (await ledger.readRows(run, ALL)).map(({ planned }) => planned.seq);
const pruned = (removed: number, kept: number) => new Map([[RUN, { removed, kept }]]);
const wrote = (ledger: Ledger, seq: number, run = RUN) =>
  ledger.remember(SERVICE, 'packages', 'write', `id:${5000 + seq}`, { run, seq, at: null });

/** What a ledger removes of old runs, and what it keeps. */
export function describePruning(backend: () => Backend): void {
  test('a run that is pruned keeps its counts, when that was, and the rows that wrote a record last or may still arrive', async () => {
    const ledger = await sent(backend(), 700);
    for (const seq of [0, 499, 600]) await wrote(ledger, seq);
    const late = { key: 'id:7', run: RUN, seq: 699, at: 'x' };
    await ledger.remember(SERVICE, 'packages', 'unsettled', 'id:7', late);
    const before = await ledger.readRows(RUN, ALL);
    // What would be removed is counted, and all of it is there.
    expect(await ledger.pruneRuns([RUN], { ...NOW, at: null })).toEqual(pruned(696, 4));
    // The index of its records is there, and must not be what it was.
    expect(await ledger.plannedFor(RUN, 'packages', 'external:31600')).toHaveLength(1);
    expect((await ledger.findRun(RUN))?.prunedAt).toBeNull();
    expect(await ledger.pruneRuns([RUN], NOW)).toEqual(pruned(696, 4));
    expect(await ledger.readRows(RUN, ALL)).toStrictEqual([0, 499, 600, 699].map((seq) => before[seq]));
    for (const [seq, left] of [
      [600, 1],
      [601, 0],
    ] as const)
      expect(await ledger.plannedFor(RUN, 'packages', `external:${31_000 + seq}`)).toHaveLength(left);
    // What a later run wrote since is removed the next time; when it was first pruned stays.
    await wrote(ledger, 600, 'later');
    expect(await ledger.pruneRuns([RUN], { ...NOW, at: '2029-01-01 00:00:00' })).toEqual(pruned(1, 3));
    expect(await places(ledger)).toEqual([0, 499, 699]);
    expect(await ledger.findRun(RUN)).toMatchObject({ counts: { created: 700 }, prunedAt: NOW.at });
  });

  test('what keeps anything from going twice stays: postings, keys and what was sent; rows that were posted or updated where that is asked for', async () => {
    const ledger = await sent(backend(), 8);
    const claim = (resource: string, seq: number) => ({
      ...{ fingerprint: `${resource} ${seq}`, run: RUN, seq, state: 'done' as const },
      ...{ at: STARTED.startedAt, id: 9 },
    });
    const posting = claim('stock-count', 1);
    await ledger.claimPosting(SERVICE, 'stock-count', posting, ['also']);
    await ledger.claimPosting(SERVICE, 'packages', claim('packages', 2));
    await ledger.saveRow(RUN, 5, { outcome: outcomeOf(5, { status: 'updated' }) });
    await ledger.rememberKeys(SERVICE, 'packages', [{ external: 31001, id: 5001, label: 'Soep' }]);
    const applied = { Volume: { sent: 1, held: 1 } };
    await ledger.remember(SERVICE, 'packages', 'applied', 'id:5001', applied);
    await ledger.updateRun(RUN, { details: { lineage: null } });
    const asked = { ...NOW, posted: ['stock-count'], updated: new Set([RUN, 'nobody']) };
    expect(await ledger.pruneRuns([RUN], asked)).toEqual(pruned(6, 2));
    expect(await places(ledger)).toEqual([1, 5]);
    expect(await ledger.pruneRuns([RUN], NOW)).toEqual(pruned(2, 0));
    const again = { ...posting, fingerprint: 'also', run: 'later', state: 'sending', id: null } as const;
    expect(await ledger.claimPosting(SERVICE, 'stock-count', again)).toEqual(posting);
    expect((await ledger.findKeys(SERVICE, 'packages', [31001])).get(31001)?.id).toBe(5001);
    expect(await ledger.recall(SERVICE, 'packages', 'applied')).toEqual(new Map([['id:5001', applied]]));
    expect((await ledger.findRun(RUN))?.details).toEqual({ lineage: null });
  });

  test('a run that is not done, has requests left or was sent lately keeps all its rows', async () => {
    const ledger = await sent(backend(), 2);
    for (const state of ['planning', 'planned', 'applying', 'interrupted'] as const) {
      await ledger.updateRun(RUN, { state });
      expect(await ledger.pruneRuns([RUN, 'nobody'], NOW)).toEqual(new Map());
    }
    await ledger.updateRun(RUN, { state: 'done' });
    for (const over of [
      { unfinished: true as const },
      { at: NOW.since, message: { en: '"at":"2029', nl: '' } },
    ]) {
      await ledger.saveRow(RUN, 1, { outcome: outcomeOf(1, over) });
      expect(await ledger.pruneRuns([RUN], NOW)).toEqual(new Map());
    }
    for (const seq of [0, 1]) await wrote(ledger, seq);
    const after = { ...NOW, since: '2028-01-01 00:00:01' };
    expect(await ledger.pruneRuns([RUN], after)).toEqual(pruned(0, 2));
    expect([await places(ledger), (await ledger.findRun(RUN))?.prunedAt]).toEqual([[0, 1], null]);
  });

  test('a run of which nothing was sent is removed whole, and no other', async () => {
    const ledger = await started(backend());
    for (const run of [RUN, 'other', 'third']) {
      if (run !== RUN) await ledger.startRun({ ...STARTED, run });
      await ledger.savePlan(run, many(2));
    }
    await ledger.updateRun('third', { state: 'planned' });
    for (const state of ['applying', 'done', 'interrupted'] as const) {
      await ledger.updateRun(RUN, { state });
      await ledger.removeRuns([RUN]);
    }
    await ledger.removeRuns(['other', 'third', 'nobody']);
    expect(await Promise.all([RUN, 'other', 'third'].map((run) => places(ledger, run)))).toEqual([
      [0, 1],
      [],
      [],
    ]);
    expect((await ledger.findRun('other')) ?? (await ledger.findRun('third'))).toBeUndefined();
  });
}
