import { t } from '../core/language.ts';
import type { Bilingual, Value } from '../core/value.ts';

/** Why a row may not be sent: its record is no longer what it was when it was read. */
export interface Moved {
  readonly message: Bilingual;
  /** What the record holds now, of the fields that were read; absent where there is no record, or nothing is known. */
  readonly now?: Readonly<Record<string, Value | undefined>>;
}

/** Someone else wrote the record meanwhile; both are its LMT. */
export function movedSince(then: string, now: string, values: Moved['now'] = {}): Moved {
  const message = t(
    `changed on the service after it was read (LMT was ${then}, is ${now}); import again with --dry-run to see the difference: what you both changed waits for --on-conflict mine or theirs`,
    `gewijzigd op de dienst nadat het gelezen was (LMT was ${then}, is ${now}); importeer opnieuw met --dry-run om het verschil te zien: wat u allebei wijzigde wacht op --on-conflict mine of theirs`,
  );
  return { message, now: values };
}

/** Someone else deleted the record meanwhile. */
export const gone = (): Moved => ({
  message: t('no longer on the service', 'niet meer op de dienst'),
});

/** Whether two moments of a record are the same: some reads give them to the second only. */
export function sameMoment(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length);
  return one.slice(0, length) === other.slice(0, length);
}

/** A service may round its LMT to the second, so a list that starts there could miss a change of the same second. */
export function secondBefore(lmt: string): string {
  const moment = new Date(`${lmt.replace(' ', 'T')}Z`);
  return new Date(moment.getTime() - 1000).toISOString().replace('T', ' ').replace('Z', '');
}
