import { describe, expect, it } from 'vitest';
import type { PlannedRow, Status, Step } from '../../../src/core/plan.ts';
import type { Value } from '../../../src/core/value.ts';
import { createHistories, restoreFields } from '../../../src/export/undo-run.ts';
import { undoLink } from '../../../src/kinds/link.ts';
import { undoneReason } from '../../../src/kinds/stock/mutation.ts';
import type { RowProgress, StoredResult } from '../../../src/ledger/ledger.ts';
import { type RecordHistory, type UndoTools, undoRecord } from '../../../src/records/undo.ts';
import { arrangements } from '../../../src/resources/arrangements.ts';
import { packages } from '../../../src/resources/packages.ts';
import { resources } from '../../../src/resources/registry.ts';

type Did = Partial<PlannedRow> & { readonly status?: Status | null; readonly progress?: RowProgress };

/** Of a service of whose new records nothing is known. */
const TOOLS: UndoTools = {
  ...{ run: 'R', now: '2027-04-18 12:00:00', language: 'en', resources },
  restore: restoreFields,
  findId: async (id) => (typeof id === 'number' ? id : null),
  newValues: async () => ({}),
};

const ENDS = { PartijID: 9001, ArrangementID: 2 };
const BACK = { ...ENDS, Aantal: 3, Datum: '2027-04-01 00:00:00' };
const GONE = { '#action': 'delete', ...ENDS };
const create: Step = {
  purpose: 'create',
  endpoint: 'a.create',
  body: { ...ENDS, Aantal: 5, Datum: '2027-04-18' },
};
const remove: Step = { purpose: 'delete', endpoint: 'a.delete', body: { ...ENDS, DEL: true } };
const change = (from: Value, to: Value) => ({ field: 'Aantal', from, to });
const update = (from: Value, to: Value): Did => ({
  changes: [change(from, to)],
  steps: [{ purpose: 'update', endpoint: 'a.update', body: { ...ENDS, Aantal: to } }],
});
/** What was not sent may be filled in by others. */
const MADE = { Aantal: 5, Datum: '2027-04-18', OfferteOmschrijving: null };
const HELD = JSON.stringify([{ Aantal: 3, Datum: '2027-04-01 00:00:00', OfferteOmschrijving: null }]);

function resultOf({ status = 'updated', progress, ...over }: Did, seq: number): StoredResult {
  const nothing = {
    key: '9001:2',
    id: null,
    external: null,
    lmt: HELD,
    changes: [],
    steps: [],
    needs: [],
    issues: [],
  };
  const planned = {
    seq,
    sheet: 'Blad',
    row: seq + 2,
    resource: 'arrangements',
    action: 'update',
    message: null,
  } as const;
  const at = '2027-04-18 12:00:00';
  const outcome = status === null ? null : { seq, status, id: null, message: null, issues: [], at };
  return { planned: { ...planned, ...nothing, ...over }, outcome, progress: progress ?? null };
}

function histories(rows: readonly Did[]) {
  const all = createHistories();
  for (const [seq, row] of rows.entries()) all.add(resultOf(row, seq));
  return all;
}

const undoOf = async ([history]: readonly RecordHistory[]) =>
  history === undefined ? null : await undoLink(arrangements, history, TOOLS);

