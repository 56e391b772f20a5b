import { MONTHS, WEEKDAYS } from './moment.ts';

/** Short names that are not the first three letters. */
const OTHER_MONTHS: readonly (readonly [string, number])[] = [
  ['mrt', 3],
  ['febr', 2],
  ['sept', 9],
];
const OTHER_WEEKDAYS: readonly (readonly [string, number])[] = [
  ...['zo', 'ma', 'di', 'wo', 'do', 'vr', 'za'].map((name, at) => [name, at] as const),
  ['tues', 2],
  ['thur', 4],
  ['thurs', 4],
];

const byName = (
  lists: readonly (readonly string[])[],
  from: number,
  others: readonly (readonly [string, number])[],
): ReadonlyMap<string, number> =>
  new Map([
    ...lists.flatMap((names) =>
      names.flatMap((name, at) => {
        const word = name.toLowerCase();
        return [[word, at + from] as const, [word.slice(0, 3), at + from] as const];
      }),
    ),
    ...others,
  ]);

const MONTH_NUMBERS = byName([MONTHS.nl, MONTHS.en], 1, OTHER_MONTHS);
const WEEKDAY_NUMBERS = byName([WEEKDAYS.nl, WEEKDAYS.en], 0, OTHER_WEEKDAYS);

/** The number of a month by its Dutch or English name, full or short; undefined for another word. */
export function monthNumber(name: string): number | undefined {
  return MONTH_NUMBERS.get(name.toLowerCase());
}

const LEADING_WORD = /^([a-z]{2,9})[.,]{0,2} +(?=[\da-z])/i;

/** Takes a weekday off the front of a date: its number, 0 for Sunday, and what is left. */
export function takeWeekday(text: string): { readonly weekday: number | undefined; readonly rest: string } {
  const match = LEADING_WORD.exec(text);
  const weekday = match === null ? undefined : WEEKDAY_NUMBERS.get((match[1] ?? '').toLowerCase());
  return weekday === undefined
    ? { weekday, rest: text }
    : { weekday, rest: text.slice(match?.[0].length ?? 0) };
}
