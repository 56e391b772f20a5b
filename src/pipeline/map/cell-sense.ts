import { type Cell, UNCACHED } from '../../schema/cell.ts';
import { plainText } from '../../schema/codecs/plain-text.ts';
import { isBlankText } from '../../schema/codecs/text.ts';
import type { Finding } from '../../schema/issue.ts';
import { isErrorWord } from './error-words.ts';

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
