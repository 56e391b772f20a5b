import { t } from '../../../core/language.ts';
import { amountText } from '../../../core/row-text.ts';
import type { Value } from '../../../core/value.ts';
import type { TableRow } from '../../contract/documents.ts';
import { language, say } from '../language.ts';

/** The words that the table and its panel share. */
export const ROW_WORDS = {
  row: t('Row', 'Rij'),
  outcome: t('Outcome', 'Uitkomst'),
  record: t('Record', 'Record'),
  changes: t('Changes', 'Wijzigingen'),
  remarks: t('Remarks', 'Opmerkingen'),
  corrected: t('corrected', 'verbeterd'),
  more: t('+{n}', '+{n}'),
  moreChanges: t('and {n} more', 'en nog {n}'),
} as const;

/** How a conflict was decided. */
export const DECIDED_WORDS = {
  mine: t('decided: mine', 'beslist: de mijne'),
  theirs: t('decided: theirs', 'beslist: die van het systeem'),
  skip: t('decided: leave it', 'beslist: laten'),
} as const;

/** A value as people read it: money with its cents, an id behind the name of its record. */
export function changeText(value: Value, name: string | undefined, money: boolean): string {
  const text = amountText(value, money, language.value);
  return name === undefined ? text : `${name} (${text})`;
}

/** What a row is about beside its name: its keys and its id. */
export function keysText({ key = {}, id }: Pick<TableRow, 'key' | 'id'>): string {
  const keys = Object.entries(key).map(([field, value]) => `${field} ${value}`);
  const known = Object.values(key).includes(id ?? null);
  return [...keys, ...(id === undefined || known ? [] : [`id ${id}`])].join(' · ');
}

/** A row of the file as people call it: `Pakketten 12`. */
export const placeText = ({ sheet, row }: Pick<TableRow, 'sheet' | 'row'>): string => `${sheet} ${row}`;

/** What a row is called in a heading: its name, else its keys, else its place. */
export function nameOfRow(row: TableRow): string {
  if (row.label !== undefined && row.label !== '') return row.label;
  return keysText(row) || say(ROW_WORDS.row);
}
