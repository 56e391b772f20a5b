import { booleanCodec } from '../core/codecs/boolean.ts';
import { decimalCodec } from '../core/codecs/decimal.ts';
import type { Language } from '../core/language.ts';
import { BOOLEAN_WORDS } from '../core/row-text.ts';
import type { CellOptions } from '../import/map/safe-cell.ts';
import type { ColumnType, ExportColumn } from '../records/listing.ts';

/**
 * Settles what each column holds where the interface does not say: flags, numbers, moments or texts, by the
 * first records that have a value there. Moments that are all midnight are days.
 */
export class ColumnKinds {
  private readonly columns: ExportColumn[];
  private readonly language: Language;
  private readonly day: ColumnType;
  /** Places of columns of which the type was not told. */
  private readonly untold: readonly number[];
  /** Places of columns that are not settled yet. */
  private open: readonly number[];

  constructor(columns: readonly ExportColumn[], { language, csv }: Pick<CellOptions, 'language' | 'csv'>) {
    const placesOf = (...types: ColumnType[]): number[] =>
      columns.flatMap(({ type }, at) => (types.includes(type) ? [at] : []));
    this.columns = [...columns];
    this.language = language;
    this.untold = placesOf('unknown');
    // Programs that read a CSV need one shape of a moment, whatever the first ones are.
    this.open = csv ? this.untold : placesOf('unknown', 'datetime');
    this.day = csv ? 'datetime' : 'day';
  }

  /** The columns, as far as they are settled. */
  get settled(): readonly ExportColumn[] {
    return this.columns;
  }

  /** Takes the values of a batch of rows, and gives each the kind of its column. */
  take(rows: readonly (readonly unknown[])[]): readonly (readonly unknown[])[] {
    this.open = this.open.filter((at) => {
      const values = rows.flatMap((row) => (isNone(row[at]) ? [] : [row[at]]));
      const column = this.columns[at];
      if (values.length === 0 || column === undefined) return true;
      const kind = kindOf(values);
      if (column.type === 'unknown' || kind === 'day')
        this.columns[at] = { ...column, type: kind === 'day' ? this.day : kind };
      return false;
    });
    return this.untold.length === 0 ? rows : rows.map((row) => this.alike(row));
  }

  private alike(row: readonly unknown[]): readonly unknown[] {
    const values = [...row];
    for (const at of this.untold)
      values[at] = inKind(values[at], this.columns[at]?.type ?? 'unknown', this.language);
    return values;
  }
}

const isNone = (value: unknown): boolean => value === null || value === undefined || value === '';

const MOMENT = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d/;
const MIDNIGHT = /[ T]00:00:00(?:\.0+)?$/;
/** What is a flag whatever stands beside it; 0 and 1 alone are numbers. */
const FLAG = /^(?:true|false|ja|nee|yes|no)$/i;

function kindOf(values: readonly unknown[]): ColumnType {
  const every = (pattern: RegExp): boolean =>
    values.every((value) => typeof value === 'string' && pattern.test(value));
  if (every(MOMENT)) return every(MIDNIGHT) ? 'day' : 'datetime';
  // An object of an answer may hold a `toString` of its own.
  const isFlagged = values.some((value) => typeof value !== 'object' && FLAG.test(String(value)));
  if (isFlagged && values.every((value) => typeof booleanCodec.read(value) === 'boolean')) return 'boolean';
  return values.some((value) => typeof value === 'number') && values.every(isNumber) ? 'decimal' : 'text';
}

/** A number, or a text that is written as one would be. */
const isNumber = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && String(Number(value)) === value);

/** A value as its column holds it; as text where it can't be that. */
function inKind(value: unknown, type: ColumnType, language: Language): unknown {
  if (isNone(value)) return null;
  if (type === 'boolean') {
    const flag = booleanCodec.read(value);
    if (typeof flag === 'boolean') return flag;
  }
  if (type === 'decimal' && isNumber(value)) return decimalCodec.read(value);
  if (typeof value === 'boolean') return BOOLEAN_WORDS[language][value ? 0 : 1];
  return typeof value === 'number' ? String(value) : value;
}
