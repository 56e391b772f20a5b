import { type Bilingual, t } from '../../core/language.ts';
import { type FieldChange, SELF, type Status, type Step } from '../../core/plan.ts';
import { statusText } from '../../core/row-text.ts';
import { shownMinute } from '../../core/shown-moment.ts';
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
  const unsent = new Map<string, { readonly row: number; count: number }>();
  return {
    /** Rows that were posted. */
    posted,
    /** Rows of which nothing is known to have gone through; those not sent are one entry a sheet. */
    notUndone: (): NotUndone[] => [
      ...notUndone,
      ...[...unsent].map(([sheet, { row, count }]) => ({ sheet, row, why: notSent(count) })),
    ],
    add(result: StoredResult): void {
      const steps = wentThrough(result);
      if (steps.some(isPost)) posted.push(result);
      else if (steps.length > 0) addSteps(records, result, steps);
      else {
        const why = whyNot(result);
        const { sheet, row } = result.planned;
        const first = unsent.get(sheet);
        if (why === 'not sent' && first !== undefined) first.count++;
        else if (why === 'not sent') unsent.set(sheet, { row, count: 1 });
        else if (why !== null) notUndone.push({ sheet, row, why });
      }
    },
    /** Changed records, in the order in which they were first written. */
    records: () => [...records.values()].filter((history) => !isAsItWas(history)),
  };
}

const DONE: ReadonlySet<string> = new Set(['created', 'updated', 'deleted'] satisfies Status[]);

/** The requests of a row that are known to have taken effect. */
function wentThrough({ planned, outcome, progress }: StoredResult): readonly Step[] {
  if (outcome !== null && DONE.has(outcome.status)) return planned.steps;
  return planned.steps.slice(0, progress?.done ?? 0);
}

/** `YYYY-MM-DD hh:mm:ss`. */
const SECONDS = 19;

/** Why a row can't be taken back; null for one that was not to be sent. */
function whyNot(result: StoredResult): Bilingual | 'not sent' | null {
  const { outcome, progress } = result;
  // Such as a row that an earlier run left unknown.
  if (result.planned.steps.length === 0) return null;
  const status = statusText(result, false);
  const since = progress?.sendingSince ?? null;
  // `outcome.at` is when a later try gave up looking for it.
  if (status === 'unknown' || (outcome === null && since !== null)) {
    const posted = result.planned.steps.some(isPost);
    return maybeThere(since?.slice(0, SECONDS) ?? outcome?.at ?? null, posted);
  }
  if (status === 'failed') return FAILED;
  return status === 'not sent' ? status : null;
}

const isPost = ({ purpose }: Step): boolean => purpose === 'post';

/** So many rows of a sheet were not sent. */
const notSent = (count: number): Bilingual =>
  count === 1
    ? t(
        'it was not sent: there is nothing to take back',
        'het is niet verstuurd: er valt niets terug te draaien',
      )
    : t(
        `${count} rows were not sent, this one first: there is nothing to take back`,
        `${count} rijen zijn niet verstuurd, deze als eerste: er valt niets terug te draaien`,
      );

/** The service refused the row. */
const FAILED: Bilingual = t(
  'the service refused it: there is nothing to take back',
  'het systeem heeft het geweigerd: er valt niets terug te draaien',
);

/** Sent, and no answer is known; of a posting only the user can tell. */
function maybeThere(at: string | null, posted: boolean): Bilingual {
  const [en, nl] = at === null ? ['', ''] : [` on ${shownMinute(at).en}`, ` op ${shownMinute(at).nl}`];
  if (!posted)
    return t(
      `it was sent${en}, no answer is known, and what became of it could not be looked up: undo the run again later, or look on the service and take it back by hand`,
      `het is verstuurd${nl}, er is geen antwoord bekend, en wat ervan geworden is was niet op te zoeken: draai de run later nog eens terug, of kijk in het systeem en draai het met de hand terug`,
    );
  return t(
    `it was sent${en} and no answer is known: it may be there; look on the service, then say so with apply --done or --resend`,
    `het is verstuurd${nl} en er is geen antwoord bekend: het kan er staan; kijk in het systeem en zeg het met apply --done of --resend`,
    t(
      `it was sent${en} and no answer is known: it may be there; look on the service, then say so at the row`,
      `het is verstuurd${nl} en er is geen antwoord bekend: het kan er staan; kijk in het systeem en zeg het bij de rij`,
    ),
  );
}

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
