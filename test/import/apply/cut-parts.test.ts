import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { PlannedRow, Step } from '../../../src/core/plan.ts';
import { systemTime } from '../../../src/core/time.ts';
import { cutParts } from '../../../src/import/apply/parts.ts';
import type { Part } from '../../../src/ledger/ledger.ts';
import { openAnyLedger } from '../../../src/ledger/open-ledger.ts';
import { allSheets } from '../../../src/resources/registry.ts';
import type { Context } from '../../../src/run/context.ts';
import { many, plannedRow, RUN, SENDING, STARTED } from '../../ledger/fixtures.ts';

/** A ledger with a plan of these rows. */
async function planned(rows: readonly PlannedRow[]) {
  const { ledger } = await openAnyLedger(':memory:', systemTime);
  onTestFinished(() => ledger.close());
  await ledger.startRun(STARTED);
  await ledger.savePlan(RUN, rows);
  // What it looks at of a context.
  const context = { ledger, resources: allSheets } as unknown as Context;
  return { ledger, parts: () => cutParts(context, RUN) };
}

const seqsOf = ({ places }: Part): number[] =>
  places.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => first + at));

const alone = { needs: [] };
const update: Step = { purpose: 'update', endpoint: 'packages.update', body: { Verkoopprijs: 1 } };
/** A row that changes a record that is there. */
const changes = (id: number): Partial<PlannedRow> => ({
  ...alone,
  ...{ action: 'update', id, key: `id:${id}`, external: null, steps: [update] },
});

describe('the parts of a run', () => {
  test.each<[string, readonly Partial<PlannedRow>[]]>([
    ['rows on one record', [changes(7), changes(7)]],
    [
      'a row and the one whose record it needs',
      [
        { ...alone, resource: 'events', key: 'external:1' },
        { resource: 'arrangements', key: null, needs: [{ resource: 'events', key: 'external:1' }] },
      ],
    ],
    [
      'a row and the one whose LMT it moves',
      [
        changes(7),
        {
          ...{ ...alone, resource: 'stock-mutations', key: null, id: null },
          steps: [{ purpose: 'post', endpoint: 'stock.create', body: { ProductID: 7 } }],
        },
      ],
    ],
  ])('keep together %s', async (_, [first, last]) => {
    const rows = [
      plannedRow(0, first),
      ...Array.from({ length: 60 }, (_row, at) => plannedRow(at + 1, changes(100 + at))),
      plannedRow(61, last),
    ];
    const { parts } = await planned(rows);
    const found = await parts();
    expect(found.length).toBeGreaterThan(1);
    const [own] = found.filter((part) => seqsOf(part).includes(0));
    expect(own && seqsOf(own)).toContain(61);
    expect(found.flatMap(seqsOf).sort((one, other) => one - other)).toEqual(rows.map(({ seq }) => seq));
  });

  test('leave out what waits for all others, or was sent without an answer, with what belongs to it', async () => {
    const remove: Step = { purpose: 'delete', endpoint: 'packages.delete', body: {} };
    const rows = many(100, (seq) => ({
      ...changes(seq),
      ...(seq === 10 && { action: 'delete', steps: [remove] }),
      ...(seq === 30 && changes(10)),
      ...(seq === 60 && changes(50)),
    }));
    const { ledger, parts } = await planned(rows);
    await ledger.saveRow(RUN, 50, { progress: SENDING });
    const found = (await parts()).flatMap(seqsOf);
    expect(rows.map(({ seq }) => seq).filter((seq) => !found.includes(seq))).toEqual([10, 30, 50, 60]);
  });

  test('never share a record, however rows hang together', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({ about: fc.nat(60), needs: fc.option(fc.nat(60), { nil: null }), sends: fc.boolean() }),
          { minLength: 1, maxLength: 200 },
        ),
        async (drawn) => {
          const rows = drawn.map(({ about, needs, sends }, seq) =>
            plannedRow(seq, {
              ...changes(about),
              needs: needs === null ? [] : [{ resource: 'packages', key: `id:${needs}` }],
              ...(!sends && { action: 'unchanged', steps: [] }),
            }),
          );
          const { parts } = await planned(rows);
          const found = await parts();
          const partOf = new Map<string, number>();
          for (const part of found)
            for (const seq of seqsOf(part)) {
              const row = rows[seq] as PlannedRow;
              if (row.steps.length === 0) continue;
              for (const key of [row.key ?? '', ...row.needs.map((need) => need.key)]) {
                expect(partOf.get(key) ?? part.part).toBe(part.part);
                partOf.set(key, part.part);
              }
            }
          const sent = found.flatMap(seqsOf).filter((seq) => (rows[seq] as PlannedRow).steps.length > 0);
          expect(sent.sort((one, other) => one - other)).toEqual(
            rows.filter(({ steps }) => steps.length > 0).map(({ seq }) => seq),
          );
        },
      ),
      { numRuns: 25, seed: 39 },
    );
  });
});
