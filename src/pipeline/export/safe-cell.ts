import type { Cell } from '../../schema/cell.ts';
import type { Language, Locale, Value } from '../../schema/value.ts';
import { LONGEST_TEXT } from '../../workbook/result-cells.ts';
import type { WrittenValue } from '../../workbook/write/written-sheet.ts';
import { encodeCell, KEPT } from './encode-cell.ts';
import type { ExportColumn } from './export-columns.ts';
import { readBack } from './reads-back.ts';

/**
 * Why a cell does not say to an import what its record holds: no cell holds so long a text, import refuses such a value, or would
 * take it for another.
 */
export type CellLoss = 'too-long' | 'refused' | 'misread';

/** How cells are written. */
export interface CellOptions {
  readonly language: Language;
  /** How an import reads the numbers of a CSV. */
  readonly locale: Locale;
  readonly csv: boolean;
}

/** Nobody sees it, and import leaves it out: it makes `#CLEAR` in a record's text a text like any other. */
const WORD_JOINER = '\u2060';
const HASH = 35;
const CAPITAL_E = 69;

/**
 * A value as a cell that an import reads as that value again; where there is none, as it came, or as no cell where it does not fit
 * or would be taken for something else. `lost` is told why.
 */
export function safeCell(
  value: unknown,
  column: ExportColumn,
  options: CellOptions,
  lost: (why: CellLoss) => void,
): WrittenValue {
  const cell = encodeCell(value, column.type, options.language);
  if (cell === null) return null;
  if (typeof cell === 'string' && cell.length > LONGEST_TEXT && !options.csv) {
    lost('too-long');
    return null;
  }
  if (!column.imported || isPlain(cell, column)) return cell;
  return careful(value as Value, cell, column, options, lost);
}

/** A cell of which can be told at a glance that it reads as what it is, as nearly all can. */
function isPlain(cell: WrittenValue, { header, type }: ExportColumn): boolean {
  if (typeof cell === 'number') {
    if (type === 'decimal') return Number.isFinite(cell);
    if (type !== 'integer' || !Number.isInteger(cell) || Math.abs(cell) > KEPT) return false;
    return cell > 0 || !header.endsWith('ID');
  }
  if (typeof cell === 'boolean') return type === 'boolean';
  if (typeof cell !== 'string') return false;
  if (type === 'boolean') return cell === 'Ja' || cell === 'Nee';
  const first = cell.charCodeAt(0);
  return type === 'text' && first !== HASH && first !== CAPITAL_E;
}

function careful(
  value: Value,
  cell: Exclude<WrittenValue, null>,
  column: ExportColumn,
  options: CellOptions,
  lost: (why: CellLoss) => void,
): WrittenValue {
  const read = (one: Exclude<WrittenValue, null>) =>
    readBack(column, asRead(one, options.csv), value, options.locale);
  const found = read(cell);
  if (found === 'same') return cell;
  // No record has it: in an id, 0 stands for none.
  if (value === 0 && column.type === 'integer') return null;
  if (typeof cell === 'string' && column.type === 'text') {
    const joined = `${WORD_JOINER}${cell}`;
    if (read(joined) === 'same') return joined;
  }
  lost(found === 'issue' ? 'refused' : 'misread');
  return found === 'issue' ? cell : null;
}

/** The cell as a reader hands it over. */
function asRead(value: Exclude<WrittenValue, null>, csv: boolean): Cell {
  if (typeof value === 'string') return { column: 1, type: 'text', value };
  if (typeof value === 'object') return { column: 1, type: csv ? 'text' : 'date', value: value.date };
  if (typeof value === 'boolean') return { column: 1, type: 'boolean', value };
  return { column: 1, type: 'number', value };
}
