import { cellAddress, columnFromLetters, columnLetters } from '../../core/cell.ts';
import { sheetReference } from '../excel-text.ts';
import { filterColumnXml, type StatusFilter } from '../status-filter.ts';
import type { XmlCopy } from '../xml/xml-copy.ts';
import { CLOSE, nameCodes, OPEN, type XmlScanner } from '../xml/xml-scanner.ts';
import { attributeIsTrue, attributeNumber, attributeValue } from '../xml/xml-text.ts';
import { escapeText } from '../xml/xml-write.ts';

/** A range of cells, inclusive. */
export interface CellRange {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const ELEMENT = nameCodes('autoFilter', 'filterColumn', 'filters', 'filter');
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

/** The values that a condition leaves in sight. */
export interface Choice {
  /** As `choiceText` gives them. */
  readonly values: Set<string>;
  /** The same as numbers, NaN among them if one is none. */
  readonly numbers: Set<number>;
  readonly blank: boolean;
}

/** A value as a filter compares it. */
export const choiceText = (value: string): string => value.trim().toLowerCase();

/** The filter of a sheet or table: its range, and the columns with a condition. */
export interface FoundFilter {
  readonly range: CellRange;
  readonly conditions: number[];
  /** What the conditions that are a list of values leave in sight, by column. */
  readonly choices: Map<number, Choice>;
}

/** Finds the filter of a worksheet or table part during a scan. */
export class FilterFinder {
  found: FoundFilter | undefined;
  private inside = false;
  private column = 0;

  /** To be called at every token outside the rows. */
  visit(scanner: XmlScanner, token: number): void {
    const { level } = scanner;
    if (token === OPEN && level === 2 && scanner.code === ELEMENT.autoFilter) {
      const range = cellRange(attributeValue(scanner, 'ref'));
      if (range !== undefined) this.found = { range, conditions: [], choices: new Map() };
      this.inside = range !== undefined && !scanner.selfClosing;
    } else if (token === CLOSE && level === 2) this.inside = false;
    else if (!this.inside || token !== OPEN || this.found === undefined) return;
    else if (level === 3) {
      const column = this.found.range.left + attributeNumber(scanner, 'colId');
      this.column = scanner.code === ELEMENT.filterColumn ? column : 0;
    } else if (level === 4 && this.column > 0) this.openCondition(scanner, this.found);
    else if (level === 5 && this.column > 0) this.openChoice(scanner, this.found);
  }

  private openCondition(scanner: XmlScanner, { conditions, choices }: FoundFilter): void {
    const blank = attributeIsTrue(scanner, 'blank');
    if (scanner.code === ELEMENT.filters && !conditions.includes(this.column))
      choices.set(this.column, { values: new Set(), numbers: new Set(), blank });
    else choices.delete(this.column);
    conditions.push(this.column);
  }

  private openChoice(scanner: XmlScanner, { choices }: FoundFilter): void {
    const choice = choices.get(this.column);
    const value = scanner.code === ELEMENT.filter ? attributeValue(scanner, 'val') : undefined;
    // A group of dates is no value.
    if (choice === undefined || value === undefined) choices.delete(this.column);
    else {
      choice.values.add(choiceText(value));
      choice.numbers.add(value.trim() === '' ? Number.NaN : Number(value));
    }
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
export function filterXml({ range, condition }: Omit<FilterChange, 'drops'>, prefix: string): string {
  const start = `<${prefix}autoFilter ref="${rangeText(range)}"`;
  if (condition === null) return `${start}/>`;
  const { column, filter } = condition;
  return `${start}>${filterColumnXml(filter, column - range.left, prefix)}</${prefix}autoFilter>`;
}

/** Changes the filter just opened; returns what changes its conditions, undefined for one without any. */
export function editFilter(copy: XmlCopy, change: FilterChange): FilterEdit | undefined {
  const { scanner, prefix } = copy;
  const left = cellRange(attributeValue(scanner, 'ref'))?.left ?? 1;
  if (scanner.selfClosing && change.condition !== null) copy.replace(filterXml(change, prefix));
  else copy.changeTag({ ref: rangeText(change.range) });
  return scanner.selfClosing ? undefined : new FilterEdit(copy, change, left);
}

/** Changes the conditions of a filter while its part is copied; called with the scanner behind the tag. */
export class FilterEdit {
  private readonly copy: XmlCopy;
  private readonly change: FilterChange;
  /** The first column of the filter as it was. */
  private readonly left: number;
  private placed = false;

  constructor(copy: XmlCopy, change: FilterChange, left: number) {
    this.copy = copy;
    this.change = change;
    this.left = left;
  }

  openChild(): void {
    const { copy, change } = this;
    const isColumn = copy.scanner.code === ELEMENT.filterColumn;
    const column = this.left + attributeNumber(copy.scanner, 'colId');
    if (!isColumn || column > (change.condition?.column ?? column)) this.close();
    if (isColumn && change.drops(column)) copy.drop();
  }

  /** Also puts the condition in its place. */
  close(): void {
    const { range, condition } = this.change;
    if (this.placed || condition === null) return;
    this.placed = true;
    const { copy } = this;
    copy.insertBefore(filterColumnXml(condition.filter, condition.column - range.left, copy.prefix));
  }
}
