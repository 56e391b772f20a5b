import { describe, expect, test } from 'vitest';
import { eachRow } from '../../src/ledger/each-row.ts';
import type { Ledger, RunRecord } from '../../src/ledger/ledger.ts';
import { noCounts } from '../../src/schema/counts.ts';
import { type Outcome, PLAN_VERSION, type PlannedRow, SELF } from '../../src/schema/plan.ts';

const RUN = '20270428-113000-abcd';
const SERVICE = 'https://dienst.example/';
const STARTED = { run: RUN, service: SERVICE, file: '/catalogus.xlsx', startedAt: '2027-04-28 11:30:00' };

/** A planned row with something in every member. */
export function plannedRow(seq: number, over: Partial<PlannedRow> = {}): PlannedRow {
  return {
    seq,
    sheet: 'Pakketten',
    row: seq + 2,
    resource: 'packages',
    action: 'create',
    key: `external:${31000 + seq}`,
    id: null,
    external: 31000 + seq,
    lmt: '2027-04-01 09:00:00.123',
    changes: [{ field: 'Offertetekst', from: null, to: 'Crème brûlée "à part" ’t\nregel 2' }],
    needs: [{ resource: 'events', key: 'external:71000' }],
    steps: [
      {
        purpose: 'key',
        endpoint: 'packages.update',
        body: { ProductID: SELF, Verkoopprijs: 34.5, Actief: true },
      },
    ],
    issues: [
      {
        code: 'number-grouping',
        found: '1.234',
        hint: { en: '1234', nl: '1234' },
        severity: 'warning',
        field: 'Volume',
        address: `J${seq + 2}`,
      },
    ],
    message: { en: 'new', nl: 'nieuw' },
    ...over,
  };
}

/** What became of a row. */
function outcomeOf(seq: number, over: Partial<Outcome> = {}): Outcome {
  return {
    seq,
    status: 'created',
    id: 5000 + seq,
    message: null,
    issues: [],
    at: '2027-04-28 11:31:00',
    ...over,
  };
}

const many = (count: number, over: (seq: number) => Partial<PlannedRow> = () => ({})): PlannedRow[] =>
  Array.from({ length: count }, (_, seq) => plannedRow(seq, over(seq)));

const seqs = (rows: readonly { readonly planned: PlannedRow }[]): number[] =>
  rows.map(({ planned }) => planned.seq);

/** Opens ledgers for one test; the second opening finds what the first one wrote where the ledger is durable. */
export interface Stand {
  readonly durable: boolean;
  open(): Promise<Ledger>;
}

