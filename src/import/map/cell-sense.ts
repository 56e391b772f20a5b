import { type Cell, UNCACHED } from '../../core/cell.ts';
import type { DateOrders } from '../../core/codec.ts';
import { plainText } from '../../core/codecs/plain-text.ts';
import { isBlankText } from '../../core/codecs/text.ts';
import type { Finding } from '../../core/issue.ts';
import type { Locale } from '../../core/value.ts';
import type { Field } from '../../schema/field.ts';

const HASH = 35;
const CAPITAL_E = 69;
const LAST_ASCII = 126;

/** Whether a text can be no more than a value: it begins with a letter or digit as nearly all do, and with no sign of ours or of a program's. */
function isOrdinary(text: string): boolean {
  const first = text.charCodeAt(0);
  return first > HASH && first <= LAST_ASCII && first !== CAPITAL_E;
}

/** Whether nothing is to be seen in a cell. */
export function isBlank(cell: Cell): boolean {
  return cell.type === 'text' && isBlankText(cell.value);
}

/** What stands in the place of a value: an error, be it spelled out as text, or nothing at all behind a formula. */
export function noValue(cell: Cell): Finding | undefined {
  if (cell.type === 'error') {
    return cell.value === UNCACHED
      ? { code: 'formula-without-result', found: '' }
      : { code: 'error-cell', found: cell.value };
  }
  if (cell.type !== 'text' || isOrdinary(cell.value)) return undefined;
  const text = cell.value.trim();
  return isErrorWord(text) ? { code: 'error-cell', found: text } : undefined;
}

/** Whether a text asks to clear its field. */
export function isClear(value: string): boolean {
  if (isOrdinary(value)) return false;
  const text = value.trim();
  return text.charCodeAt(0) === HASH && text.toUpperCase() === '#CLEAR';
}

const DIGITS = /^\d+$/;
const AN_ID = /^[+-]?(?:[\d.,]+|\d{1,3}(?:[ ']\d{3})+)(?:e[+-]?\d+)?$/i;

/** Text of digits and their separators only is meant as an id; all else is a name, `21%` among them. */
export function isName(cell: Cell): boolean {
  if (cell.type !== 'text' || DIGITS.test(cell.value)) return false;
  return !AN_ID.test(plainText(cell.value));
}

/** What spreadsheet programs show for an error, in the languages of those who use this. */
const WORDS: ReadonlySet<string> = new Set(
  [
    ['#N/A', '#REF!', '#NAME?', '#DIV/0!', '#VALUE!', '#NUM!', '#NULL!', '#SPILL!', '#CALC!', '#FIELD!'],
    ['#GETTING_DATA', '#BLOCKED!', '#CONNECT!', '#UNKNOWN!', '#BUSY!'],
    ['#N/B', '#VERW!', '#NAAM?', '#DEEL/0!', '#WAARDE!', '#GETAL!', '#LEEG!', '#OVERLOOP!', '#BEREKENEN!'],
    ['#VELD!', '#GEBLOKKEERD!', '#ONBEKEND!'],
  ].flat(),
);

/** LibreOffice's errors that have no name. */
const NUMBERED = /^Err:\d{3}$/;

/** True for text, without outer blanks, that is nothing but a spreadsheet's error: a CSV has no other way to hold one. */
function isErrorWord(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first === HASH) return WORDS.has(text.toUpperCase());
  return first === CAPITAL_E && NUMBERED.test(text);
}

const LOCALES: readonly Locale[] = ['nl', 'en'];
const MONTH_FIRST: DateOrders = { '-': 'month', '/': 'month', '.': 'month' };
const ORDERS = [undefined, MONTH_FIRST] as const;

/** Whether a cell holds what its field takes in whatever locale and order: then it is a value, not words about one. */
export function isReadable(cell: Cell, { codec }: Field): boolean {
  return LOCALES.some((locale) => ORDERS.some((orders) => codec.decode(cell, locale, orders).ok));
}
