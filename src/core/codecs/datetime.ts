import { z } from 'zod';
import type { Cell } from '../cell.ts';
import {
  type Codec,
  cellText,
  type DateOrders,
  type DecodedCell,
  decoded,
  finding,
  readScalar,
  undecodable,
} from '../codec.ts';
import type { Finding } from '../issue.ts';
import { type Bilingual, t } from '../language.ts';
import { shownMoment } from '../shown-moment.ts';
import type { Locale } from '../value.ts';
import { NO_DAY, readDateText } from './date-text.ts';
import { isMoment, momentWords, showMoment, startOf } from './moment.ts';
import { plainText } from './plain-text.ts';

/** An offset or `Z` is ignored: the wall-clock time counts. */
const ISO =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;

/** ISO text, of files and answers, in the one shape that this program compares; undefined for other text. */
export function parseIso(text: string): string | undefined {
  const usual = usualMoment(text);
  if (usual !== undefined) return usual;
  const match = ISO.exec(text.trim());
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const millisecond = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const moment = { year, month, day, hour, minute, second, millisecond };
  return isMoment(moment) ? showMoment(moment) : undefined;
}

const DASH = 45;
const ZERO = 48;
const NINE = 57;
const CAPITAL_T = 84;
const two = (text: string, at: number): number =>
  (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;

/** How services write nearly all moments; also with a T for the blank, or without milliseconds. */
const USUAL = '0000-00-00 00:00:00.000';
const DAY = 10;
const SECOND = 19;

/** A shortcut for the usual shape on days 1 to 28; undefined for any other text. */
function usualMoment(text: string): string | undefined {
  if (text.length !== USUAL.length && text.length !== SECOND) return undefined;
  for (let at = 0; at < text.length; at++) {
    const [code, usual] = [text.charCodeAt(at), USUAL.charCodeAt(at)];
    if (usual === ZERO ? code < ZERO || code > NINE : code !== usual && !(at === DAY && code === CAPITAL_T))
      return undefined;
  }
  if (usualDate(text.slice(0, SECOND)) === undefined) return undefined;
  const shown = text.endsWith('.000') ? SECOND : text.length;
  return `${text.slice(0, DAY)} ${text.slice(DAY + 1, shown)}`;
}

/** A shortcut for the date cells that the reader gives, on days 1 to 28; undefined for any other text. */
function usualDate(text: string): string | undefined {
  if (text.length !== 10 && text.length !== 19) return undefined;
  if (text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH) return undefined;
  const [century, month, day] = [two(text, 0), two(text, 5), two(text, 8)];
  if (!(century >= 19 && century <= 99 && month >= 1 && month <= 12 && day >= 1 && day <= 28))
    return undefined;
  if (text.length === 10) return `${text} 00:00:00`;
  return two(text, 11) <= 23 && two(text, 14) <= 59 && two(text, 17) <= 59 ? text : undefined;
}

const NUMBER_AS_DATE: Bilingual = t(
  'the cell holds a small number or a time, shown as a day of 1900',
  'de cel bevat een klein getal of een tijd, getoond als een dag in 1900',
);

const zoneIgnored = (found: string, moment: string): Finding =>
  finding('date-zone', found, shownMoment(moment));

/** A date cell's value; a zone in it is ignored, with a warning. */
function decodeDate({ value: found, zone }: Cell & { readonly type: 'date' }): DecodedCell<string> {
  // Programs disagree on these days: Excel takes 1900 for a leap year.
  if (found < '1900-03-01')
    return undecodable('date-expected', found, found.includes('-') ? NUMBER_AS_DATE : NO_DAY);
  const value = usualDate(found) ?? parseIso(found);
  if (value !== undefined)
    return decoded(value, zone === undefined ? undefined : zoneIgnored(found + zone, value));
  return undecodable('date-expected', found, found.includes('-') ? undefined : NO_DAY);
}

/** Days from 1990 to 2099, as Excel counts them. */
const FIRST_LIKELY = 32_874;
const LAST_LIKELY = 73_050;
const DIGITS = /^(19|20)\d{6}$/;

/** A number without a date format may be anything; one that is plainly `YYYYMMDD` is not. */
function decodeNumber(value: number): DecodedCell<string> {
  const found = String(value);
  if (DIGITS.test(found)) return readDateText(found, found, { locale: 'nl', orders: undefined });
  if (!(value >= FIRST_LIKELY && value < LAST_LIKELY + 1)) return undecodable('date-expected', found);
  const { en, nl } = momentWords(startOf(new Date((Math.floor(value) - 25_569) * 86_400_000)));
  const hint = t(
    `give the cell a date format; it would show ${en}`,
    `geef de cel een datumnotatie; er zou ${nl} staan`,
  );
  return undecodable('date-expected', found, hint);
}

/** A time with a zone. */
const ZONE = /:.*(?:z|[+-]\d\d:?\d\d)$/i;

/** Reads a cell as a moment; in an end 24:00 is the next midnight, elsewhere it is refused. */
export function decodeMoment(
  cell: Cell,
  locale: Locale,
  orders: DateOrders | undefined,
  isEnd: boolean,
): DecodedCell<string> {
  if (cell.type === 'date') return decodeDate(cell);
  if (cell.type === 'number') return decodeNumber(cell.value);
  if (cell.type !== 'text') return undecodable('date-expected', cellText(cell));
  const plain = plainText(cell.value);
  const iso = parseIso(plain);
  if (iso === undefined) return readDateText(cell.value, plain, { locale, orders, isEnd });
  return decoded(iso, ZONE.test(plain) ? zoneIgnored(cell.value, iso) : undefined);
}

/** A datetime as wall-clock text `YYYY-MM-DD hh:mm:ss[.SSS]`, never moved between zones. */
export const datetimeCodec: Codec<string> = {
  type: 'datetime',
  decode: (cell, locale, orders) => decodeMoment(cell, locale, orders, false),
  read: readScalar((value) => {
    const text = String(value);
    return text.trim() === '' ? null : (parseIso(text) ?? text);
  }),
  wire: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(\.\d{3})?$/, { abort: true })
    .refine((value) => parseIso(value) !== undefined, 'no day or time of the calendar'),
};
