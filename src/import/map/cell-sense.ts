import { type Cell, CIRCULAR, UNCACHED } from '../../core/cell.ts';
import type { DateOrders } from '../../core/codec.ts';
import { plainText } from '../../core/codecs/plain-text.ts';
import { isBlankText } from '../../core/codecs/text.ts';
import { foldName } from '../../core/header.ts';
import type { Finding } from '../../core/issue.ts';
import type { Locale } from '../../core/value.ts';
import type { Field } from '../../schema/field.ts';

const HASH = 35;
const CAPITAL_E = 69;
const LAST_ASCII = 126;

/** A quick look: nearly all texts begin so that they can be no error and no `#CLEAR`. */
export function isOrdinary(text: string): boolean {
  const first = text.charCodeAt(0);
  return first > HASH && first <= LAST_ASCII && first !== CAPITAL_E;
}

/** Whether a cell shows nothing. */
export function isBlank(cell: Cell): boolean {
  return cell.type === 'text' && isBlankText(cell.value);
}

/** The finding on a cell without a value: an error, also as text, or a formula without a result. */
export function noValue(cell: Cell): Finding | undefined {
  if (cell.type === 'error') {
    if (cell.value === CIRCULAR) return { code: 'formula-circular', found: '' };
    return cell.value === UNCACHED
      ? { code: 'formula-without-result', found: '' }
      : { code: 'error-cell', found: cell.value };
  }
  if (cell.type !== 'text' || isOrdinary(cell.value)) return undefined;
  const text = cell.value.trim();
  return isErrorWord(text) ? { code: 'error-cell', found: text } : undefined;
}

/** Whether a text is `#CLEAR`, in whatever case. */
export function isClear(value: string): boolean {
  if (isOrdinary(value)) return false;
  const text = value.trim();
  return text.charCodeAt(0) === HASH && foldName(text) === '#clear';
}

const DIGITS = /^\d+$/;
const AN_ID = /^[+-]?(?:[\d.,]+|\d{1,3}(?:[ ']\d{3})+)(?:e[+-]?\d+)?$/i;

/**
 * Whether a lookup's cell holds a name: text of only digits and separators is an id, all else (`21%`) a name.
 */
export function isName(cell: Cell): boolean {
  if (cell.type !== 'text' || DIGITS.test(cell.value)) return false;
  return !AN_ID.test(plainText(cell.value));
}

/** The errors of spreadsheet programs, in English and Dutch. */
const ERROR_WORDS: ReadonlySet<string> = new Set(
  [
    ['#N/A', '#REF!', '#NAME?', '#DIV/0!', '#VALUE!', '#NUM!', '#NULL!', '#SPILL!', '#CALC!', '#FIELD!'],
    ['#GETTING_DATA', '#BLOCKED!', '#CONNECT!', '#UNKNOWN!', '#BUSY!'],
    ['#N/B', '#VERW!', '#NAAM?', '#DEEL/0!', '#WAARDE!', '#GETAL!', '#LEEG!', '#OVERLOOP!', '#BEREKENEN!'],
    ['#VELD!', '#GEBLOKKEERD!', '#ONBEKEND!'],
  ].flat(),
);

/** LibreOffice's errors without a name. */
const NUMBERED = /^Err:\d{3}$/;

/** Whether a trimmed text is a spreadsheet's error, the only form that a CSV has for one. */
function isErrorWord(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first === HASH) return ERROR_WORDS.has(text.toUpperCase());
  return first === CAPITAL_E && NUMBERED.test(text);
}

const LOCALES: readonly Locale[] = ['nl', 'en'];
const MONTH_FIRST: DateOrders = { '-': 'month', '/': 'month', '.': 'month' };
const ORDERS = [undefined, MONTH_FIRST] as const;

/** Whether a cell is a value of its field in any locale and date order. */
export function isReadable(cell: Cell, { codec }: Field): boolean {
  return LOCALES.some((locale) => ORDERS.some((orders) => codec.decode(cell, locale, orders).ok));
}
