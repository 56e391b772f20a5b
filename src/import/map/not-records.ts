import { type Cell, cellAddress, type Row } from '../../core/cell.ts';
import { cellText } from '../../core/codec.ts';
import { issueAt } from '../../core/issue.ts';
import { ISSUES } from '../../core/issue-catalogue.ts';
import type { SheetLayout } from '../../files/sheet.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import { isBlank, isReadable } from './cell-sense.ts';
import { emptyRow, noteFinding } from './map-row.ts';
import type { SheetMapping } from './sheet-mapping.ts';

/** Why a row is no record: it repeats the header, is the totals row of a table, or holds nothing under a header. */
export type NoRecord = 'header' | 'totals' | 'beside';

/** A text that begins or ends with a word for a total: `Subtotaal 12`, `Soepen Totaal`, `Som van Aantal`. */
const TOTAL =
  /^\s*(?:(?:sub|eind|grand|generaal|algemeen)[\s-]?)?(?:totaal|totalen|totals?)(?![\p{L}\p{N}-])|\s(?:totaal|totals?)\s*:?\s*$|^\s*(?:som|sum|aantal|count|gemiddelde|average) (?:van|of) \S/iu;

const isText = (cell: Cell): cell is Cell & { type: 'text' } => cell.type === 'text' && !isBlank(cell);

/**
 * Tells, row by row, which are no records. Only a row that names no record and has no `#action` can be passed over: it
 * could not be sent. One that looks like a total gets an issue that says so.
 */
export function createRowJudge(
  mapping: SheetMapping,
  layout?: Pick<SheetLayout, 'totals'>,
): (row: Row, mapped: MappedRow, repeats: boolean) => NoRecord | null {
  const { readers, resource, outputColumns, columnOf } = mapping;
  const set = new Set(mapping.set.map(({ field }) => field));
  // A value for all rows names no record.
  const keys = resource.keys.filter((key) => !set.has(key));
  const label = 'label' in resource ? resource.label : null;
  const isOwn = (cell: Cell): boolean => !outputColumns.has(cell.column);
  return (row, mapped, repeats) => {
    if (repeats) return 'header';
    if (mapped.action !== 'auto' || mapped.reference !== null) return null;
    if (layout?.totals.some((one) => isTotalsOf(one, row)) === true) return 'totals';
    if (namesRecord(mapped)) {
      const named =
        label === null ? undefined : row.cells.find(({ column }) => column === columnOf.get(label));
      if (
        named !== undefined &&
        isText(named) &&
        TOTAL.test(named.value) &&
        !/\p{L}/u.test(named.value.replace(TOTAL, ''))
      )
        mapped.issues.push(totalIssue(named, mapped));
      return null;
    }
    const total = row.cells.find((cell) => isOwn(cell) && isText(cell) && TOTAL.test(cell.value));
    if (total === undefined) return null;
    mapped.names.length = 0;
    mapped.issues.splice(0, mapped.issues.length, totalIssue(total, mapped));
    return null;
  };

  function isTotalsOf(
    { bottom, left, right }: SheetLayout['totals'][number],
    { number, cells }: Row,
  ): boolean {
    if (bottom !== number) return false;
    return cells.every(({ column }) => readers[column] === undefined || (column >= left && column <= right));
  }

  function namesRecord({ values, names }: MappedRow): boolean {
    for (const key of keys) if (values[key] !== undefined) return true;
    return names.some(({ field, name }) => keys.includes(field) && !TOTAL.test(name));
  }

  function totalIssue({ column, value }: Cell, { row }: MappedRow) {
    const place = { field: readers[column]?.name ?? null, address: cellAddress(column, row) };
    return issueAt({ code: 'total-or-record', found: String(value).trim() }, place);
  }
}

/**
 * Tells the rows that are the headers once more, as printed lists have them on every page, and those of another table,
 * by the row of its header: they would be read under the wrong headers.
 */
export function createTableWatch({
  names,
  readers,
  headers,
}: SheetMapping): (row: Row) => 'header' | number | null {
  const texts = new Map(headers.map(({ column, header }) => [column, header]));
  let other: number | null = null;
  // A quick look, as every cell of a sheet passes here.
  const shapes = new Set([...names.keys()].map(shapeOf));
  const nameIn = ({ value }: Cell): string | undefined =>
    typeof value === 'string' && shapes.has(shapeOf(value)) ? names.get(value.toLowerCase()) : undefined;
  const isOther = (cell: Cell): boolean => {
    const name = nameIn(cell);
    const isOwn = readers[cell.column]?.name === name || texts.get(cell.column) === cell.value;
    return name !== undefined && !isOwn;
  };
  const isValue = (cell: Cell): boolean => {
    const field = readers[cell.column]?.field;
    return field != null && field.codec.type !== 'text' && !isBlank(cell) && isReadable(cell, field);
  };
  return ({ number, cells }) => {
    if (other !== null) return cells.every(isBlank) ? null : other;
    let named = 0;
    for (const cell of cells) if (nameIn(cell) !== undefined) named++;
    if (named < 2 || cells.some(isValue)) return null;
    if (!cells.some(isOther)) return 'header';
    other = number;
    return other;
  };
}

/** The first letter of a text, whatever its case, with its length. */
const shapeOf = (text: string): number => (text.charCodeAt(0) | 32) * 1024 + text.length;

/** A row of another table, with the issue that stops it. `header` is the row of that table's headers. */
export function strayRow(row: Row, mapping: SheetMapping, header: number): MappedRow {
  const mapped = emptyRow(row, mapping);
  const first = row.cells.find((cell) => !isBlank(cell));
  const address = first === undefined ? null : cellAddress(first.column, mapped.row);
  const found = first === undefined ? '' : cellText(first);
  const finding = { code: 'second-header', found, hint: `${header}` } as const;
  mapped.issues.push(issueAt(finding, { field: null, address }));
  return mapped;
}

/** A row whose values may stand in the wrong columns, with the issue that stops it; undefined for another. */
export function brokenRow(row: Row, mapping: SheetMapping): MappedRow | undefined {
  const { finding } = row;
  if (finding === undefined || ISSUES[finding.code].severity !== 'error') return undefined;
  const mapped = emptyRow(row, mapping);
  noteFinding(finding, mapped);
  return mapped;
}
