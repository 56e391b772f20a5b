import { columnLetters } from '../../core/cell.ts';
import type { Finding } from '../../core/issue.ts';
import { type Bilingual, t, withFlag } from '../../core/language.ts';
import { OWN_SHEETS } from '../../core/own-sheets.ts';
import { shownMoment } from '../../core/shown-moment.ts';
import type { Value } from '../../core/value.ts';
import { isExported, listerOf } from '../../lists/lists.ts';
import { type Field, holdsDay, readOnly } from '../../schema/field.ts';
import { countedAmounts, type Resource } from '../../schema/resource.ts';

/** How the cells of one column are read, worked out once a sheet. */
export interface ColumnReader {
  /** The resource's field, or the program's own `#action` or `#key`. */
  readonly name: string;
  /** Whether it is one of the program's own columns. */
  readonly mark: boolean;
  /** Such as `F`; null for a value that stands in no column. */
  readonly letters: string | null;
  /** Null for the program's own columns, and for those that only reads return. */
  readonly field: Field | null;
  /** The field of a column that only reads return, where it helps to find the record. */
  readonly finds: Field | null;
  readonly check: FieldCheck | null;
  /** Where the number is found of what somebody knows by its name; null for a field that is no id. */
  readonly numbered: Bilingual | null;
  /** Whether amounts that were counted stand there. */
  readonly counts: boolean;
  /** Whether `#CLEAR` may stand there. */
  readonly clearable: boolean;
  /** All columns with this header; more than one where it stands there twice. */
  readonly columns: readonly number[];
}

const NOT_READ = {
  ...{ field: null, finds: null, check: null, numbered: null },
  ...{ counts: false, clearable: false },
} as const;

/** The reader of a column with a field or a mark; `column` 0 is a value for all rows. */
export function columnReader(
  resource: Resource,
  name: string,
  column: number,
  columns: readonly number[],
): ColumnReader {
  const field = resource.fields[name];
  const letters = column === 0 ? null : columnLetters(column);
  const own = { ...NOT_READ, name, mark: name.startsWith('#'), letters, columns };
  if (field !== undefined && !readOnly(field))
    return {
      ...{ ...own, field, check: checkOf(name, field), clearable: isClearable(resource, name) },
      counts: countedAmounts(resource).some(({ counted }) => counted === name),
      numbered:
        field.codec.type === 'integer' && ID_NAME.test(name) ? numberedIn(resource, name, field) : null,
    };
  return resource.finds?.includes(name) === true ? { ...own, finds: field ?? null } : own;
}

/** Whether `#CLEAR` may stand in a column. */
export function isClearable({ keys, fields }: Resource, name: string): boolean {
  return !keys.includes(name) && fields[name]?.update === 'optional';
}

/** Where a reader's cell stands in a row, such as `F12`. */
export function placeOf({ letters }: ColumnReader, row: number): string | null {
  return letters === null ? null : `${letters}${row}`;
}

/** The user gives these numbers: where names stand they are not found. */
const OWN_NUMBER = /(?:^|\.)ExternalID$/;

/** Where a record's number is found by its name: those of a period stand on a template's last sheet. */
function numberedIn(resource: Resource, name: string, { record }: Field): Bilingual {
  if (OWN_NUMBER.test(name))
    return t(
      'fill in your own number of the record, which has digits alone',
      'vul je eigen nummer van het record in, met alleen cijfers',
    );
  const isKey = resource.keys.includes(name);
  const ways = isExported(resource) ? listerOf(resource).ways(resource) : [];
  const { en, nl } = OWN_SHEETS.lookUp;
  if (ways.includes('period') && (isKey || record !== undefined))
    return withFlag(
      t(
        `fill in the number: it stands beside its name on sheet ${en} of a template with a period`,
        `vul het nummer in: het staat naast de naam op werkblad ${nl} van een sjabloon met een periode`,
      ),
      `catersheet template ${resource.name} --from D --to D`,
    );
  if (ways.length > 0 && isKey)
    return withFlag(
      t(
        `fill in the number: an export of ${resource.sheet} shows it beside the name`,
        `vul het nummer in: een export van ${resource.sheet} laat het naast de naam zien`,
      ),
      `catersheet export ${resource.name}`,
    );
  return t(
    'fill in the number, as an export of such records or the service shows it',
    'vul het nummer in, zoals een export van zulke records of het systeem het laat zien',
  );
}

/** Checks a value of the right type; undefined where it makes sense. Without a year no date is far. */
type FieldCheck = (value: Value, thisYear?: number) => Finding | undefined;

/** Longest text that is usual for a field without a `sensible` length: some four pages. */
const LONG = 10_000;
/** Characters of a long text that are quoted. */
const QUOTED = 60;
const HALF_PAIR = /[\ud800-\udbff]$/;

/** The interface ends the name of every id so. */
const ID_NAME = /ID$/;

/** A date more years from now is likely a number shown as a date, or a two-digit year in another century. */
const FAR = 20;
const MIDNIGHT = ' 00:00:00';
const DAY_ALONE = 10;

/** The check of a field's values beside their type; null for none. */
export function checkOf(name: string, field: Field): FieldCheck | null {
  const { codec, sensible = LONG } = field;
  if (codec.type === 'integer' && ID_NAME.test(name)) return checkId;
  if (codec.type === 'datetime') return checkDate(holdsDay(field));
  return codec.type === 'text' ? (value) => checkLength(value, sensible) : null;
}

/** 0 is what a formula makes of an empty cell; no record has it. */
function checkId(value: Value): Finding | undefined {
  if (typeof value !== 'number' || value > 0) return undefined;
  return { code: value === 0 ? 'id-zero' : 'id-negative', found: String(value) };
}

function checkDate(day: boolean): FieldCheck {
  return (value, thisYear) => {
    // A time alone has no year.
    if (typeof value !== 'string' || value.length < DAY_ALONE) return undefined;
    const found = (code: 'date-far' | 'date-with-time'): Finding => ({
      ...{ code, found: value },
      hint: shownMoment(value),
    });
    if (thisYear !== undefined && Math.abs(Number(value.slice(0, 4)) - thisYear) > FAR)
      return found('date-far');
    return day && !value.endsWith(MIDNIGHT) ? found('date-with-time') : undefined;
  };
}

function checkLength(value: Value, sensible: number): Finding | undefined {
  if (typeof value !== 'string' || value.length <= sensible) return undefined;
  const hint = t(
    `${value.length} characters, where ${sensible} are usual at most`,
    `${value.length} tekens, waar hoogstens ${sensible} gebruikelijk zijn`,
  );
  return { code: 'text-long', found: `${value.slice(0, QUOTED).replace(HALF_PAIR, '')}…`, hint };
}
