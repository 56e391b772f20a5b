import { BigNumber } from 'bignumber.js';
import { parseIso } from '../core/codecs/datetime.ts';
import { type Bilingual, type Language, same, t } from '../core/language.ts';
import { DAY_FORMAT, MOMENT_FORMAT } from '../core/shown-moment.ts';
import { safeCell } from '../import/map/safe-cell.ts';
import type { ColumnType } from '../records/listing.ts';
import { type AnswerRecord, memberAt } from '../schema/answer.ts';
import type {
  FinanceColumn,
  FinanceDefinition,
  FinanceSheet,
  FinanceType,
} from '../schema/finance-definition.ts';
import { textToSerial } from '../xlsx/serial-date.ts';
import type { WrittenColumn, WrittenRow, WrittenSheet, WrittenValue } from '../xlsx/write/written-book.ts';
import type { RecordSheet } from './export-snapshot.ts';
import { amountOf } from './figures.ts';
import type { FinanceWork } from './finance-work.ts';
import { groupIn } from './name-lookup.ts';
import { type CountedAs, type Oddity, oddityOf, rawText } from './odd-cells.ts';

/** In place of a missing location, type or manager, so that the overview adds those up too. */
export const NONE: Bilingual = t('(none)', '(geen)');

/** Money on pages, with a dash for zero. */
export const AMOUNT = '#,##0.00;[Red]-#,##0.00;"–"';
/** A month in the export's language, whatever the machine's. */
export const MONTHS: Bilingual = t('[$-409]mmm yyyy', '[$-413]mmm yyyy');

/** By type: what its cells are, their width in characters, and their format. */
const TYPES: Readonly<Record<FinanceType, { as: ColumnType; width: number; format: Bilingual }>> = {
  id: { as: 'integer', width: 10, format: same('0') },
  text: { as: 'text', width: 14, format: same('@') },
  day: { as: 'datetime', width: 13, format: DAY_FORMAT },
  moment: { as: 'datetime', width: 20, format: MOMENT_FORMAT },
  month: { as: 'datetime', width: 12, format: MONTHS },
  boolean: { as: 'boolean', width: 9, format: same('General') },
  // A price may have up to four decimals.
  amount: { as: 'decimal', width: 14, format: same('#,##0.00##;[Red]-#,##0.00##') },
  quantity: { as: 'decimal', width: 10, format: same('#,##0.###') },
};

const MEMBER: Bilingual = t('Of the service', 'Van het systeem');
const WORKED: Bilingual = t(
  'Worked out by this program when the workbook was made: it does not change along with other cells',
  'Uitgerekend door dit programma bij het maken van de werkmap: het verandert niet mee met andere cellen',
);

/** A sheet of records, as the writer takes it. */
export function financeSheet({ name, table, columns }: FinanceSheet, language: Language): WrittenSheet {
  const written = columns.map(
    ({ header, type, help, member, worked }): WrittenColumn => ({
      header: header[language],
      role: worked === undefined ? 'optional' : 'key',
      format: TYPES[type].format[language],
      width: TYPES[type].width,
      note: [
        help[language],
        ...(member === undefined ? [] : [`${MEMBER[language]}: ${member}`]),
        ...(worked === undefined ? [] : [WORKED[language]]),
      ],
    }),
  );
  return { name: name[language], table, columns: written, fitted: true };
}

/** The serial number of a month's first day. */
export const monthSerial = (month: string): number => textToSerial(`${month}-01`) ?? 0;

/** By sheet and then by member or calculated value: what its cells count as. */
type WatchedCells = Readonly<Partial<Record<RecordSheet, Readonly<Record<string, CountedAs>>>>>;

/** The cells that count in totals. */
function watchedCells({ events, lines, trips }: FinanceDefinition): WatchedCells {
  const { location, type, manager, noRevenue } = events;
  return {
    events: {
      ...{ [location.member]: 'id', [type.member]: 'id', [manager.member]: 'id' },
      [noRevenue]: 'flag',
    },
    lines: { [lines.price]: 'amount', [lines.quantity]: 'amount', 'line-total': 'product' },
    trips: { [trips.price]: 'amount', [trips.cost]: 'amount', [trips.distance]: 'amount' },
  };
}

/**
 * The values of a row that are not in its record, by `worked` or `told` name; null where there is none. An
 * amount that no cell can hold is text.
 */
export type BesideRecord = Readonly<Record<string, unknown>>;

/** Requests the names that a record's row shows, ahead of making the row. */
export async function askNames(
  sheet: RecordSheet,
  record: AnswerRecord,
  { definition, names }: FinanceWork,
): Promise<void> {
  const asked = definition[sheet].columns.flatMap(({ names: source, member = '' }) =>
    source === undefined ? [] : [names.nameOf(source, memberAt(record, member.split('.')))],
  );
  await Promise.all(asked);
}

/** Makes a sheet's rows in order, from the first below the header. */
export function financeRows(
  sheet: RecordSheet,
  { definition, names, odd, language }: FinanceWork,
): (record: AnswerRecord, beside?: BesideRecord) => Promise<WrittenRow> {
  let row = 0;
  const { columns } = definition[sheet];
  const counts = watchedCells(definition)[sheet];
  const watched = columns.map((column) =>
    column.names === undefined ? counts?.[column.worked ?? column.member ?? ''] : undefined,
  );
  const raw = (record: AnswerRecord, beside: BesideRecord) =>
    columns.map(({ member = '', names: source, worked, told }) => {
      const own = worked ?? told;
      if (own !== undefined) return beside[own] ?? null;
      const value = memberAt(record, member.split('.'));
      return source === undefined ? value : names.nameOf(source, value);
    });
  return async (record, beside = {}) => {
    const here = ++row;
    const values = await Promise.all(raw(record, beside));
    return columns.map((column, at) => {
      const value = values[at];
      const add = (why: Oddity): void => odd.add(why, { sheet, at, row: here, value });
      const counted = watched[at];
      const why = counted === undefined ? null : oddityOf(value, counted);
      if (why !== null) add(why);
      if (counted === 'id' && groupIn(value) === null) return why === null ? NONE[language] : rawText(value);
      return cellOf(value, column, language, add);
    });
  };
}

function cellOf(
  value: unknown,
  { header, type }: FinanceColumn,
  language: Language,
  odd: (why: Oddity) => void,
): WrittenValue {
  if (value instanceof BigNumber) return value.toNumber();
  if (type === 'month') return typeof value === 'string' ? monthSerial(value) : NONE[language];
  if (type === 'amount' || type === 'quantity') {
    const amount = amountOf(value);
    if (amount !== null) return amount.toNumber();
    // A number that is not counted must not be added up by a formula.
    if (typeof value === 'number') return String(value);
  }
  const column = { header: header[language], type: TYPES[type].as, field: null, imported: false, path: [] };
  const options = { language, locale: 'nl', csv: false } as const;
  const cell = safeCell(dayOf(value, type), column, options, () => odd('too-long'));
  return type === 'day' && cell !== null && typeof cell === 'object'
    ? { date: cell.date.slice(0, 10) }
    : cell;
}

/** The interface writes a day alone, or as a moment at midnight. */
const dayOf = (value: unknown, type: FinanceType): unknown =>
  TYPES[type].as === 'datetime' && typeof value === 'string' ? (parseIso(value) ?? value) : value;
