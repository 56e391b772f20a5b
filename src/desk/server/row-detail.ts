import type { RowDocument } from '../../api/documents.ts';
import { moneyOf, requestOf } from '../../api/known-kinds.ts';
import type { ShownRun } from '../../api/runs.ts';
import { shownRow } from '../../api/table-entries.ts';
import type { Language } from '../../core/language.ts';
import type { Step } from '../../core/plan.ts';
import { amountText } from '../../core/row-text.ts';
import type { Value } from '../../core/value.ts';
import type { StoredResult } from '../../ledger/ledger.ts';
import type { RowDetail } from '../contract/documents.ts';
import type { Desk } from './desk.ts';

/** A row of a run with its requests and what came of them. */
export function rowDetail(desk: Desk, found: StoredResult, state: ShownRun['state']): RowDetail {
  const dryRun = state === 'planned' || state === 'planning';
  const row = { ...shownRow(found, dryRun, desk.language), corrected: false, decided: null };
  return {
    row,
    ...{ cells: [], actions: [] },
    conflict: conflictOf(row, found.planned.resource, desk.language),
    requests: requestsOf(found),
    doubtful: !dryRun && row.status === 'unknown',
  };
}

/** What each field of a conflict was, is now and was to be, as text. */
export function conflictOf(
  { conflict = [] }: RowDocument,
  resource: string,
  language: Language,
): RowDetail['conflict'] {
  const money = moneyOf(resource);
  return conflict.map(({ field, was, now, mine, names = {} }) => {
    const shown = (value: Value): string => {
      const text = amountText(value, money.includes(field), language);
      const name = names[String(value)];
      return name === undefined ? text : `${name} (${text})`;
    };
    const deleted = language === 'nl' ? 'verwijderen' : 'delete';
    return { field, was: shown(was), now: shown(now), mine: mine === undefined ? deleted : shown(mine) };
  });
}

/** A row's requests, in the order in which they go out. */
export function requestsOf({ planned, outcome, progress }: StoredResult): RowDetail['requests'] {
  const isDone = outcome !== null && (outcome.status === 'created' || outcome.status === 'updated');
  const done = isDone && outcome.unfinished !== true ? planned.steps.length : (progress?.done ?? 0);
  const isOut = progress !== null && progress.sendingSince !== null;
  const stateOf = (at: number): RowDetail['requests'][number]['state'] => {
    if (at < done) return 'done';
    return at === done && isOut ? 'out' : 'waiting';
  };
  return planned.steps.map((step, at) => ({
    ...{ purpose: step.purpose, path: requestOf(step.endpoint) },
    ...{ state: stateOf(at), fields: fieldsOf(step) },
  }));
}

const fieldsOf = ({ body }: Step): number => Object.keys(body).length;
