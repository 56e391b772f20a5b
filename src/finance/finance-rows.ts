import { BigNumber } from 'bignumber.js';
import { columnLetters } from '../core/cell.ts';
import { parseIso } from '../core/codecs/datetime.ts';
import { shorten } from '../core/issue.ts';
import { type Bilingual, type Language, same, t } from '../core/language.ts';
import { amountText } from '../core/row-text.ts';
import { DAY_FORMAT, MOMENT_FORMAT, shownMoment } from '../core/shown-moment.ts';
import { visibleLine } from '../core/visible-text.ts';
import { LARGEST_EXACT_NUMBER, safeCell } from '../import/map/safe-cell.ts';
import type { ColumnType } from '../records/listing.ts';
import type { Context } from '../run/context.ts';
import { openLookupLists } from '../run/lookup-lists.ts';
import { type AnswerRecord, memberAt } from '../schema/answer.ts';
import type {
  FinanceColumn,
  FinanceDefinition,
  FinanceSheet,
  NameSource,
} from '../schema/finance-definition.ts';
import { idIn } from '../template/record-names.ts';
import { textToSerial } from '../xlsx/numbers-and-dates.ts';
import type { TableFeed } from '../xlsx/write/write-book.ts';
import type { WrittenColumn, WrittenRow, WrittenSheet, WrittenValue } from '../xlsx/write/written-book.ts';
import { amountOf } from './figures.ts';
import type { TableSheet } from './record-changes.ts';

/** In place of a missing location, type or manager, so that the overview adds those up too. */
export const NONE: Bilingual = t('(none)', '(geen)');

/** A month in the export's language, whatever the machine's. */
export const MONTHS: Bilingual = t('[$-409]mmm yyyy', '[$-413]mmm yyyy');

