import type { Action, Status } from './plan.ts';

/** Rows by what became of them (design: JSON `counts`); in a dry run created, updated and deleted count what would be. */
export interface Counts {
  read: number;
  created: number;
  updated: number;
  unchanged: number;
  deleted: number;
  skipped: number;
  conflict: number;
  invalid: number;
  failed: number;
  unknown: number;
  notSent: number;
}

/** Counts of no rows. */
export function noCounts(): Counts {
  return {
    read: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    deleted: 0,
    skipped: 0,
    conflict: 0,
    invalid: 0,
    failed: 0,
    unknown: 0,
    notSent: 0,
  };
}

/** The member of Counts that a status is counted under. */
export function countedAs(status: Status): Exclude<keyof Counts, 'read'> {
  return status === 'not sent' ? 'notSent' : status;
}

const WOULD_BE: Readonly<Record<Action, Exclude<keyof Counts, 'read'>>> = {
  create: 'created',
  update: 'updated',
  delete: 'deleted',
  unchanged: 'unchanged',
  skip: 'skipped',
  invalid: 'invalid',
  conflict: 'conflict',
  unknown: 'unknown',
};

/** The member of Counts that a planned action is counted under, were it to succeed. */
export function plannedAs(action: Action): Exclude<keyof Counts, 'read'> {
  return WOULD_BE[action];
}

/** Adds a part, such as a sheet, to a total. */
export function addCounts(total: Counts, part: Counts): void {
  for (const name of Object.keys(total) as (keyof Counts)[]) total[name] += part[name];
}

/** True when every row read is accounted for exactly once (design: "Accounting always closes"). */
export function closes(counts: Counts): boolean {
  const { read, ...rest } = counts;
  return read === Object.values(rest).reduce((sum, count) => sum + count, 0);
}
