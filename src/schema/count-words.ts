import type { Counts } from './counts.ts';
import type { Bilingual } from './value.ts';

const t = (en: string, nl: string): Bilingual => ({ en, nl });

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
