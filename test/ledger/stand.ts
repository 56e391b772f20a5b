import { type Outcome, type PlannedRow, SELF } from '../../src/core/plan.ts';
import type { Ledger, RowProgress, StoredResult } from '../../src/ledger/ledger.ts';

export const RUN = '20270428-113000-abcd';
export const SERVICE = 'https://dienst.example/';
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

/** Opens ledgers for one test; the second opening finds what the first one wrote where the ledger is durable. */
export interface Stand {
  readonly durable: boolean;
  open(): Promise<Ledger>;
}

/** A ledger with one run in it. */
export async function started(stand: Stand): Promise<Ledger> {
  const ledger = await stand.open();
  await ledger.startRun(STARTED);
  return ledger;
}
