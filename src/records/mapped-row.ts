import { type Cell, cellAddress } from '../core/cell.ts';
import type { InputMark } from '../core/header.ts';
import { type Finding, type Issue, issueAt } from '../core/issue.ts';
import { type Bilingual, t } from '../core/language.ts';
import { nearest } from '../core/nearest.ts';
import type { ShownStatus } from '../core/plan.ts';
import type { Value, Values } from '../core/value.ts';
import type { Lookup } from '../schema/field.ts';
import type { Resource } from '../schema/resource.ts';

/** The columns of one sheet, as planning its rows needs to know them. */
export interface SheetColumns<R extends Resource = Resource> {
  readonly sheet: string;
  readonly resource: R;
  /** Field by column number; a field may have more than one column. */
  readonly columns: ReadonlyMap<number, string>;
  /** Column number by field, for addresses; the first where there are more. */
  readonly columnOf: ReadonlyMap<string, number>;
  readonly marks: ReadonlyMap<InputMark, number>;
  /** The columns in which an earlier result says what became of a row. */
  readonly outputs?: { readonly '#status': number; readonly '#id': number | undefined } | undefined;
  /** Fields that the sheet lacks, and that have a value for all rows. */
  readonly set: readonly { readonly field: string }[];
  /** Rows without a key and without `#action` create their record: the user said so. */
  readonly createsUnnamed?: boolean;
  /** Columns that are only shown, where what stood in them is known or counts, by number and in order. */
  readonly told?: ReadonlyMap<number, { readonly header: string; readonly instead: string | null }>;
  /** Headers that match no field, as typed. */
  readonly unknown: readonly string[];
}

/** What a row asks for; `auto`, an empty `#action`, creates or updates as needed. */
type RowAction = 'auto' | 'create' | 'update' | 'delete' | 'skip';

/** A lookup column that holds a name: turned into an id before the row is planned. */
interface PendingName {
  readonly field: string;
  readonly lookup: Lookup;
  /** The list whose ids an update takes, where that is another. */
  readonly updateLookup?: Lookup;
  readonly name: string;
  readonly address: string | null;
}

/** What a name stands for in two lists: an id, or what is wrong with it. */
interface NamedIds {
  readonly create: number | Issue;
  readonly update: number | Issue;
  /** The ids that an update takes. */
  readonly updated: ReadonlySet<number>;
}

/** A cell of a column that is only shown. */
interface ToldCell {
  readonly header: string;
  readonly cell: Cell;
  /** The field to fill in in its place; null where there is none. */
  readonly instead: string | null;
}

/** What the result of an earlier run says of a row, on whichever machine that was. */
interface RowEvidence {
  readonly status: ShownStatus | null;
  /** The record that it is about, or under which it was posted. */
  readonly id: number | null;
  /** This ledger has the run: where there is no id it knows better. */
  readonly own: boolean;
  /** The result says that its ids are of this service. */
  readonly isHere: boolean;
  /** What was posted for that run is known by its content: a row that is not among that was edited. */
  readonly isListed: boolean;
  /** The row names its record by nothing else. */
  readonly names?: true;
}

/** One row read as typed fields. An absent value leaves the field alone, null clears it. */
export interface MappedRow<R extends Resource = Resource> {
  readonly mapping: SheetColumns<R>;
  /** Its number in the sheet. */
  readonly row: number;
  readonly action: RowAction;
  /** Why it is skipped, where it is no record. */
  readonly message?: Bilingual;
  /** The user's own name for the row, from `#key`. */
  readonly reference: string | null;
  readonly values: Record<string, Value>;
  /** Days that stand there as text and times alone, as their cells show them: what an issue says was found. */
  typed?: Readonly<Record<string, string>>;
  /** Columns that are never sent and help to find the record; unreadable cells are passed over. */
  readonly shown: Values;
  /** Cells of columns that are only shown, where what stood there is known or counts. */
  readonly told?: readonly ToldCell[] | undefined;
  /** Fields of which it was empty, and which have the value for all rows. */
  filled?: readonly string[];
  readonly issues: Issue[];
  readonly evidence?: RowEvidence | undefined;
  readonly names: PendingName[];
  /** Fields with a name that a create and an update take from different lists. */
  namedIds?: Readonly<Record<string, NamedIds>> | undefined;
}

/** Where a field, or a column of the program's own, stands in a row, such as `F12`; null without a column. */
export function addressOf(
  { columnOf, marks, outputs }: Pick<SheetColumns, 'columnOf' | 'marks' | 'outputs'>,
  field: string,
  row: number,
): string | null {
  const own = field === '#id' || field === '#status' ? outputs?.[field] : marks.get(field as InputMark);
  const column = columnOf.get(field) ?? own;
  return column === undefined ? null : cellAddress(column, row);
}

/** An issue on a field of a row, or on one of the program's own columns; a day was found as it was typed. */
export function issueOn(row: MappedRow, field: string, finding: Finding, strict?: boolean): Issue {
  const found = finding.found === '' ? '' : (row.typed?.[field] ?? finding.found);
  return issueAt({ ...finding, found }, { field, address: addressOf(row.mapping, field, row.row) }, strict);
}

/** The issue on a field that the row's request needs and that has no value, or no column at all. */
export function issueOfLack(row: MappedRow, field: string): Issue {
  const lacking: Finding = { code: 'required-missing', found: '' };
  return issueOn(row, field, row.mapping.columnOf.has(field) ? lacking : missingColumn(row.mapping, field));
}

/** Where a row stands. */
interface RowPlace {
  readonly sheet: string;
  readonly row: number;
}

/** What says where a row stands; its sheet is left out where that is said beside it. */
export const rowPlaceText = ({ sheet, row }: RowPlace, beside?: string): Bilingual =>
  sheet === beside ? t(`row ${row}`, `rij ${row}`) : t(`row ${row} of ${sheet}`, `rij ${row} van ${sheet}`);

/** Names two rows that contradict each other: an issue on either stands beside its sheet. */
export function bothRowsText(one: RowPlace, other: RowPlace): Bilingual {
  if (one.sheet !== other.sheet) {
    const [first, second] = [rowPlaceText(one), rowPlaceText(other)];
    return t(`${first.en} and ${second.en}`, `${first.nl} en ${second.nl}`);
  }
  const [first, last] = [Math.min(one.row, other.row), Math.max(one.row, other.row)];
  return t(`rows ${first} and ${last}`, `rij ${first} en ${last}`);
}

/** Issues of rows whose cells are not read. */
const UNREAD: ReadonlySet<string | undefined> = new Set(['second-header', 'quotes-broken']);

/** Whether nothing of a row is checked: it is marked skip, of another table, or can't be cut into fields. */
export const asksNothing = ({ action, issues }: MappedRow): boolean =>
  action === 'skip' || UNREAD.has(issues[0]?.code);

/** A field that its row needs has no column; suggests headers that may be meant. */
function missingColumn({ unknown }: SheetColumns, field: string): Finding {
  const near = nearest(field, unknown).join(', ');
  const [en, nl] =
    near === ''
      ? ['add the column', 'voeg de kolom toe']
      : [`nearest headers: ${near}`, `koppen die erop lijken: ${near}`];
  const own = t(
    `${en}, or say which of your own headers it is`,
    `${nl}, of zeg welke van je eigen koppen het is`,
  );
  return { code: 'column-missing', found: '', hint: unknown.length > 0 ? own : t(en, nl) };
}