describe('what a run did to one link, all its rows together, is taken back at once', () => {
  const made: Did = { steps: [create], lmt: null, status: 'created' };
  const gone: Did = { steps: [remove], status: 'deleted' };
  it.each<[string, readonly Did[], cells: object | null, base: object | null]>([
    ['made', [made], GONE, MADE],
    ['made and changed', [made, update(5, 6)], GONE, { ...MADE, Aantal: 6 }],
    ['deleted', [gone], BACK, { Aantal: null, Datum: null }],
    ['changed and deleted', [update(3, 4), { ...gone, lmt: null }], BACK, { Aantal: null, Datum: null }],
    ['deleted and made', [gone, made], BACK, { Aantal: 5, Datum: '2027-04-18' }],
    ['changed', [update(3, 4)], { ...ENDS, Aantal: 3 }, { Aantal: 4 }],
    ['changed and back', [update(3, 4), update(4, 3)], null, null],
    ['filled in', [update(null, 4)], { ...ENDS, Aantal: '#CLEAR' }, { Aantal: 4 }],
    ['refused', [{ ...update(3, 4), status: 'failed' }], null, null],
    [
      'made, and refused the rest',
      [{ ...made, status: 'failed', progress: { done: 1, id: 7, sendingSince: null } }],
      GONE,
      MADE,
    ],
    ['cut off before it was sent', [{ ...update(3, 4), status: null }], null, null],
  ])('when the link was %s', async (_, rows, cells, base) => {
    const undone = await undoOf([...histories(rows).records()]);
    expect(undone?.row?.cells ?? null).toEqual(cells);
    expect(undone?.row?.base?.values ?? null).toEqual(base);
  });

  it('what was sent and never answered may be there, and what was not sent or refused changed nothing', () => {
    const sendingSince = '2027-04-18 12:00:00.000';
    const notUndone = histories([
      { ...update(3, 4), status: 'unknown' },
      { ...update(3, 4), status: null, progress: { done: 0, id: null, sendingSince } },
      { ...update(3, 4), status: null },
      { ...update(3, 4), status: 'failed' },
      { steps: [], action: 'unchanged', status: null },
      { steps: [], action: 'invalid', status: null },
      { steps: [], action: 'unknown', status: null },
      { ...update(3, 4), status: null },
    ]).notUndone;
    const told = notUndone.map(({ row, why }) => [row, /may be there/.exec(why.en)?.[0]]);
    expect(told).toEqual([
      [2, 'may be there'],
      [3, 'may be there'],
    ]);
  });
});

it.each([
  ['derving', 'Undone: derving (run R)', 'Ongedaan gemaakt: derving (run R)'],
  [
    'Undone: derving (run Q)',
    'Undone: Undone: derving (run Q) (run R)',
    'Ongedaan gemaakt: Undone: derving (run Q) (run R)',
  ],
  ['Undone: by hand', 'Undone: Undone: by hand (run R)', 'Ongedaan gemaakt: Undone: by hand (run R)'],
])('a posting with the reason "%s" is taken back with a reason of its own', (reason, en, nl) => {
  expect(undoneReason(reason, 'R')).toEqual({ en, nl });
});

describe('a package that a run changed', () => {
  const body = { ProductID: 5001, OmschrijvingIntern: 'Buffet', Verkoopprijs: 12 };
  const changed = (changes: PlannedRow['changes']): RecordHistory => {
    const steps: Step[] = [{ purpose: 'update', endpoint: 'packages.update', body }];
    const [history] = histories([
      { resource: 'packages', key: 'id:5001', id: 5001, external: 4, changes, steps },
    ]).records();
    return history as RecordHistory;
  };

  it.each<[string, string, Value, Value, string]>([
    ['a required field that was empty', 'Verkoopprijs', null, 12, 'back to (empty)'],
    ['an ExternalID where there was none', 'ExternalID', null, 4, 'back to (empty)'],
    ['a value that its type does not know', 'Volume', 'veel', 4, "can't be set back"],
    ['a text that no cell holds', 'Offertetekst', 'a'.repeat(32_768), 'b', "can't be set back"],
    ['a value that import refuses', 'ProductTypeID', -1, 1, "can't be set back"],
  ])('does not get back %s', (_, field, from, to, why) => {
    const { row, cannot } = undoRecord(packages, changed([{ field, from, to }]), restoreFields);
    expect(row).toBeNull();
    expect(cannot.map(({ en }) => en)).toEqual([expect.stringContaining(why)]);
  });
});
