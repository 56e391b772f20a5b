import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { noCounts } from '../../src/core/counts.ts';
import { PLAN_VERSION } from '../../src/core/plan.ts';
import { eachRow, type Ledger, type RunRecord } from '../../src/ledger/ledger.ts';
import {
  anyPlan,
  type Backend,
  many,
  outcomeOf,
  plannedRow,
  RUN,
  SENDING,
  SERVICE,
  STARTED,
  seqs,
  started as startedOn,
} from './fixtures.ts';
import { describePostings } from './posting-conformance.ts';
import { describePruning } from './prune-conformance.ts';
import { describeRecords } from './record-conformance.ts';

const ALL = { after: -1, limit: 2_000 };
const OTHER = 'ander';

/** What every implementation of Ledger keeps to; the second ledger of a place finds what the first one wrote. */
export function describeLedger(name: string, backend: () => Backend): void {
  const started = (): Promise<Ledger> => startedOn(backend());
  /** Two runs with the same plan of three rows. */
  const planned = async (place = backend()): Promise<Ledger> => {
    const ledger = await startedOn(place);
    await ledger.startRun({ ...STARTED, run: OTHER });
    for (const run of [RUN, OTHER]) await ledger.savePlan(run, many(3));
    return ledger;
  };
  const progressOf = async (ledger: Ledger, run = RUN) =>
    (await ledger.readRows(run, ALL)).map(({ progress }) => progress);
  const pending = async (ledger: Ledger, run = RUN) =>
    seqs(await ledger.readRows(run, { ...ALL, pending: true }));

  describe(name, () => {
    test('a run is started once, found and listed as it was, and keeps its counts and details in any state', async () => {
      const ledger = await started();
      const record = { ...STARTED, planVersion: PLAN_VERSION, prunedAt: null };
      expect(await ledger.findRun(RUN)).toStrictEqual({
        ...{ ...record, state: 'planning', counts: null, details: undefined },
      });
      await expect(ledger.startRun({ ...STARTED, file: '/ander.xlsx' })).rejects.toThrow();
      const counts = { ...noCounts(), read: 3, created: 3 };
      await ledger.updateRun(RUN, { state: 'planned', counts });
      const details = { sheets: [{ name: 'Crème "à part"' }], newest: null, at: 1.5, strict: false };
      for (const saved of [[1, [2, []]], 'tekst', null, details]) {
        await ledger.updateRun(RUN, { details: saved });
        expect((await ledger.findRun(RUN))?.details).toStrictEqual(saved);
      }
      for (const state of ['applying', 'interrupted', 'done'] as const) {
        await ledger.updateRun(RUN, { state });
        expect(await ledger.findRun(RUN)).toStrictEqual({ ...record, state, counts, details });
        expect(await ledger.listRuns(9)).toStrictEqual([{ ...record, state, counts }]);
      }
      expect(await ledger.findRun(OTHER)).toBeUndefined();
      await expect(ledger.updateRun(OTHER, { state: 'done' })).rejects.toThrow(OTHER);
      await expect(ledger.updateRun(OTHER, { details: {} })).rejects.toThrow(OTHER);
    });

    test('a run goes to another state from those alone that it may be in, and stays as it is in others', async () => {
      const ledger = await started();
      const details = { corrections: ['x'] };
      const unsent = ['planning', 'planned'] as const;
      expect(await ledger.updateRun(RUN, { state: 'planning', details }, unsent)).toBe(true);
      expect(await ledger.updateRun(RUN, { state: 'applying' }, ['planned', 'done'])).toBe(false);
      expect(await ledger.updateRun(RUN, { state: 'planned' })).toBe(true);
      expect(await ledger.updateRun(RUN, { state: 'applying' }, ['planned', 'done'])).toBe(true);
      expect(await ledger.updateRun(RUN, { state: 'planning', details: 'late' }, unsent)).toBe(false);
      expect(await ledger.findRun(RUN)).toMatchObject({ state: 'applying', details });
      expect(await ledger.updateRun(OTHER, { state: 'applying' }, ['planned'])).toBe(false);
    });

    test('runs are listed from the newest on, by their states, past those that are newer, and counted', async () => {
      const ledger = await backend().open();
      const states = ['planned', 'done', 'planned', 'interrupted', 'done'] as const;
      for (const at of [2, 0, 4, 1, 3]) {
        await ledger.startRun({ ...STARTED, run: `r${at}`, startedAt: `2027-04-28 09:30:0${at}` });
        await ledger.updateRun(`r${at}`, { state: states[at] ?? 'done' });
      }
      const listed = async (limit: number, states?: readonly RunRecord['state'][], offset = 0) =>
        (await ledger.listRuns(limit, states && { states, offset })).map(({ run }) => run);
      expect(await listed(3)).toEqual(['r4', 'r3', 'r2']);
      expect(await listed(10, ['done', 'interrupted'])).toEqual(['r4', 'r3', 'r1']);
      expect(await listed(1, ['done', 'interrupted'], 1)).toEqual(['r3']);
      expect(await listed(10, ['applying'])).toEqual([]);
      expect(await ledger.countRuns(['done', 'interrupted'])).toBe(3);
    });

    test('a plan comes back as it was saved, whatever it holds and in whatever order, whole or not at all', async () => {
      const ledger = await started();
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(anyPlan, async (rows) => {
          const run = `plan ${++runs}`;
          await ledger.startRun({ ...STARTED, run });
          for (const part of [rows.slice(0, 5), rows.slice(5)]) await ledger.savePlan(run, part);
          const inOrder = rows.toSorted((one, other) => one.seq - other.seq);
          // Property tests make objects without a prototype; what is compared are their members.
          expect((await ledger.readRows(run, ALL)).map((row) => row.planned)).toStrictEqual(
            JSON.parse(JSON.stringify(inOrder)),
          );
        }),
        { seed: 5, numRuns: 40 },
      );
      await ledger.savePlan(RUN, [plannedRow(2)]);
      await expect(ledger.savePlan(RUN, many(3))).rejects.toThrow();
      await ledger.savePlan(RUN, [...many(2), plannedRow(700)]);
      expect(await ledger.readRows(RUN, ALL)).toStrictEqual(
        [...many(3), plannedRow(700)].map((row) => ({ planned: row, outcome: null, progress: null })),
      );
    });

    test('rows are found by their record and their place from the call that saves them on, and replaced in their place', async () => {
      const ledger = await started();
      const rows = many(1_200, (seq) => ({
        ...{ key: seq % 600 === 7 ? 'id:7' : `id:${5000 + seq}` },
        resource: seq === 607 ? 'recipes' : 'packages',
      }));
      const saving = [
        ledger.savePlan(RUN, rows),
        ledger.savePlan(RUN, [plannedRow(1_200, { key: 'id:7' }), plannedRow(1_201, { key: null })]),
      ];
      const found = async (resource: string, key: string, run = RUN) =>
        (await ledger.plannedFor(run, resource, key)).map(({ seq }) => seq);
      expect(await found('packages', 'id:7')).toEqual([7, 1_200]);
      const now = [7, 600, 1_200].map((seq) =>
        plannedRow(seq, { key: seq === 600 ? 'id:5600' : 'id:7', action: 'invalid' }),
      );
      await ledger.replaceRows(RUN, now);
      await Promise.all(saving);
      expect(await found('recipes', 'id:7')).toEqual([607]);
      for (const key of ['id:9', 'null']) expect(await found('packages', key)).toEqual([]);
      expect(await found('packages', 'id:7', OTHER)).toEqual([]);
      expect(await ledger.plannedFor(RUN, 'packages', 'id:7')).toStrictEqual([now[0], now[2]]);
      const read = await ledger.readRows(RUN, ALL);
      expect(read.flatMap((row) => (row.planned.action === 'invalid' ? row.planned : []))).toStrictEqual(now);
      expect(seqs(read)).toEqual(many(1_202).map(({ seq }) => seq));
      await expect(ledger.replaceRows(OTHER, now)).rejects.toThrow();
    });

    test('rows are read from any place on, by their sheet and by whether they have an outcome, each once', async () => {
      const ledger = await started();
      await ledger.savePlan(
        RUN,
        many(1_010, (seq) => ({ sheet: seq % 2 === 0 ? 'Pakketten' : 'Recepten' })),
      );
      for (const seq of [0, 1, 2, 5]) await ledger.saveRow(RUN, seq, { outcome: outcomeOf(seq) });
      for (const [options, expected] of [
        [{ after: -1, limit: 3 }, [0, 1, 2]],
        [{ after: 7, limit: 2 }, [8, 9]],
        [{ after: 1_009, limit: 3 }, []],
        [{ after: -1, limit: 3, pending: true }, [3, 4, 6]],
        [{ after: -1, limit: 2, pending: false }, [0, 1]],
        [{ after: 3, limit: 2, sheet: 'Recepten' }, [5, 7]],
        [{ after: 3, limit: 2, sheet: 'Recepten', pending: true }, [7, 9]],
        [{ after: -1, limit: 10, sheet: 'Evenementen' }, []],
      ] as const)
        expect(seqs(await ledger.readRows(RUN, options))).toEqual(expected);
      expect(await ledger.countEnded(RUN)).toBe(4);
      // What is settled between two pages changes neither.
      const read: number[] = [];
      for await (const { planned: row } of eachRow(ledger, RUN, { pending: true })) {
        read.push(row.seq);
        if (row.seq % 100 === 0) await ledger.saveRow(RUN, row.seq, { outcome: outcomeOf(row.seq) });
      }
      const settled = new Set([0, 1, 2, 5]);
      expect(read).toEqual(many(1_010).flatMap(({ seq }) => (settled.has(seq) ? [] : seq)));
    });

    test('outcomes and progress stand beside their own row, the last word on each, and go back when it is reopened', async () => {
      const ledger = await planned();
      const refused = outcomeOf(1, {
        ...{ status: 'failed', id: null, at: null, message: { en: 'refused', nl: 'geweigerd' } },
        issues: [
          {
            code: 'service-refused',
            found: '3',
            hint: 'te laag',
            severity: 'error',
            field: 'F',
            address: 'F3',
          },
        ],
      });
      const later = { done: 1, id: 5001, sendingSince: null };
      for (const progress of [SENDING, later, { ...later, sendingSince: '2027-04-28 11:31:00.000' }]) {
        await ledger.saveRow(RUN, 1, { progress });
        expect(await progressOf(ledger)).toStrictEqual([null, progress, null]);
      }
      expect(await pending(ledger)).toEqual([0, 1, 2]);
      await ledger.saveRow(RUN, 0, { progress: SENDING });
      await ledger.saveRow(RUN, 0, { outcome: outcomeOf(0, { status: 'unknown', id: null }) });
      await ledger.saveRow(RUN, 1, { outcome: refused });
      await ledger.saveRow(RUN, 0, { outcome: outcomeOf(0) });
      const read = async (run = RUN) =>
        (await ledger.readRows(run, ALL)).map(({ outcome, progress }) => [outcome, progress]);
      const second = [refused, { ...later, sendingSince: '2027-04-28 11:31:00.000' }];
      expect(await read()).toStrictEqual([[outcomeOf(0), SENDING], second, [null, null]]);
      await ledger.saveRow(RUN, 0, { outcome: null });
      expect(await read()).toStrictEqual([[null, SENDING], second, [null, null]]);
      await ledger.saveRow(RUN, 0, { outcome: outcomeOf(0), progress: null });
      expect(await read()).toStrictEqual([[outcomeOf(0), null], second, [null, null]]);
      await ledger.saveRow(RUN, 0, { outcome: null, progress: null });
      expect(await read()).toStrictEqual([[null, null], second, [null, null]]);
      expect(await read(OTHER)).toStrictEqual(Array(3).fill([null, null]));
    });

    test('a request is out once it is said a second time, and is found without its run until that comes to its end', async () => {
      const ledger = await planned();
      await ledger.intend(RUN, 1, SENDING);
      expect(await progressOf(ledger)).toStrictEqual([null, { ...SENDING, sendingSince: null }, null]);
      ledger.markSending(RUN, 1, SENDING);
      expect(await progressOf(ledger)).toStrictEqual([null, SENDING, null]);
      await ledger.saveRow(RUN, 0, { progress: SENDING });
      await ledger.saveRow(RUN, 0, { outcome: outcomeOf(0) });
      await ledger.intend(RUN, 2, SENDING);
      for (const [state, found] of [
        ['planned', []],
        ['applying', [1]],
        ['interrupted', [1]],
        ['done', []],
      ] as const) {
        await ledger.updateRun(RUN, { state });
        expect((await ledger.findCutOff(SERVICE)).map((one) => [one.run, one.planned.seq])).toEqual(
          found.map((seq) => [RUN, seq]),
        );
      }
    });

    test('a write that can’t be done takes nothing else of its moment with it, and what was not held is not out', async () => {
      const ledger = await planned();
      await ledger.saveRow(OTHER, 1, { progress: SENDING });
      expect(() => ledger.markSending(RUN, 2, SENDING)).toThrow('row 2');
      const settled = await Promise.allSettled([
        ledger.saveRow(RUN, 0, { outcome: outcomeOf(0) }),
        ledger.savePlan(RUN, [plannedRow(3), plannedRow(0)]),
        ledger.saveRow(RUN, 2, { outcome: outcomeOf(2) }),
      ]);
      expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(await pending(ledger)).toEqual([1]);
      expect(await progressOf(ledger)).toStrictEqual([null, null, null]);
    });

    test('all that was begun is there for whoever opens the ledger, closed or not, and closing twice does no harm', async () => {
      const place = backend();
      const first = await planned(place);
      await first.saveRow(RUN, 0, { progress: SENDING });
      await first.saveRow(RUN, 0, { outcome: outcomeOf(0) });
      const beside = await place.open();
      const rows = await first.readRows(RUN, ALL);
      expect(await beside.readRows(RUN, ALL)).toStrictEqual(rows);
      const begun = first.savePlan(RUN, [plannedRow(3)]);
      await first.close();
      await begun;
      await first.close();
      expect(await (await place.open()).readRows(RUN, ALL)).toStrictEqual([
        ...rows,
        { planned: plannedRow(3), outcome: null, progress: null },
      ]);
    });

    describeRecords(backend);
    describePruning(backend);
    describePostings(backend);
  });
}
