import { type Bilingual, t } from '../../core/language.ts';
import { type FieldChange, SELF, type Status, type Step } from '../../core/plan.ts';
import { statusText } from '../../core/row-text.ts';
import type { StoredResult } from '../../ledger/ledger.ts';
import type { RecordHistory } from '../../records/undo.ts';

/** A row of a run that can't be taken back, and why. */
export interface NotUndone {
  readonly sheet: string;
  readonly row: number;
  readonly why: Bilingual;
}

/** Gathers what a run did; rows on one record become one history, from before the first to after the last. */
export function createHistories() {
  const records = new Map<string, RecordHistory>();
  const posted: StoredResult[] = [];
  const notUndone: NotUndone[] = [];
  return {
    /** Rows that were posted. */
    posted,
    /** Rows of which nobody knows what became; one that was not sent, or refused, changed nothing. */
    notUndone,
    add(result: StoredResult): void {
      const { planned, outcome, progress } = result;
      const isDone = outcome !== null && DONE.has(outcome.status);
      const steps = isDone ? planned.steps : planned.steps.slice(0, progress?.done ?? 0);
      if (steps.some(isPost)) posted.push(result);
      else if (steps.length > 0) addSteps(records, result, steps);
      else if (planned.steps.length > 0 && isInDoubt(result))
        notUndone.push({ sheet: planned.sheet, row: planned.row, why: MAYBE_THERE });
    },
    /** Changed records, in the order in which they were first written. */
    records: () => [...records.values()].filter((history) => !isAsItWas(history)),
  };
}

const DONE: ReadonlySet<string> = new Set(['created', 'updated', 'deleted'] satisfies Status[]);

const isPost = ({ purpose }: Step): boolean => purpose === 'post';

function isInDoubt(result: StoredResult): boolean {
  const { outcome, progress } = result;
  return (
    statusText(result, false) === 'unknown' || (outcome === null && (progress?.sendingSince ?? null) !== null)
  );
}

const MAYBE_THERE = t(
  'it was sent and no answer is known: it may be there; settle its row first, as the run says how',
  'het is verstuurd en er is geen antwoord bekend: het kan er staan; handel eerst zijn rij af, zoals bij de run staat',
);

function addSteps(records: Map<string, RecordHistory>, result: StoredResult, steps: readonly Step[]): void {
  const { planned, outcome, progress } = result;
  const name = `${planned.resource} ${planned.key ?? `row ${planned.seq}`}`;
  const history = records.get(name) ?? begin(result);
  records.set(name, history);
  history.id = outcome?.id ?? progress?.id ?? planned.id ?? history.id;
  history.external = planned.external ?? history.external;
  history.label = planned.about?.label ?? history.label;
  for (const step of steps) addStep(history, step);
  if (steps[0]?.purpose === 'update') for (const change of planned.changes) addChange(history, change);
}

function begin({ planned }: StoredResult): RecordHistory {
  const { resource, sheet, row, lmt } = planned;
  const existed = planned.steps[0]?.purpose !== 'create';
  return {
    ...{ resource, sheet, row, id: null, external: null, label: null, existed },
    ...{ before: existed ? lmt : null, last: 'wrote', sent: {}, changes: new Map() },
  };
}

function addStep(history: RecordHistory, { purpose, body }: Step): void {
  if (purpose === 'create') history.last = 'made';
  if (purpose === 'delete') {
    history.last = 'deleted';
    for (const member of Object.keys(history.sent)) delete history.sent[member];
  }
  if (purpose === 'delete' || purpose === 'create') history.changes.clear();
  for (const [member, value] of Object.entries(body)) if (value !== SELF) history.sent[member] = value;
}

function addChange({ changes }: RecordHistory, { field, from, to, sent = from }: FieldChange): void {
  const known = changes.get(field);
  changes.set(field, { field, from: known === undefined ? sent : known.from, to });
}

/** Whether a run left a record as it was; one created and deleted in a run never was. */
function isAsItWas({ existed, last, changes }: RecordHistory): boolean {
  if (last !== 'wrote') return last === 'deleted' && !existed;
  return [...changes.values()].every(({ from, to }) => from === to);
}
