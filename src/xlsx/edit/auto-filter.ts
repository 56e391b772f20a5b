import { cellAddress, columnFromLetters, columnLetters } from '../../core/cell.ts';
import { filterColumnXml, type StatusFilter } from '../status-filter.ts';
import type { XmlCopy } from '../xml/xml-copy.ts';
import { CLOSE, nameCode, OPEN, type XmlScanner } from '../xml/xml-scanner.ts';
import { attributeValue } from '../xml/xml-text.ts';
import { escapeText } from '../xml/xml-write.ts';

/** A range of cells, all its ends in it. */
export interface CellRange {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const AUTO_FILTER = nameCode('autoFilter');
const FILTER_COLUMN = nameCode('filterColumn');
const COLUMN_ID = nameCode('colId');
const REF = nameCode('ref');
const RANGE = /^\$?([A-Za-z]{1,3})\$?(\d{1,7})(?::\$?([A-Za-z]{1,3})\$?(\d{1,7}))?$/;

/** A range such as `A1:C5` or `A1`; undefined for what is none. */
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

/** A range as `A1:C5`. */
export function rangeText({ left, top, right, bottom }: CellRange): string {
  return `${cellAddress(left, top)}:${cellAddress(right, bottom)}`;
}

/** A range as a formula names it, `'Sheet'!$A$1:$C$5`, from the name as it stands there. */
export function rangeFormula(sheet: string, { left, top, right, bottom }: CellRange): string {
  const ends = `$${columnLetters(left)}$${top}:$${columnLetters(right)}$${bottom}`;
  return `${sheet}!${ends}`;
}

/** A sheet's name as a formula has it. */
const quotedSheet = (name: string): string => `'${name.replaceAll("'", "''")}'`;

/** The name under which Excel keeps the range of a sheet's own filter. */
export const FILTER_NAME = '_xlnm._FilterDatabase';

/** The element of that name, for the sheet at place `at` (from 0). */
export function filterName(sheet: string, at: number, range: CellRange, prefix: string): string {
  const place = `name="${FILTER_NAME}" localSheetId="${at}" hidden="1"`;
  return `<${prefix}definedName ${place}>${escapeText(rangeFormula(quotedSheet(sheet), range))}</${prefix}definedName>`;
}

/** Whether two ranges have a cell in common. */
export function overlap(one: CellRange, other: CellRange): boolean {
  return (
    one.left <= other.right && other.left <= one.right && one.top <= other.bottom && other.top <= one.bottom
  );
}

/** A filter as a sheet or table has it: its range, and the columns on which it has a condition. */
export interface FoundFilter {
  readonly range: CellRange;
  readonly conditions: readonly number[];
}

/** Finds the filter of a worksheet or table part while a scanner goes through it. */
export class FilterFinder {
  found: FoundFilter | undefined;
  private inside = false;
  private column = 0;

  /** To be called at every token outside the sheet's rows. */
  visit(scanner: XmlScanner, token: number): void {
    const level = scanner.depth + (token === CLOSE || scanner.selfClosing ? 1 : 0);
    if (token === OPEN && level === 2 && scanner.code === AUTO_FILTER) {
      const range = cellRange(attributeValue(scanner, REF));
      if (range !== undefined) this.found = { range, conditions: [] };
      this.inside = range !== undefined && !scanner.selfClosing;
    } else if (token === CLOSE && level === 2) this.inside = false;
    else if (!this.inside || token !== OPEN || this.found === undefined) return;
    else if (level === 3)
      this.column =
        scanner.code === FILTER_COLUMN
          ? this.found.range.left + Number(attributeValue(scanner, COLUMN_ID) ?? 0)
          : 0;
    else if (level === 4 && this.column > 0)
      this.found = { ...this.found, conditions: [...this.found.conditions, this.column] };
  }
}

/** What becomes of a filter. */
export interface FilterChange {
  readonly range: CellRange;
  /** The condition that it gets on a column; null for none. */
  readonly condition: { readonly column: number; readonly filter: StatusFilter } | null;
  /** Whether a condition that it has on a column goes. */
  readonly drops: (column: number) => boolean;
}

/** A filter where there is none. */
export function filterXml({ range, condition }: FilterChange, prefix: string): string {
  const start = `<${prefix}autoFilter ref="${rangeText(range)}"`;
  if (condition === null) return `${start}/>`;
  return `${start}>${conditionXml(range, condition, prefix)}</${prefix}autoFilter>`;
}

function conditionXml(
  { left }: CellRange,
  { column, filter }: NonNullable<FilterChange['condition']>,
  prefix: string,
): string {
  return filterColumnXml(filter, column - left, prefix);
}

/** Changes a filter of a worksheet or table part while it is copied. */
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

  /** The scanner stands behind `<autoFilter>`. */
  open(): void {
    const { copy, change, prefix } = this;
    this.left = cellRange(attributeValue(copy.scanner, REF))?.left ?? 1;
    if (copy.scanner.selfClosing && change.condition !== null) copy.replace(filterXml(change, prefix));
    else copy.changeTag({ ref: rangeText(change.range) });
  }

  /** The scanner stands behind the tag that opens one of its children. */
  openChild(): void {
    const { copy, change } = this;
    const { code, selfClosing } = copy.scanner;
    const isColumn = code === FILTER_COLUMN;
    const column = this.left + Number(attributeValue(copy.scanner, COLUMN_ID) ?? 0);
    if (!isColumn || column > (change.condition?.column ?? column)) this.place();
    if (!isColumn || !change.drops(column)) return;
    copy.drop();
    if (selfClosing) copy.keep();
    else this.dropping = true;
  }

  /** The scanner stands behind the tag that closes one of its children. */
  closeChild(): void {
    if (this.dropping) this.copy.keep();
    this.dropping = false;
  }

  /** The scanner stands behind `</autoFilter>`. */
  close(): void {
    this.place();
  }

  private place(): void {
    const { copy, change, prefix } = this;
    if (this.placed || change.condition === null) return;
    this.placed = true;
    copy.insertBefore(conditionXml(change.range, change.condition, prefix));
  }
}
