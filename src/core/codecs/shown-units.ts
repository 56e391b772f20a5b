import type { Cell } from '../cell.ts';
import { perFormat } from '../codec.ts';
import type { Finding } from '../issue.ts';
import type { Locale } from '../value.ts';
import { literalText, shownNumber } from './shown-cell.ts';

/** A unit that number formats show: as they write it, and all that stands for the same one. */
export interface Unit {
  readonly unit: string;
  /** The first spelling of it in the table. */
  readonly name: string;
  /** Where the table has what it measures. */
  readonly quantity: number;
}

/** What each line measures: its units by their spellings. */
const QUANTITIES: readonly (readonly string[])[] = [
  [
    'kg,kgs,kilo,kilos,kilogram,kilograms',
    'g,gr,gram,grams,grammen',
    'mg,milligram,milligrams',
    'ton,tons,tonnen',
    'pond',
    'ons',
    'lb,lbs,pound,pounds',
    'oz,ounce,ounces',
  ],
  [
    'l,lt,ltr,liter,liters,litre,litres',
    'dl,deciliter,deciliters',
    'cl,centiliter,centiliters',
    'ml,milliliter,milliliters',
  ],
  [
    'm,meter,meters,metre,metres',
    'km,kilometer,kilometers',
    'cm,centimeter,centimeters',
    'mm,millimeter,millimeters',
  ],
  ['u,h,hr,hrs,uur,uren,hour,hours', 'min,minuut,minuten,minute,minutes', 'dag,dagen,day,days'],
];

const UNITS: ReadonlyMap<string, Omit<Unit, 'unit'>> = new Map(
  QUANTITIES.flatMap((units, quantity) =>
    units.flatMap((spellings) => {
      const all = spellings.split(',');
      return all.map((spelling) => [spelling, { name: all[0] as string, quantity }] as const);
    }),
  ),
);

/** `kg`; of `m2` no part is a unit of the table. */
const WORD = /\p{L}[\p{L}\p{N}]*/gu;
/** A format of numbers: in one of dates `m` is a month. */
const OF_NUMBERS = /[#0?]|general/i;

/** The unit that a word is. */
const unitOf = (word: string): Unit | undefined => {
  const unit = UNITS.get(word.toLowerCase());
  return unit && { ...unit, unit: word };
};

/** The units that a number format shows, in front of the digits or behind them, in whichever section. */
export const unitsIn = perFormat((format): readonly Unit[] => {
  if (!OF_NUMBERS.test(format.replace(/"[^"]*"?|\\./g, ''))) return [];
  const words = literalText(format.replace(/general/gi, '0')).match(WORD) ?? [];
  const found = words.flatMap((word) => unitOf(word) ?? []);
  return found.filter(({ name }, at) => found.findIndex((one) => one.name === name) === at);
});

/** The units of which others measure the same: nobody can tell in which one a number is meant. */
export function differingUnits<U extends Unit>(units: readonly U[]): U[] {
  return units.filter(({ name, quantity }) =>
    units.some((other) => other.quantity === quantity && other.name !== name),
  );
}

/** The finding on a number in a column with these differing units, unless it shows what measures something else. */
export function unitFinding(
  cell: Cell,
  locale: Locale,
  differing: readonly Unit[] = [],
): Finding | undefined {
  if (cell.type !== 'number' || differing.length === 0) return undefined;
  const own = cell.format === undefined ? [] : unitsIn(cell.format);
  const isOther = own.every((unit) => differing.every(({ quantity }) => quantity !== unit.quantity));
  if (own.length > 0 && isOther) return undefined;
  const hint = differing
    .slice(0, MOST_UNITS)
    .map(({ unit }) => unit)
    .join(', ');
  return { code: 'units-differ', found: shownNumber(cell.value, cell.format, locale), hint };
}

/** Units of a column that are named. */
const MOST_UNITS = 4;
