import { asNumberOf, parseNumber } from '../../core/codecs/number.ts';
import type { Language } from '../../core/language.ts';
import { nearest } from '../../core/nearest.ts';
import type { Locale } from '../../core/value.ts';
import { choicesOf } from '../../import/map/lookup-names.ts';
import { ACTION_WORDS } from '../../import/map/map-row.ts';
import type { ColumnReader } from '../../import/map/sheet-mapping.ts';
import type { LookupLists } from '../../run/lookup-lists.ts';
import { holdsNumber, type Lookup } from '../../schema/field.ts';
import type { AnswerOf } from '../contract/answers.ts';

type Choices = AnswerOf<'suggest'>['entries'];

/** Words that a flag is read by. */
const FLAGS: Readonly<Record<Language, readonly string[]>> = { en: ['yes', 'no'], nl: ['ja', 'nee'] };

/** The words that a column takes; undefined where it takes others. */
function wordsOf(reader: ColumnReader | undefined, language: Language): readonly string[] | undefined {
  // Deleting is asked for in the file alone.
  if (reader?.name === '#action') return [...ACTION_WORDS].filter((word) => word !== 'delete');
  return reader?.field?.codec.type === 'boolean' ? FLAGS[language] : undefined;
}

const lookupsOf = (reader: ColumnReader | undefined): readonly Lookup[] =>
  [reader?.field?.lookup, reader?.field?.updateLookup].filter((one) => one !== undefined);

/** Whether there is something to choose from for the cells of a column. */
export const hasChoices = (reader: ColumnReader | undefined): boolean =>
  wordsOf(reader, 'en') !== undefined || lookupsOf(reader).length > 0;

/** So many choices a list shows that one types in. */
const MOST = 2000;

/**
 * What can be chosen for the cells of a column: the names of its list, or the few words that it takes. Nothing where
 * the list can't be read.
 */
export async function choicesFor(
  reader: ColumnReader | undefined,
  lists: Pick<LookupLists, 'read'>,
  language: Language,
): Promise<Choices> {
  const words = wordsOf(reader, language);
  if (words !== undefined) return words.map((text) => ({ text, id: null }));
  const read = await Promise.all(lookupsOf(reader).map((lookup) => lists.read(lookup)));
  const all = read.flatMap((list) => ('entries' in list ? choicesOf(list.entries) : []));
  return [...new Map(all.map((one) => [one.text, one])).values()].slice(0, MOST);
}

/** The one number that a text holds among words, as it is written there. */
const NUMBER = /^[^\d-]*(-?\d[\d.,]*\d|-?\d)[^\d]*$/;

/**
 * What was probably meant by a text that a column can't read: the names or words that are nearest, or the number
 * that stands among words or is written another way.
 */
export async function answersFor(
  reader: ColumnReader | undefined,
  lists: Pick<LookupLists, 'read'>,
  text: string,
  { locale, language }: { readonly locale: Locale; readonly language: Language },
): Promise<readonly string[]> {
  if (hasChoices(reader)) {
    const choices = await choicesFor(reader, lists, language);
    return nearest(text, new Set(choices.map((one) => one.text)), 2);
  }
  const [, number] = (isNumber(reader) && NUMBER.exec(text.trim())) || [];
  if (number === undefined) return [];
  const from = parseNumber(number, locale) === undefined ? (locale === 'nl' ? 'en' : 'nl') : locale;
  const answer = asNumberOf(number, from, locale);
  return parseNumber(answer, locale) === undefined || answer === text ? [] : [answer];
}

/** Whether the cells of a column hold numbers. */
export const isNumber = (reader: ColumnReader | undefined): boolean =>
  reader?.field != null && holdsNumber(reader.field);
