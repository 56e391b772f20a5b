import fc from 'fast-check';
import { noCounts } from '../../src/core/counts.ts';
import { type Outcome, type PlannedRow, SELF, type Step } from '../../src/core/plan.ts';
import type { Ledger, RowProgress, StoredResult } from '../../src/ledger/ledger.ts';
import { codePoints } from '../helpers/code-points.ts';

export const RUN = '20270428-113000-abcd';
export const SERVICE = 'https://systeem.example/';
export const STARTED = {
  run: RUN,
  service: SERVICE,
  file: '/catalogus.xlsx',
  startedAt: '2027-04-28 11:30:00',
};

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
export function outcomeOf(seq: number, over: Partial<Outcome> = {}): Outcome {
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

/** The first rows of a plan. */
export const many = (count: number, over: (seq: number) => Partial<PlannedRow> = () => ({})): PlannedRow[] =>
  Array.from({ length: count }, (_, seq) => plannedRow(seq, over(seq)));

export const seqs = (rows: readonly StoredResult[]): number[] => rows.map(({ planned }) => planned.seq);

/** How far a row is whose first step is being sent. */
export const SENDING: RowProgress = { done: 0, id: null, sendingSince: '2027-04-28 11:30:59.123' };

/** A place for a ledger: the second opening finds what the first one wrote. */
export interface Backend {
  open(): Promise<Ledger>;
}

/** A ledger with one run in it. */
export async function started(backend: Backend): Promise<Ledger> {
  const ledger = await backend.open();
  await ledger.startRun(STARTED);
  return ledger;
}

/** A ledger with a run of so many rows, all of them sent. */
export async function sent(backend: Backend, count: number): Promise<Ledger> {
  const ledger = await started(backend);
  const rows = many(count);
  await ledger.savePlan(RUN, rows);
  const progress = { ...SENDING, done: 1 };
  await Promise.all(rows.map(({ seq }) => ledger.saveRow(RUN, seq, { progress, outcome: outcomeOf(seq) })));
  await ledger.updateRun(RUN, { state: 'done', counts: { ...noCounts(), read: count, created: count } });
  return ledger;
}

// Two are like code, and like what every object has.
const odd = ['"]: process.exit(), ["', '__proto__'];
const name = fc.constantFrom('ProductID', 'ExternalID', 'Verkoopprijs', 'Offertetekst', '$ref', ...odd);
const value = fc.oneof(
  codePoints(),
  fc.constantFrom('~', '~~', '~a', 'a', 'a~'),
  fc.integer(),
  fc.double({ noDefaultInfinity: true, noNaN: true }).map((number) => (number === 0 ? 0 : number)),
  fc.boolean(),
  fc.constant(null),
  fc.constant({ $ref: 'self' }),
);
const key = fc.option(fc.constantFrom('id:7', 'external:8', 'product:3 1'));
const step = fc.record(
  {
    purpose: fc.constantFrom('create', 'key', 'update', 'delete', 'post'),
    endpoint: fc.constantFrom('packages.create', 'packages.update', 'events.update'),
    body: fc.dictionary(name, value),
    params: fc.dictionary(name, fc.nat()),
    also: fc.array(fc.string(), { minLength: 1, maxLength: 2 }),
    fingerprint: fc.oneof(fc.string(), fc.constantFrom('id:7', 'external:8')),
  },
  { requiredKeys: ['purpose', 'endpoint', 'body'] },
) as fc.Arbitrary<Step>;
const parts = fc.record({
  key,
  steps: fc.array(step, { maxLength: 3 }),
  changes: fc.array(fc.constant({ field: 'Actief', from: null, to: true }), { maxLength: 2 }),
  needs: fc.array(fc.constant({ resource: 'events', key: 'external:1' }), { maxLength: 2 }),
  sheet: fc.constantFrom('Pakketten', 'Pakketten (2)'),
  resource: fc.constantFrom('packages', 'recipes'),
});

/** Rows of any plan: any values, several sheets and resources, places left out, in any order. */
export const anyPlan: fc.Arbitrary<PlannedRow[]> = fc
  .array(fc.tuple(parts, fc.nat(1)), { maxLength: 30 })
  .map((all) => {
    let seq = 0;
    return all.map(([over, gap]) => {
      seq += 1 + gap;
      return plannedRow(seq, over as Partial<PlannedRow>);
    });
  })
  .chain((rows) => fc.shuffledSubarray(rows, { minLength: rows.length }));
