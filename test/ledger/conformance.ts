import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { noCounts } from '../../src/core/counts.ts';
import { PLAN_VERSION, type PlannedRow } from '../../src/core/plan.ts';
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

/** What every implementation of Ledger keeps to. */
export function describeLedger(name: string, backend: () => Backend): void {
  const started = (): Promise<Ledger> => startedOn(backend());

  describe(name, () => {
    describe('a run', () => {
      test('is found as it was started, in planning', async () => {
        const ledger = await started();
        expect(await ledger.findRun(RUN)).toStrictEqual({
          ...STARTED,
          planVersion: PLAN_VERSION,
          state: 'planning',
          counts: null,
          prunedAt: null,
        });
      });

      test.each([
        'planned',
        'applying',
        'done',
        'interrupted',
        'planning',
      ] as const satisfies RunRecord['state'][])(
        'goes into the state %s, and keeps its counts when none come along',
        async (state) => {
          const ledger = await started();
          const counts = { ...noCounts(), read: 3, created: 3 };
          await ledger.setRunState(RUN, state, { ...counts, created: 0, notSent: 3 });
          await ledger.setRunState(RUN, 'planned', counts);
          await ledger.setRunState(RUN, state);
          expect(await ledger.findRun(RUN)).toMatchObject({ state, counts });
        },
      );

      test('that was never started is not found, and has no state', async () => {
        const ledger = await started();
        expect(await ledger.findRun('20270101-000000-zzzz')).toBeUndefined();
        await expect(ledger.setRunState('20270101-000000-zzzz', 'done')).rejects.toThrow(
          '20270101-000000-zzzz',
        );
      });

      test('is started once', async () => {
        const ledger = await started();
        await expect(ledger.startRun({ ...STARTED, file: '/ander.xlsx' })).rejects.toThrow();
        expect((await ledger.findRun(RUN))?.file).toBe('/catalogus.xlsx');
      });

      test.each([
        [10, ['c', 'b', 'a2', 'a1']],
        [4, ['c', 'b', 'a2', 'a1']],
        [2, ['c', 'b']],
        [0, []],
      ])('of the newest %j are listed %j', async (limit, expected) => {
        const ledger = await backend().open();
        for (const [run, startedAt] of [
          ['b', '2027-04-28 11:30:00'],
          ['a2', '2027-04-28 09:30:00'],
          ['c', '2027-05-01 00:00:00'],
          ['a1', '2027-04-28 09:30:00'],
        ] as const) {
          await ledger.startRun({ ...STARTED, run, startedAt });
        }
        expect((await ledger.listRuns(limit)).map(({ run }) => run)).toEqual(expected);
      });

      test('are listed by their state, past those that are newer, and counted', async () => {
        const ledger = await backend().open();
        for (const [at, state] of (
          ['planned', 'done', 'planned', 'interrupted', 'done'] as const
        ).entries()) {
          await ledger.startRun({ ...STARTED, run: `r${at}`, startedAt: `2027-04-28 09:30:0${at}` });
          await ledger.setRunState(`r${at}`, state);
        }
        const listed = async (states: readonly RunRecord['state'][], offset: number, limit: number) =>
          (await ledger.listRuns(limit, { states, offset })).map(({ run }) => run);
        expect(await listed(['done', 'interrupted'], 0, 10)).toEqual(['r4', 'r3', 'r1']);
        expect(await listed(['done', 'interrupted'], 1, 1)).toEqual(['r3']);
        expect(await listed(['planned'], 1, 10)).toEqual(['r0']);
        expect(await listed(['applying'], 0, 10)).toEqual([]);
        expect(await ledger.countRuns(['done', 'interrupted'])).toBe(3);
        expect(await ledger.countRuns(['planning'])).toBe(0);
      });

      test('is listed as it is found, with its counts', async () => {
        const ledger = await started();
        const counts = { ...noCounts(), read: 3, unknown: 1, notSent: 2 };
        await ledger.setRunState(RUN, 'interrupted', counts);
        await ledger.startRun({
          ...STARTED,
          run: 'ander',
          service: 'sandbox',
          startedAt: '2027-04-27 08:00:00',
        });
        const planVersion = PLAN_VERSION;
        expect(await ledger.listRuns(10)).toStrictEqual([
          { ...STARTED, planVersion, state: 'interrupted', counts, prunedAt: null },
          {
            run: 'ander',
            service: 'sandbox',
            file: STARTED.file,
            startedAt: '2027-04-27 08:00:00',
            planVersion,
            state: 'planning',
            counts: null,
            prunedAt: null,
          },
        ]);
        expect(await ledger.findRun(RUN)).toStrictEqual((await ledger.listRuns(1))[0]);
      });
    });

    describe('details', () => {
      test.each([
        [{}],
        [{ sheets: [{ name: 'Crème "à part"', rows: 3 }], newest: null, strict: false, at: 1.5 }],
        [[1, [2, []]]],
        ['tekst'],
        [0],
        [false],
        [null],
      ])('come back as they were saved: %j', async (details) => {
        const ledger = await started();
        await ledger.startRun({ ...STARTED, run: 'ander' });
        await ledger.saveDetails(RUN, { earlier: true });
        await ledger.saveDetails(RUN, details);
        expect(await ledger.findDetails(RUN)).toStrictEqual(details);
        expect(await ledger.findDetails('ander')).toBeUndefined();
      });

      test('stand apart from the state', async () => {
        const ledger = await started();
        await ledger.saveDetails(RUN, { option: 1 });
        await ledger.setRunState(RUN, 'applying', noCounts());
        expect(await ledger.findDetails(RUN)).toStrictEqual({ option: 1 });
        expect((await ledger.findRun(RUN))?.state).toBe('applying');
      });

      test('of a run that was never started are refused', async () => {
        const ledger = await started();
        await expect(ledger.saveDetails('ander', {})).rejects.toThrow('ander');
        expect(await ledger.findDetails('ander')).toBeUndefined();
      });
    });

    describe('a plan', () => {
      test('comes back as it was saved, to the last member', async () => {
        const ledger = await started();
        const rows = many(3);
        await ledger.savePlan(RUN, rows);
        const read = await ledger.readRows(RUN, { after: -1, limit: 10 });
        expect(read).toStrictEqual(rows.map((planned) => ({ planned, outcome: null, progress: null })));
      });

      test('comes back as it was saved, whatever it holds', async () => {
        const ledger = await backend().open();
        let runs = 0;
        await fc.assert(
          fc.asyncProperty(anyPlan, async (rows) => {
            const run = `plan ${++runs}`;
            await ledger.startRun({ ...STARTED, run });
            await ledger.savePlan(run, rows);
            const read = await ledger.readRows(run, { after: -1, limit: 100 });
            const inOrder = [...rows].sort((one, other) => one.seq - other.seq);
            // Property tests make objects without a prototype; what is compared are their members.
            expect(read.map(({ planned }) => planned)).toStrictEqual(JSON.parse(JSON.stringify(inOrder)));
          }),
        );
      });

      test('is read in plan order, however it was saved', async () => {
        const ledger = await started();
        const rows = many(6);
        await ledger.savePlan(RUN, [rows[4], rows[0], rows[5]] as PlannedRow[]);
        await ledger.savePlan(RUN, [rows[3], rows[1], rows[2]] as PlannedRow[]);
        expect(seqs(await ledger.readRows(RUN, { after: -1, limit: 10 }))).toEqual([0, 1, 2, 3, 4, 5]);
      });

      test('is saved whole or not at all', async () => {
        const ledger = await started();
        await ledger.savePlan(RUN, [plannedRow(2)]);
        await expect(ledger.savePlan(RUN, many(3))).rejects.toThrow();
        expect(seqs(await ledger.readRows(RUN, { after: -1, limit: 10 }))).toEqual([2]);
        await ledger.savePlan(RUN, many(2));
        expect(seqs(await ledger.readRows(RUN, { after: -1, limit: 10 }))).toEqual([0, 1, 2]);
      });

      test('of no rows is a plan', async () => {
        const ledger = await started();
        await ledger.savePlan(RUN, []);
        await ledger.saveOutcomes(RUN, []);
        expect(await ledger.readRows(RUN, { after: -1, limit: 10 })).toEqual([]);
      });

      test('belongs to its run', async () => {
        const ledger = await started();
        await ledger.startRun({ ...STARTED, run: 'ander' });
        await ledger.savePlan(RUN, many(2));
        await ledger.savePlan(
          'ander',
          many(3, () => ({ sheet: 'Recepten' })),
        );
        await ledger.saveOutcomes('ander', [outcomeOf(0)]);
        expect(seqs(await ledger.readRows(RUN, { after: -1, limit: 10, pending: true }))).toEqual([0, 1]);
        expect(seqs(await ledger.readRows('ander', { after: -1, limit: 10, pending: true }))).toEqual([1, 2]);
      });

      test('counts rows that were begun and that ended by blocks of places', async () => {
        const ledger = await started();
        await ledger.savePlan(RUN, many(12));
        expect(await ledger.countBegun(RUN, 5)).toEqual([]);
        await ledger.saveOutcomes(RUN, [outcomeOf(0), outcomeOf(4), outcomeOf(11)]);
        await ledger.saveProgress(RUN, 3, SENDING);
        expect(await ledger.countBegun(RUN, 5)).toEqual([
          { block: 0, begun: 3, ended: 2 },
          { block: 2, begun: 1, ended: 1 },
        ]);
        expect(await ledger.countBegun('ander', 5)).toEqual([]);
      });

      test('names the earlier rows on one record, in order', async () => {
        const ledger = await started();
        await ledger.savePlan(RUN, [
          plannedRow(4, { key: 'id:7' }),
          plannedRow(0, { key: 'id:7' }),
          plannedRow(1, { key: 'id:8' }),
          plannedRow(2, { key: 'id:7', resource: 'recipes' }),
          plannedRow(3, { key: null }),
        ]);
        const keyed = async (resource: string, key: string) =>
          (await ledger.plannedFor(RUN, resource, key)).map(({ seq }) => seq);
        expect(await keyed('packages', 'id:7')).toEqual([0, 4]);
        expect(await keyed('recipes', 'id:7')).toEqual([2]);
        expect(await keyed('packages', 'id:9')).toEqual([]);
        expect(await keyed('packages', 'null')).toEqual([]);
        expect(await ledger.plannedFor('ander', 'packages', 'id:7')).toEqual([]);
        expect((await ledger.plannedFor(RUN, 'packages', 'id:8'))[0]).toStrictEqual(
          plannedRow(1, { key: 'id:8' }),
        );
      });
    });

    describe('a plan that is being saved', () => {
      test('is asked for its rows on one record, and in some places, from the call on', async () => {
        const ledger = await started();
        await ledger.savePlan(RUN, [plannedRow(0, { key: 'id:7' })]);
        const saving = [
          ledger.savePlan(RUN, [plannedRow(1, { key: 'id:7' }), plannedRow(2, { key: 'id:8' })]),
          ledger.savePlan(RUN, [plannedRow(3, { key: 'id:7' })]),
        ];
        const found = async () => (await ledger.plannedFor(RUN, 'packages', 'id:7')).map(({ seq }) => seq);
        const at = async () => (await ledger.rowsAt(RUN, [3, 0, 9])).map(({ seq }) => seq);
        expect(await found()).toEqual([0, 1, 3]);
        expect(await at()).toEqual([3, 0]);
        await Promise.all(saving);
        expect(await found()).toEqual([0, 1, 3]);
        expect(await at()).toEqual([3, 0]);
      });
    });

    test('rows of a plan are replaced in their place, also while others are being saved', async () => {
      const ledger = await started();
      const first = many(1_200, (seq) => ({ key: `id:${seq}` }));
      await ledger.savePlan(RUN, first);
      const saving = ledger.savePlan(RUN, [plannedRow(1_200, { key: 'id:7' })]);
      const now = [7, 600, 1_200].map((seq) =>
        plannedRow(seq, { key: seq === 600 ? 'id:600' : 'id:7', action: 'invalid' }),
      );
      await ledger.replaceRows(RUN, now);
      await saving;
      const read = await ledger.readRows(RUN, { after: -1, limit: 2_000 });
      expect(read.map(({ planned }) => planned.seq)).toEqual(
        many(1_201, (seq) => ({ seq })).map(({ seq }) => seq),
      );
      const invalid = read.filter(({ planned }) => planned.action === 'invalid');
      expect(invalid.map(({ planned }) => planned)).toStrictEqual(now);
      expect(await ledger.plannedFor(RUN, 'packages', 'id:7')).toStrictEqual([now[0], now[2]]);
      await expect(ledger.replaceRows('ander', now)).rejects.toThrow();
    });

    describe('reading rows', () => {
      const planned = async (): Promise<Ledger> => {
        const ledger = await started();
        await ledger.savePlan(
          RUN,
          many(10, (seq) => ({ sheet: seq % 2 === 0 ? 'Pakketten' : 'Recepten' })),
        );
        await ledger.saveOutcomes(
          RUN,
          [0, 1, 2, 5].map((seq) => outcomeOf(seq)),
        );
        return ledger;
      };

      test.each([
        [{ after: -1, limit: 3 }, [0, 1, 2]],
        [{ after: 2, limit: 3 }, [3, 4, 5]],
        [{ after: 7, limit: 3 }, [8, 9]],
        [{ after: 9, limit: 3 }, []],
        [{ after: -1, limit: 10 }, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
        [{ after: -1, limit: 3, pending: true }, [3, 4, 6]],
        [{ after: 4, limit: 3, pending: true }, [6, 7, 8]],
        [{ after: -1, limit: 2, pending: false }, [0, 1]],
        [{ after: -1, limit: 10, sheet: 'Recepten' }, [1, 3, 5, 7, 9]],
        [{ after: 3, limit: 2, sheet: 'Recepten' }, [5, 7]],
        [{ after: -1, limit: 10, sheet: 'Recepten', pending: true }, [3, 7, 9]],
        [{ after: 4, limit: 1, sheet: 'Pakketten', pending: true }, [6]],
        [{ after: -1, limit: 10, sheet: 'Evenementen' }, []],
      ])('%j gives %j', async (options, expected) => {
        const ledger = await planned();
        expect(seqs(await ledger.readRows(RUN, options))).toEqual(expected);
      });

      test.each([
        [{}, 1201],
        [{ sheet: 'Recepten' }, 600],
        [{ pending: true }, 1200],
      ] as const)('page by page, %j, every row comes once', async (filter, count) => {
        const ledger = await started();
        await ledger.savePlan(
          RUN,
          many(1201, (seq) => ({ sheet: seq % 2 === 0 ? 'Pakketten' : 'Recepten' })),
        );
        await ledger.saveOutcomes(RUN, [outcomeOf(700)]);
        const read: number[] = [];
        for await (const row of eachRow(ledger, RUN, filter)) read.push(row.planned.seq);
        expect(read).toHaveLength(count);
        expect(read).toEqual([...new Set(read)].sort((a, b) => a - b));
      });

      test('what is settled between two pages changes neither', async () => {
        const ledger = await started();
        await ledger.savePlan(RUN, many(1100));
        const read: number[] = [];
        for await (const { planned } of eachRow(ledger, RUN, { pending: true })) {
          read.push(planned.seq);
          await ledger.saveOutcomes(RUN, [outcomeOf(planned.seq)]);
        }
        expect(read).toEqual(many(1100).map(({ seq }) => seq));
      });
    });

    describe('outcomes', () => {
      test('stand beside their rows as they were saved', async () => {
        const ledger = await started();
        await ledger.savePlan(RUN, many(3));
        const refused = outcomeOf(1, {
          status: 'failed',
          id: null,
          message: { en: 'refused', nl: 'geweigerd' },
          issues: [
            {
              code: 'service-refused',
              found: '3',
              hint: 'te laag',
              severity: 'error',
              field: 'Verkoopprijs',
              address: 'F3',
            },
          ],
          at: null,
        });
        await ledger.saveOutcomes(RUN, [outcomeOf(0), refused]);
        const rows = await ledger.readRows(RUN, { after: -1, limit: 10 });
        expect(rows.map(({ outcome }) => outcome)).toStrictEqual([outcomeOf(0), refused, null]);
      });

      test('said again, take the place of the earlier ones', async () => {
        const ledger = await started();
        await ledger.savePlan(RUN, many(1));
        await ledger.saveOutcomes(RUN, [outcomeOf(0, { status: 'unknown', id: null })]);
        await ledger.saveOutcomes(RUN, [outcomeOf(0)]);
        const [row] = await ledger.readRows(RUN, { after: -1, limit: 10 });
        expect(row?.outcome).toStrictEqual(outcomeOf(0));
      });

      test('of a row that no plan has are refused, and with them those that came along', async () => {
        const ledger = await started();
        await ledger.savePlan(RUN, many(2));
        await expect(ledger.saveOutcomes(RUN, [outcomeOf(0), outcomeOf(9)])).rejects.toThrow('row 9');
        await expect(ledger.saveOutcomes('ander', [outcomeOf(0)])).rejects.toThrow('ander');
        expect(seqs(await ledger.readRows(RUN, { after: -1, limit: 10, pending: true }))).toEqual([0, 1]);
      });
    });

    describe('progress', () => {
      const progressed = async (): Promise<Ledger> => {
        const ledger = await started();
        await ledger.startRun({ ...STARTED, run: 'ander' });
        for (const run of [RUN, 'ander']) await ledger.savePlan(run, many(3));
        return ledger;
      };
      const read = async (ledger: Ledger, run = RUN) =>
        (await ledger.readRows(run, { after: -1, limit: 10 })).map(({ progress }) => progress);

      test.each([
        SENDING,
        { done: 1, id: 5001, sendingSince: '2027-04-28 11:31:00.000' },
        { done: 2, id: 5001, sendingSince: null },
        { done: 0, id: null, sendingSince: null },
      ])('%j is read back, in its own row alone', async (progress) => {
        const ledger = await progressed();
        await ledger.saveProgress(RUN, 1, progress);
        expect(await read(ledger)).toStrictEqual([null, progress, null]);
        expect(await read(ledger, 'ander')).toStrictEqual([null, null, null]);
      });

      test('said again, takes the place of the earlier one, and of no other row', async () => {
        const ledger = await progressed();
        await Promise.all([0, 1, 2].map((seq) => ledger.saveProgress(RUN, seq, SENDING)));
        await ledger.saveProgress('ander', 1, SENDING);
        const later = { done: 1, id: 5001, sendingSince: null };
        await ledger.saveProgress(RUN, 1, later);
        expect(await read(ledger)).toStrictEqual([SENDING, later, SENDING]);
        expect(await read(ledger, 'ander')).toStrictEqual([null, SENDING, null]);
      });

      test('leaves a row pending until its outcome, and stands beside it then', async () => {
        const ledger = await progressed();
        await ledger.saveProgress(RUN, 1, SENDING);
        expect(seqs(await ledger.readRows(RUN, { after: -1, limit: 10, pending: true }))).toEqual([0, 1, 2]);
        await ledger.saveOutcomes(RUN, [outcomeOf(1), outcomeOf(2)]);
        const rows = await ledger.readRows(RUN, { after: -1, limit: 10 });
        expect(rows).toStrictEqual([
          { planned: plannedRow(0), outcome: null, progress: null },
          { planned: plannedRow(1), outcome: outcomeOf(1), progress: SENDING },
          { planned: plannedRow(2), outcome: outcomeOf(2), progress: null },
        ]);
      });

      test('is out once it is said a second time of a request that was held', async () => {
        const ledger = await progressed();
        await ledger.holdProgress(RUN, 1, SENDING);
        expect(await read(ledger)).toStrictEqual([null, { ...SENDING, sendingSince: null }, null]);
        ledger.markSending(RUN, 1, SENDING);
        expect(await read(ledger)).toStrictEqual([null, SENDING, null]);
      });

      test('of a request that was out is found without its run, as long as the run has not come to its end', async () => {
        const ledger = await progressed();
        for (const seq of [0, 1]) await ledger.saveProgress(RUN, seq, SENDING);
        await ledger.saveOutcomes(RUN, [outcomeOf(0)]);
        await ledger.holdProgress(RUN, 2, SENDING);
        const found = async () =>
          (await ledger.findCutOff(SERVICE)).map(({ run, planned, progress }) => [
            ...[run, planned.seq],
            progress,
          ]);
        expect(await found()).toStrictEqual([]);
        for (const state of ['applying', 'interrupted'] as const) {
          await ledger.setRunState(RUN, state);
          expect(await found()).toStrictEqual([[RUN, 1, SENDING]]);
        }
        expect(await ledger.findCutOff('https://proef.example/')).toStrictEqual([]);
        await ledger.setRunState(RUN, 'done');
        expect(await found()).toStrictEqual([]);
      });

      test('of a row that no plan has is refused', async () => {
        const ledger = await progressed();
        await expect(ledger.saveProgress(RUN, 7, SENDING)).rejects.toThrow('row 7');
        await expect(ledger.holdProgress(RUN, 7, SENDING)).rejects.toThrow('row 7');
        expect(() => ledger.markSending(RUN, 7, SENDING)).toThrow('row 7');
        await expect(ledger.saveProgress('geen', 0, SENDING)).rejects.toThrow('geen');
        expect(await read(ledger)).toStrictEqual([null, null, null]);
      });
    });

    describe('reopening', () => {
      const settled = async (): Promise<Ledger> => {
        const ledger = await started();
        await ledger.startRun({ ...STARTED, run: 'ander' });
        for (const run of [RUN, 'ander']) {
          await ledger.savePlan(run, many(3));
          for (const seq of [0, 1]) await ledger.saveProgress(run, seq, SENDING);
          await ledger.saveOutcomes(
            run,
            [0, 1, 2].map((seq) => outcomeOf(seq)),
          );
        }
        return ledger;
      };
      const read = async (ledger: Ledger, run = RUN) =>
        (await ledger.readRows(run, { after: -1, limit: 10 })).map(({ outcome, progress }) => [
          outcome !== null,
          progress,
        ]);
      const SETTLED = [
        [true, SENDING],
        [true, SENDING],
        [true, null],
      ];

      test.each([
        [[], SETTLED],
        [[{ seq: 0, forget: true }], [[false, null], SETTLED[1], SETTLED[2]]],
        [[{ seq: 1, forget: false }], [SETTLED[0], [false, SENDING], SETTLED[2]]],
        [[{ seq: 2, forget: false }], [SETTLED[0], SETTLED[1], [false, null]]],
        [
          [
            { seq: 0, forget: false },
            { seq: 1, forget: true },
          ],
          [[false, SENDING], [false, null], SETTLED[2]],
        ],
      ])('%j leaves every other row as it was', async (rows, expected) => {
        const ledger = await settled();
        await ledger.reopenRows(RUN, rows);
        expect(await read(ledger)).toStrictEqual(expected);
        expect(await read(ledger, 'ander')).toStrictEqual(SETTLED);
        expect(seqs(await ledger.readRows(RUN, { after: -1, limit: 10, pending: true }))).toEqual(
          rows.map(({ seq }) => seq),
        );
      });

      test('a row that no plan has is refused, and with it those that came along', async () => {
        const ledger = await settled();
        const rows = [0, 9].map((seq) => ({ seq, forget: true }));
        await expect(ledger.reopenRows(RUN, rows)).rejects.toThrow('row 9');
        expect(await read(ledger)).toStrictEqual(SETTLED);
      });
    });

    describeRecords(backend);
    describePruning(backend);
    describePostings(backend);

    test('quotes in a text are never commands', async () => {
      const ledger = await backend().open();
      const odd = `x'; drop table runs; --"`;
      await ledger.startRun({ ...STARTED, run: odd, file: odd, service: odd });
      await ledger.savePlan(odd, [plannedRow(0, { sheet: odd, key: odd, resource: odd })]);
      expect(await ledger.findRun(odd)).toMatchObject({ run: odd, file: odd });
      expect(await ledger.plannedFor(odd, odd, odd)).toHaveLength(1);
      expect(await ledger.readRows(odd, { after: -1, limit: 5, sheet: odd })).toHaveLength(1);
    });

    test('work that was started side by side is all done', async () => {
      const ledger = await started();
      await Promise.all(many(50).map((row) => ledger.savePlan(RUN, [row])));
      await Promise.all(many(50).map(({ seq }) => ledger.saveOutcomes(RUN, [outcomeOf(seq)])));
      const rows = await ledger.readRows(RUN, { after: -1, limit: 100 });
      expect(rows.map(({ outcome }) => outcome?.id)).toEqual(many(50).map(({ seq }) => 5000 + seq));
    });

    test('of what is written at one moment, one thing that cannot be done takes no other with it', async () => {
      const ledger = await started();
      await ledger.savePlan(RUN, many(3));
      const settled = await Promise.allSettled([
        ledger.saveOutcomes(RUN, [outcomeOf(0)]),
        ledger.savePlan(RUN, [plannedRow(3), plannedRow(0)]),
        ledger.saveProgress(RUN, 9, SENDING),
        ledger.saveOutcomes(RUN, [outcomeOf(1), outcomeOf(9)]),
        ledger.saveOutcomes(RUN, [outcomeOf(2)]),
      ]);
      expect(settled.map(({ status }) => status)).toEqual([
        'fulfilled',
        'rejected',
        'rejected',
        'rejected',
        'fulfilled',
      ]);
      const rows = await ledger.readRows(RUN, { after: -1, limit: 10 });
      expect(rows.map(({ outcome }) => outcome?.seq)).toEqual([0, undefined, 2]);
    });

    test('closing twice does no harm', async () => {
      const ledger = await started();
      await ledger.close();
      await expect(ledger.close()).resolves.toBeUndefined();
    });

    // Of what is in memory there is nothing to be kept.
    if (backend().durable)
      describe('kept on disk', () => {
        test('all is there after closing and opening again', async () => {
          const place = backend();
          const first = await place.open();
          await first.startRun(STARTED);
          await first.savePlan(RUN, many(4));
          await first.saveProgress(RUN, 0, SENDING);
          await first.saveOutcomes(RUN, [outcomeOf(0)]);
          const counts = { ...noCounts(), read: 4, created: 1, notSent: 3 };
          await first.setRunState(RUN, 'interrupted', counts);
          await first.saveDetails(RUN, { option: 1 });
          await first.rememberKeys(SERVICE, 'packages', [{ external: 31000, id: 5000, label: 'Lunch' }]);
          await first.rememberFact(SERVICE, 'keeps-external', 'no');
          await first.rememberSent(SERVICE, 'packages', 5000, { Naam: 'Lunch' });
          await first.close();

          const second = await place.open();
          expect(await second.findRun(RUN)).toStrictEqual({
            ...STARTED,
            planVersion: PLAN_VERSION,
            state: 'interrupted',
            counts,
            prunedAt: null,
          });
          expect(await second.findDetails(RUN)).toStrictEqual({ option: 1 });
          expect(await second.readRows(RUN, { after: -1, limit: 10 })).toStrictEqual(
            many(4).map((planned) => ({
              planned,
              outcome: planned.seq === 0 ? outcomeOf(0) : null,
              progress: planned.seq === 0 ? SENDING : null,
            })),
          );
          expect(await second.findKeys(SERVICE, 'packages', [31000])).toEqual(
            new Map([[31000, { id: 5000, label: 'Lunch' }]]),
          );
          expect(await second.findKnownIds(SERVICE, 'packages', [5000, 5001])).toEqual(new Set([5000]));
          expect(await second.findFact(SERVICE, 'keeps-external')).toBe('no');
          expect(await second.findSent(SERVICE, 'packages', 5000)).toStrictEqual({ Naam: 'Lunch' });
        });

        test('closing waits for what was begun', async () => {
          const place = backend();
          const first = await place.open();
          await first.startRun(STARTED);
          const begun = first.savePlan(RUN, many(3));
          await first.close();
          await begun;
          const second = await place.open();
          expect(seqs(await second.readRows(RUN, { after: -1, limit: 10 }))).toEqual([0, 1, 2]);
        });

        test('all that was answered is there without closing', async () => {
          const place = backend();
          const first = await place.open();
          await first.startRun(STARTED);
          await first.savePlan(RUN, many(2));
          const second = await place.open();
          expect(seqs(await second.readRows(RUN, { after: -1, limit: 10 }))).toEqual([0, 1]);
        });

        test('two that are open at once lose nothing of each other', async () => {
          const place = backend();
          const [one, two] = [await place.open(), await place.open()];
          await one.startRun({ ...STARTED, run: 'een' });
          await two.startRun({ ...STARTED, run: 'twee' });
          await Promise.all(
            Array.from({ length: 40 }, async (_, seq) => {
              await Promise.all([
                one.savePlan('een', [plannedRow(seq)]),
                two.savePlan('twee', [plannedRow(seq)]),
              ]);
              await Promise.all([
                one.saveOutcomes('een', [outcomeOf(seq)]),
                two.saveOutcomes('twee', [outcomeOf(seq)]),
              ]);
              await one.rememberKeys(SERVICE, 'packages', [{ external: seq, id: seq }]);
              await two.rememberKeys(SERVICE, 'recipes', [{ external: seq, id: -seq }]);
            }),
          );
          for (const ledger of [one, two]) {
            for (const run of ['een', 'twee']) {
              const rows = await ledger.readRows(run, { after: -1, limit: 100 });
              expect(rows.filter(({ outcome }) => outcome !== null)).toHaveLength(40);
            }
            expect((await ledger.findKeys(SERVICE, 'packages', [0, 20, 39])).size).toBe(3);
            expect((await ledger.findKeys(SERVICE, 'recipes', [0, 20, 39])).get(39)?.id).toBe(-39);
          }
        });
      });
  });
}
