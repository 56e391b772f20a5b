import { type Bilingual, type Language, t } from './language.ts';
import { type PlannedRow, plannedStatus, SENDING, type ShownStatus, type Status } from './plan.ts';

/** The texts of a count, as what was done and as what would be. */
const count = (done: Bilingual, would = done): { readonly done: Bilingual; readonly would: Bilingual } => ({
  done,
  would,
});

/** Column heads of the counts, as what was done and as what would be. */
export const COUNT_WORDS = {
  /** Rows of the file; the other counts add up to it. */
  read: count(t('rows', 'rijen')),
  /** Made, posted, uploaded or fetched. */
  created: count(t('created', 'aangemaakt'), t('to create', 'aan te maken')),
  /** Changed. */
  updated: count(t('updated', 'gewijzigd'), t('to update', 'te wijzigen')),
  /** As they are on the service already: nothing was sent. */
  unchanged: count(t('unchanged', 'ongewijzigd')),
  /** Deleted or unlinked. */
  deleted: count(t('deleted', 'verwijderd'), t('to delete', 'te verwijderen')),
  /** Passed over, as the row or an option says. */
  skipped: count(t('skipped', 'overgeslagen')),
  /** Changed by someone else since the file was written, so not sent. */
  conflict: count(t('conflict', 'conflict')),
  /** With a cell that can’t be sent. */
  invalid: count(t('invalid', 'ongeldig')),
  /** Refused by the service. */
  failed: count(t('failed', 'mislukt')),
  /** Sent, and no answer tells whether it arrived. */
  unknown: count(t('unknown', 'onbekend')),
  /** Left, as the run ended before them. */
  notSent: count(t('not sent', 'niet verstuurd')),
};

/** What rows came to that make no record of their own; shown in place of created. */
const MADE_WORDS = {
  posted: count(t('posted', 'geboekt'), t('to post', 'te boeken')),
  fetched: count(t('fetched', 'opgehaald'), t('to fetch', 'op te halen')),
  uploaded: count(t('uploaded', 'geüpload'), t('to upload', 'te uploaden')),
};

/** What the creates of a sheet are called where they make no record. */
export type Made = keyof typeof MADE_WORDS;

const { read, created, ...others } = COUNT_WORDS;
/** Column heads of the counts as people are shown them. */
export const SHOWN_WORDS = { read, created, ...MADE_WORDS, ...others };

/** Rows by outcome as people are shown them. */
export type ShownCounts = { [Name in keyof typeof SHOWN_WORDS]: number };

/** The name that a count is shown under, of a sheet whose creates are called so. */
export const shownName = (name: keyof Counts, made: Made | undefined): keyof ShownCounts =>
  name === 'created' ? (made ?? name) : name;

/** The counts of sheets together, as they are shown. */
export function shownTotal(
  sheets: readonly { readonly counts: Counts; readonly made: Made | undefined }[],
): ShownCounts {
  const total = Object.fromEntries(SHOWN_NAMES.map((name) => [name, 0])) as ShownCounts;
  for (const { counts, made } of sheets)
    for (const name of NAMES) total[shownName(name, made)] += counts[name];
  return total;
}

/** Rows by outcome; in a dry run created, updated and deleted are what would be. */
export type Counts = { [Name in keyof typeof COUNT_WORDS]: number };

const NAMES = Object.keys(COUNT_WORDS) as (keyof Counts)[];
const SHOWN_NAMES = Object.keys(SHOWN_WORDS) as (keyof ShownCounts)[];

/** Counts of no rows. */
export const noCounts = (): Counts => Object.fromEntries(NAMES.map((name) => [name, 0])) as Counts;

/** The count that a row of this status belongs to. */
export function countedAs(status: Status): Exclude<keyof Counts, 'read'> {
  return status === 'not sent' ? 'notSent' : status;
}

/** What `#status` says of a row that is counted under this name: in a dry run what would be. */
export function statusOf(name: Exclude<keyof ShownCounts, 'read'>, dryRun: boolean): ShownStatus {
  if (name === 'notSent') return 'not sent';
  const status = isMadeName(name) ? 'created' : name;
  return dryRun ? (SENDING.find((action) => plannedAs(action) === status) ?? status) : status;
}

/** Whether a count is of rows that make no record of their own. */
export const isMadeName = (name: keyof ShownCounts): name is Made => name in MADE_WORDS;

/** The count that a planned action belongs to if it succeeds. */
export function plannedAs(action: PlannedRow['action']): Exclude<keyof Counts, 'read'> {
  return countedAs(plannedStatus(action));
}

/** Adds the counts of a part, such as a sheet, to a total. */
export function addCounts(total: Counts, part: Counts): void {
  for (const name of NAMES) total[name] += part[name];
}

/** Whether every row read is counted exactly once. */
export function closes(counts: Counts): boolean {
  const { read, ...rest } = counts;
  return read === Object.values(rest).reduce((sum, count) => sum + count, 0);
}

/** The counts to show: the rows read, and each count above 0. */
export function shownCounts(total: ShownCounts): (keyof ShownCounts)[] {
  return SHOWN_NAMES.filter((name) => name === 'read' || total[name] > 0);
}

/** Counts in words, one after the other: `3 rows, 2 created, 1 posted`. */
export function countsText(total: ShownCounts, would: boolean, language: Language): string {
  const shown = shownCounts(total).filter((name) => total[name] > 0);
  const word = (name: keyof ShownCounts): Bilingual =>
    name === 'read' && total.read === 1 ? t('row', 'rij') : SHOWN_WORDS[name][would ? 'would' : 'done'];
  return shown.map((name) => `${total[name]} ${word(name)[language]}`).join(', ');
}

/** A number of requests in words: "1 request". */
export function requestsText(count: number): Bilingual {
  return count === 1 ? t('1 request', '1 verzoek') : t(`${count} requests`, `${count} verzoeken`);
}

/** How many requests something took, and how long, in ms: `594 requests, 3.3 s`. */
export function tookText(requests: number, ms: number, language: Language): string {
  const shown = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  // Nothing takes no time.
  const seconds = Math.max(0.1, ms / 1000);
  return `${requestsText(requests)[language]}, ${seconds.toLocaleString(language, shown)} s`;
}

/** What is about to be sent, as a sentence without its full stop. */
export function willSendText(count: number): Bilingual {
  const { en, nl } = requestsText(count);
  return t(`${en} will be sent`, `Er ${count === 1 ? 'wordt' : 'worden'} ${nl} verstuurd`);
}

/** What a plan would send, as a sentence without its full stop. */
export function wouldSendText(count: number): Bilingual {
  const { en, nl } = requestsText(count);
  return t(`${en} would be sent`, `Er ${count === 1 ? 'zou' : 'zouden'} ${nl} worden verstuurd`);
}

/** The colour of an outcome: it went well, needs no attention, needs some, or went wrong. */
export type Tone = 'good' | 'plain' | 'warn' | 'bad';

/** An outcome, by the name that it is shown under. */
type OutcomeName = Exclude<keyof ShownCounts, 'read'>;

/** The tone of each outcome, in the order in which they are shown. */
export const OUTCOME_TONES: Readonly<Record<OutcomeName, Tone>> = {
  ...({ created: 'good', posted: 'good', fetched: 'good', uploaded: 'good', updated: 'good' } as const),
  ...({ unchanged: 'plain', deleted: 'good', skipped: 'plain' } as const),
  ...({ conflict: 'warn', invalid: 'bad', failed: 'bad', unknown: 'bad', notSent: 'warn' } as const),
};
