import { numberFields } from '../../api/known-kinds.ts';
import { asNumberOf } from '../../core/codecs/parse-number.ts';
import type { ChosenReading } from '../contract/asked.ts';
import type { Desk } from './desk.ts';
import type { Draft } from './draft.ts';
import { checksOf } from './rows.ts';

/** Numbers go from the page as its language writes them to the file as that does (`toFile`), and back. */
type Way = 'toFile' | 'toPage';

/**
 * Writes the texts of cells of a sheet the other way, where their columns hold numbers. What is none in the
 * way it comes from stays as it is.
 */
export async function cellNumbers(
  desk: Desk,
  draft: Draft,
  sheet: string,
  way: Way,
): Promise<(column: number, text: string) => string> {
  const checks = await checksOf(desk, draft);
  const found = await checks.cells(sheet, [], draft.corrections);
  const numbers = new Set(found?.columns.flatMap(({ column, number }) => (number ? [column] : [])));
  return (column, text) => (numbers.has(column) ? inOther(desk, checks.locale, way, text) : text);
}

/** The same of the values for all rows, by their fields. */
export function settingNumbers(desk: Desk, reading: ChosenReading, way: Way): ChosenReading {
  const { locale, set } = reading;
  const fileLocale = locale ?? desk.settings().locale;
  const written = Object.entries(set).map(([field, text]): [string, string] => [
    field,
    numberFields.has(field) ? inOther(desk, fileLocale, way, text) : text,
  ]);
  return { ...reading, set: Object.fromEntries(written) };
}

const inOther = ({ language }: Desk, locale: Desk['language'], way: Way, text: string): string =>
  way === 'toFile' ? asNumberOf(text, language, locale) : asNumberOf(text, locale, language);
