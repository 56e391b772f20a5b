import type { Bilingual, Language } from '../../schema/value.ts';
import type { CellCheck } from '../../workbook/template-book.ts';
import { BOOLEAN_WORDS, type CellType } from './cell-type.ts';

const CHECKS: Readonly<Record<CellType, CellCheck['type']>> = {
  integer: 'whole',
  decimal: 'decimal',
  text: 'any',
  boolean: 'list',
  day: 'date',
  moment: 'date',
  time: 'time',
  choice: 'any',
};

const t = (en: string, nl: string): Bilingual => ({ en, nl });

const EXPECTED: Readonly<Record<CellType, Bilingual>> = {
  integer: t('A whole number, 0 or more, is expected here.', 'Hier hoort een geheel getal van 0 of meer.'),
  decimal: t('A number is expected here.', 'Hier hoort een getal.'),
  text: t('', ''),
  boolean: t('TRUE or FALSE is expected here.', 'Hier hoort Ja of Nee.'),
  day: t('A date is expected here, such as 31-12-2027.', 'Hier hoort een datum, zoals 31-12-2027.'),
  moment: t(
    'A date and time are expected here, such as 31-12-2027 14:30.',
    'Hier horen een datum en tijd, zoals 31-12-2027 14:30.',
  ),
  time: t('A time is expected here, such as 14:30.', 'Hier hoort een tijd, zoals 14:30.'),
  choice: t(
    'This is not in the list. A number (id) may stand here too.',
    'Dit staat niet in de lijst. Een nummer (id) mag hier ook staan.',
  ),
};

const CLEARS = t('To clear the field: #CLEAR.', 'Om het veld leeg te maken: #CLEAR.');

/** What a check is made for. */
export interface CheckedColumn {
  readonly type: CellType;
  readonly language: Language;
  readonly prompt: string;
  /** `#CLEAR` may stand there too, so nothing else is refused outright. */
  readonly clearable: boolean;
  /** The list to choose from, where there is one. */
  readonly list: string | null;
}

/** The check of a column's cells. */
export function cellCheck({ type, language, prompt, clearable, list }: CheckedColumn): CellCheck {
  const soft = clearable || type === 'boolean' || type === 'choice';
  const error = EXPECTED[type][language] + (clearable ? ` ${CLEARS[language]}` : '');
  const check = { style: soft ? 'warning' : 'stop', prompt, error } as const;
  if (list !== null) return { ...check, type: 'list', list: { name: list } };
  if (type === 'boolean') return { ...check, type: 'list', list: BOOLEAN_WORDS[language] };
  return { ...check, type: CHECKS[type] };
}
