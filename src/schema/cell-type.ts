import { endTimeCodec, timeOfDayCodec } from '../core/codecs/time-of-day.ts';
import { type Bilingual, type Language, same, t } from '../core/language.ts';
import { writtenText } from '../core/row-text.ts';
import { DAY_FORMAT, MINUTE_FORMAT, shownMoment } from '../core/shown-moment.ts';
import { type Field, holdsDay } from './field.ts';

/** The cell type of a field; its example tells whether a time stands behind the day. */
export function cellTypeOf(field: Field): CellType {
  const { codec, lookup } = field;
  if (lookup !== undefined) return 'choice';
  if (codec.type !== 'datetime') return codec.type;
  if (codec === timeOfDayCodec || codec === endTimeCodec) return 'time';
  return holdsDay(field) ? 'day' : 'moment';
}

/** The number format of each cell type; programs show dates and decimals by their own locale. */
export const FORMATS = {
  integer: same('0'),
  decimal: same('#,##0.00########'),
  text: same('@'),
  boolean: same('General'),
  day: DAY_FORMAT,
  moment: MINUTE_FORMAT,
  time: same('hh:mm'),
  choice: same('General'),
};

/** How people write the cells of a field; a `choice` is a name or its number. */
export type CellType = keyof typeof FORMATS;

/** The name of each cell type, for people. */
export const TYPE_WORDS: Readonly<Record<CellType, Bilingual>> = {
  integer: t('whole number', 'geheel getal'),
  decimal: t('number', 'getal'),
  text: t('text', 'tekst'),
  boolean: t('Yes or No', 'Ja of Nee'),
  day: t('date', 'datum'),
  moment: t('date and time', 'datum en tijd'),
  time: t('time', 'tijd'),
  choice: t('name or number', 'naam of nummer'),
};

/** A field's example as people would type it; empty when it has none. */
export function exampleText(field: Field, language: Language): string {
  const { example } = field;
  if (example === undefined) return '';
  if (typeof example !== 'string') return writtenText(example, language);
  const [, , time = ''] = /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}))?$/.exec(example) ?? [];
  if (field.codec.type !== 'datetime') return example;
  return cellTypeOf(field) === 'time' && time !== '' ? time : shownMoment(example)[language];
}
