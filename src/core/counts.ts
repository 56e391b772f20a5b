import { type Bilingual, t } from './language.ts';
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

/** Column heads of the counts, as what was done and as what would be. */
export const COUNT_WORDS: Readonly<
  Record<keyof Counts, { readonly done: Bilingual; readonly would: Bilingual }>
> = {
  read: { done: t('rows', 'rijen'), would: t('rows', 'rijen') },
  created: { done: t('created', 'aangemaakt'), would: t('to create', 'aan te maken') },
  updated: { done: t('updated', 'gewijzigd'), would: t('to update', 'te wijzigen') },
  unchanged: { done: t('unchanged', 'ongewijzigd'), would: t('unchanged', 'ongewijzigd') },
  deleted: { done: t('deleted', 'verwijderd'), would: t('to delete', 'te verwijderen') },
  skipped: { done: t('skipped', 'overgeslagen'), would: t('skipped', 'overgeslagen') },
  conflict: { done: t('conflict', 'conflict'), would: t('conflict', 'conflict') },
  invalid: { done: t('invalid', 'ongeldig'), would: t('invalid', 'ongeldig') },
  failed: { done: t('failed', 'mislukt'), would: t('failed', 'mislukt') },
  unknown: { done: t('unknown', 'onbekend'), would: t('unknown', 'onbekend') },
  notSent: { done: t('not sent', 'niet verstuurd'), would: t('not sent', 'niet verstuurd') },
};

/** The counts that are worth a column: how many rows, and whatever was counted at all. */
export function shownCounts(total: Counts): (keyof Counts)[] {
  return (Object.keys(COUNT_WORDS) as (keyof Counts)[]).filter((name) => name === 'read' || total[name] > 0);
}

/** How many requests, in words: "1 request". */
export function requestsText(count: number): Bilingual {
  return count === 1 ? t('1 request', '1 verzoek') : t(`${count} requests`, `${count} verzoeken`);
}

/** How many requests a plan would send, as a sentence without its end. */
export function wouldSendText(count: number): Bilingual {
  const { en, nl } = requestsText(count);
  return t(`${en} would be sent`, `Er ${count === 1 ? 'zou' : 'zouden'} ${nl} worden verstuurd`);
}
