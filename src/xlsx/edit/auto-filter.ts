import { cellAddress, columnFromLetters, columnLetters } from '../../core/cell.ts';
import { sheetReference } from '../excel-text.ts';
import { filterColumnXml, type StatusFilter } from '../status-filter.ts';
import type { XmlCopy } from '../xml/xml-copy.ts';
import { CLOSE, nameCode, OPEN, type XmlScanner } from '../xml/xml-scanner.ts';
import { attributeIsTrue, attributeNumber, attributeValue } from '../xml/xml-text.ts';
import { escapeText } from '../xml/xml-write.ts';

/** A range of cells, inclusive. */
export interface CellRange {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const AUTO_FILTER = nameCode('autoFilter');
const FILTER_COLUMN = nameCode('filterColumn');
const COLUMN_ID = nameCode('colId');
const FILTERS = nameCode('filters');
const FILTER = nameCode('filter');
const BLANK = nameCode('blank');
const VALUE = nameCode('val');
const REF = nameCode('ref');
const RANGE = /^\$?([A-Za-z]{1,3})\$?(\d{1,7})(?::\$?([A-Za-z]{1,3})\$?(\d{1,7}))?$/;

/** Reads a range such as `A1:C5` or `A1`; undefined for other text. */
export function cellRange(ref: string | undefined): CellRange | undefined {
  const [, start, top, end = start, bottom = top] = RANGE.exec(ref ?? '') ?? [];
  if (start === undefined || end === undefined) return undefined;
  return {
    left: columnFromLetters(start),
    top: Number(top),
    right: columnFromLetters(end),
    bottom: Number(bottom),
  };
}

/** Writes a range as `A1:C5`. */
export function rangeText({ left, top, right, bottom }: CellRange): string {
  return `${cellAddress(left, top)}:${cellAddress(right, bottom)}`;
}

/** A range in a formula, `'Sheet'!$A$1:$C$5`, with the sheet name as quoted there. */
export function rangeFormula(sheet: string, { left, top, right, bottom }: CellRange): string {
  return `${sheet}!$${columnLetters(left)}$${top}:$${columnLetters(right)}$${bottom}`;
}

/** The defined name in which Excel keeps the range of the filter of a sheet. */
export const FILTER_NAME = '_xlnm._FilterDatabase';

/** The element of that name for sheet `at` (from 0). */
export function filterName(sheet: string, at: number, range: CellRange, prefix: string): string {
  const place = `name="${FILTER_NAME}" localSheetId="${at}" hidden="1"`;
  return `<${prefix}definedName ${place}>${escapeText(rangeFormula(sheetReference(sheet), range))}</${prefix}definedName>`;
}

/** Whether two ranges share a cell. */
export function overlap(one: CellRange, other: CellRange): boolean {
  return (
    one.left <= other.right && other.left <= one.right && one.top <= other.bottom && other.top <= one.bottom
  );
}

/** The values that a condition leaves in sight. */
export interface Choice {
  /** As `choiceText` gives them. */
  readonly values: ReadonlySet<string>;
  /** The same as numbers, NaN among them if one is none. */
  readonly numbers: ReadonlySet<number>;
  readonly blank: boolean;
}

/** A value as a filter compares it. */
export const choiceText = (value: string): string => value.trim().toLowerCase();

/** The filter of a sheet or table: its range, and the columns with a condition. */
export interface FoundFilter {
  readonly range: CellRange;
  readonly conditions: readonly number[];
  /** What the conditions that are a list of values leave in sight, by column. */
  readonly choices: ReadonlyMap<number, Choice>;
}

/** Finds the filter of a worksheet or table part during a scan. */
export class FilterFinder {
  found: FoundFilter | undefined;
  private readonly choices = new Map<number, { values: Set<string>; numbers: Set<number>; blank: boolean }>();
  private inside = false;
  private column = 0;

  /** To be called at every token outside the rows. */
  visit(scanner: XmlScanner, token: number): void {
    const level = scanner.depth + (token === CLOSE || scanner.selfClosing ? 1 : 0);
    if (token === OPEN && level === 2 && scanner.code === AUTO_FILTER) {
      const range = cellRange(attributeValue(scanner, REF));
      if (range !== undefined) this.found = { range, conditions: [], choices: this.choices };
      this.inside = range !== undefined && !scanner.selfClosing;
    } else if (token === CLOSE && level === 2) this.inside = false;
    else if (!this.inside || token !== OPEN || this.found === undefined) return;
    else if (level === 3)
      this.column =
        scanner.code === FILTER_COLUMN ? this.found.range.left + attributeNumber(scanner, COLUMN_ID) : 0;
    else if (level === 4 && this.column > 0) this.openCondition(scanner);
    else if (level === 5 && this.column > 0) this.openChoice(scanner);
  }

