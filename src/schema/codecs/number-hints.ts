import type { Bilingual, Locale } from '../value.ts';
import { readElsewhere } from './parse-number.ts';

const OTHER_LOCALE: Bilingual = {
  en: 'it reads as a number in the other locale: correct it, or use --locale for the whole file',
  nl: 'in de andere landinstelling is het wel een getal: verbeter het, of gebruik --locale voor het hele bestand',
};
const LEAVE_EMPTY: Bilingual = {
  en: 'leave the cell empty to leave the field as it is',
  nl: 'laat de cel leeg om het veld te laten zoals het is',
};
/** Advice on money of another country. */
export const EUROS: Bilingual = { en: 'amounts are in euros', nl: 'bedragen zijn in euro’s' };
/** Advice on hours that may go past 24, which Excel counts in days. */
export const ELAPSED_TIME: Bilingual = {
  en: 'it is an elapsed time, which the cell holds in days; enter a number',
  nl: 'het is een tijdsduur, die de cel in dagen bevat; vul een getal in',
};
const DATE: Bilingual = {
  en: 'the cell holds a date or time: give it a number format and enter the number again',
  nl: 'de cel bevat een datum of tijd: geef haar een getalnotatie en vul het getal opnieuw in',
};

/** What people write where there is no value. */
const NOTHING = /^(-+|\?+|\.+|n\.?v\.?t\.?|n\/a|nb|geen|none|onbekend|unknown|leeg)$/i;
const OTHER_MONEY = /[$£¥]|\b(usd|gbp|chf)\b/i;
const WITH_UNIT = /^[+-]?[\d.,' ]*\d\s*([a-z°²³/][^\d]*)$/i;

/** Advice on a cell that holds no number, as `{ hint }`, or nothing where there is none to give. */
export function numberHint(
  cell: { readonly type: string },
  plain: string,
  locale: Locale,
): { readonly hint?: Bilingual } {
  if (cell.type === 'date') return { hint: DATE };
  if (cell.type !== 'text') return {};
  if (readElsewhere(plain, locale) !== undefined) return { hint: OTHER_LOCALE };
  if (NOTHING.test(plain)) return { hint: LEAVE_EMPTY };
  if (OTHER_MONEY.test(plain)) return { hint: EUROS };
  const unit = WITH_UNIT.exec(plain)?.[1]?.trim();
  if (unit === undefined || /^e[+-]?$/i.test(unit)) return {};
  return { hint: { en: `enter the number without "${unit}"`, nl: `vul het getal in zonder "${unit}"` } };
}
