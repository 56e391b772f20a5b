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