/** What every implementation of Ledger keeps to. */
export function describeLedger(name: string, stand: () => Stand): void {
  const started = async (): Promise<Ledger> => {
    const ledger = await stand().open();
    await ledger.startRun(STARTED);
    return ledger;
  };

  describe(name, () => {
    describe('a run', () => {
      test('is found as it was started, in planning', async () => {
        const ledger = await started();
        expect(await ledger.findRun(RUN)).toStrictEqual({
          ...STARTED,
          planVersion: PLAN_VERSION,
          state: 'planning',
        });
      });

      test.each([
        'planned',
        'applying',
        'done',
        'interrupted',
        'planning',
      ] as const satisfies RunRecord['state'][])(
        'goes into the state %s, with counts or without',
        async (state) => {
          const ledger = await started();
          await ledger.setRunState(RUN, state, { ...noCounts(), read: 3, created: 3 });
          await ledger.setRunState(RUN, state);
          expect((await ledger.findRun(RUN))?.state).toBe(state);
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
    });

    describe('a plan', () => {
      test('comes back as it was saved, to the last member', async () => {
        const ledger = await started();
        const rows = many(3);
        await ledger.savePlan(RUN, rows);
        const read = await ledger.readRows(RUN, { after: -1, limit: 10 });
        expect(read).toStrictEqual(rows.map((planned) => ({ planned, outcome: null })));
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

      test('a row about to be sent stays pending until its outcome', async () => {
        const ledger = await started();
        await ledger.savePlan(RUN, many(2));
        await ledger.markSending(RUN, 1);
        await ledger.markSending(RUN, 1);
        expect(seqs(await ledger.readRows(RUN, { after: -1, limit: 10, pending: true }))).toEqual([0, 1]);
        await ledger.saveOutcomes(RUN, [outcomeOf(1)]);
        expect(seqs(await ledger.readRows(RUN, { after: -1, limit: 10, pending: true }))).toEqual([0]);
      });

      test('a row that no plan has cannot be about to be sent', async () => {
        const ledger = await started();
        await expect(ledger.markSending(RUN, 7)).rejects.toThrow('row 7');
      });
    });

    describe('keys', () => {
      test('are remembered by service and resource', async () => {
        const ledger = await stand().open();
        await ledger.rememberKeys(SERVICE, 'packages', [
          { external: 31001, id: 5001 },
          { external: 31002, id: 5002 },
        ]);
        await ledger.rememberKeys(SERVICE, 'recipes', [{ external: 31001, id: 7001 }]);
        await ledger.rememberKeys('https://proef.example/', 'packages', [{ external: 31001, id: 9001 }]);
        expect(await ledger.findKeys(SERVICE, 'packages', [31001, 31002, 31003])).toEqual(
          new Map([
            [31001, 5001],
            [31002, 5002],
          ]),
        );
        expect(await ledger.findKeys(SERVICE, 'recipes', [31001, 31002])).toEqual(new Map([[31001, 7001]]));
        expect(await ledger.findKeys('https://proef.example/', 'packages', [31001])).toEqual(
          new Map([[31001, 9001]]),
        );
        expect(await ledger.findKeys('https://elders.example/', 'packages', [31001])).toEqual(new Map());
      });

      test('said again, take the place of the earlier ones', async () => {
        const ledger = await stand().open();
        await ledger.rememberKeys(SERVICE, 'packages', [{ external: 1, id: 10 }]);
        await ledger.rememberKeys(SERVICE, 'packages', [
          { external: 1, id: 11 },
          { external: 1, id: 12 },
        ]);
        expect(await ledger.findKeys(SERVICE, 'packages', [1])).toEqual(new Map([[1, 12]]));
      });

      test('of none are none', async () => {
        const ledger = await stand().open();
        await ledger.rememberKeys(SERVICE, 'packages', []);
        expect(await ledger.findKeys(SERVICE, 'packages', [])).toEqual(new Map());
      });

      test('are exact up to 2^53, and below zero', async () => {
        const ledger = await stand().open();
        const pairs = [Number.MAX_SAFE_INTEGER, 2 ** 31, 2 ** 32 + 1, 0, -7].map((external) => ({
          external,
          id: external,
        }));
        await ledger.rememberKeys(SERVICE, 'packages', pairs);
        const found = await ledger.findKeys(
          SERVICE,
          'packages',
          pairs.map(({ external }) => external),
        );
        expect(found).toEqual(new Map(pairs.map(({ external, id }) => [external, id])));
      });

      test('of thousands are found at once', async () => {
        const ledger = await stand().open();
        const pairs = Array.from({ length: 3000 }, (_, index) => ({ external: index, id: index * 2 }));
        await ledger.rememberKeys(SERVICE, 'packages', pairs);
        expect(
          (
            await ledger.findKeys(
              SERVICE,
              'packages',
              pairs.map(({ external }) => external),
            )
          ).size,
        ).toBe(3000);
      });
    });

    test('quotes and the like are words, never commands', async () => {
      const ledger = await stand().open();
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
        ledger.markSending(RUN, 9),
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

    describe.runIf(stand().durable)('kept on disk', () => {
      test('all is there after closing and opening again', async () => {
        const place = stand();
        const first = await place.open();
        await first.startRun(STARTED);
        await first.savePlan(RUN, many(4));
        await first.markSending(RUN, 0);
        await first.saveOutcomes(RUN, [outcomeOf(0)]);
        await first.setRunState(RUN, 'interrupted', { ...noCounts(), read: 4, created: 1, notSent: 3 });
        await first.rememberKeys(SERVICE, 'packages', [{ external: 31000, id: 5000 }]);
        await first.close();

        const second = await place.open();
        expect(await second.findRun(RUN)).toStrictEqual({
          ...STARTED,
          planVersion: PLAN_VERSION,
          state: 'interrupted',
        });
        expect(await second.readRows(RUN, { after: -1, limit: 10 })).toStrictEqual(
          many(4).map((planned) => ({ planned, outcome: planned.seq === 0 ? outcomeOf(0) : null })),
        );
        expect(await second.findKeys(SERVICE, 'packages', [31000])).toEqual(new Map([[31000, 5000]]));
      });

      test('closing waits for what was begun', async () => {
        const place = stand();
        const first = await place.open();
        await first.startRun(STARTED);
        const begun = first.savePlan(RUN, many(3));
        await first.close();
        await begun;
        const second = await place.open();
        expect(seqs(await second.readRows(RUN, { after: -1, limit: 10 }))).toEqual([0, 1, 2]);
      });

      test('all that was answered is there without closing', async () => {
        const place = stand();
        const first = await place.open();
        await first.startRun(STARTED);
        await first.savePlan(RUN, many(2));
        const second = await place.open();
        expect(seqs(await second.readRows(RUN, { after: -1, limit: 10 }))).toEqual([0, 1]);
      });

      test('two that are open at once lose nothing of each other', async () => {
        const place = stand();
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
          expect((await ledger.findKeys(SERVICE, 'recipes', [0, 20, 39])).get(39)).toBe(-39);
        }
      });
    });
  });
}
