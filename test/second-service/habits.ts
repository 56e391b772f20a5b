import BigNumber from 'bignumber.js';
import { fullDatetime, shifted } from './clock.ts';
import { forKind, type ValueKnobs } from './knobs.ts';
import { typeOf } from './schema.ts';
import type { Kind, Value, Values } from './types.ts';

// One field has two spellings: what is sent as the one is shown as the other.
const storedAs: Readonly<Record<string, string>> = { FactuurContactpersoonID: 'FactuurContactPersoonID' };

const modes = {
  'half up': BigNumber.ROUND_HALF_UP,
  'half even': BigNumber.ROUND_HALF_EVEN,
  truncate: BigNumber.ROUND_DOWN,
} as const;

/** What the service stores of the values it was sent; what it ignores is left out. */
export function stored(kind: Kind, sent: Values, what: 'create' | 'update', knobs: ValueKnobs): Values {
  const kept: Values = {};
  for (const [name, value] of Object.entries(sent)) {
    if (isIgnored(kind, name, what, knobs)) continue;
    const made = storedValue(name, value, knobs);
    kept[storedAs[name] ?? name] = knobs.makes?.(name, made) ?? made;
  }
  return kept;
}

function isIgnored(kind: Kind, name: string, what: 'create' | 'update', knobs: ValueKnobs): boolean {
  if (knobs.ignored.includes(name)) return true;
  if (name !== 'ExternalID') return false;
  const habit = forKind(knobs.externalId, kind, 'kept');
  return habit === 'never' || habit === (what === 'create' ? 'updated' : 'created');
}

function storedValue(name: string, value: Value, knobs: ValueKnobs): Value {
  if (value === null) return null;
  // No record has the number 0 in another system: 0 is how forms say none.
  if (name === 'ExternalID' && value === 0) return null;
  const made = typeof value === 'number' ? storedNumber(name, value, knobs) : storedText(name, value, knobs);
  if (made === '' && knobs.emptyAsNull) return null;
  return made === 0 && knobs.zeroAsNull ? null : made;
}

function storedNumber(name: string, value: number, knobs: ValueKnobs): number {
  if (typeOf(name) !== 'float') {
    return knobs.integers === '32 bits' ? Math.max(-2147483648, Math.min(2147483647, value)) : value;
  }
  const { rounding } = knobs;
  const isExact = rounding === 'exact' || !knobs.roundedFields.includes(name);
  // By the decimal digits as written, so that 1.005 is a half and not a little less.
  const rounded = isExact ? value : BigNumber(value).dp(knobs.places, modes[rounding]).toNumber();
  if (knobs.floats === 'single') return Math.fround(rounded);
  return knobs.noise && !Number.isInteger(rounded) ? nextUp(rounded) : rounded;
}

function storedText(name: string, value: Value, knobs: ValueKnobs): Value {
  if (typeof value !== 'string') return value;
  const full = typeOf(name) === 'datetime' ? fullDatetime(value) : undefined;
  if (full !== undefined) return storedDatetime(full, knobs);
  let text = knobs.stripTags ? value.replace(/<[^>]*>/g, '') : value;
  if (knobs.normalise !== 'as sent') text = text.normalize(knobs.normalise);
  if (knobs.lineEnds !== 'as sent') text = text.replace(/\r\n|\r|\n/g, knobs.lineEnds);
  if (knobs.trim) text = text.trim();
  if (knobs.foldBlanks) text = text.replace(/[ \t\u00a0]+/g, ' ');
  if (knobs.upperCase) text = text.toUpperCase();
  text = held(text, knobs.characters);
  if (knobs.escapeHtml) text = escaped(text);
  const bound = typeof knobs.cutAt === 'object' ? knobs.cutAt[name] : knobs.cutAt;
  return bound === undefined ? text : [...text].slice(0, bound).join('');
}

function held(text: string, characters: ValueKnobs['characters']): string {
  if (characters === 'no four bytes: ?') return text.replace(/[\u{10000}-\u{10ffff}]/gu, '?');
  return characters === 'latin1: ?' ? text.replace(/[\u{100}-\u{10ffff}]/gu, '?') : text;
}

function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#039;',
  };
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}

function storedDatetime(full: string, knobs: ValueKnobs): string {
  const moved = shifted(full, knobs.shiftMinutes);
  const habit = knobs.datetimes;
  if (habit === 'days') return `${moved.slice(0, 10)} 00:00:00.000`;
  if (habit === 'minutes') return `${moved.slice(0, 16)}:00.000`;
  return habit === 'seconds' ? `${moved.slice(0, 19)}.000` : moved;
}

/** The next number that can be told apart: 10.1 becomes 10.100000000000001. */
function nextUp(value: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + 1n);
  return view.getFloat64(0);
}
