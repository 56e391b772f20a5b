import { sayMoment } from '../../schema/codecs/moment.ts';
import { type Field, holdsDay } from '../../schema/field.ts';
import type { Finding } from '../../schema/issue.ts';
import type { Value } from '../../schema/value.ts';

/** What a field's own sense says about a value of the right type; undefined where it says nothing. */
export type FieldCheck = (value: Value) => Finding | undefined;

/** The length at which a text without a length of its own is more likely a mistake: some four pages. */
const LONG = 10_000;
/** So much of a long text is quoted. */
const QUOTED = 60;
const HALF_PAIR = /[\ud800-\udbff]$/;

/** The interface ends the name of every id so. */
const ID_NAME = /ID$/;

/** A date so many years from now is more likely a number shown as a date, or two digits taken for another century. */
const FAR = 20;
const MIDNIGHT = ' 00:00:00';
const DAY_ALONE = 10;

/** What is checked of a field's values beside their type; null for nothing. */
export function checkOf(name: string, field: Field): FieldCheck | null {
  const { codec, sensible = LONG } = field;
  if (codec.type === 'integer' && ID_NAME.test(name)) return checkId;
  if (codec.type === 'datetime') return checkDate(holdsDay(field), new Date().getFullYear());
  return codec.type === 'text' ? (value) => checkLength(value, sensible) : null;
}

/** What a formula makes of an empty cell is 0, which no record has. */
function checkId(value: Value): Finding | undefined {
  if (typeof value !== 'number' || value > 0) return undefined;
  return { code: value === 0 ? 'id-zero' : 'id-negative', found: String(value) };
}

function checkDate(day: boolean, thisYear: number): FieldCheck {
  const [first, beyond] = [String(thisYear - FAR), String(thisYear + FAR + 1)];
  return (value) => {
    // A time alone is of no year yet.
    if (typeof value !== 'string' || value.length < DAY_ALONE) return undefined;
    const found = (code: 'date-far' | 'date-with-time'): Finding => ({
      ...{ code, found: value },
      hint: sayMoment(value),
    });
    if (value < first || value >= beyond) return found('date-far');
    return day && !value.endsWith(MIDNIGHT) ? found('date-with-time') : undefined;
  };
}

function checkLength(value: Value, sensible: number): Finding | undefined {
  if (typeof value !== 'string' || value.length <= sensible) return undefined;
  const hint = {
    en: `${value.length} characters, where ${sensible} are usual at most`,
    nl: `${value.length} tekens, waar hoogstens ${sensible} gebruikelijk zijn`,
  };
  return { code: 'text-long', found: `${value.slice(0, QUOTED).replace(HALF_PAIR, '')}…`, hint };
}
