import { timeOfDayCodec } from '../core/codecs/time-of-day.ts';
import { type Bilingual, type Language, t } from '../core/language.ts';
import { type Field, holdsDay } from './field.ts';

/** How the cells of a field are written by hand; `choice` takes a name or its number. */
export type CellType = 'integer' | 'decimal' | 'text' | 'boolean' | 'day' | 'moment' | 'time' | 'choice';

/** The cell type of a field. Whether people write a time behind the day is told by its example. */
export function cellTypeOf(field: Field): CellType {
  const { codec, lookup } = field;
  if (lookup !== undefined) return 'choice';
  if (codec.type !== 'datetime') return codec.type;
  if (codec === timeOfDayCodec) return 'time';
  return holdsDay(field) ? 'day' : 'moment';
}

/** Number formats as a file holds them; each program shows them by its own locale. */
export const FORMATS: Readonly<Record<CellType, string>> = {
  integer: '0',
  decimal: '#,##0.00##',
  text: '@',
  boolean: 'General',
  day: 'dd-mm-yyyy',
  moment: 'dd-mm-yyyy hh:mm',
  time: 'hh:mm',
  choice: 'General',
};

/** What people call the cell types. */
export const TYPE_WORDS: Readonly<Record<CellType, Bilingual>> = {
  integer: t('whole number', 'geheel getal'),
  decimal: t('number', 'getal'),
  text: t('text', 'tekst'),
  boolean: t('TRUE or FALSE', 'Ja of Nee'),
  day: t('date', 'datum'),
  moment: t('date and time', 'datum en tijd'),
  time: t('time', 'tijd'),
  choice: t('name or number', 'naam of nummer'),
};

/** What a yes and a no look like in a list. */
export const BOOLEAN_WORDS: Readonly<Record<Language, readonly [string, string]>> = {
  en: ['TRUE', 'FALSE'],
  nl: ['Ja', 'Nee'],
};

/** A field's example the way people would type it; empty when it has none. */
export function exampleText(field: Field, language: Language): string {
  const { example } = field;
  if (example === undefined) return '';
  if (typeof example === 'boolean') return BOOLEAN_WORDS[language][example ? 0 : 1];
  if (typeof example === 'number') return numberText(example, language);
  const [, year, month, day, time = ''] = /^(\d{4})-(\d{2})-(\d{2})(?: (\d{2}:\d{2}))?$/.exec(example) ?? [];
  if (year === undefined || field.codec.type !== 'datetime') return example;
  if (cellTypeOf(field) === 'time' && time !== '') return time;
  return `${day}-${month}-${year} ${time}`.trim();
}

function numberText(value: number, language: Language): string {
  return language === 'nl' ? String(value).replace('.', ',') : String(value);
}
