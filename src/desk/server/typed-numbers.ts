import { asNumberOf } from '../../core/codecs/parse-number.ts';
import { allSheets } from '../../resources/registry.ts';
import { type Field, holdsNumber } from '../../schema/field.ts';
import type { ChosenReading } from '../contract/asked.ts';
import type { Desk } from './desk.ts';

/** The fields of any sheet that hold a number, and no id that a name may stand for. */
const NUMBERS: ReadonlySet<string> = new Set(
  allSheets.flatMap(({ fields }) => Object.keys(fields).filter((name) => holdsNumber(fields[name] as Field))),
);

/**
 * The values for all rows go from the page as its language writes numbers to the file as that does (`toFile`), and
 * back. What is none in the way it comes from stays as it is.
 */
export function settingNumbers(desk: Desk, reading: ChosenReading, way: 'toFile' | 'toPage'): ChosenReading {
  const { locale = desk.settings().locale, set } = reading;
  const ways = [desk.language, locale] as const;
  const [from, to] = way === 'toFile' ? ways : (ways.toReversed() as [typeof locale, typeof locale]);
  const written = Object.entries(set).map(([field, text]) => [
    field,
    NUMBERS.has(field) ? asNumberOf(text, from, to) : text,
  ]);
  return { ...reading, set: Object.fromEntries(written) };
}