/** By type: what its cells are, their width in characters, and their format. */
const TYPES: Readonly<Record<FinanceColumn['type'], { as: ColumnType; width: number; format: Bilingual }>> = {
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

/**
 * The headers of the bookings. In a CSV a member of the event, or of only one of its sources, is called as the
 * interface calls it; what both have, such as a day, must not be taken for the event's.
 */
export const bookingHeaders = (
  { bookings: { columns, of } }: FinanceDefinition,
  language: Language,
  csv: boolean,
): string[] =>
  columns.map(({ header, member, names, told = '' }) => {
    const [path, other] = Object.values(of).flatMap((paths) => paths[told] ?? []);
    const name = other === undefined ? path?.split('.').at(-1) : undefined;
    return (csv && names === undefined && (member ?? name)) || header[language];
  });

/** The serial number of a month's first day. */
export const monthSerial = (month: string): number => textToSerial(`${month}-01`) ?? 0;

/** What a cell counts as: an amount that each row has, a number where there is one, a flag, or an id to group by. */
type CountedAs = 'amount' | 'number' | 'flag' | 'id';

/** The cells that count in totals, by sheet and then by member or calculated value. */
const countedCells = ({
  events: { location, type, manager, noRevenue },
  lines,
  trips,
}: FinanceDefinition): Partial<Record<TableSheet, Record<string, CountedAs>>> => ({
  events: { [location.member]: 'id', [type.member]: 'id', [manager.member]: 'id', [noRevenue]: 'flag' },
  lines: { [lines.price]: 'number', [lines.quantity]: 'number', 'line-total': 'amount' },
  trips: { [trips.price]: 'amount', [trips.cost]: 'amount', [trips.distance]: 'amount' },
  bookings: { total: 'amount' },
});

/** What is odd about a cell, and what becomes of it. */
const ODD = {
  empty: t('empty, and not counted', 'leeg, en niet meegeteld'),
  amount: t(
    'no number, or too large for a cell, and not counted',
    'geen getal, of te groot voor een cel, en niet meegeteld',
  ),
  flag: t(
    'neither yes nor no, and the event counts as revenue',
    'geen ja en geen nee, en het evenement telt als omzet mee',
  ),
  id: t(
    `no usable number, and the event counts under “${NONE.en}”`,
    `geen bruikbaar nummer, en het evenement telt mee bij “${NONE.nl}”`,
  ),
  long: t(
    'longer than a cell holds (32,767 characters), and the cell is empty',
    'langer dan een cel kan bevatten (32.767 tekens), en de cel is leeg',
  ),
};
type Oddity = keyof typeof ODD;

function oddityOf(value: unknown, counted: CountedAs): Oddity | null {
  if (value === null || value === undefined || value === '') return counted === 'amount' ? 'empty' : null;
  if (counted === 'flag') return typeof value === 'boolean' ? null : 'flag';
  if (counted === 'id') return value === 0 || groupIn(value) !== null ? null : 'id';
  return value instanceof BigNumber || amountOf(value) !== null ? null : 'amount';
}

/** The cells of a column with one oddity: how many, and the first by its row (from 1) and its record's value. */
interface OddCells {
  readonly sheet: TableSheet;
  readonly at: number;
  readonly why: Oddity;
  readonly row: number;
  readonly value: unknown;
  count: number;
}

/**
 * The values of a row that are not in its record, by `worked` or `told` name; null where there is none.
 */
export type BesideRecord = Readonly<Record<string, unknown>>;

/**
 * Makes the rows of the sheets, with names in place of ids. A name that can't be had is a note, never a
 * failure: the id stands in its place. So is a cell that does not count as it stands.
 */
export function financeRows(context: Context, definition: FinanceDefinition, language: Language) {
  const named = context.named;
  const lists = openLookupLists(context);
  /** Why names can't be had. */
  const failing = new Map<NameSource, Bilingual>();
  const odd = new Map<string, OddCells>();
  /** The columns in which a cell is filled, by sheet. */
  const filled = new Map<TableSheet, ReadonlySet<number>>();

  /** Makes the rows of a sheet in order, from the first below the header. */
  function of(sheet: TableSheet): (record: AnswerRecord, beside?: BesideRecord) => Promise<WrittenRow> {
    let row = 0;
    const some = new Set<number>();
    filled.set(sheet, some);
    const { columns } = definition[sheet];
    const counted = columns.map(({ names, worked, told, member = '' }) =>
      names === undefined ? countedCells(definition)[sheet]?.[worked ?? told ?? member] : undefined,
    );
    return async (record, beside = {}) => {
      row++;
      const here = row;
      const values = await Promise.all(
        columns.map(({ member = '', names, worked, told }) => {
          const own = worked ?? told;
          if (own !== undefined) return beside[own] ?? null;
          const value = memberAt(record, member.split('.'));
          return names === undefined ? value : nameOf(names, value);
        }),
      );
      return columns.map((column, at) => {
        const [value, as] = [values[at], counted[at]];
        const note = (why: Oddity): void => tell({ sheet, at, why, row: here, value, count: 0 });
        const why = as === undefined ? null : oddityOf(value, as);
        if (why !== null) note(why);
        if (as === 'id' && groupIn(value) === null) return NONE[language];
        const cell = cellOf(value, column, language, () => note('long'));
        if (cell !== null) some.add(at);
        return cell;
      });
    };
  }

  /** Requests the names that a record's row shows, ahead of making the row. */
  async function ask(sheet: TableSheet, record: AnswerRecord): Promise<void> {
    const asked = definition[sheet].columns.flatMap(({ names, member = '' }) =>
      names === undefined ? [] : [nameOf(names, memberAt(record, member.split('.')))],
    );
    await Promise.all(asked);
  }

  /** The name of the id in `value`, requested once; null where there is no id or no name. */
  async function nameOf(source: NameSource, value: unknown): Promise<string | null> {
    const id = idIn(value);
    if (id === null) return null;
    if (!('list' in source)) return (await named.ask(source, id)).name;
    const list = await lists.read(source.list);
    if (!('entries' in list)) failing.set(source, 'failure' in list ? list.failure.reasons : list.unreadable);
    return lists.known(source.list)?.get(id) ?? null;
  }

  /** A member of a record in words: `Guests: 85`, an id with its name. */
  async function said(sheet: TableSheet, field: string, value: unknown): Promise<readonly [string, string]> {
    const same = definition[sheet].columns.filter(({ member, worked, told }) =>
      [member, worked, told].includes(field),
    );
    const first = same[0] as FinanceColumn;
    const column = same.find(({ names }) => names !== undefined) ?? first;
    const cell = cellOf(value, first, language, () => {});
    const text =
      cell !== null && typeof cell === 'object'
        ? shownMoment(cell.date)[language]
        : amountText(cell, first.type === 'amount', language);
    const name = column.names === undefined ? null : await nameOf(column.names, value);
    return [column.header[language], visibleLine(name === null ? text : `${name} (${text})`)];
  }

  /** Those of a sheet's headers whose columns are empty in every row. */
  function empty(sheet: TableSheet, headers: readonly string[]): string[] {
    return headers.filter((_, at) => filled.get(sheet)?.has(at) !== true);
  }

  function tell(cell: OddCells): void {
    const key = `${cell.sheet} ${cell.at} ${cell.why}`;
    const known = odd.get(key) ?? cell;
    odd.set(key, known);
    known.count++;
  }

  /**
   * Which cells of the sheets do not count as they stand, and which names could not be read. What makes an event
   * count is told of any sheet.
   */
  function notes(feeds: Readonly<Record<TableSheet, TableFeed>>, sheets: readonly TableSheet[]): Bilingual[] {
    const told = [...odd.values()].filter(({ sheet, why }) => why === 'flag' || sheets.includes(sheet));
    const cells = told.map(({ sheet, at, why, row, value, count }) => {
      const { header } = definition[sheet].columns[at] as FinanceColumn;
      const place = feeds[sheet].placeOf(row);
      const cell = `${place.sheet}!${columnLetters(at + 1)}${place.row}`;
      const first = sheets.includes(sheet) ? t(`: the first is ${cell}`, `: de eerste is ${cell}`) : same('');
      const raw = typeof value === 'object' ? JSON.stringify(value) : String(value);
      const text = why === 'empty' ? '' : ` “${shorten(raw)}”`;
      return t(
        `${header.en}: ${count} × ${ODD[why].en}${first.en}${text}`,
        `${header.nl}: ${count} × ${ODD[why].nl}${first.nl}${text}`,
      );
    });
    const names = [...failing, ...named.failing].map(([{ called }, { en, nl }]) =>
      t(
        `names of ${called.en}: ${en}; numbers stand in their place`,
        `namen van ${called.nl}: ${nl}; er staan nummers in de plaats`,
      ),
    );
    return [...cells, ...names];
  }

  return { of, ask, nameOf, said, empty, notes };
}

/** An id to group by; null for none, and for one that a cell can't hold as a number. */
export function groupIn(value: unknown): number | null {
  const id = idIn(value);
  return id === null || Math.abs(id) > LARGEST_EXACT_NUMBER ? null : id;
}

function cellOf(
  value: unknown,
  { header, type }: FinanceColumn,
  language: Language,
  tooLong: () => void,
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
  // The interface writes a day alone, or as a moment at midnight.
  const moment = TYPES[type].as === 'datetime' && typeof value === 'string' ? parseIso(value) : undefined;
  const cell = safeCell(moment ?? value, column, options, tooLong);
  return type === 'day' && cell !== null && typeof cell === 'object'
    ? { date: cell.date.slice(0, 10) }
    : cell;
}