  private openCondition(scanner: XmlScanner): void {
    if (this.found === undefined) return;
    const { conditions } = this.found;
    const isList = scanner.code === FILTERS && !conditions.includes(this.column);
    this.found = { ...this.found, conditions: [...conditions, this.column] };
    const blank = attributeIsTrue(scanner, BLANK);
    if (isList) this.choices.set(this.column, { values: new Set(), numbers: new Set(), blank });
    else this.choices.delete(this.column);
  }

  private openChoice(scanner: XmlScanner): void {
    const choice = this.choices.get(this.column);
    const value = scanner.code === FILTER ? attributeValue(scanner, VALUE) : undefined;
    // A group of dates is no value.
    if (choice === undefined || value === undefined) this.choices.delete(this.column);
    else {
      choice.values.add(choiceText(value));
      choice.numbers.add(value.trim() === '' ? Number.NaN : Number(value));
    }
  }
}

/** Conditions of the user that a result takes off, as they hide a row that needs work. */
export class LiftedConditions {
  private readonly columns = new Map<string | null, Set<number>>();

  add(part: string | null, column: number): void {
    const columns = this.columns.get(part) ?? new Set();
    this.columns.set(part, columns.add(column));
  }

  /** Whether that on a column goes: of the table of this part, or null for the filter of the sheet. */
  has(part: string | null, column: number): boolean {
    return this.columns.get(part)?.has(column) === true;
  }

  /** The same for the table of a part; null if it keeps all. */
  of(part: string | null): ((column: number) => boolean) | null {
    return part !== null && this.columns.has(part) ? (column) => this.has(part, column) : null;
  }

  /** The columns of all of them, in order. */
  all(): number[] {
    const columns = new Set([...this.columns.values()].flatMap((some) => [...some]));
    return [...columns].sort((one, other) => one - other);
  }
}

/** How a filter changes. */
export interface FilterChange {
  readonly range: CellRange;
  /** The condition to add on a column; null for none. */
  readonly condition: { readonly column: number; readonly filter: StatusFilter } | null;
  /** Whether the condition on a column is dropped. */
  readonly drops: (column: number) => boolean;
}

/** The XML of a new filter. */
export function filterXml({ range, condition }: FilterChange, prefix: string): string {
  const start = `<${prefix}autoFilter ref="${rangeText(range)}"`;
  if (condition === null) return `${start}/>`;
  const { column, filter } = condition;
  return `${start}>${filterColumnXml(filter, column - range.left, prefix)}</${prefix}autoFilter>`;
}

/** Changes a filter while its part is copied; called with the scanner behind the tag. */
export class FilterEdit {
  private readonly copy: XmlCopy;
  private readonly change: FilterChange;
  private readonly prefix: string;
  private left = 0;
  private placed = false;
  private dropping = false;

  constructor(copy: XmlCopy, change: FilterChange, prefix: string) {
    this.copy = copy;
    this.change = change;
    this.prefix = prefix;
  }

  open(): void {
    const { copy, change, prefix } = this;
    this.left = cellRange(attributeValue(copy.scanner, REF))?.left ?? 1;
    if (copy.scanner.selfClosing && change.condition !== null) copy.replace(filterXml(change, prefix));
    else copy.changeTag({ ref: rangeText(change.range) });
  }

  openChild(): void {
    const { copy, change } = this;
    const { code, selfClosing } = copy.scanner;
    const isColumn = code === FILTER_COLUMN;
    const column = this.left + attributeNumber(copy.scanner, COLUMN_ID);
    if (!isColumn || column > (change.condition?.column ?? column)) this.close();
    if (!isColumn || !change.drops(column)) return;
    copy.drop();
    if (selfClosing) copy.keep();
    else this.dropping = true;
  }

  closeChild(): void {
    if (this.dropping) this.copy.keep();
    this.dropping = false;
  }

  /** Also puts the condition in its place. */
  close(): void {
    const { range, condition } = this.change;
    if (this.placed || condition === null) return;
    this.placed = true;
    this.copy.insertBefore(filterColumnXml(condition.filter, condition.column - range.left, this.prefix));
  }
}
